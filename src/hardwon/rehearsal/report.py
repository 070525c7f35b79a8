"""A rehearsal in figures and in sentences: the JSON, the lines, the examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hardwon.rehearsal.opportunities import Kind, Opportunity
from hardwon.rehearsal.run import Rehearsal
from hardwon.rehearsal.saying import Saying
from hardwon.rehearsal.score import CALL, CONTRADICTED, LINE, Earned, Score, price
from hardwon.render.plain import one_line

Clean = Callable[[str], str]
"""Takes secrets out of a text."""
WIDE = 240
MOST_NAMED = 3
"""Files that can't be read; of the others, how many."""


def as_json(made: Rehearsal, clean: Clean, examples: int) -> dict[str, Any]:
    score = made.score
    net = score.per_hundred()
    return {
        "sessions": len(score.sessions),
        "calls": made.calls,
        "turns": made.turns,
        "apart": made.apart,
        "files": _files(made),
        "came_back": len(score.opportunities),
        "in_time": len(score.earned),
        "before": sum(one.is_before for one in score.earned),
        "ceiling": score.ceiling,
        "said": _said(score),
        "kinds": {str(kind): _of_kind(score, kind) for kind in Kind},
        "moments": {moment: _of_moment(score, moment) for moment in sorted({str(one.moment) for one in score.sayings})},
        "credit": round(score.credit, 2),
        "price": round(score.price, 2),
        "penalty": score.penalty,
        "net": round(score.net, 2),
        "share": round(score.share, 4),
        "per_100_sessions": {"value": round(net.value, 2), "low": round(net.low, 2), "high": round(net.high, 2)},
        "placebo": {"said": len(made.placebo.sayings), "net": round(made.placebo.net, 2)},
        "examples": _examples(made, clean, examples),
        "miner": made.miner,
        "constants": {"line": LINE, "call_tokens": CALL, "contradicted": CONTRADICTED},
    }


def _files(made: Rehearsal) -> dict[str, Any]:
    counts = made.counts
    return {
        "read": counts.files,
        "bytes": counts.bytes,
        "sub_agents": counts.sub_agents,
        "half_written": counts.torn,
        "strange_lines": counts.strange,
        "forked": len(counts.forked),
        "compacted": counts.compacted,
        "empty": len(counts.empty),
        "unreadable": counts.unreadable,
    }


def _said(score: Score) -> dict[str, Any]:
    return {
        "times": len(score.sayings),
        "lines": sum(one.lines for one in score.sayings),
        "tokens": sum(one.tokens for one in score.sayings),
        "beside_the_point": len(score.beside),
        "contradicted": sum(one.contradicted for one in score.sayings),
        "never_delivered": sum(one.delivered is None for one in score.sayings),
    }


def _of_kind(score: Score, kind: Kind) -> dict[str, Any]:
    own = [one for one in score.opportunities if one.kind is kind]
    met = [one for one in score.earned if one.opportunity.kind is kind]
    return {
        "came_back": len(own),
        "ceiling": sum(one.cost for one in own),
        "in_time": len(met),
        "before": sum(one.is_before for one in met),
        "credit": round(sum(one.calls for one in met), 2),
        "moments": dict(Counter(str(one.saying.moment) for one in met)),
    }


def _of_moment(score: Score, moment: str) -> dict[str, Any]:
    own = [one for one in score.sayings if one.moment == moment]
    met = [one for one in score.earned if one.saying.moment == moment]
    contradicted = sum(one.contradicted for one in own)
    credit, cost = sum(one.calls for one in met), sum(map(price, own))
    return {
        "times": len(own),
        "lines": sum(one.lines for one in own),
        "tokens": sum(one.tokens for one in own),
        "in_time": len({id(one.saying) for one in met}),
        "contradicted": contradicted,
        "credit": round(credit, 2),
        "price": round(cost, 2),
        "net": round(credit - cost - CONTRADICTED * contradicted, 2),
    }


