-- Retention by tier, age and size. A session is thinned as a whole, when it is over and was learned from: `learned_to`
-- is how far that is, `thinned` which tiers are gone (1 facts, 2 outlines too, 3 all).
alter table sessions add column learned_to integer not null default 0;
alter table sessions add column thinned integer not null default 0;
update sessions set learned_to = last_at;
create index sessions_by_time on sessions (last_at);

-- Up to when a session's events were removed: what is told again of the time before is not kept again. Stays when the
-- session's own row goes.
create table removals (
  host text not null,
  session text not null,
  until integer not null,
  primary key (host, session)
) strict, without rowid;

-- Whether a target was looked at before in this session.
create index journal_by_look on journal (session, target) where tier = 'L';

-- How large the journal is, as near as can be told without reading it: texts, ids (each also in an index), and what
-- SQLite adds to a row. Triggers count, so that no way of changing it can pass by.
create table journal_size (
  tier text primary key,
  entries integer not null,
  bytes integer not null
) strict, without rowid;
insert into journal_size (tier, entries, bytes) values ('S', 0, 0), ('M', 0, 0), ('L', 0, 0);
update journal_size set (entries, bytes) = (
  select count(*), coalesce(sum(octet_length(j.target) + octet_length(j.text) + octet_length(j.error)
    + 3 * octet_length(j.key) + octet_length(j.call) + octet_length(j.prompt) + octet_length(j.agent) + 100), 0)
  from journal j where j.tier = journal_size.tier
);
create trigger journal_added after insert on journal begin
  update journal_size set entries = entries + 1, bytes = bytes + octet_length(new.target) + octet_length(new.text) + octet_length(new.error)
    + 3 * octet_length(new.key) + octet_length(new.call) + octet_length(new.prompt) + octet_length(new.agent) + 100
  where tier = new.tier;
end;
create trigger journal_removed after delete on journal begin
  update journal_size set entries = entries - 1, bytes = bytes - (octet_length(old.target) + octet_length(old.text) + octet_length(old.error)
    + 3 * octet_length(old.key) + octet_length(old.call) + octet_length(old.prompt) + octet_length(old.agent) + 100)
  where tier = old.tier;
end;
create trigger journal_changed after update of tier, target, text, error on journal begin
  update journal_size set entries = entries - 1, bytes = bytes - (octet_length(old.target) + octet_length(old.text) + octet_length(old.error)
    + 3 * octet_length(old.key) + octet_length(old.call) + octet_length(old.prompt) + octet_length(old.agent) + 100)
  where tier = old.tier;
  update journal_size set entries = entries + 1, bytes = bytes + octet_length(new.target) + octet_length(new.text) + octet_length(new.error)
    + 3 * octet_length(new.key) + octet_length(new.call) + octet_length(new.prompt) + octet_length(new.agent) + 100
  where tier = new.tier;
end;
