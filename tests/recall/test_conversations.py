"""Past conversations: the passage that decides first, the present state before the earlier ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest

from hardwon.conversations import conversations, passage_rank
from hardwon.conversations.passage_rank import blend
from hardwon.event import Event, EventType, Tier
from hardwon.store.connection import Store
from hardwon.store.tables import journal, passages
from hardwon.store.tables.passages import Read
from tests.support import opened

DAY = 86_400_000


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path / "home") as store:
        yield store


def talk(store: Store, session: str, day: int, *turns: str, project: str = "shop") -> None:
    """Turns of the person and of the agent, in turn."""
    events = []
    for number, text in enumerate(turns):
        type_ = EventType.TURN_ENDED if number % 2 else EventType.PROMPT_SUBMITTED
        at = day * DAY + number * 60_000
        event = Event(type_, "claude-code", session, at, project, prompt=f"{session}-{number}", text=text)
        events.append((event, Tier.FULL))
    journal.append_many(store, events)
    passages.index_new(store)


def small_talk(store: Store) -> None:
    """Other sessions, among which words are rare or common."""
    for number, what in enumerate(
        ("linter", "footer", "changelog", "seed", "badge", "font", "cache", "icon", "cursor")
    ):
        talk(store, f"small-{number}", 20 + number, f"bump the {what}", f"The {what} is done, two warnings are left.")


def said(store: Store, text: str, projects: Sequence[str] = (), limit: int = 10) -> list[str]:
    return [one.passage.text for one in conversations.search(store, text, projects, limit)]


@pytest.mark.parametrize(
    ("lexical", "meaning", "expected"),
    [
        ({}, {}, {}),
        ({1: 4.0, 2: 2.0}, {}, {1: 1.0, 2: 0.5}),
        ({}, {1: 0.6, 2: 0.2}, {1: 0.5, 2: 0.0}),
        ({1: 4.0}, {2: 0.8, 3: 0.4}, {1: 0.5, 2: 0.5, 3: 0.0}),
        ({1: 4.0}, {1: 0.8, 2: 0.4}, {1: 1.0, 2: 0.0}),
        ({1: 3.0}, {1: 0.5}, {1: 0.5}),
    ],
)
def test_words_and_meaning_are_blended_by_their_scores(
    lexical: dict[int, float], meaning: dict[int, float], expected: dict[int, float]
) -> None:
    """The best of each list counts half; a passage that is only in one of them keeps what it has."""
    assert blend(lexical, meaning) == pytest.approx(expected)


def test_an_answer_is_found_by_what_was_asked(store: Store) -> None:
    """It has none of the question's words; it stands before another session that has one of them."""
    talk(store, "s1", 1, "which queue do we use for invoices?", "Plain Postgres, jobs commit with the order.")
    talk(store, "s2", 2, "rename the invoice template", "Renamed in both places.")
    assert set(said(store, "which queue do invoices use?")[:2]) == {
        "which queue do we use for invoices?",
        "Plain Postgres, jobs commit with the order.",
    }


def test_what_was_decided_in_the_end_is_found_by_what_began_it(store: Store) -> None:
    """It has none of the question's words, and stands before another session that has one of them."""
    talk(
        store, "s1", 1,
        "customers ask for open tracking pixels in mails", "Technically a day of work.",
        "no pixels. our privacy page promises it since the beginning", "Written into the FAQ.",
    )  # fmt: skip
    talk(store, "s2", 2, "tracking number is missing in the mail", "The template lacked it.")
    found = said(store, "tracking of opened mails")
    assert found.index("no pixels. our privacy page promises it since the beginning") < found.index(
        "The template lacked it."
    )


