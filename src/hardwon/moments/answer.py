"""The first arrow: client → clients → text → memories → render → clients → client. Nothing is kept here."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from hardwon import action
from hardwon.event import Event, EventType, Heard, Moment, Reply
from hardwon.learn import edits
from hardwon.memories import Item, acts, at_prompt, family, lint, moments
from hardwon.memories import likeness as like
from hardwon.memories.branches.branch_card import Line
from hardwon.memories.moments import Known
from hardwon.memories.search.budget import tokens
from hardwon.memory import Anchor, AnchorKind, Memory
from hardwon.moments import around, at_skill, elsewhere, where_stands, windows
from hardwon.moments.answered import Answer, Here, Unwritten
from hardwon.moments.around import NOTHING, Around
from hardwon.moments.beside import beside
from hardwon.moments.conversation import Conversation
from hardwon.project import relative_file
from hardwon.render import context
from hardwon.store import control, projects
from hardwon.store.connection import Store
from hardwon.store.tables import journal, spoken
from hardwon.text import anchors, commands, likeness, tiers
from hardwon.text.commands.another_way import INSTEAD, another_way, instead_of
from hardwon.text.errors import lint_rules, missing_path
from hardwon.text.speech import reminding

Renderer = Callable[[list[Item]], str]

FILE_TOOLS = action.EDITS


def here(store: Store, cwd: str) -> Here:
    place, found = projects.look_up(store, cwd)
    return Here(found.id if found else "", found.name if found else "", place.root)


def answer(
    store: Store,
    heard: Heard,
    talk: Conversation,
    where: Here,
    now: int,
    unwritten: Unwritten,
    until: float = math.inf,
    beyond: Around = NOTHING,
) -> Answer:
    """What to say to this; mostly nothing. `until` is when a question's vector is too late, by the monotonic clock.
    `beyond` the memory: what else may be looked at, and who was handed what."""
    event = heard.events[-1] if heard.events else None
    if heard.moment is None or event is None:
        return Answer()
    if any(control.why_not(store, where.name, folder, now) for folder in {where.root, event.cwd}):
        return Answer()
    # In the form in which the journal keeps it: what was learned from that is found by nothing else.
    event = journal.storable(store, event, tiers.tier(tiers.as_done(event)))
    said = _at(heard, store, event, talk, where, now, unwritten, until, beyond)
    talk.spend(said.tokens - sum(item.tokens for item in said.said))
    return said


def _at(
    heard: Heard,
    store: Store,
    event: Event,
    talk: Conversation,
    where: Here,
    now: int,
    unwritten: Unwritten,
    until: float,
    beyond: Around,
) -> Answer:
    match heard.moment:
        case Moment.SESSION_START | Moment.AFTER_COMPACTION:
            return around.started(store, beyond, event, talk, where, now, unwritten, until)
        case Moment.PROMPT:
            talk.prompt = "" if event.text.startswith("/") else event.text
            named = anchors.at_prompt(event.text, where.root, event.cwd)
            fits = at_prompt.fitting(store, event.text, where.project, named, now, event.session, until)
            fresh = unwritten(talk.fresh(fits.items, event.agent))
            told = _told(store, talk, event, fresh, lambda said: context.prompt(said, fits.chains))
            said = _with_reminder(store, talk, event, told)
            ids = {item.ranked.memory.id for item in said.said}
            news = windows.lines(store, talk, event, where, named, now, ids)
            said = _with_lines(store, talk, event, said, [*_branch(store, talk, event, where, now), *news], "prompt")
            said = around.prompted(store, beyond, event, where, now, said)
            return _with_skills(store, heard, talk, where, now, unwritten, until, said)
        case Moment.SKILL:
            skill = at_skill.loaded(store, heard, event, talk, where.project, where.root, now, until)
            return _told(store, talk, event, unwritten(skill.items), skill.block)
        case Moment.BEFORE_ACTION:
            before = _before(store, event, talk, where, now, unwritten)
            said = _with_lines(store, talk, event, before, _branch(store, talk, event, where, now), "before action")
            return around.guarded(store, beyond, event, talk, where, said, until)
        case Moment.AFTER_FAILURE:
            talk.failing(event.agent, target(event, where))
            around.failed(event, talk)
            known = _after_failure(store, talk, event, where, now)
            known = known if known.said else _elsewhere(store, talk, event, where)
            return known if known.said else _beside(event, where)
        case None:
            return Answer()


def _with_skills(
    store: Store,
    heard: Heard,
    talk: Conversation,
    where: Here,
    now: int,
    unwritten: Unwritten,
    until: float,
    said: Answer,
) -> Answer:
    """The same with the blocks of the skills that a prompt loads, where no message of their own tells of that."""
    for event in heard.events:
        if event.type is EventType.SKILL_LOADED:
            skill = at_skill.loaded(store, Heard((event,)), event, talk, where.project, where.root, now, until)
            block = _told(store, talk, event, unwritten(skill.items), skill.block)
            text = "\n".join(filter(None, (said.reply.text, block.reply.text)))
            said = replace(said, reply=Reply(text), said=[*said.said, *block.said])
    return said


def _before(store: Store, event: Event, talk: Conversation, where: Here, now: int, unwritten: Unwritten) -> Answer:
    """What is known of the call, and what the person said that it goes against."""
    known = _of_call(store, event, talk, where, now, unwritten)
    if known.reply.stop or known.reply.ask or not store.settings.alerts.note:
        return known
    items = unwritten(acts.about(store, event, where.project, now))
    said = talk.say_at_act(items, event.agent, store.settings.recall.session_tokens)
    said = [one for one in said if one.ranked.memory.id not in {item.ranked.memory.id for item in known.said}]
    if not said:
        return known
    text = "\n".join(filter(None, (known.reply.text, context.spoken(said))))
    return Answer(Reply(text), [*known.said, *said])


def _of_call(store: Store, event: Event, talk: Conversation, where: Here, now: int, unwritten: Unwritten) -> Answer:
    """Exactly this first; where nothing is known of it, what stands in the way of its family."""
    anchor, alerts = target(event, where), store.settings.alerts
    mended = talk.acting(event.agent, anchor, not (event.tool == action.SHELL and commands.only_looks(event.target)))
    found = moments.about(store, anchor, where.project, now) if anchor else []
    if anchor and anchor.kind is AnchorKind.FILE and event.text:
        found = [*moments.about(store, edits.mark(anchor.value, event.text), where.project, now), *found]
    if anchor and alerts.guard != "off" and (held := around.rule_against(store, event, anchor, where, found, now)):
        return held
    # Who looks can do no harm, and learns by looking.
    if event.tool == action.SHELL and commands.only_looks(event.target):
        return Answer()
    if anchor and anchor.kind is AnchorKind.COMMAND and not found:
        return _of_family(store, event, talk, where, now, unwritten) if alerts.note and alerts.family else Answer()
    news = {item.ranked.memory.id for item in unwritten([one.item for one in found])}
    found = [one for one in found if one.memory.id in news and one.is_worth_a_note(event.session)]
    found = [one for one in found if not _is_the_way_that_works(event, one)]
    reason = next((one for one in found if alerts.stop_once and one.should_stop and not mended), None)
    if anchor and reason and talk.may_stop(reason.memory.id):
        what = "edit" if anchor.kind is AnchorKind.FILE else "command"
        talk.say([reason.item], event.agent, store.settings.recall.session_tokens)  # said before or not: it counts
        return Answer(Reply(stop=context.stop(reason, what)), [reason.item])
    if not alerts.note:
        return Answer()
    if (
        anchor
        and anchor.kind is AnchorKind.FILE
        and talk.is_first_edit(lint_rules.language(anchor.value))
        and not found
    ):
        rules = lint.rules(store, anchor.value, where.project, now)
        rules = [] if any(talk.was_shown(one.ranked.memory.id) for one in rules) else rules
        return _told(store, talk, event, unwritten(rules), context.lint_rules)
    return _experience(store, talk, event, found, "before action")


def _rules(store: Store, talk: Conversation, file: str, where: Here, now: int) -> list[Item]:
    """Once in a session, whichever of its agents begins."""
    if not talk.is_first_edit(lint_rules.language(file)):
        return []
    rules = lint.rules(store, file, where.project, now)
    return [] if any(talk.was_shown(one.ranked.memory.id) for one in rules) else rules


def _of_family(store: Store, event: Event, talk: Conversation, where: Here, now: int, unwritten: Unwritten) -> Answer:
    command = commands.normalise(event.target)
    found = family.notes(store, command, where.project, event.host, event.session, now) if where.project else []
    news = {item.ranked.memory.id for item in unwritten([one.item for one in found])}
    found = [one for one in found if one.memory.id in news and not goes_that_way(event.target, one.fixes)]
    return _experience(store, talk, event, found, "before action")


def _branch(store: Store, talk: Conversation, event: Event, where: Here, now: int) -> tuple[Line, ...]:
    return where_stands.on_the_way(store, talk, event, where, now) if where.project else ()


def _with_lines(
    store: Store, talk: Conversation, event: Event, said: Answer, lines: Sequence[Line], moment: str
) -> Answer:
    """The same with lines that are no memories, where there is room for them; none with a call that is held up."""
    if not lines or said.reply.stop or said.reply.ask:
        return said
    text = context.started(moment, where_stands.texts(lines))
    if talk.tokens + tokens(text) > store.settings.recall.session_tokens:
        return said
    marks = tuple(line.mark for line in lines)
    talk.tell(marks, event.agent)
    return Answer(Reply("\n".join(filter(None, (said.reply.text, text)))), said.said, marks)


def goes_that_way(command: str, fixes: Sequence[Memory]) -> bool:
    """Whether a command of the family has what made another one work already; also where that can't be told."""
    for fix in fixes:
        if fix.subtype != INSTEAD:
            continue
        failed = fix.body.partition(" worked where ")[2]
        added = set(instead_of(fix.body).split()) - set(failed.strip("`").split("`")[0].split())
        if not added or added <= set(command.split()):
            return True
    return False


