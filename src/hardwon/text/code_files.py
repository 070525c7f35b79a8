"""Which files are the code that is worked on, and which what it is built, configured and checked with."""

from __future__ import annotations

import re

_CODE = re.compile(
    r"(?i)\.(?:py|pyi|pyx|ipynb|[cm]?[jt]sx?|vue|svelte|astro|go|rs|java|kts?|scala|clj[cs]?|groovy|c|h|cc|cpp|cxx|hh|hpp"
    r"|m|mm|cs|fs|vb|swift|dart|rb|php|exs?|erl|hrl|hs|ml|mli|elm|lua|pl|pm|r|jl|zig|nim|v|sv|vhdl?|css|scss|sass|less"
    r"|html?|hbs|ejs|erb|heex|sol|f90|asm|sql|tf|hcl|nix|cu|ps1|proto|graphql|gql)$"
)
_SET_UP = re.compile(
    r"(?i)(?:^|[._-])(?:\w*configs?|conf|settings?|setup|conftest|env|rc|mix|build|gulpfile|gruntfile|package|manifest"
    r"|versions|providers?|backend|podfile|gemfile|rakefile|fastfile|noxfile|fabfile|\w*defaults?|constants)(?=[._-]|$)"
)
"""In a name: the file says how, where or with what the code runs."""


def is_code(path: str) -> bool:
    """Whether a file is code; `jest.config.js`, `conftest.py` and `build.gradle.kts` say how it is run."""
    name = path.replace("\\", "/").rpartition("/")[2]
    return bool(_CODE.search(name)) and not _SET_UP.search(name.rpartition(".")[0])
