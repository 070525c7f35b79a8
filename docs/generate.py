"""Every page, or part of one, that is made and not written by hand.

    python -m docs.generate             write what has changed
    python -m docs.generate --check     write nothing; leave with 1 when something would change

`reference/cli.md` and the pages of `--help` come from the command tree, `reference/settings.md` and the example file
from the settings, and what the commands in `console` blocks print comes from running them (`docs/transcripts.py`). So
does the picture of a rehearsal (`docs/rehearsal.py`).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from docs import cli_reference, generate_settings, help_pages, rehearsal, transcripts

ROOT = Path(__file__).resolve().parent.parent


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--check"]):
        print("usage: python -m docs.generate [--check]", file=sys.stderr)
        return 2
    changed = [(path, text) for path, text in generated() if not path.exists() or path.read_text("utf-8") != text]
    for path, text in changed:
        print(f"{'would change' if arguments else 'wrote'} {path.relative_to(ROOT)}")
        if not arguments:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
    return 1 if arguments and changed else 0


def generated() -> Iterator[tuple[Path, str]]:
    """Each file and what it has to say."""
    yield ROOT / "docs" / "reference" / "cli.md", cli_reference.page()
    yield help_pages.PATH, help_pages.text()
    yield generate_settings.PAGE, generate_settings.settings_reference()
    yield generate_settings.EXAMPLE, generate_settings.settings_example()
    yield rehearsal.PICTURE, rehearsal.drawn()
    yield from transcripts.pages(sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
