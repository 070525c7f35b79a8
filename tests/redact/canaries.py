"""Made-up secrets of every format, each in several realistic surroundings.

Nothing here is a secret, and nothing here looks like one: a format is a description (`ghp_<b62:36>`), from which a
seeded random generator makes a value when the tests run. So no scanner of any forge has a reason to stop this file.

    for canary in canaries():
        assert canary.secret not in whatever_was_kept(canary.text)
"""

import json
import random
import re
import string
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Canary:
    rule: str
    """The type that redaction gives it, unless a more general rule sees it first."""
    secret: str
    """What must not appear anywhere."""
    text: str
    """The secret in its surroundings."""
    context: str
    """What kind of surroundings these are."""


@dataclass(frozen=True, slots=True)
class Format:
    rule: str
    secret: str
    lines: tuple[str, ...] = ()
    """Where the secret has to stand to be known, with `{}` for it; none when it is known by itself."""


_LETTERS = string.ascii_letters
_ALPHABETS = {
    "b62": _LETTERS + string.digits,
    "b64": _LETTERS + string.digits + "+/",
    "url": _LETTERS + string.digits + "_-",
    "hex": "0123456789abcdef",
    "low": string.ascii_lowercase + string.digits,
    "up": string.ascii_uppercase + string.digits,
    "b32": string.ascii_uppercase + "234567",
    "abc": string.ascii_lowercase,
    "num": string.digits,
    "num1": "123456789",
    "mix": _LETTERS + string.digits + "!#%^*-_+=?~",
    "safe": _LETTERS + string.digits + "!$%^*-_+=~@,",
    "crypt": _LETTERS + string.digits + "./",
}
_PIECE = re.compile(r"<(\w+)(?::(\d+))?>")


def make(description: str, rng: random.Random) -> str:
    """A value of this description: `<alphabet:length>` pieces and literal text."""
    return _PIECE.sub(lambda piece: _piece(piece[1], int(piece[2] or 0), rng), description)


def _piece(kind: str, size: int, rng: random.Random) -> str:
    if kind == "uuid":
        return "-".join(_piece("hex", part, rng) for part in (8, 4, 4, 4, 12))
    if kind == "login":
        return b64encode(make("deploy:<mix:14>", rng).encode()).decode()
    if kind == "json":
        body = json.dumps({"alg": "HS256", "sub": _piece("b62", size, rng)}).encode()
        return b64encode(body).decode().replace("+", "-").replace("/", "_").rstrip("=")
    if kind == "id64":
        return b64encode(_piece("num1", 18, rng).encode()).decode().rstrip("=")
    if kind == "pem64":
        block = make("-----BEGIN RSA PRIVATE" + " KEY-----\n<b64:64>\n<b64:64>\n", rng)
        return b64encode(block.encode()).decode()
    if kind == "words":
        return " ".join(_piece("abc", rng.randint(3, 8), rng) for _ in range(size))
    return _random(_ALPHABETS[kind], size, rng)


def _random(alphabet: str, size: int, rng: random.Random) -> str:
    """With a digit and a letter, as nearly every real one has."""
    while True:
        value = "".join(rng.choice(alphabet) for _ in range(size))
        if alphabet.isdigit() or size < 8 or alphabet.isalpha() or _is_mixed(value):
            return value


def _is_mixed(value: str) -> bool:
    return (
        any(c.isdigit() for c in value)
        and any(c.isalpha() for c in value)
        and value[0].isalnum()
        and value[-1].isalnum()
    )


_KEYED = ("NAME_API_KEY={}", '{"NAME": {"api_key": "{}"}}', "NAME token: {}")


def _vendor(rule: str, name: str, secret: str) -> Format:
    return Format(rule, secret, tuple(line.replace("NAME", name) for line in _KEYED))


