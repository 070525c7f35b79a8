"""The curated table of secrets with a format of their own. What is known only by its surroundings is in `contexts`.

`TOKENS` carry a prefix that gives them away. They all have at least `RUN` letters, digits, dashes or underscores in a
row, so their keywords are looked for in such long runs only (case counts), and the pattern is matched there.
`NEIGHBOURS` have no prefix: a run of the right shape, with the vendor's name and a word like `key` shortly before it.

Every quantifier is bounded or reads one kind of character up to a border, so no input takes more than linear time.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from .lazy import compiled
from .values import has, is_placeholder, is_uuid, is_wordy, loosely_random, random_looking

RUN = 20
REACH = 80

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Rule:
    """One format: where to look (`keywords`), what it looks like (`source`), which group of it is the secret."""

    name: str
    keywords: tuple[str, ...]
    source: str
    group: int | str = 0
    judge: Callable[[re.Match[str]], Span | None] | None = None
    """Has the last word: the span of the secret, or None when this match is not one. Without it: no placeholders."""
    offset: int = 0
    """The pattern begins this many characters before the keyword."""
    beside: str = ""
    """A sign that the text has wherever this is in it; without the sign, the keyword is not looked for."""

    @property
    def pattern(self) -> re.Pattern[str]:
        """Compiled at the first hit of a keyword, for compiling all of them would cost every command 15 ms."""
        return compiled(self.source)

    def secret(self, found: re.Match[str]) -> Span | None:
        """Where the secret is in a match of the pattern, if it is one."""
        if self.judge:
            return self.judge(found)
        return None if is_placeholder(found[self.group]) else found.span(self.group)


def _announced(found: re.Match[str]) -> Span | None:
    """Of a vendor's name and 32 hex digits only those are a key that a word such as key, token or secret announces."""
    before = found.string[max(0, found.start() - REACH) : found.start()].encode("ascii", "replace").lower()
    literal = has(found[0], b"d") and not is_wordy(found[0]) and not is_placeholder(found[0])
    return found.span() if literal and any(word in before for word in KEY_WORDS) else None


def _announced_and_random(found: re.Match[str]) -> Span | None:
    """For vendors whose keys have no certain length."""
    return _announced(found) if is_uuid(found[0]) or loosely_random(found[0]) else None


def _with_digits(found: re.Match[str]) -> Span | None:
    """For prefixes that words have too (`sk-`, `cio`): a name such as `sk-estimator-doc-link` has no digits."""
    plausible = has(found[0], b"d") or random_looking(found[0])
    return found.span() if plausible and not is_placeholder(found[0]) else None


def _openai_key(found: re.Match[str]) -> Span | None:
    """Of 48 letters and digits, once in thousands of keys no digit; no word and no name has 48 letters."""
    letters = found[0].removeprefix("sk-")
    whole = len(letters) == 48 and letters.isalpha() and has(letters, b"lu")
    return found.span() if whole and not is_placeholder(letters) else _with_digits(found)


def _not_an_example(found: re.Match[str]) -> Span | None:
    return None if "EXAMPLE" in found[0] or is_placeholder(found[0]) else found.span()


def _private_pem(found: re.Match[str]) -> Span | None:
    from base64 import b64decode

    return found.span() if b"PRIVATE KEY" in b64decode(found[0][:64]) else None


KEY_WORDS = (b"key", b"token", b"secret", b"auth", b"pass", b"cred")
FOREIGN_KEY_WORDS = tuple(
    """
    schlüssel clé contraseña ключ токен секрет парол 密钥 密鑰 秘钥 令牌 口令 密码 密碼 凭证 トークン 鍵 キー
    パスワード 키 토큰
    """.split()  # noqa: SIM905
)
"""The same in other scripts, and with letters that ASCII doesn't have."""
# A border on the left: nothing that could be the same word, unless that is the end of an escape (%3D, \\xaf).
_ESCAPE = r"(?:(?<=%[0-9A-Fa-f]{2})|(?<=\\x[0-9a-f]{2}))"
_L = rf"(?:(?<![A-Za-z0-9])|{_ESCAPE})"
_LL = rf"(?:(?<![\w-])|{_ESCAPE})"
_R = r"(?![A-Za-z0-9])"
_JWT = r"eyJ[\w-]{10,4000}\.[\w-]{10,8000}(?:\.[\w-]{0,4000}){0,3}"
_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

