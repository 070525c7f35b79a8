"""What a decision is about, as a short key: two decisions with one key can't both hold.

Tools of one category stand for the category: "use Postgres" and "use SQLite" both decide about the database. Where no
tool is known, "for …" names the subject, or the verb and its object do.
"""

from __future__ import annotations

import re
from functools import cache

# Names that mean something else in plain English (go, express, next, spring, flask) are left out or stand as they are
# spoken in code only.
_GROUPS = """
database: database db postgres postgresql mysql sqlite mariadb mongodb mongo duckdb 数据库 資料庫 データベース
javascript package manager: npm pnpm yarn bun
python package manager: pip uv poetry pipenv conda pdm hatch
package manager: package-manager 包管理器 パッケージマネージャ
python test runner: pytest unittest nose2
javascript test runner: jest vitest mocha jasmine
test runner: test-runner test-framework 测试框架 テストフレームワーク
browser tests: playwright cypress selenium puppeteer
formatter: prettier black yapf gofmt rustfmt clang-format formatter
linter: eslint ruff flake8 pylint golangci-lint clippy biome linter
type checker: mypy pyright pytype type-checker
bundler: webpack vite rollup esbuild parcel turbopack bundler
python web framework: django flask fastapi starlette
node web framework: fastify koa hono nestjs express.js
ui framework: react vue svelte angular preact solidjs
css: tailwind tailwindcss bootstrap sass styled-components css-modules
state management: redux zustand mobx jotai pinia
orm: sqlalchemy prisma drizzle typeorm sequelize peewee hibernate gorm sqlx orm
cache: redis memcached valkey cache 缓存 キャッシュ
message queue: rabbitmq kafka nats sqs message-queue 消息队列 メッセージキュー
job queue: celery sidekiq bullmq dramatiq
ci: github-actions gitlab-ci jenkins circleci
containers: docker podman
orchestration: kubernetes k8s nomad docker-swarm
infrastructure as code: terraform pulumi opentofu cloudformation
cloud: aws gcp azure
api style: rest graphql grpc trpc soap
serialisation: protobuf msgpack avro
config format: yaml toml
authentication: jwt oauth session-cookies authentication auth 认证 認証
python http client: requests httpx aiohttp
javascript http client: axios ky
python logging: structlog loguru
javascript logging: winston pino
indentation: tabs spaces
merge strategy: rebase squash merge-commits
ids: uuid ulid uuidv7 uuidv4
dates: dayjs luxon date-fns
language: typescript javascript python rust golang kotlin java
monorepo tool: turborepo nx bazel lerna
web server: nginx caddy apache traefik
search engine: elasticsearch opensearch meilisearch typesense
"""


@cache
def _groups() -> dict[str, str]:
    """From a name to its category; the first category that has a name keeps it."""
    found: dict[str, str] = {}
    for line in _GROUPS.strip().splitlines():
        category, _, names = line.partition(":")
        for name in names.split():
            found.setdefault(name.replace("-", " "), category)
    return found


@cache
def _known() -> re.Pattern[str]:
    names = sorted(_groups(), key=len, reverse=True)
    joined = "|".join(re.escape(name).replace(r"\ ", "[ -]") for name in names)
    return re.compile(rf"(?<![a-z0-9_./-])(?:{joined})(?:js|\.js)?(?![a-z0-9_-]|\.\w)", re.IGNORECASE)


def category(text: str) -> str:
    """The category of the first tool that a text names; empty when it names none."""
    match = _known().search(text)
    if match is None:
        return ""
    name = re.sub(r"\.?js$", "", match[0].lower().replace("-", " "))
    return _groups().get(name) or _groups().get(match[0].lower().replace("-", " "), "")


def same_category(one: str, other: str) -> bool:
    return bool(category(one)) and category(one) == category(other)


_FOR = re.compile(
    r"\b(?:for|as)\s+(?:all\s+|every\s+|any\s+)?(?:the|our|a|an|this|these|new|its)?\s*([\w/.+ -]{2,60})", re.IGNORECASE
)
_NOT_A_SUBJECT = re.compile(
    r"(?:now|this|that|it|us|me|them|everything|all|sure|good|example|the moment|time being|here)\b"
)
_CUT = re.compile(
    r"\s*(?:[,;:—–.(]|\b(?:because|since|instead|rather|over|not|and|but|so|as|in|on|at|with|to|that|which|from|until"
    r"|when|if|by)\b).*",
    re.IGNORECASE,
)
_LITTLE = """
a an the our my your this that these those all every any some just only new own their its it always use using go with
stick stay keep adopt pick choose switch move put do
"""
_SMALL = frozenset(_LITTLE.split())


def subject(text: str, chosen: str = "") -> str:
    """The key of a decision, lower case, at most six words."""
    purpose = _purpose(text)
    found = category(purpose) or category(chosen) or category(text)
    if found:
        return f"{found}: {purpose}" if purpose and not category(purpose) else found
    return purpose or _words(chosen or text)


def _purpose(text: str) -> str:
    """What something is chosen for: "for the importer"."""
    for match in _FOR.finditer(text):
        what = _words(_CUT.sub("", match[1]))
        if what and not _NOT_A_SUBJECT.match(match[1].strip().lower()):
            return what
    return ""


def _words(text: str) -> str:
    """The telling words at its beginning, in a form that does not depend on articles, case and plural."""
    words = re.findall(r"[\w./+#-]*\w", _CUT.sub("", text.lower()) or text.lower())
    telling = [_singular(word) for word in words if word not in _SMALL]
    return " ".join(telling[:6])[:80]


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
