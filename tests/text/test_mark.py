"""The mark of a skill's text: near after an edit, far after a rewrite."""

from __future__ import annotations

import pytest

from hardwon.text.mark import BITS, FAR, checked, distance, is_another, mark

DEPLOY = """
# Deploy

Use this skill before anything is put into production. It checks that the branch is clean, runs the whole test suite,
builds the container image and waits for the deploy lock before it rolls the new version out to one machine after
another.

## Steps

1. Run `git status` and stop when there are changes that were not committed.
2. Run `make test` and read the last lines; a failing test ends the deploy.
3. Build the image with `make image` and push it to the registry of the team.
4. Take the lock with `deployctl lock`, and never break the lock of somebody else.
5. Roll out with `deployctl roll`, one machine at a time, and look at the error rate after each.
6. Give the lock back and write a line into the release notes.

## When it fails

Roll back at once with `deployctl back`. Look for the cause afterwards, in the logs of the first machine that failed.
"""

REWRITTEN = """
# Shipping a release

Releases go out through the pipeline now, nobody deploys from a laptop. Open a pull request with the label `ship`,
wait until the robot has approved it and merge. The pipeline builds, signs and publishes everything by itself, first for
a tenth of the customers and an hour later for all of them.

What is left to do by hand: watch the dashboard called Release health for the first ten minutes, answer in the channel
when somebody asks, and press Pause in the pipeline's page if the number of crashes rises. A paused release is continued
or taken back by whoever is on duty this week; the list of names stands in the calendar.

Database changes are shipped a day earlier in a release of their own, so that the old program still runs with them.
"""

OTHER_TOOLS = """
# Deploy

Use this skill before anything is put into production. Since March it goes through the chart and no longer through
deployctl.

## Steps

1. `helm lint chart/` must be silent.
2. `helm diff upgrade shop chart/` shows what will change; paste it into the ticket.
3. Ask the person on call for a go.
4. `helm upgrade shop chart/ --atomic --timeout 10m` does the rest and rolls back by itself.
5. Compare the dashboards before and after.

Secrets are in the vault: never put them into values.yaml. Canary weights are set in chart/values/canary.yaml, in steps
of ten percent. A namespace that hangs in Terminating is cleaned up by the platform team.
"""

CHINESE = """# 部署
上线之前使用这个技能。先运行全部测试,再构建镜像并推送到仓库,最后等待部署锁,一台一台地更新机器。
失败时立即回滚,然后在第一台出错的机器的日志里查找原因。不要强行解除别人的锁。"""

SMALL = {
    "nothing": DEPLOY,
    "case and blanks": DEPLOY.upper().replace("\n", "\n\n  "),
    "punctuation": DEPLOY.replace(",", ";").replace("`", ""),
    "a typo": DEPLOY.replace("the whole test suite", "the whole tests suite"),
    "a renamed command": DEPLOY.replace("make image", "make container"),
    "a line more": DEPLOY + "\nOn Fridays ask somebody before you deploy.\n",
    "a line less": DEPLOY.replace("6. Give the lock back and write a line into the release notes.\n", ""),
    "two steps swapped": DEPLOY.replace("2. Run `make test`", "3. Run `make test`").replace("3. Build", "2. Build"),
    "a section more": DEPLOY + "\n## Who to ask\n\nThe team on call knows about the lock and the registry.\n",
    "the introduction shortened": DEPLOY.replace(
        "It checks that the branch is clean, runs the whole test suite,\n", ""
    ),
}
LARGE = {
    "another text about the same": REWRITTEN,
    "the same skill with other tools": OTHER_TOOLS,
    "another language": CHINESE,
    "only the heading is left": "# Deploy\n\nSee the handbook.",
}


@pytest.mark.parametrize("change", SMALL)
def test_an_edit_leaves_the_skill_what_it_was(change: str) -> None:
    """Below the bound: the lessons learned with it still fit."""
    assert not is_another(mark(DEPLOY), mark(SMALL[change])), distance(mark(DEPLOY), mark(SMALL[change]))


@pytest.mark.parametrize("change", LARGE)
def test_a_rewrite_makes_it_another(change: str) -> None:
    """At or above the bound: a lesson is said with that remark."""
    assert is_another(mark(DEPLOY), mark(LARGE[change])), distance(mark(DEPLOY), mark(LARGE[change]))


def test_a_text_without_blanks_is_compared_sign_by_sign() -> None:
    """A few signs more in a Chinese text are an edit."""
    assert not is_another(mark(CHINESE), mark(CHINESE.replace("失败时立即回滚", "如果失败就立即回滚")))
    assert is_another(
        mark(CHINESE), mark("# 写作\n先列出提纲,再写第一稿;写完之后放一天,然后大声朗读并删掉多余的句子。")
    )


def test_the_bound_stands_clear_of_both_sides() -> None:
    """The farthest edit and the nearest rewrite are well apart, and the bound is between them."""
    edits = [distance(mark(DEPLOY), mark(text)) for text in SMALL.values()]
    rewrites = [distance(mark(DEPLOY), mark(text)) for text in LARGE.values()]
    assert max(edits) + 3 <= FAR <= min(rewrites) - 3, (edits, rewrites)


@pytest.mark.parametrize("text", ["", " \n\t", "---", "# !!", "\x00"])
def test_a_text_without_words_has_no_mark(text: str) -> None:
    """And what has none is never another."""
    assert mark(text) == ""
    assert not is_another("", mark(DEPLOY))
    assert not is_another(mark(DEPLOY), "")


def test_a_mark_is_sixteen_digits_and_the_same_everywhere() -> None:
    """It is kept in records and compared years later on another machine."""
    assert mark("Wait for the lock") == "82227eb7a8eec5ec"
    assert mark("word") != mark("another")
    assert len(mark(DEPLOY)) * 4 == BITS


@pytest.mark.parametrize(
    "given", [None, 7, "", "xyz", "0123456789ABCDEF", "0" * 15, "0" * 17, ["0" * 16], "0" * 15 + "\n"]
)
def test_what_is_no_mark_counts_as_not_known(given: object) -> None:
    """A record of another home may say anything."""
    assert checked(given) == ""
    assert checked("00ff" * 4) == "00ff" * 4


def test_a_long_text_is_marked_in_time() -> None:
    """Two hundred thousand characters, the most that is read of a file, in under a second."""
    import time

    began = time.process_time()
    assert mark(DEPLOY * 200)
    assert time.process_time() - began < 1.0
