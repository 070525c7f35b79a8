"""git and the services behind it."""

from __future__ import annotations

from hardwon.text.errors.form import Form, Rank, form

FORMS: tuple[Form, ...] = (
    form("git not a repository", "ot a git repository", r"[Nn]ot a git repository"),
    form("git pathspec {name}", "did not match any file", r"pathspec '(?P<name>[^']{1,200})' did not match any file"),
    form("git invalid reference {name}", "invalid reference", r"invalid reference: (?P<name>\S{1,200})"),
    form(
        "git conflict {file}",
        "CONFLICT",
        r"CONFLICT \((?:content|add/add|both modified)\): Merge conflict in (?P<file>\S{1,300})",
        Rank.COMPILER,
    ),
    form(
        "git conflict {kind} {file}",
        "CONFLICT",
        r"CONFLICT \((?P<kind>[^)]{1,60})\): (?P<file>\S{1,300})",
        Rank.COMPILER,
    ),
    form("git rejected {reason}", "rejected]", r"! \[(?:remote )?rejected\] .{1,200}\((?P<reason>[^)]{1,120})\)"),
    form("git lock {file}", "Unable to create '", r"Unable to create '(?P<file>[^']{1,300}\.lock)': File exists"),
    form(
        "git overwritten {kind} {file}",
        "would be overwritten",
        r"(?P<kind>local changes|untracked working tree files).{0,40} would be overwritten",
        beside=r"^(?P<file>\S{1,300})$",
        reach=3,
    ),
    form("git dubious ownership", "dubious ownership", r"detected dubious ownership"),
    form("git ignored", "are ignored by one of", r"paths are ignored by one of your"),
    form("git checked out {name}", "already checked out at", r"'(?P<name>[^']{1,200})' is already checked out at"),
    form("git checked out {name}", "already used by worktree", r"'(?P<name>[^']{1,200})' is already used by worktree"),
    form("git refspec {name}", "does not match any", r"src refspec (?P<name>\S{1,200}) does not match any"),
    form("git no upstream", "has no upstream branch", r"has no upstream branch"),
    form("git no tracking", "no tracking information", r"no tracking information for the current branch"),
    form(
        "git no remote {name}",
        "does not appear to be a git repository",
        r"'(?P<name>[^']{1,200})' does not appear to be a git repository",
    ),
    form("git remote exists {name}", "already exists", r"remote (?P<name>\S{1,100}) already exists"),
    form("git branch exists {name}", "already exists", r"[Bb]ranch named '(?P<name>[^']{1,200})' already exists"),
    form("git branch {name} not found", "' not found", r"branch '(?P<name>[^']{1,200})' not found"),
    form("git branch {name} not merged", "not fully merged", r"branch '(?P<name>[^']{1,200})' is not fully merged"),
    form(
        "git repository not found {name}",
        "' not found",
        r"repository '(?P<url>\S{0,200}?)(?P<name>[^/']{1,100})/?' not found",
    ),
    form("git repository not found", "Repository not found", r"ERROR: Repository not found"),
    form("git unrelated histories", "unrelated histories", r"refusing to merge unrelated histories"),
    form("git unmerged", "unmerged files", r"because you have unmerged files"),
    form("git unstaged", "unstaged changes", r"You have unstaged changes"),
    form("git divergent", "divergent branches", r"Need to specify how to reconcile divergent branches"),
    form(
        "git publickey {host}",
        "Permission denied (",
        r"(?:(?P<user>\S{1,60})@)?(?P<host>[\w.-]{1,120}): Permission denied \((?:publickey|password)",
    ),
    form("git host key", "Host key verification failed", r"Host key verification failed"),
    form(
        "git authentication {host}",
        "uthentication failed for",
        r"uthentication failed for '?\w{3,6}://(?:[^\s@/']{1,80}@)?(?P<host>[\w.-]{1,120})",
    ),
    form(
        "git no username {host}",
        "could not read Username",
        r"could not read Username for '\w{3,6}://(?:[^\s@/']{1,80}@)?(?P<host>[\w.-]{1,120})",
    ),
    form("git not a command {name}", "is not a git command", r"'(?P<name>[^']{1,80})' is not a git command"),
    form("git no identity", "tell me who you are", r"Please tell me who you are"),
    form("git nothing to commit", "nothing to commit", r"nothing (?:added )?to commit", Rank.TOOL),
    form(
        "git hook {name}",
        "hook",
        r"(?P<name>pre-commit|pre-push|commit-msg) hook (?:failed|declined|exited)",
        Rank.TOOL,
    ),
    form("gh {text}", "gh: ", r"^gh: (?P<text>.{1,160})", Rank.TOOL),
    form("git {text}", "fatal: ", r"^fatal: (?!\[)(?P<text>.{1,200})", Rank.TOOL),
)