_NAMED_PASSWORDS = (
    "PASSWORD={}",
    "export DB_PASSWORD='{}'",
    "password: {}",
    "password = {}",
    'passwd := "{}"',
    '"password": "{}"',
    "'userPassword': '{}',",
    'config["db_password"] = "{}"',
    'const dbPassword: string = "{}";',
    "<password>{}</password>",
    '<add name="db" password="{}" />',
    '<property name="password" value="{}"/>',
    "- name: MYSQL_PASSWORD\n  value: {}",
    "mysqldump --password={} shop",
    "tool --admin-password {} --yes",
    'tool --password "{}"',
    'settings.setPassword("{}");',
    "ALTER USER app WITH PASSWORD '{}';",
    'if password == "{}":',
    "The password is {} for now.",
    "**Password:** {}",
    "数据库密码：{}",
    "密码是{}",
    "口令: {}",
    "Server=db;Database=shop;User Id=sa;Password={};Encrypt=True",
    "https://intranet.local/login?user=ann&password={}&next=1",
    "password => '{}',",
    'os.environ["DB_PASSWORD"] = "{}"',
    ".putenv('SMTP_PASS', '{}')",
    "&quot;password&quot;: &quot;{}&quot;",
)
_NAMED_SECRETS = (
    "CLIENT_SECRET={}",
    '"client_secret": "{}"',
    "secret_key: '{}'",
    "app.secret = {}",
    "<secret>{}</secret>",
    "--client-secret {}",
    "密钥：{}",
    'credentials = "{}"',
)
_NAMED_TOKENS = (
    "AUTH_TOKEN={}",
    '"access_token": "{}"',
    "refreshToken: '{}'",
    "token = '{}'",
    "https://api.local/v1/items?token={}&page=2",
    "X-Auth-Token: {}",
    "--token {}",
    "//registry.local/:_authToken={}",
    "    token: {}",
    "令牌: {}",
)
_NAMED_KEYS = (
    "API_KEY={}",
    'export OTHER_API_KEY="{}"',
    '"apiKey": "{}"',
    "x-api-key: {}",
    "private_key = '{}'",
    "GET /v1/data?api_key={}&q=1",
    "EncryptionKey: {}",
    "client-key-data: {}",
)

