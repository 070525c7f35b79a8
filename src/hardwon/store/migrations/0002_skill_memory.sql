-- Skill memory. `skill_mark` is what the skill's text looked like when a lesson was learned, `origin_project` where one
-- was learned that holds everywhere. `hits` is the sum over `counts`: in the row, so that the lessons used most are
-- found by an index and not by reading all.
alter table memories add column skill_mark text not null default '';
alter table memories add column origin_project text not null default '';
alter table memories add column hits integer not null default 0;
update memories set hits = coalesce((select sum(hits) from counts where counts.memory = memories.id), 0)
  where id in (select memory from counts);
create trigger counts_added after insert on counts begin
  update memories set hits = (select sum(hits) from counts where memory = new.memory) where id = new.memory;
end;
create trigger counts_changed after update on counts begin
  update memories set hits = (select sum(hits) from counts where memory = new.memory) where id = new.memory;
end;
create index memories_by_use on memories (skill, project, hits, updated_at)
  where skill is not null and status = 'active' and kind <> 'checkpoint';
create index memories_by_news on memories (skill, project, pinned, updated_at)
  where skill is not null and status = 'active' and kind <> 'checkpoint';
-- Skill, project and row number alone: to tell whether a search's match is a lesson of this skill.
create index memories_by_skill on memories (skill, project) where skill is not null;
-- What was learned for everything: shown with the first skill of a session.
create index memories_by_principle on memories (hits, updated_at)
  where project = '*' and skill is null and kind = 'lesson' and status = 'active';
-- How often a skill was loaded: a number per day and device, kept for longer than the journal that it was counted from.
create table skill_loads (
  skill text not null,
  day text not null,
  device text not null,
  loads integer not null,
  last_at integer not null,
  primary key (skill, day, device)
) strict, without rowid;
-- How far each transcript of a client was read; one file per session, and one per sub-agent of it.
create table transcripts (
  path text primary key,
  read integer not null,
  at integer not null
) strict, without rowid;
insert into transcripts (path, read, at)
  select transcript, max(transcript_read), max(last_at) from sessions where transcript <> '' group by transcript;

-- The markdown mirror: what each file said, as hashes, no text. Each file states its version, and an entry was in the
-- versions from `since` to before `until`: so a copy that lay open in an editor for a while is compared with what it was
-- made from. `mirror_due` names the skills
-- whose lessons have changed since ('' for lessons of no skill); triggers fill it, so that no way of changing a memory
-- can pass it by.
create table mirror_files (
  file text primary key,
  skill text not null,
  kind text not null,
  device text not null,
  version integer not null,
  stamp text not null,
  projects text not null
) strict, without rowid;
create index mirror_files_by_skill on mirror_files (skill, kind);
create table mirror_entries (
  file text not null,
  memory text not null,
  project text not null,
  position integer not null,
  mark blob not null,
  since integer not null,
  until integer,
  primary key (file, memory, since)
) strict, without rowid;
create index mirror_entries_by_memory on mirror_entries (memory);
create table mirror_due (skill text primary key) strict, without rowid;
insert into mirror_due (skill)
  select distinct coalesce(skill, '') from memories
  where kind in ('lesson', 'checkpoint') and status = 'active' and (skill is not null or project = '*');
-- `do nothing` and not `or ignore`: the statement that fires a trigger overrules the latter.
create trigger mirror_added after insert on memories
when new.kind in ('lesson', 'checkpoint') and (new.skill is not null or new.project = '*') begin
  insert into mirror_due (skill) values (coalesce(new.skill, '')) on conflict (skill) do nothing;
end;
create trigger mirror_changed after update on memories
when new.kind in ('lesson', 'checkpoint') and (new.skill is not null or new.project = '*') begin
  insert into mirror_due (skill) values (coalesce(new.skill, '')) on conflict (skill) do nothing;
end;
create trigger mirror_removed after delete on memories
when old.kind in ('lesson', 'checkpoint') and (old.skill is not null or old.project = '*') begin
  insert into mirror_due (skill) values (coalesce(old.skill, '')) on conflict (skill) do nothing;
end;
create index memories_by_checkpoint on memories (skill, created_at) where kind = 'checkpoint' and status = 'active';
