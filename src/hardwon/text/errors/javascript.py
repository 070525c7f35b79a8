"""JavaScript and TypeScript: node, bundlers, tsc, eslint."""

from __future__ import annotations

from hardwon.text.errors.form import Form, Rank, form

_NAMES = "2304|2305|2307|2339|2503|2551|2552|2580|2582|2614|2688|2694|2724|2741|6133|6192|7016|7006|1192|1259|2552|2582"

# `../cart/index` is cart, not index.
_PATH = (
    r"(?P<file>(?:[./\\]|[A-Za-z]:)(?:[^']{0,300}?[/\\])?"
    r"(?P<module>(?:[^'/\\]{1,120}[/\\])?index(?:\.\w{1,5})?|[^'/\\]{1,160}))"
)

FORMS: tuple[Form, ...] = (
    form(
        "tsc TS{code} {text}",
        "error TS",
        rf"error TS(?P<code>{_NAMES}|5\d{{3}}|6\d{{3}}|18\d{{3}}): (?P<text>.{{1,300}})",
        Rank.COMPILER,
    ),
    form(
        "tsc TS{code} {text} {file}",
        "error TS",
        r"(?P<file>[^\s:(']{1,300}?\.[cm]?tsx?)(?:\(\d+,\d+\)|:\d+:\d+)?(?: -|:) error TS(?P<code>\d{4,5}): "
        r"(?P<text>.{1,300})",
        Rank.COMPILER,
    ),
    form("tsc TS{code} {text}", "error TS", r"error TS(?P<code>\d{4,5}): (?P<text>.{1,300})", Rank.COMPILER),
    form("tsc {text}", "Type error: ", r"^Type error: (?P<text>.{1,300})", Rank.COMPILER),
    form(
        "node missing {module}",
        "Cannot find module",
        rf"^(?!.*TS\d{{4}}).*Cannot find module '{_PATH}'",
    ),
    form(
        "node missing {package}",
        "Cannot find module",
        r"^(?!.*TS\d{4}).*Cannot find module '(?P<package>[^'./\\][^']{0,200})'",
    ),
    form("node missing {package}", "Cannot find package", r"Cannot find package '(?P<package>[^']{1,200})'"),
    form("node missing {module}", "Can't resolve", rf"Can't resolve '{_PATH}'"),
    form("node missing {package}", "Can't resolve", r"Can't resolve '(?P<package>[^']{1,200})'"),
    form("node missing {package}", "Could not resolve '", r"Could not resolve '(?P<package>[^']{1,200})'"),
    form("node missing {module}", "ailed to resolve import", rf"ailed to resolve import '{_PATH}'"),
    form("node missing {package}", "ailed to resolve import", r"ailed to resolve import '(?P<package>[^']{1,200})'"),
    form("node missing {package}", "Failed to resolve entry for package", r"for package '(?P<package>[^']{1,200})'"),
    form(
        "node no export {symbol} {file}",
        "does not provide an export",
        r"module '(?P<file>[^']{1,300})' does not provide an export named '(?P<symbol>[^']{1,120})'",
    ),
    form(
        "node {owner} has no {symbol}",
        "Cannot read propert",
        r"Cannot read propert(?:ies|y '(?P<old>[^']{1,120})') of (?P<owner>undefined|null)(?: \(reading '(?P<symbol>"
        r"[^']{1,120})'\))?",
    ),
    form(
        "node cannot set {symbol} of {owner}",
        "Cannot set propert",
        r"Cannot set properties of (?P<owner>undefined|null) \(setting '(?P<symbol>[^']{1,120})'\)",
    ),
    form(
        "node not a function {symbol}",
        "is not a function",
        r"TypeError: (?P<symbol>[\w$.()\[\]<>' ]{1,160}?) is not a function",
    ),
    form(
        "node not iterable {symbol}",
        "is not iterable",
        r"TypeError: (?P<symbol>[\w$.()\[\]' ]{1,160}?) is not iterable",
    ),
    form("node not defined {symbol}", "is not defined", r"ReferenceError: (?P<symbol>[\w$]{1,160}) is not defined"),
    form(
        "node used before {symbol}",
        "before initialization",
        r"Cannot access '(?P<symbol>[\w$]{1,160})' before initialization",
    ),
    form(
        "node {code} {text}",
        "[ERR_",
        r"\[(?P<code>ERR_(?!ASSERTION|MODULE_NOT_FOUND)[A-Z_]{3,60})\]: (?P<text>.{1,300})",
    ),
    form("node out of memory", "heap out of memory", r"JavaScript heap out of memory"),
    form(
        "node {text} {file}",
        "SyntaxError",
        r"SyntaxError: (?P<text>(?:Cannot use import|Unexpected end of input|Unexpected token|Invalid or unexpected"
        r"|Identifier|await is only|Missing initializer).{0,160}?)(?: \(\d+:\d+\))?$",
        beside=r"^(?P<file>[^\s()']{1,300}\.[cm]?[jt]sx?)(?::\d+){1,2}$",
        reach=-6,
    ),
    form("node JSON {text}", " in JSON", r"SyntaxError: (?P<text>.{1,120}? in JSON)(?: at position.{0,80})?"),
    form("jest unexpected token", "Jest encountered an unexpected token", r"Jest encountered an unexpected token"),
    form(
        "eslint {code} {text}",
        "error ",
        r"^\d+:\d+ +error +(?P<text>.{1,200}?)\s{2,}(?P<code>@?[a-z][\w/@-]{1,80})$",
        Rank.COMPILER,
    ),
    form(
        "eslint {text} {file}",
        "error ",
        r"^\d+:\d+ +error +(?P<text>Parsing error: .{1,200})$",
        Rank.COMPILER,
        beside=r"^(?P<file>\S{1,300}\.\w{1,5})$",
        reach=-40,
    ),
    form(
        "eslint no configuration",
        "ESLint couldn't find",
        r"ESLint couldn't find (?:an eslint\.config|a configuration file)",
    ),
    form(
        "eslint no configuration {package}",
        "ESLint couldn't find",
        r"couldn't find the (?:config|plugin) '(?P<package>[^']{1,120})'",
    ),
    form("biome {code}", "lint/", r"(?P<code>lint/[a-z]{2,30}/\w{2,60})", Rank.COMPILER),
    form("format {file}", "[warn]", r"^\[warn\] (?P<file>\S{1,300}\.\w{1,8})$", Rank.COMPILER),
    form(
        "prisma {code} {text}", "P", r"\b(?:[Ee]rror(?: code)?|code): '?(?P<code>P[1-6]\d{3})\b:? ?(?P<text>.{0,160})"
    ),
)
