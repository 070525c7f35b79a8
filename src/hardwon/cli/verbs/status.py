from __future__ import annotations

from typing import Annotated, Any

import typer

from hardwon import __version__
from hardwon.cli.support import context, output
from hardwon.cli.support.home_size import home_size
from hardwon.cli.support.options import Json
from hardwon.cli.verbs import vectors
from hardwon.daemon import lifecycle, updates
from hardwon.learn import hard_rules
from hardwon.memory import GLOBAL
from hardwon.render import plain
from hardwon.store import control, projects
from hardwon.store.connection import Store
from hardwon.store.maintenance import retention
from hardwon.store.tables import census, recurrences, showings
from hardwon.store.tables.recurrences import Rate
from hardwon.store.tables.showings import Outcome

DAY = 86_400_000
WEEK = 7 * DAY
DAYS = 30
"""Over which it is said what came of showings."""
SWITCHED_OFF = "nothing is kept or said; `hardwon config set control.enabled on` ends that"
EXCLUDED = "nothing is kept or looked up here"


def run(
    skills: Annotated[bool, typer.Option("--skills", help="How each skill and its lessons are used")] = False,
    today: Annotated[bool, typer.Option("--today", help="What was said today, when and where")] = False,
    json: Json = False,
) -> None:
    """Say what is remembered here, what was shown, what it cost

    Example: `hardwon status --skills`

    A line stands only where there is something to say:

    - **here**, **everywhere**, **in all**: active memories of this folder's project, of no single project, and all that
      are kept, whatever their status; a fix that fixed nothing is an attempt
    - **to review**, **to write down**: what waits for you to decide
    - **journal**: what was kept of sessions, and the room that it may take
    - **shown this week**: how many memories sessions were told, and what those took of their context
    - **what came of it**: helped (what was said was done, and it passed), ignored (what was warned of was done),
      unknown (neither is certain)
    - **failures again**: failures that came back on a later day, and how often before and after they were first shown
    - **an answer takes**: from a client's message to the reply; half of them took no longer
    - **by meaning**: memories that have a vector
    - **paused**, **switched off**, **excluded**: why nothing is kept or said
    """
    with context.reading() as store:
        if skills:
            from hardwon.cli.verbs import status_skills

            status_skills.show(store, context.now(), json)
            return
        if today:
            from hardwon.cli.verbs import status_today

            status_today.show(store, context.now(), json)
            return
        found = _gathered(store)
        if json:
            output.print_json(found)
            return
        output.print_details([(label, str(value)) for label, value in _lines(found) if value])
        output.remark("`hardwon status --help` says what each line means")


def _gathered(store: Store) -> dict[str, Any]:
    _, here = projects.look_up(store, context.folder())
    week = context.now() - WEEK
    shown, tokens = showings.totals(store, week)
    paused = control.paused(store, context.now())
    size, is_all = home_size(store.home.root)
    return {
        "home": str(store.home.root),
        "project": here.name if here else None,
        "here": census.active(store, here.id) if here else {},
        "everywhere": census.active(store, GLOBAL),
        "all": store.value("select count(*) from memories"),
        "projects": len(projects.listed(store)),
        "to_review": store.value(_TO_REVIEW),
        "offers": len(hard_rules.offers(store, context.now())),
        "journal": retention.size(store).entries,
        "journal_bytes": retention.size(store).bytes,
        "journal_bound": retention.bound(store.settings.retention) or None,
        "shown_this_week": {"memories": shown, "tokens": tokens, "outcomes": showings.outcomes(store, week)},
        "last_30_days": _last_days(store, context.now()),
        "repeats": _repeats(store, context.now()),
        "answer_ms": (lifecycle.status(store.home) or {}).get("answer_ms"),
        "vectors": vectors.gathered(store),
        "enabled": store.settings.control.enabled,
        "excluded": context.excluded(store, context.folder()),
        "paused": paused is not None,
        "paused_until": int(paused) if paused and paused.isdigit() else None,
        "updates": _updates(store),
        "bytes": size,
        "bytes_complete": is_all,
    }


def _last_days(store: Store, now: int) -> dict[str, int]:
    """How often memories were shown, and what came of it as far as is known."""
    came = showings.outcomes(store, now - DAYS * DAY)
    known = {str(outcome): came.get(outcome, 0) for outcome in (Outcome.HELPED, Outcome.IGNORED)}
    return {"shown": sum(came.values())} | known


