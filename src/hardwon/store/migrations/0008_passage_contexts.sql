-- "Sixty, printed on the slip" is about something only together with what led to it: beside the vector of a passage's own
-- text stands the one of that text in its place, with the end of what was said before it.
alter table passage_vectors add column context_scale real;
alter table passage_vectors add column context blob;