@pytest.mark.parametrize(
    "turns",
    [
        (
            "a gateway lost data when the backhaul was down", "The buffer is in memory only.",
            "put the gateway's buffer on flash, a ring of 7 days, at our rate it lasts 11 years",
        ),
        (
            "gateway loses data when the backhaul is down?",
            "The buffer of the gateway stays in memory, and its data goes to flash every minute now.",
        ),
        (
            "gateway loses data when the backhaul is down", "Gateway data: ok.",
            "the gateway keeps its data for 7 days on flash when the backhaul is down",
        ),
    ],
)  # fmt: skip
def test_what_settles_it_goes_before_what_brought_it_up(store: Store, turns: tuple[str, ...]) -> None:
    """Who asks has the words of the one who brought it up, and wants what came of it."""
    talk(store, "s1", 1, *turns)
    small_talk(store)
    found = said(store, "what happens to data of a gateway when the backhaul is down")
    assert found.index(turns[-1]) < found.index(turns[0])


def test_parts_of_one_text_do_not_lead_to_each_other(store: Store) -> None:
    """Only what somebody said before can have led to a passage: a long text is no talk with itself."""
    talk(store, "s1", 1, "the zebra parser", "zebra " + "word " * 150 + ". " + "end " * 120 + ".")
    talk(store, "s2", 2, "hello", "Done with it.")
    rows = [row for (row,) in store.rows("select row from passages where session = 1 order by row")]
    assert len(rows) > 3
    parts = rows[1:]
    assert all(passages.around(store, row).before == rows[0] for row in parts)
    assert all(passages.around(store, row).after == () for row in parts)
    assert passages.around(store, rows[0]).after == tuple(parts[: passages.AFTER])


def test_nobody_answers_themselves(store: Store) -> None:
    """Of two reports in a row the one did not lead to the other; what the person said before did."""
    at = [Event(EventType.PROMPT_SUBMITTED, "claude-code", "s1", 1, "shop", prompt="p", text="look into it")]
    at += [
        Event(EventType.TURN_ENDED, "claude-code", "s1", 2 + n, "shop", prompt=f"p{n}", text=f"report {n}")
        for n in (0, 1)
    ]
    at += [Event(EventType.PROMPT_SUBMITTED, "claude-code", "s1", 9, "shop", prompt="q", text="thanks for both")]
    journal.append_many(store, [(event, Tier.FULL) for event in at])
    passages.index_new(store)
    asked, first, second, last = (row for (row,) in store.rows("select row from passages order by at"))
    assert passages.around(store, asked).after == (first, second, last)
    assert passages.around(store, first) == passages.Around(asked, (last,))
    assert passages.around(store, second) == passages.Around(None, (last,))
    assert passages.partners(store, [asked, first, second, last]) == {asked: first, first: asked}


def test_the_later_of_two_decisions_is_first(store: Store) -> None:
    """Its answer has no word of the question, but names the choice that was turned down; the earlier is its history."""
    talk(store, "s1", 1, "EU customers' data: frankfurt or paris", "Frankfurt, the provider's price is lower.")
    talk(
        store,
        "s2",
        40,
        "frankfurt has capacity problems all spring, the customers wait",
        "Paris since the migration in May, the price is the same.",
    )
    small_talk(store)
    found = conversations.search(store, "which location hosts data of EU customers", (), 10)
    assert found[0].passage.text.startswith("Paris since")
    assert [one.text for one in found[0].earlier][-1].startswith(("Frankfurt", "EU customers"))


def test_a_change_is_known_by_the_answers_to_what_was_said(store: Store) -> None:
    """The two decisions share no word; what the agent did upon each names the same things."""
    talk(
        store, "s1", 1,
        "webhooks of shops that are down", "`deliver_webhook` tries once, then the delivery is lost.",
        "5 attempts, doubling from 30s, then mark it failed",
        "Built: `webhooks/delivery.py` reads `RETRY_LIMIT` and `RETRY_BASE` from the settings, `deliver_webhook` is "
        "bound by both, and a failed delivery is listed for the shop.",
    )  # fmt: skip
    talk(
        store, "s2", 60,
        "saturday's outage cost us deliveries", "6,310 of them were given up within the hour.",
        "keep going for three days, hourly at the end",
        "Done: `RETRY_LIMIT` is gone from `webhooks/delivery.py`, `deliver_webhook` goes by age now, `RETRY_BASE` "
        "grows to an hour, and after 72 hours the delivery is listed as failed.",
    )  # fmt: skip
    small_talk(store)
    found = conversations.search(store, "how many attempts does deliver_webhook make", (), 10)
    assert found[0].passage.session == "s2"
    assert {one.session for one in found[0].earlier} == {"s1"}