FORMATS: tuple[Format, ...] = (
    Format("aws-access-key", "AKIA<b32:16>"),
    Format("aws-access-key", "ASIA<b32:16>"),
    Format("google-api-key", "AIza<url:35>"),
    Format("google-oauth", "GOCSPX-<url:28>"),
    Format("google-oauth", "ya29.<url:120>"),
    Format("google-oauth", "1//0<url:60>"),
    Format("digitalocean-token", "dop_v1_<hex:64>"),
    Format("digitalocean-token", "doo_v1_<hex:64>"),
    Format("heroku-key", "HRKU-<url:58>"),
    Format("cloudflare-token", "cfut_<b62:48>"),
    Format("cloudflare-token", "cfk_<b62:48>"),
    Format("cloudflare-origin-key", "v1.0-<hex:24>-<hex:146>"),
    Format("alibaba-access-key", "LTAI<b62:20>"),
    Format("tencent-access-key", "AKID<b62:32>"),
    Format("databricks-token", "dapi<hex:32>"),
    Format("fly-token", "fo1_<url:43>"),
    Format("fly-token", "fm2_<b64:300>"),
    Format("planetscale-token", "pscale_tkn_<url:43>"),
    Format("neon-key", "napi_<low:64>"),
    Format("supabase-key", "sbp_<hex:40>"),
    Format("supabase-key", "sb_secret_<url:32>"),
    Format("vercel-token", "vcp_<b62:24>"),
    Format("netlify-token", "nfp_<b62:36>"),
    Format("render-key", "rnd_<b62:32>"),
    Format("pulumi-token", "pul-<hex:40>"),
    Format("terraform-token", "<b62:14>.atlasv1.<url:67>"),
    Format("openshift-token", "sha256~<url:43>"),
    Format("vault-token", "hvs.<url:90>"),
    Format("vault-token", "hvb.<url:140>"),
    Format("doppler-token", "dp.pt.<b62:43>"),
    Format("doppler-token", "dp.st.production.<b62:43>"),
    Format("1password-token", "ops_eyJ<b62:400>"),
    Format("age-secret-key", "AGE-SECRET-KEY-1<up:58>"),
    Format("github-token", "ghp_<b62:36>"),
    Format("github-token", "gho_<b62:36>"),
    Format("github-token", "ghs_<num1:7>_<json:20>.<json:60>.<url:200>"),
    Format("github-token", "github_pat_<b62:22>_<b62:59>"),
    Format("gitlab-token", "glpat-<url:20>"),
    Format("gitlab-token", "glrt-<url:20>"),
    Format("gitlab-token", "glpat-<url:27>.01.<low:9>"),
    Format("gitlab-token", "GR1348941<url:20>"),
    Format("bitbucket-token", "ATBB<b62:32>"),
    Format("bitbucket-token", "ATCTT3xFfG<url:120>"),
    Format("atlassian-token", "ATATT3xFfGF0<url:176>=<up:8>"),
    Format("npm-token", "npm_<b62:36>"),
    Format("pypi-token", "pypi-AgEIcHlwaS5vcmc<url:150>"),
    Format("rubygems-key", "rubygems_<hex:48>"),
    Format("crates-token", "cio<b62:32>"),
    Format("nuget-key", "oy2<low:43>"),
    Format("clojars-token", "CLOJARS_<hex:60>"),
    Format("docker-token", "dckr_pat_<url:27>"),
    Format("artifactory-key", "AKCp<b62:69>"),
    Format("sonar-token", "squ_<hex:40>"),
    Format("buildkite-token", "bkua_<hex:40>"),
    Format("circleci-token", "CCIPAT_<b62:22>_<hex:40>"),
    Format("postman-key", "PMAK-<hex:24>-<hex:34>"),
    Format("anthropic-key", "sk-ant-api03-<url:93>AA"),
    Format("anthropic-key", "sk-ant-oat01-<url:90>"),
    Format("openrouter-key", "sk-or-v1-<hex:64>"),
    Format("openai-key", "sk-proj-<url:150>"),
    Format("openai-key", "sk-svcacct-<url:120>"),
    Format("openai-key", "sk-<b62:48>"),
    Format("openai-key", "sk-<hex:32>"),
    Format("openai-key", "sess-<b62:40>"),
    Format("langfuse-key", "sk-lf-<uuid>"),
    Format("hugging-face-token", "hf_<b62:34>"),
    Format("groq-key", "gsk_<b62:52>"),
    Format("xai-key", "xai-<b62:80>"),
    Format("perplexity-key", "pplx-<b62:48>"),
    Format("replicate-token", "r8_<b62:37>"),
    Format("nvidia-key", "nvapi-<url:64>"),
    Format("cerebras-key", "csk-<low:48>"),
    Format("fireworks-key", "fw_<b62:22>"),
    Format("together-key", "tgp_v1_<url:43>"),
    Format("langsmith-key", "lsv2_pt_<hex:32>_<hex:10>"),
    Format("tavily-key", "tvly-dev-<b62:32>"),
    Format("pinecone-key", "pcsk_<b62:6>_<b62:60>"),
    Format("elevenlabs-key", "sk_<hex:48>"),
    Format("slack-token", "xoxb-<num:12>-<num:13>-<b62:24>"),
    Format("slack-token", "xoxp-<num:12>-<num:12>-<num:12>-<hex:32>"),
    Format("slack-token", "xapp-1-A<up:10>-<num:13>-<hex:64>"),
    Format("discord-token", "<id64>.G<url:5>.<url:38>"),
    Format("twilio-key", "SK<hex:32>"),
    Format("twilio-key", "<hex:32>", (f"curl https://api.twilio.com -u AC{'0123456789abcdef' * 2}:{{}}",)),
    Format("telegram-token", "AA<url:33>", ("https://api.telegram.org/bot7123456789:{}/getMe", "BOT=71234567:{}")),
    Format("sendgrid-key", "SG.<url:22>.<url:43>"),
    Format("mailgun-key", "key-<hex:32>"),
    Format("mailchimp-key", "<hex:32>-us14"),
    Format("brevo-key", "xkeysib-<hex:64>-<b62:16>"),
    Format("resend-key", "re_<b62:8>_<b62:24>"),
    Format("stripe-key", "sk_live_<b62:24>"),
    Format("stripe-key", "rk_test_<b62:99>"),
    Format("stripe-webhook-secret", "whsec_<b64:32>"),
    Format("square-token", "sq0csp-<url:43>"),
    Format("square-token", "EAAA<url:60>"),
    Format("facebook-token", "EAA<b62:160>"),
    Format("shopify-token", "shpat_<hex:32>"),
    Format("newrelic-key", "NRAK-<up:27>"),
    Format("newrelic-key", "<hex:36>NRAL"),
    Format("sentry-token", "sntrys_eyJ<b62:120>"),
    Format("sentry-token", "sntryu_<hex:64>"),
    Format("grafana-token", "glsa_<b62:32>_<hex:8>"),
    Format("grafana-token", "glc_eyJ<b62:80>"),
    Format("dynatrace-token", "dt0c01.<b32:24>.<b32:64>"),
    Format("posthog-key", "phx_<b62:43>"),
    Format("linear-key", "lin_api_<b62:40>"),
    Format("notion-token", "ntn_<b62:46>"),
    Format("notion-token", "secret_<b62:43>"),
    Format("figma-token", "figd_<url:40>"),
    Format("airtable-token", "pat<b62:14>.<hex:64>"),
    Format("hubspot-token", "pat-na1-<uuid>"),
    Format("typeform-token", "tfp_<url:44>"),
    Format("contentful-token", "CFPAT-<url:43>"),
    Format("mapbox-token", "sk.<json:24>.<url:22>"),
    Format("jwt", "<json:10>.<json:80>.<url:43>"),
    Format("private-key", "<pem64>"),
    _vendor("datadog-key", "DATADOG", "<hex:32>"),
    _vendor("datadog-key", "DD_APP", "<hex:40>"),
    _vendor("heroku-key", "HEROKU", "<uuid>"),
    _vendor("cloudflare-token", "CLOUDFLARE", "<hex:37>"),
    _vendor("cloudflare-token", "CLOUDFLARE", "<url:40>"),
    _vendor("mistral-key", "MISTRAL", "<b62:32>"),
    _vendor("cohere-key", "COHERE", "<b62:40>"),
    _vendor("twilio-key", "TWILIO_AUTH", "<hex:32>"),
    _vendor("pagerduty-key", "PAGERDUTY", "<url:20>"),
    _vendor("vercel-token", "VERCEL", "<b62:24>"),
    _vendor("alibaba-secret-key", "ALIYUN", "<b62:30>"),
    _vendor("tencent-secret-key", "TENCENT", "<b62:32>"),
    _vendor("azure-key", "AZURE_OPENAI", "<hex:32>"),
    _vendor("okta-token", "OKTA", "00<url:40>"),
    _vendor("paypal-secret", "PAYPAL", "E<url:79>"),
    _vendor("vendor-key", "ALGOLIA", "<hex:32>"),
    _vendor("vendor-key", "SNYK", "<uuid>"),
    Format("url-password", "<safe:12>", (
        "postgres://app:{}@db.internal:5432/shop",
        "mysql://root:{}@127.0.0.1/shop",
        "mongodb+srv://svc:{}@cluster0.mongodb.net/?retryWrites=true",
        "redis://:{}@cache:6379/0",
        "amqp://worker:{}@mq:5672/",
        "mssql+pyodbc://sa:{}@sql/master",
        "jdbc:postgresql://app:{}@db/shop",
        "git clone https://ann:{}@git.corp.dev/team/repo.git",
        "ftp://ann:{}@files.corp.dev",
    )),
    Format("url-password", "<b62:40>", ("git clone https://{}@git.corp.dev/team/repo.git",)),
    Format("url-password", "<abc:3><b62:6>/<b62:4>?#<b62:2>", ("postgres://app:{}@db.internal:5432/shop",)),
    Format("url-password", "<b62:12>", ("dsn = app:{}@tcp(db:3306)/shop",)),
    Format("authorization", "<login>", ("Authorization: Basic {}", "curl -H 'Authorization: Basic {}' https://api.local")),
    Format("authorization", "<url:43>", (
        "Authorization: Bearer {}",
        'curl -H "Authorization: Bearer {}" https://api.local',
        'headers = {"Authorization": "Bearer {}"}',
        "proxy-authorization: token {}",
        "authorization: {}",
        "GET /x?auth=Bearer%20{}",
    )),
    Format("docker-auth", "<login>", ('"auths": {"registry.local": {"auth": "{}"}}', "//registry.local/:_auth={}")),
    Format("cookie", "<b62:32>", (
        "Cookie: theme=dark; sid={}",
        "curl -H 'Cookie: session_id={}; lang=en' https://x.local",
        "Set-Cookie: sid={}; Path=/; HttpOnly",
        "GET /x?PHPSESSID={}",
        "connect.sid={}",
    )),
    Format("password", "<mix:14>", _NAMED_PASSWORDS),
    Format("password", "<b62:10>", (
        "machine github.com login ann password {}",
        "db.internal:5432:shop:app:{}",
        "*:*:*:postgres:{}",
        "curl -u ann:{} https://x.local",
        "curl -sS --user 'ann:{}' https://x.local",
        "mysql -h db -u root -p{} shop",
        "mysqldump -uroot -p'{}' shop",
        "sshpass -p {} ssh root@host",
        "redis-cli -h cache -a {} ping",
        "docker login -u ann -p {} registry.local",
        "ldapsearch -x -D cn=admin -w {} uid=ann",
        "openssl rsa -in k.pem -passin pass:{}",
        "CREATE USER 'app'@'%' IDENTIFIED BY '{}';",
        "ALTER USER app IDENTIFIED WITH mysql_native_password BY '{}';",
    )),
    Format("password", "<abc:9>", ("PASSWORD={}", '"password": "{}"', "  password: {}", "--password={}")),
    Format("password", "<abc:5> <abc:6> <abc:4> <num:2>", ('"passphrase": "{}"', 'password = "{}"')),
    Format("password-hash", "$apr1$<crypt:8>$<crypt:22>", ("ann:{}",)),
    Format("password-hash", "$2y$10$<crypt:53>", ("ann:{}", "hash = '{}'")),
    Format("password-hash", "$6$<crypt:16>$<crypt:86>", ("root:{}:19000:0:99999:7:::",)),
    Format("password-hash", "$y$j9T$<crypt:22>$<crypt:43>", ("root:{}:19000:0:99999:7:::",)),
    Format("password-hash", "$argon2id$v=19$m=65536,t=3,p=4$<b64:22>$<b64:43>", ("hash: {}",)),
    Format("password-hash", "pbkdf2_sha256$600000$<b62:22>$<b64:43>=", ("hash: {}",)),
    Format("password-hash", "SCRAM-SHA-256$4096:<b64:22>==$<b64:43>=:<b64:43>=", ("PASSWORD '{}'", "hash: {}")),
    Format("password-hash", "{SHA}<b64:27>=", ("ann:{}",)),
    Format("password-hash", "{SSHA}<b64:32>", ("userPassword:: {}",)),
    Format("aws-secret-key", "<b64:40>", (
        "AWS_SECRET_ACCESS_KEY={}",
        "aws_secret_access_key = {}",
        '"SecretAccessKey": "{}"',
        "aws configure set secret {}",
    )),
    Format("aws-session-token", "IQoJb3JpZ2luX2Vj<b64:400>", ("AWS_SESSION_TOKEN={}", '"SessionToken": "{}"', "{}")),
    Format("aws-session-token", "FwoGZXIvYXdz<b64:300>", ("AWS_SESSION_TOKEN={}", "{}")),
    Format("azure-storage-key", "<b64:86>==", (
        "DefaultEndpointsProtocol=https;AccountName=shop;AccountKey={};EndpointSuffix=core.windows.net",
        "Endpoint=sb://bus/;SharedAccessKeyName=Root;SharedAccessKey={}",
    )),
    Format("azure-client-secret", "<b62:3>8Q~<url:34>", ("{}", "AZURE_CLIENT_SECRET={}")),
    Format("signed-url", "<b62:40>%3D", (
        "https://shop.blob.core.windows.net/c/b?sv=2022-11-02&sr=b&sig={}",
        "https://b.s3.amazonaws.com/k?X-Amz-Expires=900&X-Amz-Signature={}",
    )),
    Format("slack-webhook", "T<up:10>/B<up:10>/<b62:24>", ("https://hooks.slack.com/services/{}",)),
    Format("discord-webhook", "<num1:18>/<url:68>", ("https://discord.com/api/webhooks/{}",)),
    Format("teams-webhook", "<uuid>@<uuid>/IncomingWebhook/<hex:32>/<uuid>", ("https://corp.webhook.office.com/webhookb2/{}",)),
    Format("braintree-token", "<low:16>$<hex:32>", ("access_token$production${}",)),
    Format("recovery-phrase", "<words:12>", ("mnemonic: {}", 'SEED_PHRASE="{}"')),
    Format("secret", "<b62:24>", _NAMED_SECRETS),
    Format("token", "<b62:32>", _NAMED_TOKENS),
    Format("token", "<hex:40>", _NAMED_TOKENS),
    Format("api-key", "<b62:32>", _NAMED_KEYS),
    Format("api-key", "<hex:32>", _NAMED_KEYS),
    Format("api-key", "<b62:40>", ('key: "{}"',)),
)  # fmt: skip

