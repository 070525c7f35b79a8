"""The toy: a client that nobody else has, of nothing but what `docs/adding-a-client.md` says."""

from __future__ import annotations

from hardwon.clients.client import Client, Delivery, Reaches, Skills
from hardwon.event import Moment

CLIENT = Client(
    name="toy",
    title="Toy Agent",
    package="tests.clients.toy",
    modules=frozenset({"messages", "transcript", "recipe"}),
    delivery={
        Moment.SESSION_START: Delivery(Reaches.AT_ONCE, "tell of opened"),
        Moment.PROMPT: Delivery(Reaches.AT_ONCE, "tell of said"),
        Moment.SKILL: Delivery(Reaches.AT_ONCE, "tell of wants"),
        Moment.BEFORE_ACTION: Delivery(Reaches.WITH_RESULT, "tell of wants"),
        Moment.AFTER_FAILURE: Delivery(Reaches.AT_ONCE, "tell of broke"),
    },
    skills=Skills(in_project=(".toy/skills", ".toy/recipes"), in_home=(".toy/skills",), own=".toy"),
    settings=".toy",
    instructions=("TOY.md",),
    session_variables=("TOY_RUN",),
    programs=("toy",),
)