def test_a_talk_begins_with_what_is_brought_up(store: Store) -> None:
    """If it goes on; of a single exchange the answer is all there is."""
    talk(store, "s1", 1, "look at the cache", "It has no limit.", "make it 64 MB", "It is 64 MB.")
    talk(store, "s2", 2, "look at the queue", "It has no limit.")
    rows = [row for (row,) in store.rows("select row from passages order by at")]
    assert [passages.by_rows(store, [row])[row].begins for row in rows] == [True, True, False, False, False, False]


def test_another_subject_does_not_displace_it(store: Store) -> None:
    """A later answer to a question of its own begins another line, though both speak of compilers and releases."""
    talk(store, "s1", 1, "compiler for linux releases", "gcc 13 on Linux, measured 4 % faster than clang on our code.")
    talk(store, "s2", 60, "windows?", "Windows releases are built by clang-cl, for the sanitizers.")
    small_talk(store)
    found = conversations.search(store, "Which compiler makes the Linux releases?", (), 10)
    assert [one.passage.session for one in found][:2] == ["s1", "s1"]
    assert all(not one.earlier for one in found)


def test_who_asks_what_happened_is_told_that(store: Store) -> None:
    talk(store, "s1", 1, "EU customers' data: frankfurt or paris", "Frankfurt, the provider's price is lower.")
    talk(
        store,
        "s2",
        40,
        "frankfurt has capacity problems all spring, the customers wait",
        "Paris since the migration in May, the price is the same.",
    )
    small_talk(store)
    found = conversations.search(store, "where were the data of EU customers at first?", (), 10)
    assert all(not one.earlier for one in found)


def test_other_projects_stay_out(store: Store) -> None:
    talk(store, "s1", 1, "which queue for invoices?", "Postgres for invoices.", project="shop")
    talk(store, "s2", 2, "which queue for invoices?", "Redis for invoices.", project="farm")
    talk(store, "s3", 2, "which queue for invoices?", "Kafka for invoices.", project="")
    assert set(said(store, "queue for invoices", ["farm"])) == {"which queue for invoices?", "Redis for invoices."}
    assert "Kafka for invoices." in said(store, "queue for invoices", [passages.NOWHERE])
    assert len(said(store, "queue for invoices")) == 6


def test_chinese_and_japanese_are_found_by_pairs(store: Store) -> None:
    talk(store, "s1", 1, "缓存用什么？", "缓存改用本地文件，不再用 Redis。")
    talk(store, "s2", 2, "ログの保存期間は？", "ログは三十日だけ保存する。")
    assert said(store, "缓存放在哪里")[0].startswith("缓存改用")
    assert said(store, "ログは何日保存するか")[0].startswith("ログは三十日")


def test_nothing_is_found_where_nothing_was_said(store: Store) -> None:
    assert said(store, "anything at all") == []
    talk(store, "s1", 1, "bump the linter", "Done.")
    assert said(store, "the") == []


def test_a_word_is_found_where_it_stands(store: Store) -> None:
    """Not where something was decided right after it."""
    small_talk(store)
    talk(
        store,
        "one",
        2,
        "the product search is slow",
        "Added a trigram index; the query takes 8 ms.",
        "No, use pnpm, not npm, for all packages from now on",
        "From now on pnpm is used for all packages.",
    )
    assert said(store, "trigram")[0] == "Added a trigram index; the query takes 8 ms."
    assert said(store, "trigram query")[0] == "Added a trigram index; the query takes 8 ms."


