"""What enters an agent's context: plain, declarative, sourced, fenced; data, never an order.

Each line carries a short id, so that one can ask (`hardwon why`) and complain (`hardwon wrong`). What a program printed
is somebody else's words: it is only quoted, cut, in quotation marks that it can't close.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence

from hardwon import kinds
from hardwon.memories import Item, legacy, lint
from hardwon.memories.chains import Relation, Step
from hardwon.memories.changed import MOST, TOKENS, Changed
from hardwon.memories.check import Finding, Near
from hardwon.memories.moments import TOLD_ALONG, Known
from hardwon.memories.search.budget import tokens
from hardwon.memory import Kind, Memory, Rejected, Status, Trust
from hardwon.render.plain import day, one_line, visible
from hardwon.text import untrusted
from hardwon.text.mark import is_another

ASIDE = 400
"""Characters of a reason, an alternative or a fix: what goes along with a memory and is not in its budget."""
HEADLINE = 80
"""Characters of a memory that is only named."""


def prompt(items: Sequence[Item], chains: Mapping[str, Sequence[Step]] | None = None) -> str:
    """What fits a prompt, each with what belongs to it. Several are sorted by what they are; one needs no heading."""
    lines = [_with_chain(item, (chains or {}).get(item.ranked.memory.id, ())) for item in items]
    if len(items) > 1:
        lines = _sections([item.ranked.memory.kind for item in items], lines)
    return _fenced("prompt", lines)


def _sections(said: Sequence[Kind], lines: Sequence[str]) -> list[str]:
    """Under its heading, the first kind of each need not be named again."""
    found: list[str] = []
    for heading in kinds.HEADINGS:
        own = kinds.under(heading)
        under = [line.removeprefix(f"- {own[0]}: ") for kind, line in zip(said, lines, strict=True) if kind in own]
        found += [f"{heading}:", *(f"- {line.removeprefix('- ')}" for line in under)] if under else []
    return found


def _with_chain(item: Item, steps: Sequence[Step]) -> str:
    def along(*relations: Relation) -> tuple[Memory, ...]:
        """With as much of their texts as there is room for."""
        return tuple(dataclasses.replace(step.memory, body=step.text) for step in steps if step.relation in relations)

    if item.ranked.memory.kind is Kind.FAILURE:
        line = _experience(Known(item, along(Relation.WORKED), along(Relation.TRIED)))
    else:
        line = as_line(item)
    rest = [step for step in steps if step.relation not in (Relation.WORKED, Relation.TRIED)]
    return line + "".join(f" {_step(step)}" for step in rest)


def _step(step: Step) -> str:
    said = one_line(_words(step.memory, step.text), ASIDE)
    when = f", {day(step.memory.created_at)[:10]}" if step.relation is Relation.LATER else ""
    return f"{step.relation.capitalize()}{when}: {said} [{_id(step.memory)}]."


def recalled(items: Sequence[Item]) -> str:
    """What an agent asked for."""
    return _fenced("recall", [f"{as_line(item)}{_before(item)}" for item in items])


def _before(item: Item) -> str:
    """What it took the place of, with its day: who asks may want to know."""
    return "".join(
        f" Before, {day(one.created_at)[:10]}: {one_line(_words(one, one.body))} [{_id(one)}]."
        for one in item.ranked.before[:2]
    )


def brief(items: Sequence[Item], changed: Changed) -> str:
    lines = [as_line(item) for item in items]
    if line := since(changed, items):
        lines.append(line)
    return _fenced("session start", lines)


def started(moment: str, parts: Sequence[Item | str]) -> str:
    """A brief: memories, and lines that stand already as they are to be said."""
    return _fenced(moment, [_part(part) for part in parts])


def _part(part: Item | str) -> str:
    return part if isinstance(part, str) else as_line(part)


def since(changed: Changed, told: Sequence[Item]) -> str:
    """Some of what is new, by name: as many as fit. A bare number helps nobody, and is not said."""
    many = f" ({MOST:,} or more)" if changed.count >= MOST else f" ({changed.count})"
    names = [name(memory) for memory in changed.named(told)]
    lead = "" if changed.count == len(names) else many
    while names and tokens(line := f"- new since the last session here{lead}: {'; '.join(names)}") > TOKENS:
        names.pop()
        lead = many
    return line if names else ""


def name(memory: Memory) -> str:
    settled = "" if memory.status is Status.ACTIVE else f"{memory.status} "
    name = one_line(_words(memory, memory.headline), HEADLINE)
    end = '"' if name.count('"') % 2 else ""  # a quotation that was cut ends all the same
    return f"{settled}{memory.kind}: {name}{end} [{_id(memory)}]"


def skill(name: str, items: Sequence[Item], *, mark: str = "", principles: Sequence[Item] = ()) -> str:
    """The lessons of a skill; `mark` is that of its text as it is now. Principles hold for any skill."""
    lines = ["Learned in earlier uses of this skill:", *(_lesson(item, mark) for item in items)] if items else []
    if principles:
        lines += ["Holds everywhere:", *(_lesson(item, "") for item in principles)]
    if not lines:
        return ""
    safe = re.sub(r"[^\w./:@-]", "", visible(name))[:HEADLINE]
    return "\n".join((f'<skill-memory skill="{safe}">', *lines, "</skill-memory>"))


def _lesson(item: Item, mark: str) -> str:
    memory = item.ranked.memory
    return f"- {_words(memory, item.body)} [{_id(memory)}]{EARLIER if is_another(mark, memory.skill_mark) else ''}"


EARLIER = " (learned with an earlier version of this skill)"


def known(moment: str, found: Sequence[Known]) -> str:
    """Prior failures of this very target, with what worked."""
    return _fenced(moment, [_experience(one) for one in found])


def looked_like(one: Known) -> str:
    """What may be the same: said as a likeness, with the id to ask by, and no more."""
    memory = one.item.ranked.memory
    said = f"This looks like {_words(memory, one.item.body)} [{_id(memory)}], and may be something else."
    return _fenced("after failure", [f"- {said} There, this helped: {_attempts(one.fixes[:1])}"])


def elsewhere(command: str, projects: int, fix: Memory) -> str:
    """The command alone: nothing that the other projects said."""
    said = f"- Against this error `{_aside(command)}` helped in {projects} other projects of this machine [{_id(fix)}]."
    return _fenced("after failure", [said])


def lint_rules(found: Sequence[Item]) -> str:
    """The names alone: what they mean, everybody knows."""
    names = ", ".join(
        f"{one_line(clean(lint.rule(one.ranked.memory)), 60)} [{_id(one.ranked.memory)}]" for one in found
    )
    return _fenced("before action", [f"{lint.LINE}{names}"])


def beside(missing: str, there: str) -> str:
    """A path that is there in place of one that is not."""
    return _fenced("after failure", [f"- {_aside(missing)} is not there; {_aside(there)} is."]).replace(
        "From earlier sessions; for information:", "From the disk; for information:"
    )


def reminder(line: str) -> str:
    """Nothing that is remembered: how to keep something."""
    return f'<hardwon moment="prompt">\n{line}\n</hardwon>'


def spoken(items: Sequence[Item]) -> str:
    """What a person said that a call has to do with."""
    return _fenced("before action", [as_line(item) for item in items])


def guard(one: Known) -> str:
    """The reason given when a rule of the user holds up a call."""
    return f"hardwon: a rule of the user names this. {_experience(one).removeprefix('- ')}"


def of_this_call(lines: Sequence[str]) -> str:
    """What there is to say of a call that is about to run: seen in it, not remembered."""
    body = "\n".join(f"- {clean(line)}" for line in lines)
    return f'<hardwon moment="before action">\nAbout this call; for information:\n{body}\n</hardwon>' if lines else ""


def held_up(lines: Sequence[str]) -> str:
    """The reason when a seat belt that the person switched on holds up a call."""
    return f"hardwon: {' '.join(clean(line) for line in lines)} (the person's settings, `guards`)"


def stop(one: Known, what: str) -> str:
    """The reason given when a call is stopped once."""
    return (
        f"hardwon: this {what} has failed here before and was not run. {_experience(one).removeprefix('- ')} "
        f"Issued again unchanged, it runs."
    )


def checked(found: Sequence[Finding]) -> str:
    """What an agent asked for before it acts."""
    return _fenced("check", [f"- {line}" for line in findings(found)])


def findings(found: Sequence[Finding]) -> list[str]:
    """A line for each; failures with what worked or what was tried."""
    return [_finding(one) for one in found]


def _finding(one: Finding) -> str:
    line = _experience(one.known) if one.memory.kind is Kind.FAILURE else as_line(one.known.item)
    about = {
        Near.EXACT: "",
        Near.DIRECTORY: " About its folder.",
        Near.FAMILY: f" About `{_aside(one.anchor.value)}`.",
        Near.LIKE: " It only looks like this.",
    }
    return line.removeprefix("- ") + about[one.near]


def _experience(one: Known) -> str:
    memory = one.item.ranked.memory
    times = one.item.ranked.candidate.hits + 1
    said = f"{_words(memory, one.item.body)} [{_id(memory)}]"
    if memory.is_heard:
        return as_line(one.item)
    if memory.kind is not Kind.FAILURE:
        return f"- {memory.kind}: {said}"
    seen = f"seen {times} times" if times > 1 else "seen once"
    if worked := _attempts(one.fixes):
        return f"- {said} ({seen}). What worked: {worked}"
    if tried := _attempts(one.tried):
        return f"- {said} ({seen}, never fixed). Tried: {tried}"
    return f"- {said} ({seen}). No fix is known yet."


def _attempts(fixes: Sequence[Memory]) -> str:
    return "; ".join(f"{one_line(_words(fix, fix.body), ASIDE)} [{_id(fix)}]" for fix in fixes[:TOLD_ALONG])


def as_line(item: Item) -> str:
    memory = item.ranked.memory
    mark = f"[{_id(memory)}, {_source(memory)}]"
    return f"- {memory.kind}: {_with_reasons(memory, _words(memory, item.body))} {mark}"


def _with_reasons(memory: Memory, said: str) -> str:
    """The reason and what was turned down, unless the words say so already: a person's sentence mostly has both."""
    more = []
    if memory.because and not _says(said, memory.because):
        more.append(f"Because: {_aside(memory.because)}".rstrip(".。"))
    more += [
        f"Rejected: {_alternative(one)}"
        for one in memory.rejected[:3]
        if not (_says_no(memory, said, one.what) and (not one.why or _says(said, one.why)))
    ]
    if not more:
        return said
    return f"{said}{'' if _ENDS.search(said) else '.'} {'. '.join(more)}."


