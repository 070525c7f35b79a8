"""A part of a sentence as a term: what is wanted, what is not, why. Trimmed so that the same wish reads the same."""

from __future__ import annotations

import re

LONGEST = 120

_BECAUSE = re.compile(
    r"(?:[,;:—–-]\s*|\s+|^)(?:because(?: of)?|since(?= (?:it|we|the|they|that|our|i|this|most|all|there|you|he|she)\b)"
    r"|due to|given that|so that|as(?= (?:it|we|they|our|that|this)\b)|the reason(?: is| being)?(?: that)?)[\s:]+"
    r"|[，,。、；;]?\s*(?:因为|因為|毕竟|畢竟|理由是|原因是|由于|由於)",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"(?:[\s,]+(?:please|thanks|thank you|here|again|instead|everywhere|next time|from now on"
    r"|going forward|for now|ok(?:ay)?"
    r"|in this (?:repo|repository|project|codebase|file)|like i said|as i said|anymore|any more|though|then))+$"
    r"|(?:吧|了|啊|呀|哦|喔|好了|就行|即可|就好|谢谢|謝謝)+$|(?:ください|下さい|お願いします|ね|よ)+$",
    re.IGNORECASE,
)
_EDGES = " \t\"'`“”「」『』«».,;:!?…。，、；：！？—–-()"
_NOTHING = """
it that this one them these those again same so there thing things stuff way other ones the a an all more do
这个 這個 那个 那個 它 这样 這樣 これ それ あれ
"""
_EMPTY = frozenset(_NOTHING.split())


def parted(text: str) -> tuple[str, str]:
    """A statement and its reason, which may be empty."""
    match = _BECAUSE.search(text)
    if match is None:
        return text, ""
    return text[: match.start()], text[match.end() :].strip(_EDGES)


def term(text: str | None) -> str:
    """Without the reason, politeness and marks around it; empty when nothing is left that says something."""
    bare, _ = parted(text or "")
    while (cut := _TAIL.sub("", bare.strip(_EDGES))) != bare:
        bare = cut
    bare = re.sub(r"^(?:the|a|an|just|please|to)\s+", "", bare, flags=re.IGNORECASE) if " " in bare else bare
    words = re.findall(r"\w+|[\ue000-\uefff]", bare.lower())
    if not words or all(word in _EMPTY for word in words) or len(bare) > LONGEST:
        return ""
    return " ".join(bare.split())
