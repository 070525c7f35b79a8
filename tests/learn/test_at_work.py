"""Which skill is at work: tables of what happens and whose it is."""

from __future__ import annotations

import dataclasses

import pytest

from hardwon.event import Event, EventType
from hardwon.learn.at_work import AtWork, Described, Phase, Skill, heard, named_commands, of_file, owner_of
from hardwon.learn.skill_edits import Mended, changed, is_wording

FILES = {
    "deploy": Described(
        "Checks that a deploy is ready, and ships it", "1. `make check`\n2. `helm upgrade shop ./chart`\n"
    ),
    "sheets": Described("Reads and writes spreadsheets", "```\npython recalc.py FILE\n```"),
    "发布": Described("发布服务到生产环境", "`bash deploy.sh prod`"),
}


def event(kind: EventType, **fields: object) -> Event:
    return Event(kind, "claude-code", "s1", at=1, project="p", **fields)  # type: ignore[arg-type]


def prompt(text: str) -> Event:
    return event(EventType.PROMPT_SUBMITTED, text=text)


def load(name: str, tool: str = "Skill", agent: str = "", args: str = "") -> Event:
    return event(EventType.SKILL_LOADED, tool=tool, target=name, agent=agent, text=args)


def fails(command: str, agent: str = "") -> Event:
    return event(EventType.TOOL_FAILED, tool="Bash", target=command, agent=agent, call="c1", error="Exit code 1")


def passes(command: str) -> Event:
    return event(EventType.TOOL_FINISHED, tool="Bash", target=command, call="c1")


BUG = "the voucher is lost when a customer changes the address, please find the cause"

WHOSE = [
    ("before a load", [], fails("make check"), ""),
    ("right after the load", [load("deploy")], fails("make check"), "deploy"),
    ("a command that the file does not name", [load("deploy")], fails("aws sts get-caller-identity"), "deploy"),
    ("a look at what is not there", [load("deploy")], fails("ls charts"), ""),
    ("the person says to go on", [load("deploy"), prompt("now prod")], fails("terraform apply"), "deploy"),
    ("and says nothing in words", [load("deploy"), prompt("?")], fails("make check"), "deploy"),
    ("a prompt about the skill", [load("deploy"), prompt("is the deploy to prod ready?")], fails("make x"), "deploy"),
    ("a prompt with other aims", [load("deploy"), prompt(BUG)], fails("npx vitest run"), ""),
    ("other aims, a command of the skill", [load("deploy"), prompt(BUG)], fails("make check"), ""),
    ("back to the skill", [load("deploy"), prompt(BUG), prompt("deploy that")], fails("make check"), "deploy"),
    ("a short prompt about who knows what", [load("deploy"), prompt("fix the parser")], fails("npx vitest run"), ""),
    ("and a command of the skill", [load("deploy"), prompt("try the worker")], fails("helm upgrade worker"), "deploy"),
    ("the next skill", [load("deploy"), load("sheets")], fails("python recalc.py a.xlsx"), "sheets"),
    ("inside of another's work", [load("deploy"), load("sheets")], fails("helm upgrade shop ./chart"), "deploy"),
    ("a file that was only read", [load("deploy", "Read")], fails("npx vitest run"), ""),
    ("and then done as it says", [load("deploy", "Read")], fails("make check"), "deploy"),
    ("a look at another file", [load("deploy"), load("sheets", "Read")], fails("make x"), "deploy"),
    ("a sub-agent goes on with it", [load("deploy")], fails("make check", "a1"), "deploy"),
    ("a sub-agent's own", [load("deploy"), load("sheets", agent="a1")], fails("python recalc.py x", "a1"), "sheets"),
    ("and not the main one's", [load("sheets", agent="a1")], fails("make check"), ""),
    ("what was done for it", [load("deploy"), passes("vault login"), prompt("try the worker")],
     fails("vault login -method=oidc"), "deploy"),
    ("by a typed command", [load("deploy", "prompt", args="2.4")], fails("make check"), "deploy"),
    ("in Chinese", [load("发布"), prompt("发布到生产")], fails("bash deploy.sh prod"), "发布"),
    ("other aims in Chinese", [load("发布"), prompt("购物车页面的单元测试为什么失败")], fails("npm test"), ""),
    ("no file was found", [load("unknown")], fails("make check"), "unknown"),
    ("a correction of its work", [load("deploy")], prompt("no, helm upgrade comes first"), "deploy"),
    ("a correction of something else", [load("deploy")], prompt("stop committing for me"), ""),
]  # fmt: skip


