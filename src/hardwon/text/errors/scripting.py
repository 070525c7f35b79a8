"""Ruby, PHP and other languages; exceptions and compilers in general."""

from __future__ import annotations

from hardwon.text.errors.form import Form, Rank, form

RUBY: tuple[Form, ...] = (
    form("ruby missing {package}", "cannot load such file", r"cannot load such file -- (?P<package>\S{1,200})"),
    form(
        "ruby no method {symbol} {owner}",
        "undefined method",
        r"undefined method '(?P<symbol>[^\s']{1,120})' for (?:an instance of )?(?P<owner>[\w:]{1,120})",
    ),
    form(
        "ruby no name {symbol}",
        "undefined local variable",
        r"undefined local variable or method '(?P<symbol>[^']{1,120})'",
    ),
    form("ruby uninitialized {symbol}", "uninitialized constant", r"uninitialized constant (?P<symbol>[\w:]{1,160})"),
    form(
        "ruby {error} {text}",
        ":in ",
        r":\d+:in '[^']{0,200}': (?P<text>.{1,240}?) \((?P<error>[A-Z][\w:]{2,120})\)$",
        Rank.RAISED,
    ),
    form(
        "ruby {text} {file}",
        "syntax error",
        r"^(?P<file>[^\s:]{1,300}\.rb):\d+: (?P<text>syntax error.{0,160})",
        Rank.COMPILER,
    ),
    form(
        "rubocop {code} {text}",
        ".rb:",
        r"\.rb:\d+:\d+: [CWEF]: (?:\[\w+\] )?(?P<code>[A-Z]\w+/\w{2,60}): (?P<text>.{1,160})",
        Rank.COMPILER,
    ),
    form("rake no task {name}", "Don't know how to build task", r"build task '(?P<name>[^']{1,160})'"),
)
PHP: tuple[Form, ...] = (
    form("php no class {symbol}", "not found", r"(?:Class|Interface|Trait) '(?P<symbol>[\w\\]{1,200})' not found"),
    form("php undefined {symbol}", "undefined ", r"Call to undefined (?:function|method) (?P<symbol>[\w\\:]{1,200})\("),
    form(
        "php undefined {symbol}",
        "Undefined ",
        r"Undefined (?:variable|property|array key|index|constant):? (?P<symbol>[$'\w:\\]{1,160})",
        Rank.RAISED,
    ),
    form(
        "php {text} {file}",
        "Parse error",
        r"Parse error: +(?P<text>.{1,200}?) in (?P<file>\S{1,300}) on line \d+",
        Rank.COMPILER,
    ),
    form(
        "php {text}",
        "rror: ",
        r"(?:PHP )?Fatal error: +(?:Uncaught )?(?P<text>.{1,200}?)(?: in \S{1,300}(?: on line |:)\d+)?$",
        Rank.RAISED,
    ),
    form("phpstan {text}", "------ ", r"^\d+ +(?P<text>[A-Z].{1,160})$", Rank.WRAPPER),
)
OTHERS: tuple[Form, ...] = (
    form(
        "{code} {text} {file}",
        ": error ",
        r"^(?P<file>[^\s(]{1,300}\.\w{1,7})\(\d+,\d+\): error (?P<code>[A-Z]{2,8}\d{3,5}): (?P<text>.{1,240}?)(?:"
        r" \[[^\]]{1,300}\])?$",
        Rank.COMPILER,
    ),
    form(
        "compile {text} {file}",
        ": error: ",
        r"^(?P<file>[^\s:]{1,300}\.\w{1,7})(?::\d+){1,2}: error: (?P<text>.{1,240})",
        Rank.COMPILER,
    ),
    form("elixir {error} {text}", "** (", r"^\*\* \((?P<error>[A-Z][\w.]{2,80})\) (?P<text>.{1,240})", Rank.RAISED),
    form(
        "aws {code} {operation}",
        "An error occurred (",
        r"An error occurred \((?P<code>\w{2,80})\) when calling the (?P<operation>\w{2,80})",
        Rank.CAUSE,
    ),
)
RAISED: tuple[Form, ...] = (
    form(
        "raised {error} {text}",
        "r",
        r"^(?:(?:Exception in thread '[^']{0,160}'|Caused by:|Uncaught|Unhandled exception\.?|thrown:|cause:|\[cause\]:"
        r"|\(node:\d+\) \w+Warning:|During handling.{0,80}|ERROR:?) ){0,3}"
        r"(?:[\w$]{1,80}[.:]{1,2}){0,12}(?P<error>(?:[A-Z]\w{0,80}?)?(?:Error|Exception|Failure|Failed|Timeout|Fault))"
        r"(?: \[\w{1,60}\]| \(0x[0-9A-Fa-f]{8}\))?"
        r"(?:: (?:\[(?:Errno|WinError) -?\d+\] )?(?!Process completed|Command failed)"
        r"(?P<text>.{1,300}))?$",
        Rank.RAISED,
    ),
    form(
        "raised {error} {text}",
        ": ",
        r"^(?:[a-z_]\w{0,80}\.){1,12}(?P<error>[A-Z]\w{1,80})(?::{1,2} (?P<text>.{1,300}))$",
        Rank.RAISED,
    ),
)
FORMS: tuple[Form, ...] = RUBY + PHP + OTHERS + RAISED
