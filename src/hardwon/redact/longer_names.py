"""Names with a word such as password or key in them that name something else."""

from .lazy import compiled

_ABOUT = (
    r"(?i)(?:id|ids|arn|ur[il]|link|file|path|dir|name|type|kind|ttl|expir\w*|expires?|age|len(?:gth)?|min|max|count|size|at"
    r"|policy|prefix|suffix|format|hint|hash(?:ed)?|digest|field|label|input|column|attr\w*|param\w*|header|env|var|ref|store"
    r"|manager|provider|service|version|algorithm|scope|usage|limit|status|state|error|required|enabled|valid\w*|changed"
    r"|reset|regex|pattern|rules?|checks?|strength|fn|func|command|cmd|map|list|set|dict|index|class|pub|public)$"
)


def is_about_one(last: str) -> bool:
    """`type` of `token_type`, `name` of `SECRET_NAME`: what is said there is about a secret."""
    return compiled(_ABOUT).match(last) is not None


def is_bypass(before: str) -> bool:
    """`bypass`, `compass`: words that end like `dbpass` and `-storepass`."""
    return before.lower().endswith(
        ("by", "com", "encom", "tres", "sur", "under", "over", "multi", "last", "kee", "one")
    )
