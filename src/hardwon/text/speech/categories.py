"""The tools that people choose between, by what they are: "postgres" and "sqlite" are databases.

A table of its own, so that a prompt can be looked through for them without loading how decisions are read.
"""

from __future__ import annotations

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
def categories() -> dict[str, str]:
    """From a name to its category; the first category that has a name keeps it."""
    found: dict[str, str] = {}
    for line in _GROUPS.strip().splitlines():
        category, _, names = line.partition(":")
        for name in names.split():
            found.setdefault(name.replace("-", " "), category)
    return found