_PEM_KINDS = ("RSA ", "EC ", "OPENSSH ", "", "ENCRYPTED ", "PGP ")
_PUTTY = "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 2\n{0}\n{1}\nPrivate-MAC: 00"


def _block(kind: str, lines: list[str]) -> str:
    label = f"{kind}PRIVATE KEY{' BLOCK' if kind == 'PGP ' else ''}"
    return "\n".join([f"-----BEGIN {label}-----", *lines, f"-----END {label}-----"])


_PEM_SHAPES: dict[str, Callable[[str], str]] = {
    "whole": lambda block: block,
    "cut off": lambda block: block[: block.index("-----END")],
    "cut off in a line": lambda block: block[: block.index("-----END") - 20],
    "one line": lambda block: block.replace("\n", "\\n"),
    "blanks": lambda block: block.replace("\n", " "),
    "service account": lambda block: json.dumps({"type": "service_account", "private_key": block + "\n"}),
    "numbered": lambda block: "\n".join(f"{n:6}\t{line}" for n, line in enumerate(block.splitlines(), 1)),
    "removed in a diff": lambda block: "\n".join("-" + line for line in block.splitlines()),
    "in yaml": lambda block: "key: |\n" + "\n".join("    " + line for line in block.splitlines()),
    "in code": lambda block: "KEY = (\n" + "\n".join(f'    "{line}\\n"' for line in block.splitlines()) + "\n)",
}

