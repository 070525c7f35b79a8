"""What must survive: every rule has texts beside it that look alike and are none."""

import random
import re
from pathlib import Path

import pytest

from hardwon.redact import DEFAULT, RULES
from hardwon.redact.assignments import KINDS
from hardwon.redact.contexts import CONTEXTS
from hardwon.redact.rules import KEY_WORDS, NEIGHBOURS, SHAPE_BEGINS, SHAPES, TOKENS
from hardwon.redact.scan import Scanner

from .canaries import make

_RNG = random.Random(3)
SHA1, SHA256, SHA512 = make("<hex:40>", _RNG), make("<hex:64>", _RNG), make("<b64:86>==", _RNG)
UUID, BASE64 = make("<uuid>", _RNG), make("<b64:3000>", _RNG)

# A keyword alone, and a keyword with a placeholder after it.
_NO_TOKENS = (
    "the prefix {0} marks one of theirs",
    "{0}xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
)
_NO_NEIGHBOURS = (
    f"{{0}} 5.1 was built from commit {SHA1} today",
    "{0}_api_key = os.environ['{0}_API_KEY']",
    '{{"{0}": {{"api_key": "your-api-key-goes-here"}}}}',
)

_NO_CONTEXTS: dict[str, tuple[str, ...]] = {
    "private-key": (
        'if line.startswith("-----BEGIN RSA PRIVATE KEY-----"):',
        "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----",
        "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG\n-----END CERTIFICATE-----",
        "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
        "Private-Lines: as many as needed",
    ),
    "url-password": (
        "postgres://localhost:5432/shop",
        "postgres://user:password@localhost:5432/shop",
        "postgres://$USER:$PASSWORD@$HOST/shop",
        "postgres://{user}:{password}@{host}/shop",
        "http://localhost:3000/@vite/client",
        "https://github.com/vitejs/vite/tree/main/packages/create-vite@5",
        "ssh://git@github.com:22/owner/repo.git",
        "app:${PASSWORD}@tcp(db:3306)/shop",
    ),
    "authorization": (
        "Authorization: Bearer <token>",
        "Authorization: Bearer $TOKEN",
        'headers["Authorization"] = f"Bearer {token}"',
        "authorization = request.headers.get('Authorization')",
        "bearer authentication is described in RFC 6750",
        "a basic understanding of HTTP",
    ),
    "docker-auth": ('"auth": "required"', "auth: basic", 'author: "Ann Example"'),
    "cookie": (
        "Cookie: name=value",
        "cookie = request.cookies.get('session')",
        "Set-Cookie: theme=dark; Path=/",
        "session=requests.Session()",
        f'"session_id": "{UUID}"',
        "connect.sid=s",
    ),
    "password": (
        'password = os.environ["DB_PASSWORD"]',
        "password = getpass.getpass()",
        "def login(user: str, password: str) -> Token:",
        "password: Optional[str] = None",
        "password=password, user=user",
        "password=self.password,",
        "passwd: HTTPPasswordMgr",
        "PASSWORD=${PASSWORD}",
        'export PASSWORD="$(pass show db)"',
        'password: "{{ vault_password }}"',
        "password: <your password>",
        "password: changeme",
        'password="password123"',
        "password: ********",
        "password: xxxxxxxx",
        "password: null",
        "password is required",
        'placeholder="Enter your password"',
        '"password": "Your password must have 8 characters"',
        '<label for="password">Password</label>',
        "pass `--full-trace` to see all",
        "'lambda', 'nonlocal', 'pass', 'raise', 'return'",
        "5 passed, 3 failed; pass: 5",
        "the login or password was not accepted",
        "PWD=/srv/app/current",
        "docker run -u 1000:1000 image",
        "curl -u $USER:$PASS https://api.local",
        "mysql -u root -p shop",
        "docker login -u ann --password-stdin",
        "IDENTIFIED BY '<password>'",
        "src/app.py:5432:12:31:in",
        "2001:db8:*:*:*:*:*:*",
    ),
    "password-hash": (
        "costs $2, $5 or $6 each",
        "echo $1$2",
        "hashes begin with $2b$ or $argon2id$",
        "{SHA} is a scheme",
    ),
    "signed-url": ("sig=signature", "signature=hmac.new(key, body)", "design=compact"),
    "azure-function-key": ("https://x.local/callback?code=4/0AX4XfWh&state=1", "https://x.local/api/run?code=<key>"),
    "aws-secret-key": (
        "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "EXAMPLEKEY",
        f"aws s3 cp s3://bucket/{SHA1} .",
        "https://docs.aws.amazon.com/AmazonS3/latest/userguide/Versioning.html",
        'aws_secret_access_key = os.getenv("AWS_SECRET_ACCESS_KEY")',
    ),
    "aws-session-token": ("session tokens begin with IQoJb3JpZ2lu", "AWS_SESSION_TOKEN=$AWS_SESSION_TOKEN"),
    "azure-storage-key": ("AccountKey=<key>;EndpointSuffix=core.windows.net", "SharedAccessKey={key}"),
    "azure-client-secret": ("Q~ is in the middle of them", "client_secret = var.client_secret"),
    "stripe-webhook-secret": ("whsec_ marks one", "whsec_" + "x" * 32),
    "fly-token": ("fm2_ marks one", "FlyV1 fm2_<macaroon>"),
    "slack-webhook": ("https://hooks.slack.com/services/", "https://hooks.slack.com/services/T000/B000/XXXX"),
    "discord-webhook": ("https://discord.com/api/webhooks/{id}/{token}", "POST /api/webhooks/123"),
    "teams-webhook": ("https://corp.webhook.office.com/webhookb2/...", "see webhook.office.com"),
    "braintree-token": ("access_token$production$...", "access_token = response.json()"),
    "recovery-phrase": ("mnemonic: a word that is easy to keep", "the recovery phrase is shown once"),
    "secret": (
        "secret = get_secret()",
        "client_secret=settings.CLIENT_SECRET",
        "secretName: my-db-secret",
        "SECRET_KEY=projects/my-project/secrets/my-secret/versions/2",
        "kind: Secret",
        "'secret': 'V1SecretVolumeSource',",
        '"client_secret": "<client-secret>"',
        "the secretary = 12345678",
    ),
    "token": (
        "token = tokens[i]",
        "token: str",
        "max_tokens=4096",
        "token = self.lexer.next_token2()",
        "tokenizer = 'bert-base-uncased-v2'",
        'TOKEN_TYPE = "bearer"',
        "token: V1TokenReview",
        'TOKEN = r"[a-z0-9]+"',
        "GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}",
        "const token = await getToken(ctx1)",
        "csrf_token() }}",
    ),
    "api-key": (
        "API_KEY=${API_KEY}",
        "api_key=os.getenv('API_KEY_2')",
        "api_key: str | None = None",
        'api_key="YOUR_API_KEY"',
        "key = lambda item: item[1]",
        f'cache_key = "{SHA256}"',
        'primary_key="id"',
        'key: "ArrowUpLeftAndDown12"',
        f'"public_key": "MFkw{make("<b64:60>", _RNG)}"',
        "sorted(items, key=itemgetter(2))",
    ),
}

