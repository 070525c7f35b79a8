"""What sets machines and clusters up: Ansible, Terraform, nginx, Apache, Helm, kubectl; and Bazel, sbt, mix."""

from __future__ import annotations

from hardwon.text.errors.form import Form, Rank, form

ANSIBLE: tuple[Form, ...] = (
    form(
        "ansible no module {package}",
        "resolve module/action",
        r"couldn't resolve module/action '(?P<package>[^']{1,160})'",
    ),
    form("ansible no role {name}", "the role '", r"the role '(?P<name>[^']{1,160})' was not found"),
    form("ansible no playbook {file}", "the playbook: ", r"the playbook: (?P<file>\S{1,300}) could not be found"),
    form("ansible undefined {symbol}", "is undefined", r"The error was:.{0,40} '(?P<symbol>[^']{1,120})' is undefined"),
    form("ansible host {text}", "UNREACHABLE!", r"UNREACHABLE! => .{0,200}?'msg': '(?P<text>.{1,160}?)'", Rank.RAISED),
    form(
        "ansible {text}",
        "FAILED! => ",
        r"FAILED! => .{0,300}?'msg': '(?P<text>.{1,200}?)'(?:, '|\}|$)",
        Rank.RAISED,
    ),
    form("ansible {text}", "ERROR! ", r"^ERROR! (?P<text>.{1,200})", Rank.RAISED),
)
CLOUD: tuple[Form, ...] = (
    form("aws {code} {text}", "api error ", r"\bapi error (?P<code>\w{3,80}): (?P<text>.{1,160})"),
    form("terraform no module", "Error: Module not installed", r"^Error: Module not installed"),
    form(
        "terraform no provider {package}",
        "query available provider packages",
        r"Failed to query available provider packages",
        beside=r"for (?:the )?provider (?P<package>[\w./-]{1,160}?)[:.]?(?:\s|$)",
        reach=4,
    ),
    form(
        "terraform exists {symbol}", "already exists", r"^Error: .{0,200}\((?P<symbol>[\w./-]{1,120})\) already exists"
    ),
)
SERVERS: tuple[Form, ...] = (
    form(
        "EADDRINUSE {port}",
        "bind() to ",
        r"bind\(\) to \S{0,80}?:(?P<port>\d{1,5}) failed \(\d{1,3}: Address already in use",
    ),
    form("EACCES port {port}", "bind() to ", r"bind\(\) to \S{0,80}?:(?P<port>\d{1,5}) failed \(\d{1,3}: Permission"),
    form(
        "nginx {text} {file}",
        "] ",
        r"\[(?:emerg|crit|alert)\] (?:\d{1,9}#\d{1,9}: )?(?!still could not bind)(?P<text>.{1,240}?)"
        r"(?: in (?P<file>[^\s:]{1,300}):\d+)?$",
    ),
    form(
        "apache {text} {file}",
        "Syntax error on line",
        r"Syntax error on line \d+ of (?P<file>[^\s:]{1,300}):",
        beside=r"^(?P<text>\S.{0,200})",
        reach=1,
    ),
)
CLUSTERS: tuple[Form, ...] = (
    form(
        "kubectl invalid {what} {name} {field} {text}",
        "' is invalid: ",
        r"^The (?P<what>[A-Z]\w{1,80}) '(?P<name>[^']{1,160})' is invalid: (?P<field>[\w.\[\]-]{1,160}): "
        r"(?:Invalid value: .{0,500}: )?(?P<text>[^{}]{1,160})$",
    ),
    form(
        "kubectl invalid {what} {name} {field} {text}",
        "' is invalid:",
        r"^The (?P<what>[A-Z]\w{1,80}) '(?P<name>[^']{1,160})' is invalid:$",
        beside=r"^\* (?P<field>[\w.\[\]-]{1,160}): (?:Invalid value: .{0,500}: )?(?P<text>[^{}]{1,160})$",
        reach=1,
    ),
    form(
        "kubectl unknown field {symbol}",
        "unknown field",
        r"(?:decoding error|ValidationError).{0,200}unknown field '(?P<symbol>[\w.\[\]-]{1,160})'",
    ),
    form(
        "kubectl no context {name}",
        "context",
        r"error: (?:context '(?P<name>[^']{1,160})' does not exist|no context exists with the name: '(?P<other>"
        r"[^']{1,160})')",
    ),
    form(
        "helm template {file} {text}",
        "executing '",
        r"template: \S{0,200}?(?P<file>[\w.-]{1,120}):\d+:\d+: executing '[^']{1,200}' at (?P<text>.{1,200})",
    ),
    form(
        "helm {text} {file}",
        "execution error at (",
        r"execution error at \((?P<file>[^\s:]{1,300}):.{0,20}\): (?P<text>.{1,200})",
    ),
    form("helm no repo {name}", "Error: repo ", r"^Error: repo (?P<name>\S{1,120}) not found"),
    form(
        "helm {text}",
        " FAILED: ",
        r"\b(?:UPGRADE|ROLLBACK|UNINSTALL|DELETE) FAILED: (?P<text>.{1,200})",
    ),
)
BUILDS: tuple[Form, ...] = (
    form(
        "bazel no target {symbol}",
        "no such target",
        r"no such target '(?P<symbol>[^']{1,200})'",
    ),
    form("bazel no package {symbol}", "no such package", r"no such package '(?P<symbol>[^']{1,200})'"),
    form("bazel not visible {symbol}", "is not visible from", r"target '(?P<symbol>[^']{1,200})' is not visible from"),
    form(
        "scalac {text} {file}",
        ".scala:",
        r"(?P<file>[^\s:]{1,300}\.scala):\d+(?::\d+)?: (?:error: )?(?!warning)(?P<text>.{1,240})",
        Rank.COMPILER,
    ),
    form("sbt missing {package}", "Error downloading ", r"Error downloading (?P<package>[\w.-]{1,120}:[\w.-]{1,120})"),
    form("sbt no command {name}", "Not a valid command", r"Not a valid command: (?P<name>\S{1,80})"),
    form("mix no task {name}", "The task '", r"The task '(?P<name>[^']{1,120})' could not be found"),
    form(
        "gradle class file {version}",
        "nsupported class file major version",
        r"nsupported class file major version (?P<version>\d{2,3})",
    ),
    form("gradle no sdk", "SDK location not found", r"SDK location not found"),
    form(
        "gradle unresolved {package}",
        "Could not resolve ",
        r"^(?:\* )?Could not resolve (?P<package>[\w.-]{1,120}:[\w.-]{1,120}):[\w.-]{1,60}\.$",
    ),
    form("swift no module {package}", "no such module", r"error: no such module '(?P<package>[^']{1,160})'"),
    form(
        "zig {text}", "error: ", r"^error: (?P<text>(?:unable to find|no field named|dependency) .{1,160})", Rank.TOOL
    ),
)
FORMS: tuple[Form, ...] = ANSIBLE + CLOUD + SERVERS + CLUSTERS + BUILDS