def _repeats(store: Store, now: int) -> dict[str, Any]:
    found = recurrences.measured(store, now)
    return {"this_week": found.this_week, "before": _rate(found.before), "after": _rate(found.after)}


def _rate(rate: Rate) -> dict[str, Any]:
    per_week = rate.per_week
    return {
        "repeats": rate.repeats,
        "weeks": round(rate.weeks, 1),
        "per_week": None if per_week is None else round(per_week, 2),
    }


def _updates(store: Store) -> dict[str, Any]:
    """Whether newer versions are looked for, and what was found."""
    wanted, found = store.settings.updates, updates.known(store.home)
    says, _ = updates.message(wanted, found, __version__)
    if says:
        says = says.removeprefix("hardwon: ")
    elif wanted.check:
        says = f"last looked {plain.day(found.checked_at)}" if found.checked_at else "not looked yet"
        says += f": {found.problem}" if found.problem else ""
    on = wanted.check
    return {"check": on, "newest": found.newest, "checked_at": found.checked_at or None, "says": says if on else ""}


_TO_REVIEW = """
select count(*) from memories where status = 'candidate' or (status = 'active' and complaints <> '[]')
"""


def _lines(found: dict[str, Any]) -> list[tuple[str, Any]]:
    shown, tokens = (found["shown_this_week"][name] for name in ("memories", "tokens"))
    return [
        ("project", found["project"] or _unknown(found)),
        ("excluded", f"{found['excluded']}; {EXCLUDED}" if found["excluded"] else ""),
        ("here", _counts(found["here"])),
        ("everywhere", _counts(found["everywhere"])),
        ("in all", f"{output.counted(found['all'], 'memory')} in {output.counted(found['projects'], 'project')}"),
        ("to review", f"{found['to_review']} (`hardwon review list`)" if found["to_review"] else ""),
        (
            "to write down",
            f"{found['offers']} for CLAUDE.md or AGENTS.md (`hardwon review list`)" if found["offers"] else "",
        ),
        ("journal", _journal(found)),
        (
            "shown this week",
            f"{output.counted(shown, 'memory')}, {output.counted(tokens, 'token')}",
        ),
        ("what came of it", ", ".join(f"{n} {name}" for name, n in found["shown_this_week"]["outcomes"].items())),
        (f"last {DAYS} days", _came(found["last_30_days"])),
        ("failures again", _again(found["repeats"])),
        ("an answer takes", f"{found['answer_ms']} ms" if found["answer_ms"] is not None else ""),
        ("by meaning", vectors.says(found["vectors"]) if found["vectors"]["models"] else ""),
        ("switched off", "" if found["enabled"] else SWITCHED_OFF),
        ("paused", f"until {pause_end(found['paused_until'])}" if found["paused"] else ""),
        ("updates", found["updates"]["says"]),
        ("home", f"{found['home']} ({_size(found)})"),
    ]


def _unknown(found: dict[str, Any]) -> str:
    """Where nothing may be kept, nobody is invited to."""
    may_begin = found["enabled"] and not found["excluded"]
    return "not known yet: `hardwon note` begins it" if may_begin else "not known"


def _size(found: dict[str, Any]) -> str:
    return f"{'' if found['bytes_complete'] else 'more than '}{found['bytes'] / 1_000_000:.1f} MB"


def _journal(found: dict[str, Any]) -> str:
    bound = f" of {found['journal_bound'] / 1_000_000:.0f}" if found["journal_bound"] else ""
    return f"{output.counted(found['journal'], 'event')}, {found['journal_bytes'] / 1_000_000:.1f}{bound} MB"


def pause_end(until: int | None) -> str:
    return plain.day(until) if until else "`hardwon resume`"


def _counts(by_kind: dict[str, int]) -> str:
    return ", ".join(output.counted(count, kind) for kind, count in by_kind.items()) or "nothing"


def _came(last: dict[str, int]) -> str:
    if not last["shown"]:
        return ""
    return f"shown {output.counted(last['shown'], 'time')}, helped {last['helped']}, ignored {last['ignored']}"


def _again(repeats: dict[str, Any]) -> str:
    """How often what had failed before failed again, and whether showing it made a difference."""
    said = [f"{repeats['this_week']} this week"] if repeats["this_week"] else []
    rates = [(when, repeats[when]["per_week"]) for when in ("before", "after")]
    told = [f"{rate:.2f} {when}" for when, rate in rates if rate is not None]
    if told:
        said.append(f"each a week {', '.join(told)} its first showing")
    return "; ".join(said)
