from __future__ import annotations

import time

import pytest

from hardwon.text.advice import Advice, given

TEXTS: list[tuple[str, Advice]] = [
    ("Run `make db` before `make test`", Advice(run=("make db",))),
    ("`make test` needs the database: `docker compose up -d db`", Advice(run=("docker compose up -d db",))),
    ("`make test` fails without `make db`", Advice(run=("make db",))),
    ("`make test` works after: `npm ci`; edited src/x.py (a)", Advice(("make test", "npm ci"), (), ("src/x.py",))),
    ("`make test` passes after `npm ci`", Advice(run=("make test", "npm ci"))),
    ("`uv run pytest` worked where `pytest` failed", Advice(run=("uv run pytest",))),
    ("never `npm install`, use `pnpm install`", Advice(run=("pnpm install",), avoid=("npm install",))),
    ("use `pnpm test` instead of `npm test`", Advice(run=("pnpm test",), avoid=("npm test",))),
    ("Don't run `make test` without Redis", Advice()),
    ("never `git push --force` on main", Advice()),
    ("don’t ever run `git push --force`", Advice(avoid=("git push --force",))),
    ("never push before `make lint`", Advice(run=("make lint",))),
    ("If `make` hangs, run `make clean`", Advice(run=("make clean",))),
    ("After `git pull` run `make deps`", Advice(run=("make deps",))),
    ("`npm ci` always fails here; run `npm ci --legacy-peer-deps`", Advice(run=("npm ci --legacy-peer-deps",))),
    ("`x run` is fine. Never `x run`.", Advice()),
    ("不要用 `npm install`，用 `pnpm install`", Advice(run=("pnpm install",), avoid=("npm install",))),
    ("`make test` 会失败，先运行 `make db`", Advice(run=("make db",))),
    ("do not edit src/gen.py: change src/gen_input.py", Advice(files=("src/gen_input.py",))),
    ("the limit is set in config/limits.toml", Advice(files=("config/limits.toml",))),
    ("do not edit `src/gen.py`", Advice(avoid=("src/gen.py",))),
    ("the tests need Redis", Advice()),
    ("", Advice()),
]


@pytest.mark.parametrize(("text", "told"), TEXTS, ids=[text or "nothing" for text, _ in TEXTS])
def test_what_a_text_tells_one_to_do(text: str, told: Advice) -> None:
    """What it asks for, what it warns against; what is only mentioned is neither."""
    assert given(text) == told


def test_a_long_text_is_read_soon() -> None:
    """Thousands of commands in a row take no longer than their number."""
    begin = time.process_time()
    told = given("never " * 2_000 + "run `make db`, `make test`" * 2_000)
    assert told.run
    assert time.process_time() - begin < 2
