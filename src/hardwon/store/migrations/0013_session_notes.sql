-- What sessions leave: a summary at the end, checkpoints on the way, a snapshot before a compaction. `number` tells the
-- notes of one kind apart (prompts so far, which window), so that making one again changes it and adds none. `content`
-- is JSON; `before` is the session that came before it in the project.
create table session_notes (
  row integer primary key,
  session integer not null references sessions (row),
  kind text not null,
  number integer not null,
  at integer not null,
  branch text not null,
  before integer,
  content text not null,
  condensed integer not null default 0,
  unique (session, kind, number)
) strict;
create index session_notes_by_time on session_notes (at);
create index sessions_by_project on sessions (project, last_at);

-- To whom a handoff was said, and since when that session has surely read it.
create table handoffs (
  memory text primary key,
  session integer references sessions (row),
  offered_at integer not null,
  taken_at integer
) strict, without rowid;
