"""The shell, the tools of the system, and the reasons that the system gives (ENOENT and its like)."""

from __future__ import annotations

from hardwon.text.errors.form import CODES, Form, Rank, form

_REASONS = "|".join(f"(?i:{reason})" for reason in CODES)
_AFTER = rf": (?:Cannot open: |Cannot exec: |cannot execute: )?(?P<errno>{_REASONS})\b"

FORMS: tuple[Form, ...] = (
    form(
        "shell not found {command}",
        "command not found",
        r"(?:^|[:\s])'?(?P<command>[^\s:']{1,160})'?: ?command not found(?!: )",
        Rank.SYSTEM,
    ),
    form("shell not found {command}", "command not found: ", r"command not found: (?P<command>\S{1,160})", Rank.SYSTEM),
    form(
        "shell not found {command}",
        ": not found",
        r"^(?:/\S{1,80}|\w{0,10}sh): (?:line )?\d+: (?P<command>[^\s:]{1,160}): not found",
        Rank.SYSTEM,
    ),
    form(
        "shell not found {command}",
        "is not recognized as",
        r"'?(?P<command>[^\s']{1,160})'? is not recognized as",
        Rank.SYSTEM,
    ),
    form(
        "shell not found {command}", "nknown command", r"[Uu]nknown command:? '?(?P<command>[^\s']{1,160})", Rank.SYSTEM
    ),
    form(
        "shell not found {command}",
        "failed to run command",
        r"failed to run command '(?P<command>[^']{1,160})': No such file",
        Rank.SYSTEM,
    ),
    form(
        "shell not found {command}",
        "executable file not found",
        r"exec: '(?P<command>[^']{1,160})': executable file not found",
        Rank.SYSTEM,
    ),
    form(
        "shell required file not found {file}",
        "required file not found",
        r"(?P<file>[^\s:]{1,300}): cannot execute: required file not found",
        Rank.SYSTEM,
    ),
    form("shell bad interpreter {file}", "bad interpreter", r"(?P<file>[^\s:]{1,300}): bad interpreter", Rank.SYSTEM),
    form("shell unbound {symbol}", "unbound variable", r"(?P<symbol>\w{1,120}): unbound variable", Rank.SYSTEM),
    form(
        "shell unset {symbol}",
        "parameter ",
        r"(?P<symbol>\w{1,120}): parameter (?:not set|null or not set)",
        Rank.SYSTEM,
    ),
    form(
        "shell syntax error near {token} {file}",
        "syntax error near",
        r"^(?P<file>[^\s:]{1,300}): .{0,40}syntax error near unexpected token '(?P<token>[^']{1,40})'?",
        Rank.SYSTEM,
    ),
    form(
        "shell {text} {file}",
        "syntax error",
        r"^(?P<file>[^\s:]{1,300}): .{0,40}(?P<text>syntax error: .{1,80})",
        Rank.SYSTEM,
    ),
    form("shell {text}", "unexpected EOF", r"(?P<text>unexpected EOF while looking for matching .{1,20})", Rank.SYSTEM),
    form("kill {errno}", "kill: ", rf"kill: .{{0,20}} - (?P<errno>{_REASONS})", Rank.SYSTEM),
    form("{errno} {file}", ": ", r"'(?P<file>[^']{1,300})'[^']{0,80}" + _AFTER, Rank.SYSTEM),
    form(
        "{errno} {file}",
        ": ",
        r"^(?:ls|cp|mv|rm|stat|du|find|chmod|touch): cannot (?:access|stat|remove|open) (?P<file>[^\s':]{1,300})"
        + _AFTER,
        Rank.SYSTEM,
    ),
    form(
        "{errno} {file}",
        ": ",
        r"(?:^|: |\s)(?!(?:line|note|error|warning|fatal|Error|hint)\b)(?P<file>[^\s':()]{1,300}[^\s':(),\d])" + _AFTER,
        Rank.SYSTEM,
    ),
    form(
        "{errno} {file}",
        "E",
        r"\b(?P<errno>E(?:NOENT|ACCES|PERM|EXIST|ISDIR|NOTDIR|NOTEMPTY|BUSY|ROFS|MFILE|XDEV|NOSPC|NOEXEC|2BIG)): "
        r"[\w -]{3,60}, \w{2,20} '(?P<file>[^']{1,300})'",
    ),
    form(
        "{errno} {file}",
        "os error ",
        r"'(?P<file>[^']{1,300})'.{0,120}?(?P<errno>[A-Z][\w /-]{3,60}) \(os error \d+\)",
        Rank.SYSTEM,
    ),
    form("{errno} {file}", ": [Errno", rf"'(?P<file>[^']{{1,300}})': \[Errno \d+\] (?P<errno>{_REASONS})"),
    form("EADDRINUSE {port}", "EADDRINUSE", r"EADDRINUSE.{0,60}?:(?P<port>\d{1,5})\b"),
    form(
        "EADDRINUSE {port}", "ddress already in use", r"[\s:](?P<port>\d{2,5})\)?: (?:bind: )?[Aa]ddress already in use"
    ),
    form(
        "EADDRINUSE {port}", "port is already allocated", r":(?P<port>\d{2,5})\D{0,20}failed: port is already allocated"
    ),
    form("EADDRINUSE {port}", "is in use", r"^(?:Error: )?[Pp]ort (?P<port>\d{2,5}) is in use"),
    form("sed {text}", "sed: ", r"^sed: .{0,60}?char \d+: (?P<text>.{1,120})", Rank.TOOL),
    form(
        "{tool} option {option}",
        " option",
        r"^(?P<tool>[\w.+-]{1,40}): (?:unrecognized|invalid|unknown|illegal) option (?:-- )?'?(?P<option>[\w=-]{1,60})",
        Rank.TOOL,
    ),
    form(
        "{tool} option {option}",
        "no such option",
        r"^(?P<tool>[\w.+-]{1,40})?:? ?(?:error: )?[Nn]o such option: (?P<option>\S{1,60})",
        Rank.TOOL,
    ),
    form("jq {text}", "jq: error", r"jq: (?:\d+ compile )?error.{0,40}?: (?P<text>.{1,160})", Rank.TOOL),
    form("gzip {text}", "gzip: ", r"gzip: \S{1,200}: (?P<text>.{1,80})", Rank.TOOL),
    form("segmentation fault", "egmentation", r"[Ss]egmentation (?:fault|violation)", Rank.SYSTEM),
    form("killed", "Killed", r"(?:^|\s)Killed(?:$|\s)", Rank.WRAPPER),
    form("{errno}", "[Errno", rf"\[Errno -?\d+\] (?P<errno>{_REASONS})\b", Rank.RAISED),
)