TOKENS: tuple[Rule, ...] = (
    # Clouds.
    Rule(
        "aws-access-key",
        ("AKIA", "ASIA", "ABIA", "ACCA"),
        rf"{_L}A(?:KI|SI|BI|CC)A[A-Z0-9]{{16}}{_R}",
        judge=_not_an_example,
    ),
    # Long ones of Bedrock are base64 of `BedrockAPIKey-…`, short ones of a signed address.
    Rule(
        "aws-bedrock-key",
        ("ABSK", "bedrock-api-key-"),
        rf"{_LL}ABSK[A-Za-z0-9+/]{{100,400}}={{0,2}}|bedrock-api-key-[A-Za-z0-9+/=]{{40,4000}}",
        judge=_with_digits,
    ),
    Rule("google-api-key", ("AIza",), r"AIza[\w-]{35}"),
    Rule("google-api-key", ("AQ.",), rf"{_LL}AQ\.[\w-]{{40,120}}", judge=_with_digits),
    # Keys of Azure have their service in the middle of them.
    Rule("azure-devops-token", ("AZDO",), rf"{_L}[A-Za-z0-9]{{76}}AZDO[A-Za-z0-9]{{4}}{_R}", offset=76),
    Rule("azure-key", ("JQQJ9",), rf"{_L}[A-Za-z0-9]{{52}}JQQJ9[9D][A-Za-z0-9]{{26}}{_R}", offset=52),
    Rule("azure-function-key", ("AzFu",), rf"{_LL}[\w-]{{44}}AzFu[\w-]{{6}}(?:==|%3[dD]%3[dD])", offset=44),
    Rule("tailscale-key", ("tskey-",), rf"{_LL}tskey-[\w-]{{20,120}}", judge=_with_digits),
    Rule("google-oauth", ("GOCSPX-", "ya29.", "1//0"), r"GOCSPX-[\w-]{20,64}|ya29\.[\w-]{20,2000}|1//0[\w-]{40,200}"),
    Rule("digitalocean-token", ("dop_v1_", "doo_v1_", "dor_v1_"), r"do[opr]_v1_[a-f0-9]{64}"),
    Rule("heroku-key", ("HRKU-",), r"HRKU-[\w-]{30,120}"),
    # Global key, user token, account token; 40 characters and a checksum.
    Rule("cloudflare-token", ("cfk_", "cfut_", "cfat_"), r"cf(?:k|ut|at)_[A-Za-z0-9]{40,60}"),
    Rule("cloudflare-origin-key", ("v1.0-",), r"v1\.0-[a-f0-9]{24}-[a-f0-9]{146}"),
    Rule("alibaba-access-key", ("LTAI",), rf"{_L}LTAI[A-Za-z0-9]{{16,24}}{_R}", judge=_with_digits),
    Rule("tencent-access-key", ("AKID",), rf"{_L}AKID[A-Za-z0-9]{{16,48}}{_R}", judge=_with_digits),
    Rule("databricks-token", ("dapi", "dkea", "dose"), r"d(?:api|kea|ose)[a-f0-9]{32}(?:-\d{1,2})?"),
    Rule("fly-token", ("fo1_",), r"fo1_[\w-]{43}"),
    Rule("planetscale-token", ("pscale_",), r"pscale_(?:tkn|pw|oauth)_[\w.=-]{32,64}"),
    Rule("neon-key", ("napi_", "npg_"), r"napi_[a-z0-9]{40,80}|npg_[A-Za-z0-9]{16,40}", judge=_with_digits),
    Rule("supabase-key", ("sbp_", "sb_secret_"), r"sbp_(?:v0_|oauth_)?[a-f0-9]{40}|sb_secret_[\w-]{20,64}"),
    Rule(
        "vercel-token",
        ("vcp_", "vci_", "vca_", "vcr_", "vck_"),
        rf"{_L}vc[piark]_[A-Za-z0-9]{{20,80}}",
        judge=_with_digits,
    ),
    Rule("netlify-token", ("nfp_", "nfc_", "nfo_", "nfb_", "nfu_"), r"nf[pcobu]_[A-Za-z0-9]{36,64}"),
    Rule("render-key", ("rnd_",), rf"rnd_[A-Za-z0-9]{{28,40}}{_R}", judge=_with_digits),
    Rule("pulumi-token", ("pul-",), r"pul-[a-f0-9]{40}"),
    Rule("terraform-token", (".atlasv1.",), r"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,90}", offset=14),
    Rule("openshift-token", ("sha256~",), r"sha256~[\w-]{43}"),
    # Secret stores.
    Rule("vault-token", ("hvs.", "hvb.", "hvr."), r"hv[sbr]\.[\w-]{24,400}"),
    Rule("doppler-token", ("dp.",), r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{2,35}\.)?[A-Za-z0-9]{40,44}"),
    Rule("1password-token", ("ops_eyJ",), r"ops_eyJ[A-Za-z0-9+/_-]{100,4000}={0,3}"),
    Rule("age-secret-key", ("AGE-SECRET-KEY-",), r"AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]{58,400}"),
    # Forges and registries. Installation tokens of GitHub are ghs_<app>_<JWT> since 2026.
    Rule("github-token", ("ghs_",), rf"ghs_\d{{1,12}}_{_JWT}"),
    Rule("github-token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"gh[pousr]_[A-Za-z0-9]{36,255}"),
    Rule("github-token", ("github_pat_",), r"github_pat_[A-Za-z0-9_]{40,255}"),
    Rule(
        "gitlab-token",
        (
            "glpat-",
            "gldt-",
            "glrt-",
            "glrtr-",
            "glcbt-",
            "glptt-",
            "glft-",
            "glimt-",
            "glagent-",
            "gloas-",
            "glsoat-",
            "glffct-",
            "glwt-",
        ),
        r"gl(?:pat|dt|rtr?|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-[\w-]{20,300}(?:\.[0-9a-z]{2}\.[0-9a-z]{9})?",
    ),
    Rule("gitlab-token", ("GR1348941",), r"GR1348941[\w-]{20,60}"),
    Rule("bitbucket-token", ("ATBB", "ATCTT3x"), rf"{_L}ATBB[A-Za-z0-9]{{28,40}}|ATCTT3x[\w=-]{{50,300}}"),
    Rule("atlassian-token", ("ATATT3x",), r"ATATT3x[\w=-]{50,300}"),
    Rule("npm-token", ("npm_",), r"npm_[A-Za-z0-9]{36,64}"),
    Rule("pypi-token", ("pypi-AgE",), r"pypi-AgE[\w-]{40,1000}"),
    Rule("rubygems-key", ("rubygems_",), r"rubygems_[a-f0-9]{48}"),
    Rule("crates-token", ("cio",), rf"{_LL}cio[A-Za-z0-9]{{32}}{_R}", judge=_with_digits),
    Rule("nuget-key", ("oy2",), rf"{_LL}oy2[a-z0-9]{{43}}{_R}", judge=_with_digits),
    Rule("clojars-token", ("CLOJARS_",), r"CLOJARS_[a-f0-9]{60}"),
    Rule("docker-token", ("dckr_",), r"dckr_(?:pat|oat)_[\w-]{27,64}"),
    Rule(
        "artifactory-key", ("AKCp", "cmVmdGtu"), rf"{_LL}(?:AKCp[A-Za-z0-9]{{60,80}}|cmVmdGtu[A-Za-z0-9]{{50,70}}){_R}"
    ),
    Rule("sonar-token", ("squ_", "sqp_", "sqa_"), r"sq[upa]_[a-f0-9]{40}"),
    Rule("buildkite-token", ("bkua_",), r"bkua_[a-f0-9]{40}"),
    Rule("circleci-token", ("CCIPAT_",), r"CCIPAT_[A-Za-z0-9]{22}_[a-f0-9]{40}"),
    Rule("sourcegraph-token", ("sgp_",), r"sgp_(?:[a-z0-9]{5,16}_)?[a-f0-9]{40}"),
    # user.number.signature, the first two in base64.
    Rule(
        "jetbrains-token",
        ("perm:", "perm-"),
        rf"{_LL}perm[:-][A-Za-z0-9+/]{{2,80}}={{0,2}}\.[A-Za-z0-9+/]{{2,40}}={{0,2}}\.[A-Za-z0-9]{{20,80}}",
    ),
    Rule("postman-key", ("PMAK-",), r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
    # Models.
    Rule("anthropic-key", ("sk-ant-",), r"sk-ant-[\w-]{20,300}"),
    Rule("openrouter-key", ("sk-or-",), r"sk-or-(?:v1-)?[A-Za-z0-9]{32,80}"),
    Rule(
        "openai-key",
        ("sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"),
        r"sk-(?:proj|svcacct|admin|None)-[\w-]{20,300}",
    ),
    # The old form, and what DeepSeek, Moonshot and other compatible servers hand out.
    Rule("openai-key", ("sk-",), rf"{_L}sk-(?:[a-z]{{2,12}}-)?[A-Za-z0-9]{{20,120}}", judge=_openai_key),
    Rule("openai-key", ("sess-",), r"sess-[A-Za-z0-9]{40,80}"),
    Rule("langfuse-key", ("sk-lf-",), rf"sk-lf-{_UUID}"),
    Rule("hugging-face-token", ("hf_", "api_org_"), rf"(?:hf|api_org)_[A-Za-z0-9]{{30,64}}{_R}"),
    Rule("groq-key", ("gsk_",), r"gsk_[A-Za-z0-9]{40,80}"),
    Rule("xai-key", ("xai-",), r"xai-[A-Za-z0-9]{60,120}"),
    Rule("perplexity-key", ("pplx-",), r"pplx-[A-Za-z0-9]{40,80}"),
    Rule("replicate-token", ("r8_",), r"r8_[A-Za-z0-9]{37}"),
    Rule("nvidia-key", ("nvapi-",), r"nvapi-[\w-]{40,100}"),
    Rule("cerebras-key", ("csk-",), r"csk-[a-z0-9]{40,64}"),
    Rule("fireworks-key", ("fw_",), rf"{_L}fw_[A-Za-z0-9]{{22,32}}{_R}", judge=_with_digits),
    Rule("together-key", ("tgp_v1_",), r"tgp_v1_[\w-]{40,64}"),
    Rule("langsmith-key", ("lsv2_",), r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}"),
    Rule("tavily-key", ("tvly-",), r"tvly-(?:dev-|prod-)?[A-Za-z0-9]{28,40}"),
    Rule("pinecone-key", ("pcsk_",), r"pcsk_[\w]{50,90}"),
    Rule("cursor-key", ("crsr_",), r"crsr_[A-Za-z0-9]{40,128}"),
    Rule("jina-key", ("jina_",), rf"{_L}jina_[A-Za-z0-9]{{30,40}}[\w-]{{15,40}}", judge=_with_digits),
    Rule("firecrawl-key", ("fc-",), rf"{_LL}fc-[a-f0-9]{{32}}(?![\w-])"),
    Rule("apify-token", ("apify_api_",), r"apify_api_[A-Za-z0-9]{30,60}"),
    Rule("elevenlabs-key", ("sk_",), rf"sk_[a-f0-9]{{48}}{_R}"),
    # Messages and mail.
    Rule(
        "slack-token",
        ("xox", "xapp-", "xwfp-"),
        r"xox(?:[abceoprsd]|e\.xox[bp])-[\w-]{20,400}|(?:xapp|xwfp)-[\w-]{20,400}",
    ),
    # <bot's number>:<key>; the key alone goes.
    Rule("telegram-token", (":AA",), r"(?:(?<=\d{10})|(?<=\d{9})|(?<=\d{8})):(AA[\w-]{33})(?![\w-])", 1),
    Rule("twilio-key", ("SK",), rf"SK[a-f0-9]{{32}}{_R}"),
    Rule("twilio-key", ("AC",), rf"AC[a-f0-9]{{32}}:([a-f0-9]{{32}}){_R}", 1),
    Rule("sendgrid-key", ("SG.",), r"SG\.[\w-]{20,24}\.[\w-]{39,50}"),
    Rule("mailgun-key", ("key-", "pubkey-"), rf"{_L}(?:pub)?key-[a-f0-9]{{32}}{_R}"),
    Rule("mailchimp-key", ("-us",), rf"(?:(?<![a-f0-9])|{_ESCAPE})[a-f0-9]{{32}}-us\d{{1,2}}{_R}", offset=32),
    Rule("brevo-key", ("xkeysib-", "xsmtpsib-"), r"x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    Rule("resend-key", ("re_",), rf"{_L}re_[A-Za-z0-9]{{6,10}}_[A-Za-z0-9]{{20,30}}{_R}", judge=_with_digits),
    # Money.
    Rule(
        "stripe-key",
        ("sk_live_", "rk_live_", "sk_test_", "rk_test_", "sk_prod_"),
        r"[sr]k_(?:live|test|prod)_[A-Za-z0-9]{16,250}",
    ),
    Rule("square-token", ("sq0", "EAAA"), rf"sq0[a-z]{{3}}-[\w-]{{22,60}}|{_L}EAAA[\w-]{{60,64}}(?![\w-])"),
    Rule(
        "facebook-token",
        ("EAA",),
        rf"(?:(?<![\w/+])|{_ESCAPE})EAA[A-Za-z0-9]{{80,400}}(?![\w/+=])",
        judge=_with_digits,
    ),
    Rule(
        "shopify-token", ("shpat_", "shpca_", "shppa_", "shpss_", "shptka_"), r"shp(?:at|ca|pa|ss|tka)_[a-fA-F0-9]{32}"
    ),
    # Watching.
    Rule("newrelic-key", ("NRAK-", "NRII-", "NRRA-", "NRSP-"), r"NR(?:AK|II|RA|SP)-[A-Za-z0-9_-]{27,64}"),
    Rule("newrelic-key", ("NRAL",), rf"(?:(?<![a-f0-9])|{_ESCAPE})[a-f0-9]{{36}}NRAL{_R}", offset=36),
    Rule("sentry-token", ("sntrys_", "sntryu_"), r"sntrys_eyJ[\w+/=-]{60,1000}|sntryu_[a-f0-9]{64}"),
    Rule(
        "grafana-token",
        ("glc_eyJ", "glsa_", "eyJrIjoi"),
        r"glc_eyJ[A-Za-z0-9+/=]{32,400}|glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|eyJrIjoi[A-Za-z0-9+/=]{60,400}",
    ),
    Rule("dynatrace-token", ("dt0",), r"dt0[a-z]\d\d\.[A-Z2-7]{24}\.[A-Z2-7]{64}"),
    Rule("posthog-key", ("phx_", "phs_"), rf"{_L}ph[xs]_[A-Za-z0-9]{{40,64}}"),
    Rule("prefect-key", ("pnu_", "pnb_"), rf"{_L}pn[ub]_[A-Za-z0-9]{{36}}{_R}"),
    Rule("dbt-token", ("dbtc_", "dbtu_"), rf"{_L}dbt[cu]_[\w-]{{30,100}}", judge=_with_digits),
    # Work.
    Rule("linear-key", ("lin_api_", "lin_oauth_"), r"lin_(?:api|oauth)_[A-Za-z0-9]{40,80}"),
    Rule(
        "notion-token",
        ("ntn_", "secret_"),
        rf"{_L}(?:ntn_[A-Za-z0-9]{{40,60}}|secret_[A-Za-z0-9]{{43}}{_R})",
        judge=_with_digits,
    ),
    Rule("figma-token", ("figd_", "figdr_", "figoh_"), r"fig(?:dr?|oh)_[\w-]{40,80}"),
    Rule("airtable-token", ("pat",), r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    Rule("hubspot-token", ("pat-",), rf"pat-[a-z]{{2,4}}\d{{1,2}}-{_UUID}"),
    Rule("typeform-token", ("tfp_",), r"tfp_[\w-]{40,64}"),
    Rule("contentful-token", ("CFPAT-",), r"CFPAT-[\w-]{40,60}"),
    Rule("mapbox-token", ("sk.eyJ",), rf"sk\.{_JWT}"),
    Rule("private-key", ("prv",), rf"{_L}[xyztuv]prv[1-9A-HJ-NP-Za-km-z]{{100,112}}{_R}", offset=1),
    # Three parts in base64url, the first two JSON; five parts when encrypted.
    Rule("jwt", ("eyJ",), _LL + _JWT),
    # A PEM block in base64, as kubeconfig keeps it; certificates are public.
    Rule(
        "private-key",
        ("LS0tLS1CRUdJTi",),
        rf"(?:(?<![A-Za-z0-9+/])|{_ESCAPE})LS0tLS1CRUdJTi[A-Za-z0-9+/]{{100,20000}}={{0,2}}",
        judge=_private_pem,
    ),
)


def _private_number(found: re.Match[str]) -> Span | None:
    """64 hexadecimal digits are mostly a hash: only those right after `private key:` are one of a wallet's keys."""
    before = found.string[max(0, found.start() - 40) : found.start()]
    return found.span() if compiled(_PRIVATE).search(before) and not is_placeholder(found[0]) else None


_PRIVATE = r"(?i)priv(?:ate)?[ _-]?key[\"'`*\])]{0,4}[ \t]{0,3}(?:[:=]{1,2}|is|was)[ \t]{0,3}\\{0,8}[\"'`*(]{0,3}$"

_WALLETS = Rule("private-key", ("priv",), r"(?:0x)?[A-Fa-f0-9]{64}(?![\w-])", judge=_private_number)
_VENDORS = tuple(
    Rule(name, vendors, f"(?:{shape})(?![\\w-])", judge=_announced_and_random if name == "vendor-key" else _announced)
    for name, vendors, shape in (
        ("datadog-key", ("datadog", "dd_api", "dd-api", "dd_app", "dd-app"), "[a-f0-9]{32}(?:[a-f0-9]{8})?"),
        ("heroku-key", ("heroku",), _UUID),
        ("cloudflare-token", ("cloudflare", "cf_api"), r"[a-f0-9]{37}|[\w-]{40}"),
        ("mistral-key", ("mistral",), "[A-Za-z0-9]{32}"),
        ("cohere-key", ("cohere", "co_api"), "[A-Za-z0-9]{40}"),
        ("twilio-key", ("twilio",), "[a-f0-9]{32}"),
        ("pagerduty-key", ("pagerduty", "pd_api"), r"[\w-]{20}|[a-f0-9]{32}"),
        ("vercel-token", ("vercel",), "[A-Za-z0-9]{24}"),
        ("alibaba-secret-key", ("alibaba", "aliyun", "alicloud"), "[A-Za-z0-9]{30}"),
        ("tencent-secret-key", ("tencent", "qcloud"), "[A-Za-z0-9]{32}"),
        ("azure-key", ("azure",), "[a-f0-9]{32}|[A-Za-z0-9]{84}"),
        ("okta-token", ("okta",), r"00[\w-]{40}"),
        ("paypal-secret", ("paypal", "braintree"), r"[a-f0-9]{32}|E[\w-]{79}"),
        (
            "vendor-key",
            (
                "algolia", "assemblyai", "asana", "bugsnag", "circleci", "codecov", "deepgram", "elevenlabs", "fastly",
                "honeycomb", "intercom", "jenkins", "linode", "mailgun", "opsgenie", "pinecone", "railway", "rollbar",
                "segment", "snyk", "splunk", "trello", "wandb", "zendesk",
            ),
            rf"{_UUID}|[\w-]{{20,100}}",
        ),
    )
)  # fmt: skip
NEIGHBOURS: tuple[Rule, ...] = (_WALLETS, *_VENDORS)

# No vendor's name and no prefix of their own: the shape of the run is enough.
SHAPE_BEGINS = b"MNO"
"""With what the forms below begin: a log has many long ids, and few that do."""
SHAPES: tuple[Rule, ...] = (
    # A bot's id in base64, a time, a signature; an id is all digits, so its base64 begins with M, N or O.
    Rule("discord-token", (), r"[MNO][A-Za-z][A-Za-z0-9_-]{22,26}\.[\w-]{6,7}\.[\w-]{27,40}(?![\w-])"),
)
