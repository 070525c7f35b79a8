"""Changing one place of a JSON text leaves every other character alone, and can be taken back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwon.clients.installing.json_text import JsonText, Path, spliced

SET: list[tuple[str, Path, Any, str]] = [
    ("", ("a",), 1, '{\n  "a": 1\n}\n'),
    ("{}", ("a",), 1, '{\n  "a": 1\n}'),
    ("{ }\n", ("a", "b"), 1, '{\n  "a": {\n    "b": 1\n  }\n}\n'),
    ('{"x":1}', ("a",), {"b": 1}, '{"x":1, "a": {"b": 1}}'),
    ('{"x": {}}', ("x", "a"), 1, '{"x": {"a": 1}}'),
    ('{\n\t"x": 1\n}\n', ("a",), [1], '{\n\t"x": 1,\n\t"a": [\n\t\t1\n\t]\n}\n'),
    ('{\n    "x": {}\n}', ("x", "a"), 1, '{\n    "x": {\n        "a": 1\n    }\n}'),
    ('{\r\n  "x": 1\r\n}\r\n', ("a",), {"b": 1}, '{\r\n  "x": 1,\r\n  "a": {\r\n    "b": 1\r\n  }\r\n}\r\n'),
    ('{\n  "a": "\\u00e9 ] } \\" ,",\n  "b": 2\n}', ("b",), 3, '{\n  "a": "\\u00e9 ] } \\" ,",\n  "b": 3\n}'),
    ('{"a": 1, "a": 2}', ("a",), 3, '{"a": 1, "a": 3}'),
    ('\ufeff{"a": 1}', ("b",), 2, '\ufeff{"a": 1, "b": 2}'),
    ('{\n  "a": {\n    "x": 1\n  }\n}', ("a",), {"y": 2}, '{\n  "a": {\n    "y": 2\n  }\n}'),
]


@pytest.mark.parametrize(("before", "path", "value", "after"), SET)
def test_a_value_is_set_in_the_manner_of_the_text(before: str, path: Path, value: Any, after: str) -> None:
    """Indentation, line ends, escapes and the order of the keys are the file's own."""
    text = JsonText(before)
    text.set(path, value)
    assert text.text == after
    assert text.get(path) == value
    assert spliced(text.text, text.undo) == before
    assert spliced(before, text.done) == after


REMOVED: list[tuple[str, Path, str]] = [
    ('{"a": 1}', ("a",), "{}"),
    ('{"a": 1, "b": 2}', ("a",), '{"b": 2}'),
    ('{"a": 1, "b": 2}', ("b",), '{"a": 1}'),
    ('{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}', ("b",), '{\n  "a": 1,\n  "c": 3\n}'),
    ('{"a": [1, [2, "]"], 3]}', ("a", 1), '{"a": [1, 3]}'),
    ('{"a": 1, "a": 2, "b": 3}', ("a",), '{"b": 3}'),
]


@pytest.mark.parametrize(("before", "path", "after"), REMOVED)
def test_a_removed_value_takes_its_comma_along(before: str, path: Path, after: str) -> None:
    """What stays is JSON, and as it was."""
    text = JsonText(before)
    text.remove(path)
    assert text.text == after
    assert spliced(text.text, text.undo) == before


def test_appending_makes_the_list_it_needs() -> None:
    """An item goes to the end of its list, and a list is made when there is none."""
    text = JsonText('{"hooks": {"Stop": [1]}}')
    text.append(("hooks", "Stop"), 2)
    text.append(("hooks", "Start"), 3)
    assert text.value == {"hooks": {"Stop": [1, 2], "Start": [3]}}


@pytest.mark.parametrize("text", ["[]", "1", "{", '{"a": 1,}', '{"a": NaN}', '// no\n{"a": 1}', "{'a': 1}"])
def test_what_is_not_an_object_is_refused(text: str) -> None:
    """A comment, a trailing comma or a list is nothing that we would write into."""
    with pytest.raises(ValueError, match=r"."):
        JsonText(text)


KEYS = st.text(max_size=4)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)
INDENTS = st.sampled_from([None, 1, 2, 4, "\t"])


@given(st.dictionaries(KEYS, VALUES, max_size=4), INDENTS, st.booleans(), KEYS, VALUES)
def test_any_text_can_be_led_back(value: dict[str, Any], indent: Any, ascii_only: bool, key: str, new: Any) -> None:
    """Setting means what it says, changes nothing else, and taking it back gives the same characters."""
    before = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    text = JsonText(before)
    text.set((key,), new)
    assert text.value == {**value, key: new}
    assert spliced(text.text, text.undo) == before
    text.remove((key,))
    assert text.value == {name: one for name, one in value.items() if name != key}
    if value and key not in value:
        assert text.text == before
