"""Package managers: pip, uv, poetry, npm, pnpm, yarn, apt, brew, bundler, composer."""

from __future__ import annotations

from hardwon.text.errors.form import Form, Rank, form

FORMS: tuple[Form, ...] = (
    form(
        "pip no match {package}",
        "No matching distribution",
        r"No matching distribution found for (?P<package>[^\s(;]{1,160})",
    ),
    form(
        "pip no match {package}", "satisfies the requirement", r"satisfies the requirement (?P<package>[^\s(;]{1,160})"
    ),
    form("pip conflict {text}", "conflicting dependencies", r"Cannot install (?P<text>.{1,200}?) because", Rank.CAUSE),
    form(
        "pip conflict {text}",
        "which is incompatible",
        r"(?P<text>\S{1,100} [\w.]{1,40} requires \S{1,160}), but you have",
    ),
    form(
        "pip build {package} {text}",
        "Failed building wheel",
        r"Failed building wheel for (?P<package>\S{1,120})",
        Rank.CAUSE,
        beside=r"^(?:[Ee]rror|fatal error): (?!subprocess)(?P<text>.{1,160})",
        reach=-12,
    ),
    form(
        "pip build {package}",
        "Could not build wheels",
        r"Could not build wheels for (?P<package>[^\s,]{1,120})",
        Rank.CAUSE,
    ),
    form("pip uninstall {package}", "Cannot uninstall", r"Cannot uninstall '?(?P<package>[^\s',]{1,120})"),
    form("pip externally managed", "externally-managed-environment", r"externally-managed-environment"),
    form(
        "pip no requirements {file}",
        "requirements file",
        r"Could not open requirements file: .{0,80}'(?P<file>[^']{1,300})'",
    ),
    form(
        "pip requires python {text}",
        "requires a different Python",
        r"Package '(?P<text>[^']{1,120})' requires a different Python",
    ),
    form(
        "uv no solution {text}",
        "No solution found",
        r"No solution found when resolving",
        beside=r"Because (?P<text>.{1,160})",
        reach=3,
    ),
    form("poetry {text}", "depends on", r"^(?:Because|So, because) (?P<text>.{1,200})", Rank.TOOL),
    form(
        "npm peer {package} {by}", "peer ", r"^peer (?P<package>@?[^\s@]{1,120})@.{0,80}? from (?P<by>@?[^\s@]{1,120})@"
    ),
    form("npm missing script {name}", "issing script", r"[Mm]issing script: '?(?P<name>[^\s']{1,120})"),
    form(
        "npm not in registry {package}",
        "is not in this registry",
        r"'(?P<package>@?[^\s'@]{1,160})(?:@[^']{0,60})?' is not in this registry",
    ),
    form(
        "npm not in registry {package}",
        "is not in the npm registry",
        r"'(?P<package>@?[^\s'@]{1,160})(?:@[^']{0,60})?' is not in the npm registry",
    ),
    form("npm lock missing", "can only install with an existing", r"can only install with an existing"),
    form("npm lock out of sync", "are in sync", r"can only install packages when your .{0,80} in sync"),
    form(
        "npm no version {package}",
        "No matching version found",
        r"No matching version found for (?P<package>@?[^\s@]{1,120})@",
    ),
    form(
        "npm engine {package}",
        "Unsupported engine",
        r"Unsupported engine.{0,40}(?:for|package: ')(?P<package>@?[^\s@']{1,120})",
        Rank.TOOL,
    ),
    form(
        "npm {code} {file}",
        "code E",
        r"^code (?P<code>E(?:NOENT|ACCES|PERM|JSONPARSE|INTEGRITY|BADENGINE|OTP|401|403|NEEDAUTH|BADPLATFORM|EXIST))$",
        beside=r"(?:^path |open ')(?P<file>[^\s']{1,300})",
        reach=5,
    ),
    form("npm {code}", "code E", r"^code (?P<code>E(?!LIFECYCLE|USAGE|RESOLVE)[A-Z0-9]{2,30})$", Rank.TOOL),
    form("npm {code}", "code E", r"^code (?P<code>ERESOLVE|EUSAGE)$", Rank.TOOL),
    form("npm script {name}", "Lifecycle script", r"Lifecycle script '(?P<name>[^']{1,120})' failed", Rank.WRAPPER),
    form("pnpm {code}", "ERR_PNPM_", r"(?P<code>ERR_PNPM_[A-Z_]{3,80})", Rank.CAUSE),
    form("yarn {code} {text}", "YN0", r"(?P<code>YN(?!0000|0013|0007|0008|0019)\d{4}): \W{0,4}(?P<text>.{1,160})"),
    form("yarn no package {package}", "Couldn't find package", r"Couldn't find package '(?P<package>[^']{1,160})'"),
    form(
        "yarn no version {package}",
        "Couldn't find any versions",
        r"Couldn't find any versions for '(?P<package>[^']{1,160})'",
    ),
    form("yarn lock", "lockfile needs to be updated", r"lockfile needs to be updated"),
    form("yarn no command {name}", "Command '", r"^(?:error )?Command '(?P<name>[^']{1,120})' not found"),
    form("apt no package {package}", "Unable to locate package", r"Unable to locate package (?P<package>\S{1,160})"),
    form(
        "apt no candidate {package}",
        "no installation candidate",
        r"Package '(?P<package>[^']{1,160})' has no installation candidate",
    ),
    form("apt unmet {package}", "Depends: ", r"^(?P<package>[\w.+-]{1,120}) : Depends:", Rank.TOOL),
    form("apt lock permission", "/lock", r"open \(13: Permission denied\)"),
    form("apt lock held {file}", "Could not get lock", r"Could not get lock (?P<file>[^\s.]{1,200})"),
    form(
        "brew no formula {package}",
        "No available formula",
        r"No available formula (?:or cask )?with the name '(?P<package>[^']{1,160})'",
    ),
    form(
        "conda missing {package}",
        "PackagesNotFoundError",
        r"PackagesNotFoundError",
        beside=r"^- (?P<package>\S{1,120})",
        reach=4,
    ),
    form(
        "bundler conflict {package}",
        "compatible versions for gem",
        r"compatible versions for gem '(?P<package>[^']{1,120})'",
    ),
    form(
        "bundler missing {package}",
        " in locally installed gems",
        r"Could not find (?:gem )?'?(?P<package>[A-Za-z][\w.-]{1,120}?)(?:-\d[\w.]{0,40})? in locally installed gems",
    ),
    form("bundler missing {package}", "Could not find gem", r"Could not find gem '(?P<package>[\w-]{1,120})"),
    form(
        "gem build {package}",
        "error occurred while installing",
        r"error occurred while installing (?P<package>[\w-]{1,120})",
        Rank.TOOL,
    ),
    form("composer missing {package}", "PHP extension", r"requires PHP extension (?P<package>[\w-]{1,80})"),
    form(
        "composer missing {package}",
        "Root composer.json requires",
        r"requires (?P<package>[\w./-]{1,120}).{0,120}(?:could not be found|found .{0,80} but)",
    ),
)
