-- The rarest words of each failure's output, to find those that are like a new one without reading all of them. Derived
-- from the memories, like the anchors. Each failure stands under the empty word, too: so they can be counted.
create table failure_words (
  word text not null,
  memory_row integer not null,
  primary key (word, memory_row)
) strict, without rowid;
create index failure_words_by_memory on failure_words (memory_row);

-- What is there already is indexed by the daemon.
insert into meta (key, value) select 'failure_words_after', '0' where exists (select 1 from memories where kind = 'failure');
