-- Of a prompt who wrote it, a person or a program; of a call that a person answered, what the answer was.
alter table journal add column origin text not null default '';
