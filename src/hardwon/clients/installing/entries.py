"""Our entries in a client's JSON file: put in, brought up to date in place, taken out."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from hardwon.clients.installing.json_text import JsonText, Path
from hardwon.clients.installing.recipe import Config

HOOKS = "hooks"
Made = Collection[tuple[str, ...]] | None
"""The objects and lists that were not there before us, where it is known."""


def are_wanted(config: Config) -> bool:
    return bool(config.hooks) or any(value is not None for value in config.members.values())


def check(value: Any, config: Config) -> str:
    """Why our entries can't be put into these settings; empty when they can."""
    for path in containers(config):
        kind, shape = (list, "a list") if path[0] == HOOKS and len(path) == 2 else (dict, "an object")
        around = _at(value, path[:-1])
        if isinstance(around, dict) and path[-1] in around and not isinstance(around[path[-1]], kind):
            return f'"{".".join(path)}" is not {shape}'
    return ""


def containers(config: Config) -> list[tuple[str, ...]]:
    """The objects and lists that hold our entries, the outer ones first."""
    held = {path[:length] for path in config.members for length in range(1, len(path))}
    held |= {(HOOKS, event)[:length] for event, _ in config.hooks for length in (1, 2)}
    return sorted(held, key=len)


def _around_traces(config: Config) -> list[tuple[str, ...]]:
    return sorted({path[:length] for path in config.traces for length in range(1, len(path))}, key=len)


def missing(value: Any, config: Config) -> tuple[tuple[str, ...], ...]:
    """The objects and lists that these settings do not have yet."""
    return tuple(path for path in (*containers(config), *_around_traces(config)) if _at(value, path) is None)


def put_in(text: JsonText, config: Config, made: Made = None) -> None:
    """Bring a text to what is wanted; one that has it already stays as it is."""
    if _is_otherwise(text.value, config):
        take_out(text, config, made)
    for path, value in config.members.items():
        if value is not None and not _fits(text.get(path), value, config):
            text.set(path, value)
    _put_hooks(text, config, made)


def take_out(text: JsonText, config: Config, made: Made = None) -> None:
    """Take out whatever is ours, and what held it when that was made by us and is empty now.

    Without a record of what was made, everything that our leaving made empty goes.
    """
    held = [path for path in (*containers(config), *_around_traces(config)) if _at(text.value, path)]
    for path in (*config.members, *config.traces):
        if text.has(path):
            text.remove(path)
    _take_groups(text, [path for path, _ in _groups(text.value, config)], config, made)
    _remove_empty(text, held, made)


def are_in(value: Any, config: Config) -> bool:
    """Whether anything of ours is in these settings."""
    if any(_at(value, path) is not None for path in config.members):
        return True
    return any(True for _ in _groups(value, config))


def is_bare(data: bytes, config: Config) -> bool:
    """Whether these settings say nothing: what holds our entries is empty, and beside it is no more than a version."""
    try:
        value = JsonText(data.decode()).value
    except ValueError:
        return False
    held = {path[0] for path in config.members}
    return isinstance(value, dict) and all(
        not content if name in held else isinstance(content, int | str) for name, content in value.items()
    )


def texts(value: Any, config: Config) -> Iterator[str]:
    """Every text in what is ours in these settings: paths, commands."""
    for path in config.members:
        yield from _strings(_at(value, path))
    for _, group in _groups(value, config):
        yield from (words(hook) for hook in group[HOOKS] if _is_ours(hook, config))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _strings(one)


def _is_otherwise(value: Any, config: Config) -> bool:
    """Whether we are in there in another way than is wanted now."""
    unwanted = [path for path, wanted in config.members.items() if wanted is None and _at(value, path) is not None]
    return bool(unwanted) or (not config.hooks and any(True for _ in _groups(value, config)))


def _fits(found: Any, wanted: Any, config: Config) -> bool:
    """Equal, but for what the client keeps up to date."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        return {**found, **{key: wanted[key] for key in config.touched if key in wanted}} == wanted
    return bool(found == wanted)


def _put_hooks(text: JsonText, config: Config, made: Made) -> None:
    """Ours that are there already are replaced where they stand; what is too much goes, what is missing is added."""
    there = list(_groups(text.value, config))
    left = [one for one in config.hooks if one not in [(path[1], group) for path, group in there]]
    stale: list[Path] = []
    for path, group in there:
        mine = next((one for one in left if one[0] == path[1]), None) if _is_alone(group) else None
        if (path[1], group) in config.hooks:
            continue
        if mine is None:
            stale.append(path)
        else:
            left.remove(mine)
            text.set(path, mine[1])
    for event, group in left:
        text.append((HOOKS, event), group)
    _take_groups(text, stale, config, made)


def _take_groups(text: JsonText, paths: list[Path], config: Config, made: Made) -> None:
    """A group that somebody put a hook of theirs into loses only ours."""
    for path in reversed(paths):
        hooks = text.get((*path, HOOKS))
        for at in reversed([at for at, hook in enumerate(hooks) if _is_ours(hook, config)]):
            text.remove((*path, HOOKS, at))
        if not text.get((*path, HOOKS)):
            text.remove(path)
    _remove_empty(text, [held for path in paths for held in ((HOOKS,), (HOOKS, str(path[1])))], made)


def _remove_empty(text: JsonText, held: list[tuple[str, ...]], made: Made) -> None:
    for path in sorted(set(held), key=len, reverse=True):
        if text.has(path) and not text.get(path) and (made is None or path in made):
            text.remove(path)


def _groups(value: Any, config: Config) -> Iterator[tuple[Path, Any]]:
    """Every group with a hook of ours in it, under whichever event: an older version may have used others."""
    events = value.get(HOOKS) if isinstance(value, dict) else None
    for event, groups in events.items() if isinstance(events, dict) else ():
        for at, group in enumerate(groups if isinstance(groups, list) else ()):
            hooks = group.get(HOOKS) if isinstance(group, dict) else None
            if isinstance(hooks, list) and any(_is_ours(hook, config) for hook in hooks):
                yield (HOOKS, event, at), group


def _is_ours(hook: Any, config: Config) -> bool:
    return config.sign is not None and config.sign.search(words(hook)) is not None


def words(hook: Any) -> str:
    """What a hook is known by: its command, or the tool that it calls."""
    if not isinstance(hook, dict):
        return ""
    if hook.get("type") == "mcp_tool":
        return f"mcp_tool {hook.get('server')} {hook.get('tool')}"
    command = hook.get("command")
    return command if isinstance(command, str) else ""


def _is_alone(group: Any) -> bool:
    return len(group[HOOKS]) == 1


def _at(value: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value