_PROSE = (
    f"commit {SHA1}\nAuthor: Ann Example <ann@example.com>",
    f"sha256:{SHA256}",
    f'"integrity": "sha512-{SHA512}",',
    f'<script integrity="sha384-{make("<b64:64>", _RNG)}" crossorigin="anonymous">',
    f"{SHA256}  dist/hardwon-0.1.0.tar.gz",
    f"--hash=sha256:{SHA256} \\",
    f"session {UUID} ended",
    f'{{"session_id": "{UUID}", "tool_use_id": "toolu_{make("<b62:22>", _RNG)}"}}',
    f"![logo](data:image/png;base64,{BASE64})",
    "def test_that_a_very_long_and_descriptive_name_of_a_test_is_kept(tmp_path_factory):",
    "class AbstractSingletonProxyFactoryBean2Configuration(EnableAutoConfiguration):",
    "| key | token | secret |\n|-----|-------|--------|",
    "the risk-adjusted task-oriented disk-usage report",
    "0123456789 0123456789012345678901234567890123456789",
    "https://docs.python.org/3/library/secrets.html#secrets.token_hex",
    "pip install 'requests[security]>=2.32,<3'",
    "密码错误，请重试。令牌已过期。",
    'File "/srv/app/auth/token.py", line 12, in refresh_token',
)


