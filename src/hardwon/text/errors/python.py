"""Python: what is missing or wrong by its name, exceptions, type checkers and linters."""

from __future__ import annotations

from hardwon.text.errors.form import Form, Rank, form

_AT = r"^(?P<place>[^\s:]{1,300}\.(?:pyi?|ipynb)):\d+(?::\d+)?:"

FORMS: tuple[Form, ...] = (
    form("python ModuleNotFoundError {package}", "No module named", r"No module named '?(?P<package>[\w.]{1,200})"),
    form(
        "python ImportError {symbol} from {module}",
        "cannot import name",
        r"cannot import name '(?P<symbol>\w{1,200})' from (?:partially initialized module )?'?(?P<module>[\w.]{1,200})",
    ),
    form("python ImportError {symbol}", "cannot import name", r"cannot import name '(?P<symbol>\w{1,200})'"),
    form(
        "python NameError {symbol}",
        "NameError",
        r"NameError: (?:free variable |name )'(?P<symbol>\w{1,200})' is not defined",
    ),
    form(
        "python NameError {symbol}",
        "NameError",
        r"NameError: (?:free variable |cannot access free variable )'(?P<symbol>\w{1,200})'",
    ),
    form("python UnboundLocalError {symbol}", "UnboundLocalError", r"local variable '(?P<symbol>\w{1,200})'"),
    form(
        "python AttributeError {owner} {symbol}",
        "AttributeError",
        r"AttributeError: (?:partially initialized )?(?:module |type object |class )?'?(?P<owner>[\w.]{1,200})'?"
        r"(?: object)? has no attribute '(?P<symbol>\w{1,200})'",
    ),
    form("python KeyError {key}", "KeyError", r"(?:^|[\s.])KeyError: (?P<key>'[^']{1,120}'|\S{1,120})"),
    form(
        "python TypeError {symbol} missing {text}",
        "TypeError",
        r"TypeError: (?:[\w.]{1,200}\.)?(?P<symbol>[\w<>]{1,200})\(\) missing \d+ required [\w-]+(?: argument)?s?(?:"
        r" arguments?)?: (?P<text>.{1,200})",
    ),
    form(
        "python TypeError {symbol} unexpected {argument}",
        "TypeError",
        r"TypeError: (?:[\w.]{1,200}\.)?(?P<symbol>[\w<>]{1,200})\(\) got an unexpected keyword argument '"
        r"(?P<argument>\w{1,200})'",
    ),
    form(
        "{error} {text} {file}",
        "Error: ",
        r"^(?P<error>SyntaxError|IndentationError|TabError): (?P<text>.{1,200}?)(?: \([^)]{0,200}line \d+\))?$",
        beside=r"File '(?P<file>[^']{1,400})', line \d+",
        reach=-6,
    ),
    form("{errno} {file}", "[Errno", r"\[Errno -?\d+\] (?P<errno>[A-Z][\w /-]{3,60}): '(?P<file>[^']{1,400})'"),
    form("pytest fixture not found {symbol}", "fixture '", r"fixture '(?P<symbol>\w{1,200})' not found"),
    form("unrecognized argument {option}", "unrecognized arguments", r"unrecognized arguments: (?P<option>\S{1,120})"),
    form("pytest not found {file}", "file or directory not found", r"file or directory not found: (?P<file>\S{1,400})"),
    form("pytest not found {test}", "ERROR: not found:", r"ERROR: not found: \S*?(?P<test>[^/\s]{1,200}::\S{1,200})"),
    form("django ImproperlyConfigured {text}", "ImproperlyConfigured", r"ImproperlyConfigured: (?P<text>.{1,200})"),
    form("django TemplateDoesNotExist {file}", "TemplateDoesNotExist", r"TemplateDoesNotExist: (?P<file>\S{1,300})"),
    form(
        "pydantic {model} {text}",
        "validation error",
        r"validation errors? for (?P<model>\w{1,120})",
        beside=r"^(?P<text>\w.{0,160})",
        reach=1,
    ),
    form(
        "{error} exit of {text}",
        "CalledProcessError",
        r"(?P<error>CalledProcessError): Command (?P<text>.{1,200}?) (?:returned non-zero|died with)",
        Rank.RAISED,
    ),
    # Type checkers and linters: names by themselves, the rest with its file.
    form(
        "mypy {code} {text}",
        ": error: ",
        _AT + r" error: (?P<text>.{1,300}?)\s{1,4}"
        r"\[(?P<code>name-defined|attr-defined|import[\w-]*|arg-type|call-arg|index)\]",
        Rank.COMPILER,
    ),
    form(
        "mypy {code} {text} {file}",
        ": error: ",
        r"^(?P<file>[^\s:]{1,300}\.pyi?):\d+(?::\d+)?: error: (?P<text>.{1,300}?)\s{1,4}\[(?P<code>[a-z-]{3,40})\]",
        Rank.COMPILER,
    ),
    form(
        "mypy {text} {file}",
        ": error: ",
        r"^(?P<file>[^\s:]{1,300}\.pyi?):\d+(?::\d+)?: error: (?P<text>.{1,300})$",
        Rank.COMPILER,
    ),
    form(
        "pyright {code} {text}",
        " - error: ",
        r"\.pyi?:\d+:\d+ - error: (?P<text>.{1,300}?)(?: \((?P<code>report\w{1,60})\))?$",
        Rank.COMPILER,
    ),
    form(
        "ruff {code} {text}", ": ", _AT + r" (?P<code>[A-Z]{1,5}\d{2,5})(?: \[\*\])? (?P<text>.{1,200})", Rank.COMPILER
    ),
    form(
        "pylint {code} {text}",
        ": ",
        _AT + r" (?P<code>[CEFIRW]\d{4}): (?P<text>.{1,200}?) \([\w-]{2,60}\)$",
        Rank.COMPILER,
    ),
    form(
        "ruff {code} {text}",
        " ",
        r"^(?P<code>(?:[A-Z]{1,4})\d{3,4})(?: \[\*\])? (?P<text>[A-Z'].{1,200})$",
        Rank.COMPILER,
        beside=r"^(?P<mark>-->) \S{1,300}\.(?:pyi?|ipynb):\d+",
        reach=1,
    ),
    form("format {file}", "ould reformat", r"^[Ww]ould reformat:? (?P<file>\S{1,400})", Rank.COMPILER),
    form(
        "isort {file}",
        "Imports are incorrectly sorted",
        r"(?P<file>\S{1,400}) Imports are incorrectly sorted",
        Rank.COMPILER,
    ),
)
