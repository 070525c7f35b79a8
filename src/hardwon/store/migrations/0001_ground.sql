-- What the home itself knows: its device, its keys, what was last done when.
create table meta (
  key text primary key,
  value text not null
) strict, without rowid;

-- The log: every change to a memory, never updated, only added to. `payload` begins with a codec byte; a forgotten
-- memory's payloads are emptied and only the headers stay. `action` is the first sequence number of the command that
-- wrote the record, so that one undo takes back one command; negative for what was learned without a command.
create table records (
  device text not null,
  sequence integer not null,
  clock integer not null,
  memory text not null,
  operation text not null,
  action integer not null,
  payload blob not null,
  primary key (device, sequence)
) strict, without rowid;
create index records_by_memory on records (memory, clock);
create index records_by_clock on records (clock);
create index records_by_operation on records (operation) where operation in ('undo', 'forget');

-- Records whose clock is too far ahead of ours to be believed.
create table set_aside (
  device text not null,
  sequence integer not null,
  line text not null,
  reason text not null,
  primary key (device, sequence)
) strict, without rowid;

create table projects (
  id text primary key,
  name text not null unique,
  root text not null,
  merged_into text,
  created_at integer not null
) strict, without rowid;

-- A first commit may belong to several projects (a fork, a template), every other alias to one.
create table aliases (
  kind text not null,
  value text not null,
  project text not null,
  primary key (kind, value, project)
) strict, without rowid;
create index aliases_by_project on aliases (project);

-- Everything from here to `counts` is derived from the log and can be rebuilt.
create table memories (
  row integer primary key,
  id text not null unique,
  tail text not null,
  kind text not null,
  subtype text not null,
  status text not null,
  project text not null,
  skill text,
  trust text not null,
  source text not null,
  author text not null,
  visibility text not null,
  title text not null,
  body text not null,
  intent text not null,
  because text not null,
  rejected text not null,
  anchors text not null,
  links text not null,
  evidence text not null,
  complaints text not null,
  origin_key text,
  pinned integer not null,
  reason text not null,
  superseded_by text,
  created_at integer not null,
  updated_at integer not null,
  text_hash blob not null
) strict;
create index memories_by_tail on memories (tail);
create index memories_by_text on memories (text_hash, project);
create index memories_by_scope on memories (project, skill, status);
-- Project and row number alone: to tell whether a search's match is of this project, without reading the memory.
create index memories_by_project on memories (project);
create index memories_by_time on memories (updated_at);

-- Which memory an event became, also when it was already known: learning the same session again changes nothing.
create table origins (
  key text primary key,
  memory text not null
) strict, without rowid;

create table anchors (
  kind text not null,
  value text not null,
  memory_row integer not null,
  primary key (kind, value, memory_row)
) strict, without rowid;
create index anchors_by_memory on anchors (memory_row);

create table links (
  source text not null,
  kind text not null,
  target text not null,
  primary key (source, kind, target)
) strict, without rowid;
create index links_by_target on links (target);

create virtual table memory_search using fts5(
  title, body, intent, anchors,
  content = '', tokenize = 'porter unicode61 remove_diacritics 2'
);
-- Without it the words of a deleted row stay in the index until a merge happens to pass by.
insert into memory_search (memory_search, rank) values ('secure-delete', 1);

create table vectors (
  memory_row integer not null,
  facet text not null,
  model text not null,
  vector blob not null,
  primary key (memory_row, facet, model)
) strict, without rowid;

-- How often a memory was learned again: one number per device, merged by maximum.
create table counts (
  memory text not null,
  device text not null,
  hits integer not null,
  primary key (memory, device)
) strict, without rowid;

-- What was forgotten: a keyed hash of the normalised text or of the origin key, never the text.
create table tombstone_keys (
  id text primary key,
  key blob not null
) strict, without rowid;
create table tombstones (
  hash blob primary key,
  memory text not null
) strict, without rowid;

create table sessions (
  row integer primary key,
  host text not null,
  id text not null,
  project text,
  cwd text not null,
  transcript text not null,
  transcript_read integer not null default 0,
  started_at integer not null,
  last_at integer not null,
  unique (host, id)
) strict;

create table journal (
  row integer primary key,
  session integer not null references sessions (row),
  key text not null,
  type text not null,
  tier text not null,
  at integer not null,
  agent text not null,
  prompt text not null,
  call text not null,
  tool text not null,
  target text not null,
  text text not null,
  exit_status integer,
  error text not null,
  unique (session, key)
) strict;
create index journal_by_time on journal (at);

create table showings (
  row integer primary key,
  memory text not null,
  session integer references sessions (row),
  agent text not null,
  context integer not null,
  moment text not null,
  at integer not null,
  tokens integer not null,
  outcome text not null
) strict;
create index showings_by_memory on showings (memory, at);
create index showings_by_time on showings (at);
