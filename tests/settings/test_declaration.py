"""Settings are declared once: defaults, types, the example and the reference agree."""

from __future__ import annotations

import dataclasses
import runpy
import tomllib

from hardwon.paths import Home
from hardwon.settings import DEFAULTS, KEYS, Settings, load
from hardwon.settings.chosen import Chosen
from hardwon.settings.kinds import (
    Address,
    Choice,
    Folders,
    Model,
    Names,
    Number,
    Repository,
    Rules,
    Switch,
    Whole,
    Word,
)
from hardwon.settings.predecessors import IMPORT_SOURCES, UNUSED
from tests.settings.places import EXAMPLE, ROOT


def test_defaults_are_as_promised(home: Home) -> None:
    """Without a file and without variables everything has its default, and nothing is remarked."""
    loaded = load(home, {})
    assert loaded.settings == Settings() == DEFAULTS
    assert {(source.origin, source.where) for source in loaded.sources.values()} == {("default", "")}
    assert loaded.remarks == ()
    assert {name: source.value for name, source in loaded.sources.items()} == {
        "control.enabled": True,
        "control.exclude_projects": (),
        "control.exclude_paths": (),
        "store.synchronous": "normal",
        "store.copies": 3,
        "store.busy_seconds": 10,
        "redact.max_chars": 200_000,
        "redact.emails": False,
        "redact.user_names": False,
        "redact.rules": (),
        "retention.journal_days": 90,
        "retention.outline_days": 45,
        "retention.fact_days": 14,
        "retention.journal_mb": 200,
        "retention.showings_days": 365,
        "recall.limit": 5,
        "recall.budget_tokens": 600,
        "recall.min_coverage": 0.34,
        "recall.half_life_days": 60,
        "recall.max_postings": 5_000,
        "recall.session_tokens": 3_000,
        "recall.context_files": (),
        "recall.show_person": False,
        "recall.skill_top": 20,
        "vectors.model": "packaged",
        "vectors.passages": 20_000,
        "vectors.url": "",
        "vectors.endpoint_model": "",
        "vectors.key_variable": "",
        "vectors.dimensions": 0,
        "alerts.note": True,
        "heard.reminders": True,
        "alerts.family": True,
        "alerts.stop_once": True,
        "alerts.guard": "off",
        "guards.enabled": True,
        "guards.off": (),
        "guards.ask": (),
        "guards.deny": (),
        "sessions.enabled": True,
        "sessions.every": 20,
        "sessions.summaries": 30,
        "sessions.checkpoints": 10,
        "skills.default": "on",
        "skills.max": 100,
        "skills.global_max": 100,
        "mirror.enabled": True,
        "mirror.most": 500,
        "daemon.idle_seconds": 1_800,
        "updates.check": False,
        "updates.repository": "",
    }


def test_every_field_is_a_key_and_fits_its_own_rule() -> None:
    """The sections' fields and the table of keys are the same, and each default and example is allowed."""
    declared = {
        f"{section.name}.{one.name}": one.default
        for section in dataclasses.fields(Settings)
        for one in dataclasses.fields(getattr(DEFAULTS, section.name))
    }
    assert declared == {name: key.default for name, key in KEYS.items()}
    for name, key in KEYS.items():
        section, _, field = name.partition(".")
        assert getattr(getattr(DEFAULTS, section), field) == key.default
        assert key.variable == f"HARDWON_{section}_{field}".upper()
        for good in (key.default, key.kind.example):
            in_file = tomllib.loads(f"x = {key.kind.to_toml(good)}")["x"]
            assert key.kind.check(in_file) == good, name
            assert key.kind.check(key.kind.from_text(key.kind.to_text(good))) == good, name


def test_the_types_of_the_fields_are_what_is_read() -> None:
    """A field's annotation and its kind agree, so that the type checker's word is true at run time."""
    types = {
        Switch: "bool",
        Whole: "int",
        Number: "float",
        Choice: "str",
        Names: "tuple[str, ...]",
        Chosen: "tuple[str, ...]",
        Folders: "tuple[str, ...]",
        Rules: "tuple[RedactRule, ...]",
        Repository: "str",
        Address: "str",
        Word: "str",
        Model: "str",
    }
    for section in dataclasses.fields(Settings):
        for one in dataclasses.fields(getattr(DEFAULTS, section.name)):
            assert one.type == types[type(KEYS[f"{section.name}.{one.name}"].kind)]


def test_the_example_is_generated_and_names_every_key() -> None:
    """The example file that is shipped is what the table says."""
    generated = runpy.run_path(str(ROOT / "docs" / "generate_settings.py"))["settings_example"]()
    assert EXAMPLE.read_text(encoding="utf-8") == generated
    assert all(key.variable in generated for key in KEYS.values())


def test_the_example_changes_nothing_and_uncommented_says_the_defaults(home: Home) -> None:
    """Copied as it is the example is no change; with every key uncommented it is a valid file of defaults."""
    text = EXAMPLE.read_text(encoding="utf-8")
    home.settings.write_text(text, encoding="utf-8")
    assert load(home, {}).settings == DEFAULTS
    fields = tuple(f"# {key.field} =" for key in KEYS.values())
    lines = [line[2:] if line.startswith(fields) else line for line in text.splitlines()]
    home.settings.write_text("\n".join(lines), encoding="utf-8")
    loaded = load(home, {})
    assert loaded.settings == DEFAULTS
    assert {source.origin for source in loaded.sources.values()} == {"file"}


def test_the_reference_page_is_generated() -> None:
    """The checked-in page equals what the table says now."""
    generated = runpy.run_path(str(ROOT / "docs" / "generate_settings.py"))["settings_reference"]()
    assert (ROOT / "docs" / "reference" / "settings.md").read_text(encoding="utf-8") == generated
    assert all(name in generated for name in (*IMPORT_SOURCES, *UNUSED))
