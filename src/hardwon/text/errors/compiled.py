"""Rust, Go, C and C++: compilers, linkers, panics, make and cmake."""

from __future__ import annotations

from hardwon.text.errors.form import Form, Rank, form

_C = r"^(?P<place>[^\s:]{1,300}\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx|m|mm|cu|ino)):\d+(?::\d+)?:"

RUST: tuple[Form, ...] = (
    form(
        "rustc {code} {text}", "error[E", r"^error\[(?P<code>E(?!0308|0277)\d{4})\]: (?P<text>.{1,300})", Rank.COMPILER
    ),
    form(
        "rustc {code} {text} {text2}",
        "error[E",
        r"^error\[(?P<code>E\d{4})\]: (?P<text>.{1,300})",
        Rank.COMPILER,
        beside=r"\^+ (?P<text2>(?:expected|the trait|required|cannot).{1,160})",
        reach=8,
    ),
    form(
        "rustc {text}",
        "error: ",
        r"^error: (?P<text>(?:cannot find|no rules expected|expected|unused|link(?:ing with|er ')|unknown|this file"
        r" contains"
        r"|mismatched|unexpected closing|proc-macro|custom attribute|lifetime|missing documentation|literal"
        r"|invalid).{1,200})",
        Rank.COMPILER,
    ),
    form(
        "clippy {lint}",
        "error: ",
        r"^error: (?P<text>.{1,200})$",
        Rank.COMPILER,
        beside=r"(?:-D |deny\()(?P<lint>(?P<mark>clippy::)[\w-]{2,60})",
        reach=14,
    ),
    form(
        "cargo {text}",
        "error: ",
        r"^error: (?P<text>(?:no matching package|failed to select a version|package '|could not find 'Cargo.toml'"
        r"|failed to parse manifest|no bin target|no such (?:command|subcommand)|the lock file|failed to get|Package"
        r" '|no test target|toolchain|feature).{0,240}?)(?: in '[^']{1,300}'.{0,60}| or any parent.{0,60}|, but"
        r" rustc.{0,60})?$",
    ),
    form(
        "rust panic {text} {file}",
        "panicked at",
        r"panicked at '(?P<text>.{1,300})', (?P<file>[^\s,']{1,300}?):\d+:\d+",
        Rank.RAISED,
    ),
    form(
        "rust panic {text} {file}",
        "panicked at",
        r"panicked at (?P<file>[^\s,']{1,300}?):\d+:\d+:?$",
        Rank.RAISED,
        beside=r"(?P<text>\S.{0,300})",
        reach=1,
    ),
)
GO: tuple[Form, ...] = (
    form(
        "go unused import {package}",
        "imported and not used",
        r"(?:imported and not used: '(?P<package>[^']{1,200})'|'(?P<other>[^']{1,200})' imported and not used)",
        Rank.COMPILER,
    ),
    form(
        "go unused {symbol}",
        "declared and not used",
        r"(?:declared and not used: (?P<symbol>\w{1,120})|(?P<other>\w{1,120}) declared (?:and|but) not used)",
        Rank.COMPILER,
    ),
    form("go undefined {symbol}", "undefined: ", r"\.go:\d+:\d+: undefined: (?P<symbol>[\w.]{1,160})", Rank.COMPILER),
    form(
        "go undefined {symbol}", " undefined (", r"\.go:\d+:\d+: (?P<symbol>[\w.()]{1,160}) undefined \(", Rank.COMPILER
    ),
    form("go missing {package}", "provides package", r"no required module provides package (?P<package>[^\s;]{1,200})"),
    form("go missing {package}", "is not in ", r"package (?P<package>\S{1,200}) is not in (?:std|GOROOT)"),
    form("go missing {package}", "cannot find package", r"cannot find package '(?P<package>[^']{1,200})'"),
    form(
        "go missing {package}",
        "cannot find module providing",
        r"cannot find module providing package (?P<package>[^\s:]{1,200})",
    ),
    form(
        "go mod {package} {text}",
        "go: ",
        r"^go: (?P<package>[\w./-]{3,160})@(?P<version>v[\w.+-]{1,60}): (?P<text>.{1,160}?)(?:;|$)",
    ),
    form(
        "go mod {text}",
        "go: ",
        r"^go: (?P<text>(?:go\.mod file not found|updates to go\.mod|inconsistent|cannot find main|no modules|errors"
        r" parsing|unknown).{0,80}?)(?:;| in current|$)",
    ),
    form(
        "go {text} {file}", ".go:", r"^(?:vet: )?(?P<file>[^\s:]{1,300}\.go):\d+:\d+: (?P<text>.{1,240})", Rank.COMPILER
    ),
    form(
        "go panic {text}",
        "panic: ",
        r"^panic: (?P<text>.{1,240}?)(?: \[recovered\])?$",
        Rank.RAISED,
        beside=r"(?P<file>[\w-]{1,120}\.go):\d+",
        reach=12,
    ),
    form(
        "go {text}",
        "fatal error: ",
        r"^fatal error: (?P<text>(?:all goroutines|concurrent map|stack overflow|runtime).{0,160})",
        Rank.RAISED,
    ),
    form(
        "go data race {symbol}",
        "DATA RACE",
        r"WARNING: DATA RACE",
        Rank.RAISED,
        beside=r"^(?P<symbol>[\w./]{1,120}\.[\w.()*]{1,120})\(\)$",
        reach=3,
    ),
)
C: tuple[Form, ...] = (
    form(
        "cc missing header {file}",
        "fatal error: ",
        r"fatal error: '?(?P<file>[^\s:']{1,300})'?(?: ?: No such file or directory| file not found)",
    ),
    form(
        "cc undeclared {symbol}",
        "undeclared",
        _C + r" error: (?:use of undeclared identifier )?'(?P<symbol>\w{1,160})'(?: undeclared.{0,80})?",
        Rank.COMPILER,
    ),
    form(
        "cc undeclared {symbol}",
        "was not declared",
        r"error: '(?P<symbol>[\w:]{1,160})' was not declared",
        Rank.COMPILER,
    ),
    form(
        "cc no member {owner} {symbol}",
        "no member named",
        r"error: (?:'(?P<owner>[^']{1,160})' has )?no member named '(?P<symbol>\w{1,160})'(?: in '(?P<other>"
        r"[^']{1,160})')?",
        Rank.COMPILER,
    ),
    form(
        "cc arguments {text}",
        " arguments to function",
        r"error: (?P<text>too (?:few|many) arguments to function .{1,200})",
        Rank.COMPILER,
    ),
    form(
        "cc {text} {file}",
        "error: ",
        r"^(?P<file>[^\s:]{1,300}\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx|m|mm|cu|ino)):\d+(?::\d+)?: (?:fatal )?error: "
        r"(?P<text>.{1,300})",
        Rank.COMPILER,
    ),
    form(
        "ld undefined {symbol}",
        "undefined reference",
        r"undefined reference to '(?P<symbol>[^']{1,200})'",
        Rank.COMPILER,
    ),
    form("ld undefined {symbol}", ", referenced from:", r"^'(?P<symbol>[^']{1,200})', referenced from:", Rank.COMPILER),
    form(
        "ld multiple {symbol}",
        "multiple definition",
        r"multiple definition of '(?P<symbol>[^']{1,200})'",
        Rank.COMPILER,
    ),
    form("ld missing library {package}", "cannot find -l", r"cannot find -l(?P<package>[\w+.-]{1,120})", Rank.COMPILER),
    form(
        "ld missing library {package}",
        "library not found for",
        r"library not found for -l(?P<package>[\w+.-]{1,120})",
        Rank.COMPILER,
    ),
    form(
        "ld missing shared {file}",
        "error while loading shared libraries",
        r"shared libraries: (?P<file>[^\s:]{1,200}):",
    ),
    form("ld missing version {version}", "version '", r"version '(?P<version>[\w.]{1,60})' not found"),
    form(
        "sanitizer {kind} {symbol}",
        "Sanitizer: ",
        r"Sanitizer: (?P<kind>[\w-]{3,60})",
        Rank.RAISED,
        beside=r"#0 (?:0x[0-9a-f]{1,16} )?in (?P<symbol>[\w:~<>]{1,160})",
        reach=6,
    ),
    form("make no rule {file}", "No rule to make target", r"No rule to make target '(?P<file>[^']{1,300})'"),
    form(
        "make {text}",
        "*** ",
        r"\*\*\* (?P<text>(?:missing separator|No targets|multiple target|recipe commences|commands commence"
        r"|unterminated|extraneous|missing ').{0,120}?)\.? *(?:Stop\.)?$",
    ),
    form("cmake missing {package}", "asked CMake to find", r"provided by '(?P<package>[\w.+-]{1,120})'"),
    form("cmake missing {package}", "Could NOT find", r"^(?!-- ).{0,80}Could NOT find (?P<package>[\w.+-]{1,120})"),
    form(
        "cmake {command} {text}",
        "CMake Error",
        r"CMake Error at \S{1,300} \((?P<command>\w{1,60})\):",
        Rank.TOOL,
        beside=r"^(?P<text>\S.{0,120})",
        reach=1,
    ),
    form("cmake {text}", "CMake Error: ", r"CMake Error: (?P<text>.{1,160})", Rank.TOOL),
    form("ninja {text}", "ninja: error: ", r"ninja: error: (?P<text>.{1,160})", Rank.TOOL),
    form(
        "make {target}",
        "*** [",
        r"\*\*\* \[(?:[^\]\s]{1,200}:\d+: )?(?P<target>[^\]]{1,160})\] (?:Error|Fehler|错误|Erreur) ?\d+",
        Rank.WRAPPER,
    ),
)
FORMS: tuple[Form, ...] = RUST + GO + C
