"""Java, Kotlin and Scala: compilers, Maven, Gradle, Spring."""

from __future__ import annotations

from hardwon.text.errors.form import Form, Rank, form

_SYMBOL = r"symbol: +(?:variable|method|class|constructor)? ?(?P<symbol>[\w.$]{1,160})"

FORMS: tuple[Form, ...] = (
    form(
        "javac cannot find {symbol}",
        "cannot find symbol",
        r"cannot find symbol",
        Rank.COMPILER,
        beside=_SYMBOL,
        reach=5,
    ),
    form(
        "javac no package {package}",
        " does not exist",
        r"(?:error:|\]) ?package (?P<package>[\w.]{1,200}) does not exist",
        Rank.COMPILER,
    ),
    form(
        "javac {text} {file}",
        ".java:",
        r"(?P<file>[^\s:]{1,300}\.(?:java|scala)):(?:\d+: (?:error: )?|\[\d+,\d+\] )(?!warning)(?P<text>.{1,240})",
        Rank.COMPILER,
    ),
    form(
        "kotlinc unresolved {symbol}",
        "nresolved reference",
        r"[Uu]nresolved reference:? '?(?P<symbol>\w{1,160})",
        Rank.COMPILER,
    ),
    form(
        "kotlinc {text} {file}",
        "e: ",
        r"^e: (?:file://)?(?P<file>\S{1,300}?\.kts?):(?: ?\(?\d+[:,] ?\d+\)?:?) (?P<text>.{1,240})",
        Rank.COMPILER,
    ),
    form("java no class {symbol}", "NoClassDefFoundError", r"NoClassDefFoundError: (?P<symbol>[\w./$]{1,200})"),
    form(
        "java no class {symbol}",
        "ClassNotFoundException",
        r"ClassNotFoundException: (?P<symbol>[\w./$]{1,200})",
        Rank.CAUSE,
    ),
    form(
        "java no main class {symbol}", "find or load main class", r"main class (?P<symbol>[\w./$]{1,200})", Rank.RAISED
    ),
    form(
        "java UnsupportedClassVersionError {symbol}",
        "UnsupportedClassVersionError",
        r"UnsupportedClassVersionError: (?P<symbol>[\w./$]{1,200})",
    ),
    form("maven missing {package}", "ind artifact", r"find artifact (?P<package>[\w.-]{1,120}:[\w.-]{1,120})"),
    form("maven no POM", "there is no POM", r"there is no POM in this directory"),
    form(
        "maven {goal} {text}",
        "Failed to execute goal",
        r"Failed to execute goal (?:[\w.-]{1,120}:)?(?P<goal>[\w-]{1,60}?)(?:-maven-plugin)?:[\w.-]{1,40}:"
        r"[\w-]{1,40}.{0,120}? on project [\w.-]{1,80}: (?P<text>.{1,200}?)(?: -> \[Help \d\])?$",
        Rank.TOOL,
    ),
    form(
        "gradle no plugin {package}",
        "Plugin",
        r"Plugin (?:with id '(?P<package>[^']{1,160})' not found|\[id: '(?P<other>[^']{1,160})'.{0,160} was not found)",
    ),
    form("gradle no task {symbol}", "not found in ", r"Task '(?P<symbol>[^']{1,160})' not found in"),
    form("gradle missing {package}", "Could not find ", r"Could not find (?P<package>[\w.-]{1,120}:[\w.-]{1,120}):"),
    form(
        "gradle {text}",
        "What went wrong",
        r"\* What went wrong:",
        Rank.WRAPPER,
        beside=r"^(?P<text>\S.{0,200})",
        reach=1,
    ),
    form("EADDRINUSE {port}", "already in use", r"[Pp]ort (?P<port>\d{2,5}) (?:was|is) already in use"),
    form("spring {text}", "Parameter 0 of", r"(?P<text>Parameter \d+ of .{1,200})", Rank.RAISED),
)
