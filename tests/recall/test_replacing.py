"""Whether a later memory took the place of an earlier one: pairs that are a line, and pairs in which both hold."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hardwon.memories import replacing
from hardwon.memories.replacing import Said
from hardwon.memories.search import words
from hardwon.store.connection import Store
from tests.support import opened

TAKES_ITS_PLACE = [
    # another number, unit or day
    ("Cache TTL in src/cache.py is 90 seconds", "Cache TTL in src/cache.py is 30 seconds"),
    ("The API port is 8080", "API port is 8081 now"),
    ("Pull requests need two approvals", "Pull requests need one approval"),
    ("Backups run at 2:00", "Backups run at 4:30"),
    ("Releases are on Mondays and tagged", "Releases are on Thursdays and tagged"),
    ("Default page size is 25", "Default page size is 50, users asked for it"),
    ("缓存时间是 90 秒", "缓存时间是 30 秒"),
    # something else in its place, and the old one named or a change told of
    ("Sessions are stored in Redis because it expires them", "Sessions are stored in Postgres now, Redis lost them"),
    ("Images are stored in S3", "Images are stored in R2 since S3 egress cost too much"),
    ("Type checking uses mypy", "Type checking uses pyright; mypy was too slow"),
    ("The docs are hosted on Read the Docs", "The docs are hosted on GitHub Pages now"),
    # moved
    ("Orders are stored in MongoDB", "Orders moved to Postgres last month"),
    ("Attachments are kept in the database as blobs", "Attachments move to disk under /srv/files"),
    # what the earlier one names is over
    ("We deploy to Heroku", "We moved away from Heroku: production runs on Fly.io"),
    ("Use npm", "We switched from npm to pnpm"),
    ("The queue is RabbitMQ", "We replaced RabbitMQ with SQS for the queue"),
    ("We use Jest for frontend tests", "Frontend tests run with Vitest, Jest is gone"),
    ("The licence is MIT", "Relicensed under Apache 2.0, the licence is no longer MIT"),
    ("Second factor: SMS codes for all admins", "Second factor: TOTP; SMS codes are not offered any longer"),
    ("Logging goes to stdout as JSON", "Logging goes to a file, not to stdout any more"),
    ("Use yarn for installs", "Use pnpm for installs instead of yarn"),
]
BOTH_HOLD = [
    # of something else
    ("The API listens on port 8080", "The admin listens on port 9090"),
    ("The staging database is on port 5433", "The production database is on port 5432"),
    ("The user table has a soft delete column", "The order table has a soft delete column"),
    ("The free shipping limit is 39 euros in the Netherlands", "The free shipping limit is 59 euros in Germany"),
    ("Uploads are limited to 10 MB", "Downloads are limited to 100 MB"),
    ("The nightly job starts at 2:00", "The weekly job starts at 4:00"),
    ("Step 3 takes 2 minutes", "Step 4 takes 2 minutes"),
    ("Shard 1 has 2 replicas", "Shard 2 has 3 replicas"),
    # something else of it
    ("Cache TTL in src/cache.py is 90 seconds", "Cache keys in src/cache.py carry the tenant"),
    ("Retries: three with backoff in src/http_client.py", "Timeout of src/http_client.py is ten seconds"),
    ("Releases are on Mondays", "Releases are announced on Mondays"),
    ("We deploy to Heroku", "Deploys to Heroku are announced in the channel"),
    ("The ledger importer runs in one transaction", "The ledger importer stays idempotent"),
    ("Public functions have docstrings", "Public functions have types"),
    ("Never commit to main without review", "Never commit secrets to main"),
    ("Tests must not use the network", "Tests must not sleep"),
    ("Images are stored in S3", "Images are served by CloudFront now"),
    ("Backups are kept in Frankfurt", "Backups are encrypted now"),
    # a change of something else
    ("Sessions are stored in Redis because it expires them", "We moved the job queue away from Redis to RabbitMQ"),
    ("Use Redis for sessions", "We replaced Redis with RabbitMQ for the job queue"),
    ("Use Redis for the rate limiter", "Sessions moved away from Redis"),
    ("Orders are stored in MongoDB", "Order events moved to Kafka"),
    ("Images are stored in S3", "Backups are stored in Glacier, no longer in S3"),
    ("Payments use Stripe", "Payouts use Adyen instead of Stripe"),
    ("Solr indexes notes", "Solr is backed up no longer than a week"),
    ("Dropped requests are counted", "We dropped requests from bots"),
    # beside it
    ("Errors go to Sentry", "Errors go to the audit table as well"),
    ("Errors are written to Sentry", "Errors are written to the audit table now, too"),
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with opened(Path(tmp_path_factory.mktemp("home"))) as store:
        yield store


def said(store: Store, text: str) -> Said:
    return replacing.said(text, lambda part: frozenset(words.telling(store, part)))


def judged(store: Store, earlier: str, later: str) -> bool:
    return replacing.took_its_place(said(store, earlier), said(store, later), lambda _: 1.0)


@pytest.mark.parametrize(("earlier", "later"), TAKES_ITS_PLACE)
def test_the_later_one_takes_its_place(store: Store, earlier: str, later: str) -> None:
    assert judged(store, earlier, later)


@pytest.mark.parametrize(("earlier", "later"), BOTH_HOLD)
def test_both_hold(store: Store, earlier: str, later: str) -> None:
    """However many words they share: what is taken for a line hides what is still so."""
    assert not judged(store, earlier, later)
