"""What of given secrets reaches the disk, by whichever way it comes in; and what harmless text is touched.

    python -m bench leaks --set FILE [--show] [--json] [--routes note,hook,…] [--per-home 300]
    python -m bench leaks --harmless FILE [--show] [--json]

FILE has a JSON object per line. Of a set: {"id", "class", "route", "text", "secrets": […]}; each text goes through the
command line, the hooks, a transcript, an import and MCP, each into homes of its own, and then every byte of every file
there is searched for every secret: as it is, escaped as JSON once and twice, and where it has several lines, each line
of 16 characters and more. Of harmless lines: {"id", "kind", "text"}; the kinds "command" and "error" are also compared
by the normal form and the signature that hardwon makes of them. Only ids are printed, never a text.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from bench.leak_routes import ROUTES, Case, fed
from bench.measure import keep, print_table, progress
from hardwon.redact import DEFAULT
from hardwon.text.commands import normalise
from hardwon.text.errors import signature

PER_HOME = 300
LONG_LINE = 16
"""Characters of a line of a secret by which it can be told."""

Left = dict[str, dict[str, list[str]]]
"""By route and id of a case: the files that hold a secret of it."""


def main(argv: list[str]) -> int:
    options = _options(argv)
    told: dict[str, Any] = {}
    if options.set:
        told["leaks"] = _leaks(_cases(options.set), options)
    if options.harmless:
        told["harmless"] = _harmless(_objects(options.harmless), options)
    if options.json:
        print(json.dumps(told, ensure_ascii=False, indent=1))
    keep("leaks", told)
    return 0


def _options(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench leaks", description=__doc__.splitlines()[0])
    parser.add_argument("--set", type=Path, metavar="FILE", help="cases with their secrets")
    parser.add_argument("--harmless", type=Path, metavar="FILE", help="lines without a secret")
    parser.add_argument("--show", action="store_true", help="the ids of what stayed, and where; of what was touched")
    parser.add_argument("--routes", default=",".join(ROUTES), help=f"default: {','.join(ROUTES)}")
    parser.add_argument("--per-home", type=int, default=PER_HOME, metavar="N", help=f"cases, default {PER_HOME}")
    parser.add_argument("--json", action="store_true", help="the figures as JSON, and no tables")
    parser.add_argument("--quick", action="store_true", help="the first 40 cases only")
    options = parser.parse_args(argv)
    options.routes = options.routes.split(",")
    if unknown := [name for name in options.routes if name not in ROUTES]:
        parser.error(f"unknown route {unknown[0]}: choose from {', '.join(ROUTES)}")
    if not (options.set or options.harmless):
        parser.error("give --set FILE, --harmless FILE or both")
    return options


def _objects(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def _cases(path: Path) -> list[Case]:
    return [
        Case(str(one["id"]), str(one["class"]), str(one.get("route", "")), one["text"], tuple(one["secrets"]))
        for one in _objects(path)
    ]


# ── what stays ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _leaks(cases: Sequence[Case], options: argparse.Namespace) -> dict[str, Any]:
    cases = cases[:40] if options.quick else cases
    left: Left = {route: {} for route in options.routes}
    for route in options.routes:
        for start in range(0, len(cases), options.per_home):
            some = cases[start : start + options.per_home]
            if not options.json:
                progress(f"{route}: {start + len(some)} of {len(cases)}")
            with fed(route, some) as home:
                left[route] |= found(home, some)
    stayed = {id for by_case in left.values() for id in by_case}
    figures = {
        "all": _share(cases, stayed),
        "classes": _shares(cases, stayed, lambda case: case.kind),
        "seen": _shares(cases, stayed, lambda case: case.route),
        "routes": {route: _share(cases, set(by_case)) for route, by_case in left.items()},
        "stayed": {route: by_case for route, by_case in left.items() if by_case} if options.show else {},
    }
    if not options.json:
        _print_leaks(figures)
    return figures


def found(home: Path, cases: Iterable[Case]) -> dict[str, list[str]]:
    """The cases of which a secret is in a file below this folder, or in the name of one, with these files."""
    files = [path for path in sorted(home.rglob("*")) if path.is_file() and not path.is_symlink()]
    contents = {str(path.relative_to(home)): path.read_bytes() for path in files}
    contents["(a name)"] = "\n".join(str(path) for path in home.rglob("*")).encode("utf-8", "surrogateescape")
    forms = {case.id: [form for secret in case.secrets for form in forms_of(secret)] for case in cases}
    return {
        id: where
        for id, wanted in forms.items()
        if (where := [name for name, raw in contents.items() if any(form in raw for form in wanted)])
    }


def forms_of(secret: str) -> list[bytes]:
    """How a secret may stand in a file; of one with several lines, its long ones by themselves, too."""
    texts = [secret, *(line.strip() for line in secret.splitlines() if len(line.strip()) >= LONG_LINE)]
    escaped = [form for text in texts for form in (json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1])]
    twice = [json.dumps(form)[1:-1] for form in escaped]
    forms = dict.fromkeys((*texts, *escaped, *twice))
    return [form.encode("utf-8", "surrogatepass") for form in forms if form]


def _share(cases: Sequence[Case], stayed: set[str]) -> dict[str, float]:
    count = sum(case.id in stayed for case in cases)
    return {"cases": len(cases), "stayed": count, "per cent": round(100 * count / max(1, len(cases)), 2)}


def _shares(cases: Sequence[Case], stayed: set[str], by: Callable[[Case], str]) -> dict[str, dict[str, float]]:
    names = sorted({by(case) for case in cases})
    return {name: _share([case for case in cases if by(case) == name], stayed) for name in names}


def _print_leaks(figures: dict[str, Any]) -> None:
    sections = (("class", "classes"), ("seen in", "seen"), ("sent through", "routes"))
    for title, key in sections:
        rows = [[name, *_row(one)] for name, one in figures[key].items()]
        rows.append(["all, by any", *_row(figures["all"])])
        print_table(f"Secrets that reached the disk, by {title}", [title, "cases", "stayed", "%"], rows)
    for route, by_case in figures["stayed"].items():
        for id, where in by_case.items():
            print(f"{route}\t{id}\t{', '.join(where)}")


def _row(one: dict[str, float]) -> list[str]:
    return [str(one["cases"]), str(one["stayed"]), f"{one['per cent']:.1f}"]


# ── what is touched ──────────────────────────────────────────────────────────────────────────────────────────────────

_DERIVED: dict[str, Callable[[str], str]] = {"command": normalise, "error": signature}


def _harmless(lines: Sequence[dict[str, Any]], options: argparse.Namespace) -> dict[str, Any]:
    count: Counter[str] = Counter()
    touched: Counter[str] = Counter()
    changed: Counter[str] = Counter()
    shown: list[str] = []
    rules: Counter[str] = Counter()
    for line in lines:
        kind, text = str(line["kind"]), line["text"]
        count[kind] += 1
        cleaned = DEFAULT.text(text)
        if cleaned == text:
            continue
        touched[kind] += 1
        names = sorted({name for name, _, _ in DEFAULT.findings(text)})
        rules.update(names)
        derive = _DERIVED.get(kind)
        differs = derive is not None and derive(text) != derive(cleaned)
        changed[kind] += differs
        shown.append(f"{line['id']}\t{kind}\t{', '.join(names)}" + ("\tanother form" if differs else ""))
    figures = {
        "kinds": {kind: _touched(count[kind], touched[kind], changed[kind]) for kind in sorted(count)},
        "all": _touched(count.total(), touched.total(), changed.total()),
        "rules": dict(rules.most_common()),
        "touched": shown if options.show else [],
    }
    if not options.json:
        _print_harmless(figures)
    return figures


def _touched(lines: int, touched: int, changed: int) -> dict[str, float]:
    share = round(100 * touched / max(1, lines), 3)
    return {"lines": lines, "touched": touched, "per cent": share, "forms changed": changed}


def _print_harmless(figures: dict[str, Any]) -> None:
    everything = {**figures["kinds"], "all": figures["all"]}
    rows = [
        [kind, str(one["lines"]), str(one["touched"]), f"{one['per cent']:.2f}", str(one["forms changed"])]
        for kind, one in everything.items()
    ]
    print_table("Harmless lines that were touched", ["kind", "lines", "touched", "%", "forms changed"], rows)
    print_table("By rule", ["rule", "lines"], [[name, str(found)] for name, found in figures["rules"].items()])
    for one in figures["touched"]:
        print(one)


if __name__ == "__main__":
    os.environ.setdefault("HARDWON_VECTORS_MODEL", "off")
    sys.exit(main(sys.argv[1:]))
