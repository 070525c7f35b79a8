-- A forked session's transcript repeats what its parent's has: what happened is found by the client's own id, in
-- whatever session it was kept first.
create index journal_by_key on journal (key);

-- What came of showings. They are looked up by session at each turn's end; what they come to per memory is counted by
-- triggers, so that the rank reads one row per memory however often it was shown.
create index showings_by_session on showings (session);
create table showing_counts (
  memory text primary key,
  shown integer not null,
  helped integer not null,
  ignored integer not null,
  ignored_at_prompt integer not null
) strict, without rowid;
insert into showing_counts (memory, shown, helped, ignored, ignored_at_prompt)
  select memory, count(*), sum(outcome = 'helped'), sum(outcome = 'ignored'),
    sum(outcome = 'ignored' and moment = 'prompt')
  from showings group by memory;
create trigger showings_added after insert on showings begin
  insert into showing_counts (memory, shown, helped, ignored, ignored_at_prompt)
  values (new.memory, 1, new.outcome = 'helped', new.outcome = 'ignored',
    new.outcome = 'ignored' and new.moment = 'prompt')
  on conflict (memory) do update set
    shown = shown + 1, helped = helped + excluded.helped, ignored = ignored + excluded.ignored,
    ignored_at_prompt = ignored_at_prompt + excluded.ignored_at_prompt;
end;
create trigger showings_judged after update of outcome on showings begin
  update showing_counts set
    helped = helped + (new.outcome = 'helped') - (old.outcome = 'helped'),
    ignored = ignored + (new.outcome = 'ignored') - (old.outcome = 'ignored'),
    ignored_at_prompt = ignored_at_prompt
      + (new.outcome = 'ignored' and new.moment = 'prompt') - (old.outcome = 'ignored' and old.moment = 'prompt')
  where memory = new.memory;
end;
create trigger showings_removed after delete on showings begin
  update showing_counts set
    shown = shown - 1, helped = helped - (old.outcome = 'helped'), ignored = ignored - (old.outcome = 'ignored'),
    ignored_at_prompt = ignored_at_prompt - (old.outcome = 'ignored' and old.moment = 'prompt')
  where memory = old.memory;
  delete from showing_counts where memory = old.memory and shown = 0;
end;

-- On which days a failure happened: how many sessions met it that day, kept for longer than the journal.
create table recurrences (
  memory text not null,
  day text not null,
  device text not null,
  count integer not null,
  primary key (memory, day, device)
) strict, without rowid;

-- Decisions that turned something down, newest first: looked through at each prompt.
create index memories_by_decision on memories (project, updated_at)
  where kind = 'decision' and status = 'active' and rejected <> '[]';