def _examples(made: Rehearsal, clean: Clean, most: int) -> dict[str, list[dict[str, Any]]]:
    """Those that cost most first, so that they are the same each time."""
    score = made.score
    met = sorted(score.earned, key=lambda one: (-one.calls, one.opportunity.id))
    told = {one.opportunity.id for one in met}
    missed = sorted((one for one in score.opportunities if one.id not in told), key=lambda one: (-one.cost, one.id))
    beside = sorted(score.beside, key=lambda one: (-price(one) - CONTRADICTED * one.contradicted, one.session, one.at))
    return {
        "in_time": _different([_met(one, clean) for one in met], "answer", most),
        "missed": _different([came_back(one, clean) for one in missed], "answer", most),
        "beside_the_point": _different([said(one, clean) for one in beside], "text", most),
    }


def _different(found: list[dict[str, Any]], name: str, most: int) -> list[dict[str, Any]]:
    """Those that differ first: ten times the same tells nothing more than once."""
    seen: set[str] = set()
    first: list[dict[str, Any]] = []
    again: list[dict[str, Any]] = []
    for one in found:
        (again if str(one[name])[:60] in seen else first).append(one)
        seen.add(str(one[name])[:60])
    return [*first, *again][:most]


def came_back(one: Opportunity, clean: Clean) -> dict[str, Any]:
    return {
        "session": one.session,
        "at": one.at,
        "kind": str(one.kind),
        "what": _short(one.what, clean),
        "then": _short(one.how, clean),
        "answer": [clean(token) for token in (one.answer.token, *one.answer.along)] if one.answer else [],
        "cost": one.cost,
        "known_from": one.source,
    }


def said(one: Saying, clean: Clean) -> dict[str, Any]:
    return {
        "session": one.session,
        "at": one.at,
        "moment": str(one.moment),
        "to": _short(one.target, clean),
        "text": _short(plain(one.text), clean),
        "tokens": one.tokens,
        "contradicted": one.contradicted,
    }


def _met(one: Earned, clean: Clean) -> dict[str, Any]:
    about = {"said": _short(plain(one.saying.text), clean), "moment": str(one.saying.moment)}
    return came_back(one.opportunity, clean) | about | {"share": round(one.share, 3), "saved": round(one.calls, 2)}


def plain(text: str) -> str:
    """What was said, without the fence around it and the line that says where it is from."""
    lines = [line.strip() for line in text.splitlines()]
    return "\n".join(line for line in lines if line and not line.startswith("<") and not line.endswith("information:"))


def _short(text: str, clean: Clean) -> str:
    return one_line(clean(text), WIDE)


def sentence(figures: dict[str, Any]) -> str:
    """What a person wants to know first."""
    told, sessions = figures["said"], figures["sessions"]
    if not sessions:
        return "None of your sessions could be counted."
    begun = f"In your last {counted(sessions, 'session') if sessions > 1 else 'session'}"
    if not figures["came_back"] and not told["times"]:
        return f"{begun} nothing came back, and hardwon would have said nothing."
    return (
        f"{begun} {counted(figures['came_back'], 'thing')} came back; "
        f"hardwon would have said {figures['in_time']} of them in time, in {counted(told['tokens'], 'token')}, "
        f"and {counted(told['beside_the_point'], 'thing')} beside the point."
    )


def counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def worth(figures: dict[str, Any]) -> str:
    """What it comes to."""
    net = figures["per_100_sessions"]
    return (
        f"worth {figures['credit']:,.1f} of {figures['ceiling']:,.0f} calls, at a price of {figures['price']:,.1f}"
        + (f" and {figures['penalty']:,.0f} for what was wrong" if figures["penalty"] else "")
        + f": {net['value']:+,.1f} calls per 100 sessions (95 %: {net['low']:+,.1f} to {net['high']:+,.1f})"
    )


def left_out(reasons: dict[str, int], unreadable: Sequence[str]) -> Iterator[str]:
    """What doesn't count, and why."""
    yield from (f"{counted(count, 'session')} not counted: {reason}" for reason, count in reasons.items())
    yield from (f"left out, for it can't be read: {path}" for path in unreadable[:MOST_NAMED])
    if len(unreadable) > MOST_NAMED:
        yield f"and {len(unreadable) - MOST_NAMED} more that can't be read"


def broken(files: dict[str, Any]) -> Iterator[str]:
    """What was missing in the files that were played."""
    if files["half_written"]:
        yield f"{counted(files['half_written'], 'file')} with a last line that is half written"
    if files["strange_lines"]:
        yield f"{counted(files['strange_lines'], 'line')} that could not be understood"
