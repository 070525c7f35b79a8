"""Questions made from conversations: their answers are what has the words, and they are the same in every run."""

from __future__ import annotations

from hardwon.evaluation import made_questions
from hardwon.evaluation.corpus import Corpus, Document

TURNS = (
    Document("a/0", "a", 1, "user", "which broker do the workers talk to?"),
    Document("a/1", "a", 2, "agent", "RabbitMQ, because of priorities."),
    Document("b/0", "b", 3, "user", "which broker do the workers talk to?"),
    Document("b/1", "b", 4, "agent", "Still RabbitMQ; Kafka was measured."),
    Document("c/0", "c", 5, "user", "paint the header navy"),
    Document("c/1", "c", 6, "agent", "The header is painted navy now."),
)
CORPUS = Corpus("made", TURNS, ())


def test_a_word_is_right_where_it_stands() -> None:
    (corpus,) = made_questions.remembered_words(CORPUS).corpora
    gold = {one.text: one.gold for one in corpus.questions}
    assert gold["rabbitmq"] == {"a/1", "b/1"}
    assert gold["kafka"] == {"b/1"}
    assert {"paint", "painted"}.isdisjoint(gold), "the search takes one for the other"
    assert all(len(text.split()) <= 2 for text in gold)
    assert made_questions.remembered_words(CORPUS) == made_questions.remembered_words(CORPUS)


def test_a_prompt_that_asks_is_asked_again() -> None:
    (corpus,) = made_questions.asked_again(CORPUS).corpora
    (asked,) = corpus.questions
    assert (asked.text, asked.gold) == ("which broker do the workers talk to?", frozenset({"a/0", "b/0"}))
