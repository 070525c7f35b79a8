"""Test runners: which tests failed. The values that an assertion got don't matter, another exception does."""

from __future__ import annotations

from hardwon.text.errors.form import Form, Rank, form

_NOT_ASSERTION = r"(?!assert\b|AssertionError|assertion)"

FORMS: tuple[Form, ...] = (
    form(
        "pytest {test} {error}",
        "::",
        r"^(?:FAILED|ERROR) (?:\S{0,300}?[/\\])??(?P<test>(?:(?!tests?[/\\])[^/\\\s]{1,80}[/\\])?"
        rf"[^/\\\s]{{1,160}}\.py::[\w:]{{1,200}})(?:\[.{{0,200}}?\])?(?: -"
        rf" {_NOT_ASSERTION}(?:[a-z_]\w*\.)*(?P<error>[A-Za-z_]\w{{2,80}}))?",
        Rank.TEST,
    ),
    form("unittest {test}", ": test", r"^(?:FAIL|ERROR): (?P<name>\w{1,160}) \((?P<test>[\w.]{1,240})\)", Rank.TEST),
    form("jest {test}", "●", r"^● (?P<test>.{1,160} › .{1,160})$", Rank.TEST),
    form(
        "jest {test} {file}",
        "●",
        r"^● (?!Test suite failed|Console|process\.exit)(?P<test>.{1,200})$",
        Rank.TEST,
        beside=r"^FAIL +(?P<file>\S{1,300})",
        reach=-40,
    ),
    form(
        "vitest {test}", "FAIL ", r"^FAIL +(?:\|?\w+\|? )?\S*?(?P<test>[^/\\\s]{1,160}\.\w{1,5} > .{1,240})$", Rank.TEST
    ),
    form("go test {test}", "--- FAIL: ", r"^--- FAIL: (?P<test>[\w/#.-]{1,200})", Rank.TEST),
    form(
        "cargo test {test}", " ... FAILED", r"^test (?:\S+ - )?(?P<test>[\w:]{1,200}).{0,60} \.\.\. FAILED", Rank.TEST
    ),
    form("cargo test {test}", " stdout ----", r"^---- (?P<test>[\w:]{1,200}) stdout ----", Rank.TEST),
    form(
        "junit {test}",
        "<<< ",
        r"^(?P<test>[\w.$]{1,160}\.[\w$]{1,120})(?:\[.{0,80}\])?(?:\(\))? -- Time elapsed.{0,40} <<< (?:FAILURE|ERROR)",
        Rank.TEST,
    ),
    form(
        "junit {name}.{test}",
        "<<< ",
        r"^(?P<test>\w{1,120})\((?P<name>[\w.$]{1,160})\) {1,4}Time elapsed.{0,40} <<< (?:FAILURE|ERROR)",
        Rank.TEST,
    ),
    form("junit {test}", " FAILED", r"^(?P<test>[A-Z]\w{0,120}(?: > .{1,160})) FAILED$", Rank.TEST),
    form(
        "rspec {file} {text}",
        "rspec ./",
        r"^rspec \./\S{0,200}?(?P<file>[^/\s:]{1,120}):\d+ # (?P<text>.{1,200})",
        Rank.TEST,
    ),
    form(
        "rspec {test}",
        ") ",
        r"^\d+\) (?P<test>[A-Z#.\w].{1,160})$",
        Rank.TEST,
        beside=r"^(?P<mark>Failure/Error)",
        reach=2,
    ),
    form("phpunit {test}", "::", r"^\d+\) (?:[\w\\]{1,160}\\)?(?P<test>\w{1,120}::\w{1,160})", Rank.TEST),
    form(
        "mocha {test} {name}",
        ") ",
        r"^\d+\) (?P<test>.{1,160})$",
        Rank.TEST,
        beside=r"^(?P<name>\S.{0,160})(?P<mark>:)$",
        reach=4,
    ),
    form("ctest {test}", "***Failed", r"Test +#\d+: (?P<test>\S{1,160}) \.+\*\*\*Failed", Rank.TEST),
    form("bats {test}", "not ok ", r"^not ok \d+ (?:- )?(?P<test>.{1,160})", Rank.TEST),
    form("dotnet test {test}", "[FAIL]", r"(?P<test>[\w.]{3,200})(?:\(.{0,120}\))? \[FAIL\]", Rank.TEST),
    form("playwright {test}", "›", r"^\d+\) \[\w+\] › (?:\S+ › )?(?P<test>.{1,200}?) ?─*$", Rank.TEST),
)
