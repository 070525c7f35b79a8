-- What is to be done in the background, and what came of it. One row for each job and what it is about: who asks again
-- while it waits asks for the same. A lease says who does it just now; when that time is over, another may.
create table jobs (
  row integer primary key,
  name text not null,
  subject text not null,
  state text not null,
  asked_at integer not null,
  due_at integer not null,
  started_at integer not null default 0,
  ended_at integer not null default 0,
  again integer not null default 0,
  tries integer not null default 0,
  owner text not null default '',
  lease_until integer not null default 0,
  done integer not null default 0,
  total integer not null default 0,
  result text not null default '',
  unique (name, subject)
) strict;
create index jobs_by_time on jobs (due_at) where state in ('waiting', 'running');