def _is_the_way_that_works(event: Event, known: Known) -> bool:
    return any(fix.body.startswith(another_way(event.target)) for fix in known.fixes)


def _after_failure(store: Store, talk: Conversation, event: Event, where: Here, now: int) -> Answer:
    """What worked where this failed before, also as another command and in other words; else, with a hedge, what it
    looks like. What was tried in vain only if that is an old story."""
    new = likeness.trouble(commands.normalise(event.target) if event.tool == action.SHELL else "", event.error)
    found = like.best(like.look_up(store, new, where.project, now))
    told = [one.known for one in found if one.is_known and _is_worth_telling(one.known, event)]
    if told or not found or found[0].is_known:
        return _experience(store, talk, event, told, "after failure")
    said = talk.say([found[0].known.item], event.agent, store.settings.recall.session_tokens)
    return Answer(Reply(context.looked_like(found[0].known) if said else ""), said)


def _is_worth_telling(one: Known, event: Event) -> bool:
    return bool(one.fixes) or (one.times > 2 and one.is_known_from_elsewhere(event.session))


def _elsewhere(store: Store, talk: Conversation, event: Event, where: Here) -> Answer:
    """Where nothing is known here: what helped against the same in two other projects."""
    if event.tool != action.SHELL or not (found := elsewhere.helped(store, event.error, where.project)):
        return Answer()
    said = talk.say([found.item], event.agent, store.settings.recall.session_tokens)
    return Answer(Reply(context.elsewhere(found.command, found.projects, found.fix) if said else ""), said)