# Surroundings of a line, whatever is in it; and of a value that is known by itself.
_AROUND_LINES: dict[str, Callable[[str], str]] = {
    "alone": lambda line: line,
    "shell": lambda line: f"$ cd /srv/app\n$ {line}\n$ echo done",
    "json": lambda line: json.dumps({"tool": "Bash", "output": f"first\n{line}\nlast"}),
    "json in json": lambda line: json.dumps({"message": json.dumps({"output": f"first\n{line}\nlast"})}),
    "diff": lambda line: f"@@ -1,2 +1,2 @@\n-old\n+{line}\n context",
    "markdown": lambda line: f"Run this:\n\n```\n{line}\n```\n",
    "traceback": lambda line: (
        f'Traceback (most recent call last):\n  File "a.py", line 3\nValueError: bad value: {line}'
    ),
    "log": lambda line: f"2026-02-03T04:05:06Z INFO worker[12] {line}",
    "coloured": lambda line: f"\x1b[1;32m{line}\x1b[0m\n",
    "numbered": lambda line: f"     7\t{line}\n     8\tpass",
    "Chinese": lambda line: f"配置如下：\n{line}\n请勿外传。",
}
_AROUND_VALUES: dict[str, Callable[[str], str]] = {
    "env": lambda value: f"# .env\nTHING={value}\nDEBUG=1\n",
    "json value": lambda value: json.dumps({"thing": value, "n": 1}),
    "url": lambda value: f"GET https://api.corp.dev/v1/items?x={value}&page=2 401",
    "code": lambda value: f'client = Client("{value}", timeout=3)  # why?',
    "shell": lambda value: f"curl -H 'X-Thing: {value}' https://api.corp.dev",
    "yaml": lambda value: f"thing:\n  value: {value}\n",
    "traceback": lambda value: f"RuntimeError: HTTP 401 for '{value}'",
    "markdown": lambda value: f"I used `{value}` and it **failed**.",
    "diff": lambda value: f"-thing = 1\n+thing = '{value}'",
    "coloured": lambda value: f"thing: \x1b[33m{value}\x1b[0m",
    "Chinese": lambda value: f"我用的是{value}，结果失败了。",
    "json in json": lambda value: json.dumps({"m": json.dumps({"out": f"x\n{value}\ny"})}),
}