def test_what_was_asked_before_in_the_same_words(store: Store) -> None:
    small_talk(store)
    talk(
        store,
        "one",
        2,
        "where are the uploads kept",
        "In the S3 bucket.",
        "so the migration for coupons must be written now, and the old table stays until then",
        "It is written: coupons are in a table of their own now, the old one stays until the first of May.",
    )
    assert said(store, "where are the uploads kept?")[0] == "In the S3 bucket."


def test_what_was_asked_before_does_not_hide_what_became_of_it(store: Store) -> None:
    """Where that is plain: that it was asked in the same words says nothing about which of the two answers better."""
    small_talk(store)
    talk(store, "one", 2, "which region hosts the customer data?", "Frankfurt hosts the customer data, region eu-3.")
    talk(
        store,
        "two",
        90,
        "frankfurt has no capacity for the customer data",
        "The customer data of region eu-3 moved from Frankfurt, Paris hosts it now.",
    )
    assert "Paris" in said(store, "which region hosts the customer data?")[0]


def test_what_was_asked_before_stays_where_the_later_is_doubtful(store: Store) -> None:
    """In other words the same question is answered with what may be the present state."""
    small_talk(store)
    talk(store, "one", 2, "which region hosts the customer data?", "Frankfurt hosts the customer data, region eu-3.")
    talk(
        store,
        "two",
        3,
        "capacity in frankfurt is full",
        "The customer data is in Paris now, same region of the provider.",
    )
    assert "Frankfurt" in said(store, "which region hosts the customer data?")[0]
    assert "Paris" in said(store, "in which region is the customer data kept?")[0]


def test_a_text_that_nobody_asked_for_is_found_by_its_words(store: Store) -> None:
    """It settles nothing and opens nothing: how well it fits is all there is to say of it; it stands among talks."""
    small_talk(store)
    talk(store, "one", 2, "look at the payment code", "It is sound.", "and the retries of payments?", "Bounded now.")
    for number, text in enumerate(("payment retries are bounded", "the linter was bumped", "payment of invoices")):
        event = Event(EventType.TURN_ENDED, "claude-code", "r", (3 + number) * DAY, "shop", prompt=text, text=text)
        journal.append_many(store, [(event, Tier.FULL)])
    passages.index_new(store)
    found = conversations.consider(store, "payment retries", (), None)
    alone = {one.passage.text for row, one in found.read.items() if "alone" in found.signs[row]}
    assert {"payment retries are bounded", "payment of invoices"} <= alone
    assert not any(one.passage.session == "one" for one in found.read.values() if one.passage.text in alone)
    assert not any({"opens", "length"} & signs.keys() for signs in found.signs.values() if "alone" in signs)
    ranked = said(store, "which payment retries are bounded")
    assert ranked.index("payment retries are bounded") < ranked.index("payment of invoices")


def test_who_is_named_in_the_question(store: Store) -> None:
    """By what a sub-agent is called, which is shown, too."""
    small_talk(store)
    talk(store, "one", 2, "look through the payment code", "The payment code is sound, retries are bounded.")
    said_by = Event(
        EventType.TURN_ENDED, "claude-code", "one", 3 * DAY, "shop", agent="a7c3f19e", prompt="one-9",
        tool="code-reviewer", text="The payment code retries without a bound.",
    )  # fmt: skip
    journal.append_many(store, [(said_by, Tier.FULL)])
    passages.index_new(store)
    found = conversations.search(store, "what did the code reviewer say about payment retries", (), 5)
    assert found[0].passage.text == "The payment code retries without a bound."
    assert (found[0].passage.author, found[0].factors["named"]) == ("code-reviewer", passage_rank.BY_WORDS["named"])
    named = conversations.consider(store, "what did the code reviewer say about payment retries", (), None)
    assert not any({"opens", "person tells", "ends"} & signs.keys() for signs in named.signs.values())
    other = conversations.search(store, "what does the code say about payment retries", (), 5)
    assert not any("named" in one.factors for one in other)
    assert [turn.author for turn in passages.exchange(store, found[0].passage)] == ["", "code-reviewer"]