def _beside(event: Event, where: Here) -> Answer:
    """The path that is there in place of one that is not."""
    path = beside(event, where.root)
    return Answer(Reply(context.beside(missing_path.missing(event), path))) if path else Answer()


def target(event: Event, where: Here) -> Anchor | None:
    """Exactly what a call is pointed at."""
    if event.tool == action.SHELL:
        return Anchor(AnchorKind.COMMAND, commands.normalise(event.target))
    if event.tool in FILE_TOOLS:
        path = relative_file(event.target, where.root, event.cwd) if where.root else event.target
        return Anchor(AnchorKind.FILE, path)
    return None


def _experience(store: Store, talk: Conversation, event: Event, found: list[Known], moment: str) -> Answer:
    said = talk.say([one.item for one in found], event.agent, store.settings.recall.session_tokens)
    ids = {item.ranked.memory.id for item in said}
    text = context.known(moment, [one for one in found if one.item.ranked.memory.id in ids])
    return Answer(Reply(text), said)


def _with_reminder(store: Store, talk: Conversation, event: Event, told: Answer) -> Answer:
    """One line more where the prompt looks as if something were said in it that is worth marking."""
    if event.agent or not talk.prompt or not store.settings.heard.reminders or talk.reminded >= reminding.MOST:
        return told
    before, refused = spoken.asked(store, event.host, event.session, event.text, reminding.LOOKED_AT)
    if not reminding.reminds(reminding.Turn(event.text, talk.acts > 0, refused, before)):
        return told
    talk.reminded += 1
    text = "\n".join(filter(None, (told.reply.text, context.reminder(reminding.LINE))))
    talk.spend(tokens(context.reminder(reminding.LINE)))
    return Answer(Reply(text), told.said)


def _told(store: Store, talk: Conversation, event: Event, items: list[Item], render: Renderer) -> Answer:
    said = talk.say(items, event.agent, store.settings.recall.session_tokens)
    return Answer(Reply(render(said)) if said else Reply(), said)