def canaries(seed: int = 1) -> list[Canary]:
    """All formats in at least four surroundings each; the same for the same seed."""
    rng = random.Random(seed)
    made = [canary for format in FORMATS for canary in _of_format(format, rng)]
    return made + [canary for kind in _PEM_KINDS for canary in _of_pem(kind, rng)] + _of_putty(rng)


def _of_format(format: Format, rng: random.Random) -> list[Canary]:
    made = []
    around = _AROUND_LINES if format.lines else _AROUND_VALUES
    for line in format.lines or ("{}",):
        for context in rng.sample(sorted(around), 5):
            secret = make(format.secret, rng)
            made.append(Canary(format.rule, secret, around[context](line.replace("{}", secret)), context))
    return made


def _of_pem(kind: str, rng: random.Random) -> list[Canary]:
    made = []
    for context, shape in _PEM_SHAPES.items():
        lines = [make("<b64:64>", rng) for _ in range(5)]
        text = f"found this:\n{shape(_block(kind, lines))}\nand that is all."
        made += [Canary("private-key", line, text, context) for line in lines if line in text]
    return made


def _of_putty(rng: random.Random) -> list[Canary]:
    lines = [make("<b64:64>", rng), make("<b64:30>", rng)]
    return [Canary("private-key", line, _PUTTY.format(*lines), "PuTTY") for line in lines]
