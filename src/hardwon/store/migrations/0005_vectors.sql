-- Vectors of several models side by side, long texts in chunks. Nothing has written the table of before.
drop table vectors;
create table vector_models (
  id integer primary key,
  name text not null unique,
  dims integer not null
) strict;
-- A vector is whole numbers from -127 to 127; times `scale` it is one long. Made from the memories and never logged.
create table vectors (
  model integer not null,
  memory_row integer not null,
  facet text not null,
  chunk integer not null,
  scale real not null,
  vector blob not null,
  primary key (model, memory_row, facet, chunk)
) strict, without rowid;
create index vectors_by_memory on vectors (memory_row);

-- Whose vectors or place have changed, each under the number of its last change: whoever holds the vectors in memory
-- reads only what is newer than what it knows.
create table vector_changes (
  memory_row integer primary key,
  number integer not null
) strict;
create unique index vector_changes_by_number on vector_changes (number);
create trigger vectors_added after insert on vectors begin
  insert or replace into vector_changes (memory_row, number)
  values (new.memory_row, (select coalesce(max(number), 0) + 1 from vector_changes));
end;
create trigger vectors_removed after delete on vectors begin
  insert or replace into vector_changes (memory_row, number)
  values (old.memory_row, (select coalesce(max(number), 0) + 1 from vector_changes));
end;
create trigger vectors_kept after insert on memories
when exists (select 1 from vectors where memory_row = new.row) begin
  insert or replace into vector_changes (memory_row, number)
  values (new.row, (select coalesce(max(number), 0) + 1 from vector_changes));
end;
create trigger vectors_moved after update of project, skill on memories
when (old.project is not new.project or old.skill is not new.skill)
  and exists (select 1 from vectors where memory_row = new.row) begin
  insert or replace into vector_changes (memory_row, number)
  values (new.row, (select coalesce(max(number), 0) + 1 from vector_changes));
end;
