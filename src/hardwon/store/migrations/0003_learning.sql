-- A forked session's transcript repeats what its parent's has: what happened is found by the client's own id, in
-- whatever session it was kept first.
create index journal_by_key on journal (key);
