-- As `vector_changes`, of passages: their numbers are given anew when the newest have gone, so that neither the number
-- of vectors nor a passage's own tells whoever holds them in memory what has changed.
create table passage_changes (
  passage integer primary key,
  number integer not null
) strict;
create unique index passage_changes_by_number on passage_changes (number);
create trigger passage_vectors_added after insert on passage_vectors begin
  insert or replace into passage_changes (passage, number)
  values (new.passage, (select coalesce(max(number), 0) + 1 from passage_changes));
end;
create trigger passage_vectors_removed after delete on passage_vectors begin
  insert or replace into passage_changes (passage, number)
  values (old.passage, (select coalesce(max(number), 0) + 1 from passage_changes));
end;
