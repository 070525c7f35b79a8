"""Questions to a database from the command line: `psql -c 'SELECT …'` changes nothing, `psql -c 'DELETE …'` does.

A statement looks when it begins with a word that asks and calls no function but those that are known to change nothing:
`SELECT setval(…)` asks nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from hardwon.text.commands import shell
from hardwon.text.commands.vocabulary import names

CLIENTS = names("psql mysql mariadb sqlite3")

_ASKS = re.compile(r"(?i)(?:select|show|explain|describe|desc|table|values|with)\b")
_ASKS_CLIENT = re.compile(
    r"(?i)\\(?:d\w*\+?|l\+?|z|conninfo|sf\+?|sv\+?|encoding)(?:\s[^|>]*)?"
    r"|\.(?:tables|schema|indexes|indices|databases|dbinfo|fullschema|show)(?:\s[^|>]*)?"
)
_PRAGMA = re.compile(
    r"(?i)pragma\s+(?:table_x?info|index_list|index_info|foreign_key_list|database_list|user_version)\b"
)
_CHANGES = re.compile(
    r"(?i)\b(?:insert|update|delete|merge|create|drop|alter|truncate|grant|revoke|into|call|copy|vacuum|reindex|refresh"
    r"|lock|do|execute|prepare|rename|load|attach|detach|set)\b|\\[!gowicef]"
)
_QUOTED = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"")
_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)
_CALL = re.compile(r"([A-Za-z_][\w.]*)\s*\(")
_HARMLESS = names(
    "select from where and or not in on as by any all some exists values over using case when then else end having "
    "union join lateral filter within is between like ilike limit except intersect partition with recursive interval "
    "count sum min max avg coalesce nullif ifnull iif if length char_length lower upper trim ltrim rtrim substr "
    "substring replace concat concat_ws left right round abs floor ceil ceiling mod power sqrt greatest least now "
    "current_date date time datetime timestamp strftime julianday unixepoch date_trunc date_part extract age to_char "
    "to_date to_timestamp year month day cast convert typeof pg_typeof hex quote instr position printf format version "
    "database user current_user current_database current_schema current_setting currval lastval last_insert_rowid "
    "row_number rank dense_rank lag lead first_value last_value ntile array array_agg array_length array_to_string "
    "unnest generate_series string_agg string_to_array group_concat json_agg jsonb_agg json_extract json_each "
    "json_array_length jsonb_array_elements json_build_object jsonb_build_object row_to_json to_json to_jsonb "
    "pg_size_pretty pg_relation_size pg_total_relation_size pg_database_size pg_table_size pg_get_serial_sequence "
    "pg_get_constraintdef pg_get_indexdef pg_get_viewdef pg_get_functiondef pg_get_expr pg_is_in_recovery to_regclass "
    "obj_description col_description has_table_privilege changes random md5 varchar char numeric decimal"
)
_WRITES = re.compile(r"-[of]|--(?:output|file|log-file|init-file)(?:=.*)?|-L|-init")
_WITH_VALUE = names("-h -p -P -U -u -d -D -H -S -F -R -T -v -separator -cmd -nullvalue --host --port --username --user")
_LISTS = names("-l --list")


def asks(words: Sequence[str]) -> bool:
    """Whether a call of a database's client only asks."""
    if any(_WRITES.fullmatch(word) for word in words[1:]):
        return False
    if words[0] == "psql" and any(word in _LISTS for word in words[1:]):
        return True
    said = _statements(words)
    return bool(said) and all(_asks(one) for one in said)


def _statements(words: Sequence[str]) -> list[str]:
    if words[0] == "sqlite3":
        return _after_database(words[1:])
    letter, long = ("c", "--command") if words[0] == "psql" else ("e", "--execute")
    option = re.compile(rf"-[A-Za-z0-9]{{0,8}}{letter}")
    said: list[str] = []
    for at, word in enumerate(words[1:], 1):
        if (option.fullmatch(word) or word == long) and at + 1 < len(words):
            said.append(shell.bare(words[at + 1]))
        elif word.startswith(f"{long}="):
            said.append(shell.bare(word.removeprefix(f"{long}=")))
    return said


def _after_database(words: Sequence[str]) -> list[str]:
    plain: list[str] = []
    skip = False
    for word in words:
        if skip or word.startswith("-"):
            skip = not skip and word in _WITH_VALUE
        else:
            plain.append(shell.bare(word))
    return plain[1:]


def _asks(said: str) -> bool:
    if _ASKS_CLIENT.fullmatch(said.strip().rstrip(";")):
        return True
    bare = _QUOTED.sub("''", _COMMENT.sub(" ", said))
    statements = [one.strip() for one in bare.split(";") if one.strip()]
    return bool(statements) and all(_one_asks(one) for one in statements)


def _one_asks(statement: str) -> bool:
    if _PRAGMA.match(statement):
        return "=" not in statement
    if not _ASKS.match(statement) or _CHANGES.search(statement):
        return False
    return all(call.lower().removeprefix("pg_catalog.") in _HARMLESS for call in _CALL.findall(statement))
