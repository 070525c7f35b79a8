-- What was seen of branches, one thing a row. What holds now is decided from all of them and from git's own refs.
create table branch_facts (
  row integer primary key,
  project text not null,
  branch text not null,
  what text not null,
  value text not null,
  state text not null,
  rank integer not null,
  how text not null,
  worktree text not null,
  at integer not null,
  host text not null,
  session text not null,
  key text not null,
  unique (host, session, key)
) strict;
create index branch_facts_by_branch on branch_facts (project, branch, at);
create index branch_facts_by_time on branch_facts (project, at);

-- What a job found out about a repository: the heads that it looked at, and what follows from them.
create table branch_refs (
  common text not null,
  base text not null,
  mark text not null,
  contained integer not null,
  at integer not null,
  primary key (common, base)
) strict, without rowid;

-- What a session was told of a branch, or of another window: said once in each window of its context.
create table told (
  host text not null,
  session text not null,
  agent text not null,
  context integer not null,
  what text not null,
  at integer not null,
  primary key (host, session, agent, context, what)
) strict, without rowid;