@pytest.mark.parametrize(("what", "before", "last", "owner"), WHOSE, ids=[one[0] for one in WHOSE])
def test_whose_it_is(what: str, before: list[Event], last: Event, owner: str) -> None:
    """F16, F17: from its load to the next skill, or to a prompt with other aims."""
    at_work = AtWork(lambda name, _: FILES.get(name, Described()))
    for one in before:
        at_work.saw(one)
    assert at_work.saw(last) == owner, what


def test_a_long_session_does_not_grow() -> None:
    """Of a thousand skills and ten thousand commands the last ones are known."""
    at_work = AtWork(lambda name, _: Described(name, "`make check`"))
    for number in range(1_000):
        at_work.saw(load(f"skill{number}"))
        for again in range(10):
            at_work.saw(passes(f"tool{number}-{again} run"))
    assert at_work.saw(fails("helm upgrade")) == "skill999"


def test_a_skill_that_rests_owns_nothing() -> None:
    """Whatever it names."""
    skill = dataclasses.replace(of_file("deploy", FILES["deploy"]), phase=Phase.AT_REST)
    assert owner_of([skill], fails("make check")) == ""
    assert heard(skill, "go on").phase is Phase.AT_REST
    assert heard(Skill("deploy"), "").phase is Phase.AT_WORK


def test_commands_of_a_file() -> None:
    """Lines of a fence and spans; comments and prose are none."""
    text = "Run `make check` first.\n```sh\n$ helm upgrade shop\n# then\n\nkubectl get pods\n```\nDone."
    assert named_commands(text) == ["make check", "helm upgrade shop", "kubectl get pods"]


EDITS = [
    ("a step after a failure", "1. `make check`\n2. ship", "1. `make verify`\n2. ship", True, True),
    ("a step without any trouble", "1. `make check`", "1. `make verify`", False, False),
    ("a typo", "Run the chekcs", "Run the checks", True, False),
    ("one number", "wait 5 minutes", "wait 50 minutes", True, True),
    ("a line more", "1. ship", "1. ship\n2. purge the cache of the CDN", True, True),
    ("a line less", "1. ship\n2. wait", "1. ship", True, False),
]


@pytest.mark.parametrize(("what", "old", "new", "trouble", "counts"), EDITS, ids=[one[0] for one in EDITS])
def test_a_skill_file_that_was_edited_to_mend_something(
    what: str, old: str, new: str, trouble: bool, counts: bool
) -> None:
    """What was put in is the lesson, of that skill, with what stood there before."""
    mended = Mended()
    if trouble:
        assert mended.saw(fails("make check"), "deploy") is None
    path = ".claude/skills/deploy/SKILL.md"
    edit = event(EventType.TOOL_FINISHED, tool="Edit", target=path, call="c2", text=f"- {old}\n+ {new}")
    learned = mended.saw(edit, "deploy")
    assert bool(learned) is counts, what
    if learned:
        assert learned.draft.scope.skill == "deploy"
        assert learned.draft.body.startswith(changed(edit.text)[1])


def test_a_wording() -> None:
    """Letters of a plain word; of a command each letter counts."""
    assert is_wording("teh lock", "the lock")
    assert not is_wording("`rm -r x`", "`rm -f x`")