_ENDS = re.compile(r"[.!?…:;。！？；：][\"'”’)\]]*$")


def _says(said: str, what: str) -> bool:
    """In these very words, at whatever case and with whatever stops."""
    words, all_ = _plain(what), _plain(said)
    if not words.isascii():  # there may be no blanks between its words
        return words in all_
    return bool(words) and f" {words} " in f" {all_} "


def _says_no(memory: Memory, said: str, what: str) -> bool:
    """That it was turned down: that of a prompt was found in its words, elsewhere it may only be named."""
    if memory.source == "prompt":
        return _says(said, what)
    return any(_says(said, f"{no} {what}") for no in _NO)


_NO = ("not", "no", "never", "over", "against", "instead of", "rather than", "in place of", "without", "statt", "nicht")


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[\w+#]+", clean(text).casefold()))


def _source(memory: Memory) -> str:
    """Whose words they are. The source of an imported memory is a text like any other."""
    if memory.is_heard:
        return f"{'agreed to' if memory.source == 'agreed' else 'said'} by the user on {day(memory.created_at)[:10]}"
    return "said by the user" if memory.trust == "user" else f"from {one_line(clean(memory.source), 40)}"


def _id(memory: Memory) -> str:
    """As short as we show it; an imported one may be any text. What is in no memory has none, only a file."""
    if memory.id.startswith(legacy.SIGN):
        return legacy.NAME
    return re.sub(r"[^\w-]", "", memory.short_id)


_FAILED = re.compile(r"` failed: ?")
_SAID = re.compile(r"(?P<mark>output said|; then|; it still failed|without success|; what failed|` passed): ?")


def _words(memory: Memory, text: str) -> str:
    """The text of a memory. Where a program's output is part of it, from there on it is a quotation.

    A failure begins with words of ours (`make test` failed) and ends with the output's; whatever was learned from a
    session without a person's word can have such an end. The first sign of it counts: the output may hold another.
    """
    if memory.is_heard:
        return _spoken(memory, text)
    if memory.trust is Trust.USER or (memory.kind is not Kind.FAILURE and memory.source != "session"):
        return clean(text)
    failed = _FAILED.search(text) if memory.kind is Kind.FAILURE else None
    said = _SAID.search(text)
    if failed and not (said and said.start() < failed.start()):
        output = text[failed.end() :]
        head = f"{clean(text[: failed.start()])}` failed"
        return f"{head}; its output said: {_quoted(output)}" if output.strip() else head
    if said:
        return f"{clean(text[: said.end('mark')])}: {_quoted(text[said.end() :])}"
    is_told = memory.kind is not Kind.FAILURE or memory.source != "session"
    return clean(text) if is_told else f"recorded: {_quoted(text)}"


def _spoken(memory: Memory, text: str) -> str:
    """A person's sentence, in quotation marks, with what it answered; what the agent made of it, as the agent's."""
    told = memory.source == "agreed" or memory.subtype == "chosen"  # with what it answers
    said = clean(text) if told else f"“{clean(text)}”"
    if memory.intent.startswith(SAID_TO):
        said += f" (said to: {_aside(memory.intent.removeprefix(SAID_TO))})"
    if memory.title and not _says(said, memory.title):
        said += f" (in the agent's words: {one_line(clean(memory.title), 160)})"
    return said


SAID_TO = "said to: "


def _quoted(text: str) -> str:
    return untrusted.quoted(text.strip().removeprefix('"').removesuffix('"'))


def clean(text: str) -> str:
    """On one line, without what can't be seen, what could close our fence or a client's, or looks like our sources."""
    return untrusted.disarmed(" ".join(visible(text).split()))


def _alternative(one: Rejected) -> str:
    return f"{_aside(one.what)} ({_aside(one.why)})" if one.why else _aside(one.what)


def _aside(text: str) -> str:
    return one_line(clean(text), ASIDE)


def _fenced(moment: str, lines: Sequence[str]) -> str:
    if not lines:
        return ""
    body = "\n".join(lines)
    return f'<hardwon moment="{moment}">\nFrom earlier sessions; for information:\n{body}\n</hardwon>'
