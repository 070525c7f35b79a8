-- What was said in past sessions, cut into passages that can be searched: prompts and what the agents answered. A
-- passage is often understood only with what it answers, so `before` has the end of that and `earlier` the end of what
-- stood before it; `answers` and `follows` say whose they are.
-- The texts are as the index has them, so that triggers can take them out again, whichever way the journal changes.
create table passages (
  row integer primary key,
  journal integer not null,
  part integer not null,
  session integer not null,
  at integer not null,
  text text not null,
  before text not null,
  earlier text not null,
  answers integer,
  follows integer
) strict;
create index passages_by_journal on passages (journal);
create index passages_by_session on passages (session, at, row);
create index passages_by_answered on passages (answers) where answers is not null;
create index passages_by_followed on passages (follows) where follows is not null;
create virtual table passage_search using fts5(
  text, before, earlier, content='', tokenize='porter unicode61 remove_diacritics 2'
);
insert into passage_search (passage_search, rank) values ('secure-delete', 1);
create trigger passages_added after insert on passages begin
  insert into passage_search (rowid, text, before, earlier) values (new.row, new.text, new.before, new.earlier);
end;
create trigger passages_removed after delete on passages begin
  insert into passage_search (passage_search, rowid, text, before, earlier)
  values ('delete', old.row, old.text, old.before, old.earlier);
end;

create index journal_by_speech on journal (session, at, row) where type in ('prompt_submitted', 'turn_ended');

-- Entries that are still to be cut: new ones, and those whose text was changed.
create table passages_due (journal integer primary key) strict;
insert into passages_due (journal)
  select row from journal where type in ('prompt_submitted', 'turn_ended') and text <> '';
create trigger journal_spoken after insert on journal
when new.type in ('prompt_submitted', 'turn_ended') and new.text <> '' begin
  insert or ignore into passages_due (journal) values (new.row);
end;
create trigger journal_unsaid after delete on journal
when old.type in ('prompt_submitted', 'turn_ended') begin
  delete from passages where journal = old.row;
  delete from passages_due where journal = old.row;
  insert or ignore into passages_due (journal) select journal from passages where answers = old.row or follows = old.row;
  delete from passages where answers = old.row or follows = old.row;
end;
create trigger journal_reworded after update of text on journal
when new.type in ('prompt_submitted', 'turn_ended') begin
  insert or ignore into passages_due (journal) values (new.row);
  insert or ignore into passages_due (journal) select journal from passages where answers = old.row or follows = old.row;
  delete from passages where journal = old.row or answers = old.row or follows = old.row;
end;

-- As `vectors`, of passages.
create table passage_vectors (
  model integer not null,
  passage integer not null,
  scale real not null,
  vector blob not null,
  primary key (model, passage)
) strict, without rowid;
create index passage_vectors_by_passage on passage_vectors (passage);
create trigger passages_meaningless after delete on passages begin
  delete from passage_vectors where passage = old.row;
end;
