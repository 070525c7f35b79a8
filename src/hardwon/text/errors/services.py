"""Databases, HTTP and containers."""

from __future__ import annotations

from hardwon.text.errors.form import Form, Rank, form

SQL: tuple[Form, ...] = (
    form(
        "postgres {what} {symbol} does not exist",
        "does not exist",
        r"\b(?P<what>column|relation|database|role|schema|function|type|extension|constraint|index) '?(?P<symbol>"
        r"[^\s'(]{1,160})'? does not exist",
    ),
    form(
        "postgres {what} {symbol} exists",
        "already exists",
        r"\b(?P<what>column|relation|database|role|schema|type|constraint) '(?P<symbol>[^']{1,160})' (?:of relation"
        r" '[^']{1,160}' )?already exists",
    ),
    form(
        "postgres {text} {symbol}",
        "constraint",
        r"(?P<text>duplicate key|violates foreign key|violates check|violates unique|violates not-null).{0,60}"
        r" constraint '(?P<symbol>[^']{1,160})'",
    ),
    form("postgres not null {symbol}", "violates not-null", r"null value in column '(?P<symbol>[^']{1,160})'"),
    form(
        "postgres authentication {symbol}",
        "authentication failed",
        r"authentication failed for user '(?P<symbol>[^']{1,120})'",
    ),
    form(
        "ECONNREFUSED {host}:{port}",
        "connection to server at",
        r"server at '(?P<host>[^']{1,120})'(?: \([^)]{1,80}\))?, port (?P<port>\d{1,5}) failed: Connection refused",
    ),
    form("postgres {text}", "syntax error at", r"(?P<text>syntax error at or near '[^']{1,120}')"),
    form(
        "postgres {text}",
        "ERROR: ",
        r"(?:^|[\s\]])ERROR: {1,3}(?!.*Could not)(?P<text>(?:deadlock|canceling|permission denied|must be|cannot"
        r"|could not|invalid|value too long|operator|division|current transaction|numeric|null value|insert or"
        r" update|update or delete|column|missing|more than).{0,160}?)(?: at character \d+)?$",
        Rank.RAISED,
    ),
    form("mysql {code} {symbol}", "ERROR 1062", r"ERROR (?P<code>1062) .{0,200}for key '(?P<symbol>[^']{1,160})'"),
    form(
        "mysql {code} near {text}",
        "right syntax to use near",
        r"\b(?P<code>1064)\b.{0,200}use near '(?P<text>[^']{1,120})",
    ),
    form(
        "mysql {code} {text}",
        "ERROR ",
        r"ERROR (?P<code>\d{4}) \(\w{5}\)(?: at line \d+)?(?: in file: '[^']{0,200}')?: (?P<text>.{1,240})",
    ),
    form(
        "mysql {code} {text}",
        ", ",
        r"\(?\b(?P<code>1[0-9]{3}), '?(?P<text>(?:Unknown|Table|Duplicate|You have|Access|Cannot|Column|Can't|Data"
        r"|Field|Lock).{1,200}?)'?\)?$",
    ),
    form(
        "sqlite no {what} {symbol}",
        "no such ",
        r"no such (?P<what>table|column|function|module|index): (?P<symbol>[^\s(]{1,160})",
    ),
    form(
        "sqlite {what} {symbol}",
        "constraint failed",
        r"(?P<what>UNIQUE|NOT NULL|CHECK|FOREIGN KEY|PRIMARY KEY) constraint failed:? ?(?P<symbol>[^\s(]{0,160})",
    ),
    form("sqlite locked", "database is locked", r"database is locked"),
    form("sqlite readonly", "readonly database", r"attempt to write a readonly database"),
    form("sqlite syntax {text}", "syntax error", r"near '(?P<text>[^']{1,120})': syntax error"),
    form("sqlite values {symbol}", "values were supplied", r"table (?P<symbol>\S{1,120}) has \d+ columns but"),
    form("mongo {code} {text}", "MongoServerError", r"MongoServerError: (?P<code>E\d{3,5})?(?P<text>.{1,160})"),
    form("redis {text}", "redis", r"(?P<text>(?:NOAUTH|WRONGPASS|WRONGTYPE|MOVED|READONLY) .{1,80})", Rank.RAISED),
)
HTTP: tuple[Form, ...] = (
    form("unresolved {host}", "ould not resolve host", r"[Cc]ould not resolve host(?:name)?:? (?P<host>[\w.-]{1,160})"),
    form("unresolved {host}", "ENOTFOUND", r"getaddrinfo ENOTFOUND (?P<host>[\w.-]{1,160})"),
    form("unresolved {host}", "Failed to resolve '", r"Failed to resolve '(?P<host>[\w.-]{1,160})'"),
    form("unresolved {host}", "EAI_AGAIN", r"EAI_AGAIN (?P<host>[\w.-]{1,160})"),
    form("unresolved {host}", "no such host", r"lookup (?P<host>[\w.-]{1,160}).{0,60}: no such host"),
    form(
        "unresolved {host}",
        "Name or service not known",
        r"host='(?P<host>[\w.-]{1,160})'.{0,400}Name or service not known",
    ),
    form(
        "ECONNREFUSED {host}:{port}",
        "host='",
        r"host='(?P<host>[^']{1,160})', port=(?P<port>\d{1,5}).{0,400}Connection refused",
    ),
    form(
        "ECONNREFUSED {host}:{port}",
        "Failed to connect to",
        r"Failed to connect to (?P<host>[\w.:-]{1,160}?) port (?P<port>\d{1,5})",
    ),
    form(
        "{errno} {host}:{port}",
        "E",
        r"\b(?P<errno>ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH):? (?P<host>[\w.:-]{1,120}):"
        r"(?P<port>\d{1,5})\b",
    ),
    form(
        "{errno} {host}:{port}",
        "onnect",
        r"[Cc]onnect(?:ing)? to (?:host )?(?P<host>[\w.-]{1,120})(?::| port )(?P<port>\d{1,5})(?:\.{3})?:? "
        r"(?:failed: |connect: )?(?P<errno>Connection refused|Connection timed out|No route to host)",
    ),
    form(
        "ECONNREFUSED {host}:{port}",
        "was refused",
        r"connection to the server (?P<host>[\w.-]{1,120}):(?P<port>\d{1,5}) was refused",
    ),
    form(
        "{errno} {host}:{port}",
        "host='",
        r"host='(?P<host>[^']{1,160})', port=(?P<port>\d{1,5}).{0,400}\[Errno -?\d+\] (?P<errno>No route to host"
        r"|Network is unreachable|Connection reset by peer|Connection timed out)",
    ),
    form(
        "{errno} {host}:{port}",
        "dial tcp",
        r"dial tcp (?P<host>[\w.:\[\]-]{1,120}):(?P<port>\d{1,5}): (?:connect: )?(?P<errno>[a-z][\w ]{3,60})",
    ),
    form("tls self-signed {chain}", " certificate", r"self[- ]signed certificate(?P<chain> in certificate chain)?"),
    form("tls {text}", "CERTIFICATE_VERIFY_FAILED", r"certificate verify failed: (?P<text>[\w -]{1,120})"),
    form("tls {text}", "certificate problem", r"SSL certificate problem: (?P<text>[\w -]{1,120})"),
    form("http status {status}", "The requested URL returned error", r"returned error: (?P<status>\d{3})"),
    form(
        "http status {status} {host} {text}",
        " Error: ",
        r"HTTPError: (?P<status>[45]\d\d) .{1,80}? for url: \w{4,5}://(?P<host>[^\s/:]{1,160})(?::\d+)?(?P<text>"
        r"[^\s?]{0,200})",
    ),
    form(
        "http status {status} {host}",
        "for url",
        r"'(?P<status>[45]\d\d) [\w ]{2,40}' for url '\w{4,5}://(?P<host>[^\s/:']{1,160})",
    ),
    form("http status {status}", "status code ", r"failed with status code (?P<status>[45]\d\d)"),
    form("http status {status}", "HTTP Error ", r"HTTP Error (?P<status>[45]\d\d)"),
    form("http status {status}", "ERROR ", r"^(?:.{0,40} )?ERROR (?P<status>[45]\d\d): ", Rank.TOOL),
    form("curl {code} {text}", "curl: (", r"curl: \((?P<code>\d{1,3})\) (?P<text>.{1,160})", Rank.RAISED),
    form("http timeout {host}", "timed out", r"host='(?P<host>[^']{1,160})'.{0,300}timed out"),
    form("tls {text}", "SSLError", r"SSLError.{0,80}: (?P<text>\[SSL.{1,120})", Rank.RAISED),
)
CONTAINERS: tuple[Form, ...] = (
    form("docker daemon", "Cannot connect to the Docker daemon", r"Cannot connect to the Docker daemon"),
    form(
        "docker daemon permission",
        "permission denied",
        r"permission denied while trying to connect to the [Dd]ocker (?:daemon socket|API)|dial unix"
        r" \S{1,100}docker\.sock: connect: permission denied",
    ),
    form(
        "docker no image {package}",
        "nable to find image",
        r"nable to find image '(?P<package>[^']{1,200})'",
        Rank.WRAPPER,
    ),
    form("docker pull denied {package}", "pull access denied", r"pull access denied for (?P<package>[^\s,]{1,200})"),
    form("docker no manifest {package}", "manifest for ", r"manifest for (?P<package>\S{1,200}) not found"),
    form("docker no image {package}", "o such image", r"[Nn]o such image:? '?(?P<package>[^\s']{1,200})"),
    form("docker no container {name}", "o such container", r"[Nn]o such container:? '?(?P<name>[^\s']{1,200})"),
    form("docker no service {name}", "no such service", r"no such service: (?P<name>\S{1,120})"),
    form(
        "docker name in use {name}",
        "is already in use by container",
        r"[Cc]onflict\. The container name '/?(?P<name>[^']{1,160})'",
    ),
    form(
        "docker not found {file}",
        "failed to calculate checksum",
        r"failed to calculate checksum.{0,120}?'(?P<file>/[^']{1,300})': not found",
    ),
    form(
        "docker not found {file}",
        "failed to compute cache key",
        r"failed to compute cache key.{0,200}?'(?P<file>/[^']{1,300})'.{0,20}not found",
    ),
    form(
        "docker not found {file}",
        "no such file or directory",
        r"(?:lstat|stat|open|exec) (?P<file>/[^\s:']{1,300}): no such file or directory",
    ),
    form("docker exec {command}", "exec: '", r"exec: '(?P<command>[^']{1,200})': (?P<text>.{1,120})"),
    form(
        "docker step {text} {code}",
        "did not complete successfully",
        r"process '(?:/bin/sh -c )?(?P<text>[^']{1,200})' did not complete successfully: exit code: (?P<code>\d+)",
        Rank.WRAPPER,
    ),
    form("docker disk full", "no space left on device", r"no space left on device"),
    form("dockerfile {text}", "ockerfile parse error", r"ockerfile parse error (?:on )?line \d+: (?P<text>.{1,160})"),
    form("dockerfile missing", "failed to read dockerfile", r"failed to read dockerfile"),
    form("compose {text}", "yaml: ", r"yaml: (?:line \d+: )?(?P<text>.{1,160})"),
    form("compose {text}", "services.", r"(?P<text>services\.[\w.-]{1,120} .{1,160})", Rank.TOOL),
    form("compose no file", "no configuration file provided", r"no configuration file provided"),
    form(
        "compose unhealthy {name}", "is unhealthy", r"(?:container|dependency) \S*?(?P<name>[\w-]{1,120}) is unhealthy"
    ),
    form("compose exited {name}", " exited (", r"(?:container|service) '?(?P<name>[\w-]{1,120})'? exited \(\d+\)"),
    form(
        "compose undefined {name}",
        "undefined ",
        r"(?:depends on|refers to) undefined (?:service|network|volume|config|secret) '?(?P<name>[\w-]{1,120})",
    ),
    form(
        "kubectl {reason} {what} {name}",
        "Error from server",
        r"Error from server \((?P<reason>\w{3,40})\): (?:error when \w+ '[^']{1,300}': )?(?P<what>[\w.]{1,80}) '"
        r"(?P<name>[^']{1,160})'",
    ),
    form(
        "kubectl {reason} {text}",
        "Error from server",
        r"Error from server \((?P<reason>\w{3,40})\): (?P<text>.{1,160})",
    ),
    form("kubectl no resource {name}", "have a resource type", r"have a resource type '(?P<name>[^']{1,120})'"),
    form("kubectl no match {name}", "no matches for kind", r"no matches for kind '(?P<name>[^']{1,120})'"),
    form(
        "kubernetes {reason}", "BackOff", r"\b(?P<reason>CrashLoopBackOff|ImagePullBackOff|ErrImagePull)\b", Rank.RAISED
    ),
    form("helm {text}", "INSTALLATION FAILED", r"INSTALLATION FAILED: (?P<text>.{1,160})"),
    form(
        "terraform {text} {symbol}",
        "Error: ",
        r"^Error: (?P<text>(?:Invalid|Unsupported|Missing required|Reference to|Error acquiring|No configuration"
        r"|Unresolvable"
        r"|Duplicate|Cycle).{1,120})",
        beside=r"(?:named?|argument|block|resource) '(?P<symbol>[\w.]{1,120})'",
        reach=8,
    ),
    form("docker {text}", "Error response from daemon", r"Error response from daemon: (?P<text>.{1,200})", Rank.RAISED),
    form("docker {text}", "failed to solve: ", r"failed to solve: (?!process )(?P<text>.{1,200})", Rank.RAISED),
)
FORMS: tuple[Form, ...] = SQL + HTTP + CONTAINERS