def _no_secrets() -> list[tuple[str, str]]:
    """(rule, text that it must leave alone)."""
    cases = [(rule.name, text.format(keyword)) for rule in TOKENS for keyword in rule.keywords for text in _NO_TOKENS]
    cases += [
        (rule.name, text.format(name)) for rule in NEIGHBOURS for name in rule.keywords for text in _NO_NEIGHBOURS
    ]
    cases += [("discord-token", "MTk4.short.one"), ("discord-token", "MyVeryLongPackageNameHere01.module.function")]
    return cases + [(rule, text) for rule, texts in _NO_CONTEXTS.items() for text in texts]


@pytest.mark.parametrize(("rule", "text"), _no_secrets())
def test_what_only_looks_like_a_secret_survives(rule: str, text: str) -> None:
    """Placeholders, expressions, types, references and prose are kept as they are."""
    assert DEFAULT.text(text) == text


@pytest.mark.parametrize("text", _PROSE)
def test_ordinary_text_survives(text: str) -> None:
    """Hashes, ids, sums, images, long names and prose are kept as they are."""
    assert DEFAULT.text(text) == text


def test_every_rule_has_two_texts_that_it_must_leave_alone() -> None:
    """The table above is complete."""
    texts = [rule for rule, _ in _no_secrets()]
    assert all(texts.count(rule.name) >= 2 for rule in RULES)
    assert set(_NO_CONTEXTS) == {rule.name for rule in CONTEXTS}


def test_every_type_is_in_the_documentation() -> None:
    """The reference says what is recognised, a line per type."""
    page = (Path(__file__).parents[2] / "docs" / "redaction.md").read_text(encoding="utf-8")
    assert [name for name in dict.fromkeys(rule.name for rule in RULES) if f"`{name}`" not in page] == []


def test_keywords_of_tokens_are_looked_for_in_long_runs() -> None:
    """The prefilter looks at runs of twenty token characters and a little before them, so no keyword may need more."""
    assert all(keyword.isascii() and len(keyword) <= 20 for rule in TOKENS for keyword in rule.keywords)


def test_what_announces_a_key_is_a_word_of_some_rule() -> None:
    """The prefilter looks for these words once, among those of `CONTEXTS`."""
    assert {word.decode() for word in KEY_WORDS} <= {keyword for rule in CONTEXTS for keyword in rule.keywords}


def test_a_shape_is_looked_for_where_its_first_letter_stands() -> None:
    """The prefilter matches none of them anywhere else, so each has to begin with one of these letters."""
    begins = SHAPE_BEGINS.decode()
    assert [rule.name for rule in SHAPES if not rule.pattern.pattern.startswith(f"[{begins}]")] == []


def test_every_word_of_a_context_is_looked_for_behind_a_part_of_itself() -> None:
    """Where the part is missing, so is the word, or the sign that its rules need: it need not be looked for."""
    words = [(part, word) for part, some in Scanner()._words for word, _ in some]
    needed = {(rule.beside.encode(), word.encode()) for rule in CONTEXTS if rule.beside for word in rule.keywords}
    assert [(part, word) for part, word in words if part not in word and (part, word) not in needed] == []
    known = {keyword for rule in CONTEXTS for keyword in rule.keywords if keyword.isascii() and "$" not in keyword}
    assert sorted(word.decode() for _, word in words) == sorted(known)


def test_names_of_one_kind_begin_as_no_other_does() -> None:
    """All kinds share one pattern: where the keyword of one stands, the name of another must not be read."""
    for kind in KINDS:
        for keyword in kind.keywords:
            others = [other for other in KINDS if other is not kind and re.match(other.words, keyword, re.ASCII)]
            begins = [other for other in KINDS if other is not kind and keyword.startswith(other.keywords)]
            assert (others, begins) == ([], [])


def test_a_hash_is_a_key_only_where_a_vendor_and_a_word_announce_it() -> None:
    """A log is full of them, and of its other lines none is touched."""
    line = "2026-02-03T04:05:06Z INFO done trace={} ms=4"
    lines = [line.format(make("<hex:32>", _RNG)) for _ in range(50)]
    told = f"datadog: the key is {make('<hex:32>', _RNG)} from now on"
    assert DEFAULT.text("\n".join(lines)) == "\n".join(lines)
    redacted = DEFAULT.text("\n".join([*lines, told, *lines]))
    assert redacted == "\n".join([*lines, "datadog: the key is [redacted:datadog-key] from now on", *lines])
