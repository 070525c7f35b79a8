from __future__ import annotations

import io
import json

import pytest

from hardwon.text.session_texts import NotText, Problems, read
from hardwon.text.skills.lessons import Found, Lesson, find


def texts(document: str, most: int = 9) -> list[str]:
    return [lesson.text for lesson in find([document], most).lessons]


@pytest.mark.parametrize(
    "heading",
    [
        "## Lessons",
        "# Lessons learned #",
        "###### KEY TAKEAWAYS",
        "## 3. Insights from today",
        "## Learnings",
        "## 经验沉淀",
        "## 今日教训",
        "### 总结",
        "## 經驗總結",
        "**Lessons**",
        "**Lessons learned:**",
        "__Takeaways__:",
        "Lessons\n=======",
        "经验\n---",
    ],
)
def test_headings(heading: str) -> None:
    """A heading of any level and form that speaks of lessons begins a section, in English and in Chinese."""
    assert texts(f"# Summary\n\n- not this one\n\n{heading}\n\n- this one\n") == ["this one"]


@pytest.mark.parametrize(
    "document",
    [
        "# Summary\n- a line that is long enough to be read",
        "## Machine learning\n- a line that is long enough to be read",
        "## Lessonsish\n- a line that is long enough to be read",
        "```\n## Lessons\n- a line that is long enough to be read\n```",
        "~~~md\n## Lessons\n```\n- a line that is long enough to be read\n~~~",
        "Lessons are what this text speaks about, but no heading does so.\n- no",
        "## Lessons\n- None.\n- n/a\n- 无\n- ---\n",
        "## Lessons\n\ntoo short\n" + "x" * 221,
        "",
    ],
)
def test_nothing_is_guessed(document: str) -> None:
    """Without a lesson section, or with an empty one, there is no lesson; a heading in a fenced block is none."""
    assert texts(document) == []


@pytest.mark.parametrize(
    ("section", "lessons"),
    [
        ("- one\n- two", ["one", "two"]),
        ("* one\n+ two\n• three", ["one", "two", "three"]),
        ("1. one\n2) two\n3、三", ["one", "two", "三"]),
        ("- wrapped here\n  and there\nand here\n- two", ["wrapped here and there and here", "two"]),
        ("- 先上传图片，\n  再写文档", ["先上传图片，再写文档"]),
        ("- parent\n  - child\n    - grandchild\n- two", ["parent\n- child\n  - grandchild", "two"]),
        ("1. parent\n   - child\n2. two", ["parent\n- child", "two"]),
        ("- one\n\n  its second paragraph\n\n- two", ["one its second paragraph", "two"]),
        (
            "- run\n  ```sh\n  make redis\n\n  make test\n  ```\n- two",
            ["run\n```sh\nmake redis\n\nmake test\n```", "two"],
        ),
        ("```\nno lesson, only an example\n```\n- one", ["one"]),
        ("A plain line that is a sentence.\n\nshort", ["A plain line that is a sentence."]),
        ("### Redis\n- one\n### Postgres\n- two", ["one", "two"]),
        ("- one\n## Next steps\n- no", ["one"]),
        ("**Redis**\n- one", ["one"]),
        ("- One thing\n- one  THING\n- [2026-03] one thing  [HIT:4]", ["One thing"]),
        ("- [x] ticked off", ["ticked off"]),
        ("- 写入前先确认权限范围\n- 上传本地图片", ["写入前先确认权限范围", "上传本地图片"]),
        ("  - indented\n  - list", ["indented", "list"]),
    ],
)
def test_items(section: str, lessons: list[str]) -> None:
    """Bullets and numbered items whole, nested ones with their parent, plain lines of a sentence; each once."""
    assert texts(f"## Lessons\n{section}\n") == lessons


def test_a_title_in_brackets() -> None:
    """A lesson in the form of an entry has a title; the date says nothing new."""
    assert find(["## Lessons\n- [2026-11] [auth flow] Use the profile"]).lessons == (
        Lesson("Use the profile", "auth flow"),
    )


def test_shared_beginnings_stay_two_lessons() -> None:
    """W4: two lessons that share their first 32 characters, or their tag, are two."""
    shared = "[authentication flow] Always refresh the token before "
    assert len(texts(f"## Lessons\n- {shared}reading\n- {shared}writing")) == 2


def test_most() -> None:
    """At most so many are taken, the first ones; the others are counted."""
    document = "## Lessons\n" + "".join(f"- lesson {number}\n" for number in range(5))
    found = find([document, "## 教训\n- lesson 1\n- 还有一条"], 3)
    assert [lesson.text for lesson in found.lessons] == ["lesson 0", "lesson 1", "lesson 2"]
    assert (found.left_over, found.sections) == (3, 2)
    assert find([]) == Found(())


def from_file(content: bytes, suffix: str) -> tuple[list[str], list[int]]:
    problems = Problems()
    found = find(read(io.BytesIO(content), suffix, problems), 9)
    return [lesson.text for lesson in found.lessons], problems.lines


NESTED = {"messages": [{"content": [{"type": "text", "text": "## Lessons\n- from deep inside"}]}, 4, None]}


def test_session_files() -> None:
    """Of JSON every string is a text, wherever it stands; a broken line of JSON Lines is passed over and counted."""
    assert from_file(json.dumps(NESTED).encode(), ".json") == (["from deep inside"], [])
    lines = [json.dumps(NESTED), '{"half a li', "", json.dumps({"text": "**Takeaways**\n1. 第二条"})]
    assert from_file("\n".join(lines).encode(), ".jsonl") == (["from deep inside", "第二条"], [2])
    assert from_file(b"\xef\xbb\xbf## Lessons\r\n- one\r\n- two\r\n", ".md") == (["one", "two"], [])
    assert from_file(b"## Lessons\n- one\n- tw\xff\n- three\n", ".txt") == (["one", "three"], [3])


@pytest.mark.parametrize(
    ("content", "suffix", "says"),
    [
        (b"\x7fELF\0\0", ".md", "NUL bytes"),
        ("## Lessons".encode("utf-16"), ".txt", "UTF-16"),
        (b"\xff\xfd\xfc", ".md", "not UTF-8"),
        (b"{", ".json", "not JSON (line 1"),
        (b"[" * 100_000, ".json", "nested too deeply"),
        (b"\x7fELF\nnothing", ".jsonl", "no line of JSON"),
    ],
)
def test_no_text(content: bytes, suffix: str, says: str) -> None:
    """What is not text is refused with the reason."""
    with pytest.raises(NotText) as refused:
        from_file(content, suffix)
    assert says in str(refused.value)