def test_what_somebody_said_is_not_displaced(store: Store) -> None:
    """Whoever is named is asked for what they said, whatever became of it."""
    small_talk(store)
    talk(store, "one", 2, "look through the payment code")
    said_by = Event(
        EventType.TURN_ENDED, "claude-code", "one", 3 * DAY, "shop", agent="a7c3f19e", prompt="one-9",
        tool="code-reviewer", text="The payment code retries without a bound.",
    )  # fmt: skip
    journal.append_many(store, [(said_by, Tier.FULL)])
    passages.index_new(store)
    talk(store, "two", 90, "bound the retries of the payment code", "The payment code retries five times now.")
    asked = "what are the findings of the code reviewer about payment retries"
    assert conversations.search(store, asked, (), 5)[0].passage.text == "The payment code retries without a bound."
    assert not any(one.earlier for one in conversations.search(store, asked, (), 5))


def test_a_word_is_not_displaced_by_what_does_not_have_it(store: Store) -> None:
    small_talk(store)
    talk(store, "one", 2, "which region hosts the customer data?", "Frankfurt hosts the customer data, region eu-3.")
    talk(
        store,
        "two",
        9,
        "there is no capacity for the customer data in region eu-3",
        "The customer data of region eu-3 moved, Paris hosts it now.",
    )
    assert "Paris" in said(store, "where is the customer data hosted")[0]
    assert "Frankfurt" in said(store, "frankfurt")[0]


def test_what_is_forgotten_during_a_search_does_not_stop_it(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands beside a passage is read in a second step, and may be gone by then."""
    talk(store, "s1", 1, "which queue for invoices?", "Postgres or RabbitMQ.", "postgres, jobs commit", "Done.")
    small_talk(store)
    read = passages.by_rows

    def forgetting(store: Store, rows: Iterable[int]) -> dict[int, Read]:
        store.db.execute("delete from journal where text = 'Done.'")
        return read(store, rows)

    monkeypatch.setattr(passages, "by_rows", forgetting)
    assert said(store, "which queue do the invoices use")


def test_scores_are_what_the_factors_add_up_to(store: Store) -> None:
    talk(store, "s1", 1, "which queue for invoices?", "Postgres or RabbitMQ.", "postgres, jobs commit", "Done.")
    small_talk(store)
    found = conversations.search(store, "which queue do the invoices use", (), 5)
    assert found
    assert all(one.score == pytest.approx(sum(one.factors.values())) for one in found)


@pytest.mark.parametrize(
    ("ranked", "continued_by", "expected"),
    [
        ([1, 2, 3], {}, [(1, ()), (2, ()), (3, ())]),
        ([1, 2, 3], {1: 3}, [(3, (1,)), (1, ()), (2, ())]),
        ([1, 2], {1: 9}, [(9, (1,)), (1, ()), (2, ())]),  # one that the question did not find
        ([3, 1], {1: 3}, [(3, (1,)), (1, ())]),  # in order already
        ([1, 2], {1: 2, 2: 9}, [(9, (2, 1)), (2, (1,)), (1, ())]),
        ([1, 4], {1: 2, 4: 2}, [(2, (1, 4)), (1, ()), (4, ())]),
    ],
)
def test_the_latest_of_a_line_comes_first(
    ranked: list[int], continued_by: dict[int, int], expected: list[tuple[int, tuple[int, ...]]]
) -> None:
    """In the place of the first that it continues; the others stay behind it, and each knows its history."""
    assert conversations.current_first(ranked, continued_by) == expected


def test_a_circle_ends() -> None:
    assert [row for row, _ in conversations.current_first([1, 2], {1: 2, 2: 1})] == [1, 2]
