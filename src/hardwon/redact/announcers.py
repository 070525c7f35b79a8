r"""Words that announce a secret, or a login, or something random and public, in the languages that people type.

Patterns for ASCII letters, whole words unless a rule says otherwise. A language is a line here and nothing elsewhere.
"""

PASSWORD = "|".join(
    (
        r"(?i:(?:pas{1,2}[wor0]{1,4}[dt]e?s?|passphrases?|passcodes?)(?![a-z])",
        r"(?<![a-z])(?:pass|pw|pwd|psw|pswd)(?![a-z])",
        r"kennw[oö]rte?r?|(?<![a-z])zugangsdaten(?![a-z])",
        r"mots? de passe|(?<![a-z])mdp(?![a-z])",
        r"contrase(?:ñ|n)as?|(?<![a-z])(?:clave|contra)(?![a-z])",
        r"(?<![a-z])(?:senha|segreto|parola|has[lł]o)(?![a-z]))",
        r"密码|密碼|口令|暗号|解压码|(?<![a-z])mm(?![a-z])",
        r"パスワード|パス(?![\u30a0-\u30ff])|キー(?![\u30a0-\u30ff])|暗証",
        r"[Пп]арол\w{0,3}|[Пп]асс(?!\w)",
        r"비밀번호|비번",
    )
)
"""A word for a password, also mistyped."""

ACCESS = "|".join(
    (
        r"(?i:(?<![a-z])(?:log(?:ged)?[ -]?[io]n|sign[ -]?in|accounts?|creds?|credentials|admin|root",
        r"ssh|s?ftp|rdp|vpn|vnc|nas|wi-?fi|wlan|ssid|router|portal|panel|nvr|cpanel",
        r"zip|rar|7z|pdf|xlsx?|unlock\w*|opens? with|decrypt\w*",
        r"zugang\w*|konto|anmeld\w*|schl(?:ü|ue)ssel|entsperr\w*",
        r"usuario|acceso|cuenta|entra(?:r)?|identifiants?|compte)(?![a-z]))",
        r"登录|登陆|登入|账号|帐号|账户|用户|解压|解开|无线",
        r"ログイン|アカウント|ユーザー|入れる|解凍",
        r"учётк\w|логин|доступ|пользовател\w",
    )
)
"""A word for what a password opens."""

OF_ANOTHER = "|".join(
    (
        r"(?i:(?<![a-z])(?:users?|user ?name|log in as|account|login|for|as",
        r"host|server|client|device|network|node|pod|ssid|wlan|wi-?fi|port|database|db|role|table|column",
        r"file|function|method|line|page|version|branch|commit|issue|ticket|pr|id|hash|sha|key id",
        r"benutzer(?:in)?|nutzer(?:in)?|konto|für|als|von|bei",
        r"usuario|red|de|del|at|на|от))[ \t]{0,2}[:=]?[ \t]{0,2}[\"'`„“«]?$",
        r"(?:用户名?|账号|帐号|账户|ユーザー|пользовател\w|учётк\w)[ \t:：は]{0,3}[\"'`„“「]?$",
    )
)
"""What stands right before a token that is no password: it names a user, a machine, a thing."""

SECRET = "|".join(
    (
        r"(?:api|access|auth\w{0,8}|refresh|id|bearer|session|secret|csrf|xsrf|private|deploy|ssh|account|shared|signing"
        r"|signature|encryption|licen[cs]e|service|master|client|webhook|bot|app|admin|registration|invite|join|reset|magic"
        r"|setup|recovery|backup|personal|integration|user|server|push|ingest|write|read|project|org|team|install\w{0,8})"
        r"[\s_.-]{0,2}(?:keys?|tokens?|secrets?)",
        r"tokens?|secrets?|keys?|pass\w{0,8}|pw|pwd|credentials?|creds?|cred|auth\w{0,8}|bearer|salt|pepper|seed|jwt|sid",
        r"cookies?|schl(?:ü|ue)ssel|zugangs\w{1,12}|kennwort|clave|llave|secreto|contrase(?:ñ|n)a|cl(?:é|e)|jeton|chave|senha",
        r"segredo|ключ\w{0,3}|токен\w{0,3}|секрет\w{0,3}|парол\w{0,3}",
        r"密钥|密鑰|秘钥|令牌|口令|密码|密碼|凭证|凭据|トークン|キー|鍵|シークレット|パスワード|키|토큰|비밀",
    )
)
"""A word for a key."""

WAY_IN = "pat|apis?|app(?:id)?|admin|login|licen[cs]es?|bearer|webhooks?|push|private|otp|totp|recovery"
OPENS = "|".join(
    (
        WAY_IN,
        r"access|wallet|ledger|zugang\w*|lizenz\w*|wiederherstell\w*|provision\w*|hooks?|feed|unlock\w*|entsperr\w*",
        r"restore\w*|account|dsn|2fa|mfa|digest|credential\w*|one[ ]time",
    )
)
"""Words beside which a random token is a way in, wherever they stand before it on its line."""

PUBLIC = "|".join(
    (
        r"ids?|uu?ids?|guids?|hash(?:es)?|sha\d{0,3}|md5|h1|sums?|checksums?|digests?|etags?|commits?|rev(?:ision)?s?",
        r"cursors?|fingerprints?|thumbprints?|traces?|spans?|requests?|builds?|versions?|integrity|nonce|public|pubkeys?",
        r"pub|cert(?:ificate)?s?|address(?:es)?|tx(?:id)?|slugs?|path|files?|filename|class(?:name)?|mappings|data|images?",
        r"img|icons?|fonts?|chunks?|modules?|layers?|blobs?|objects?|refs?|snapshots?|sequence|chains?|contract|nar|outputs?",
        r"drv|store|names?|verification|pods?|containers?|volumes?|instances?|arn|videos?|v|doc(?:ument)?s?|messages?|msg|events?",
        r"jobs?|runs?|tasks?|signer|known.hosts|host.?keys?|idempotency|cache|partition|sort|primary|foreign|row|test|sample",
        r"example|fake|dummy|mock",
    )
)
"""Names of things that are random and public."""

RECOVERY = "|".join(
    (
        r"(?i:recover\w*|bitlocker|luks|licen[cs]e|seed|totp|2fa|mfa|two.factor|backup[ _-]?codes?|one.time",
        r"product key|app(?:lication)?[ -]?(?:specific[ -]?)?(?:pass\w*|one)|mnemonic|phrase|wallet|ledger|trezor|cold",
        r"restore\w*|words|activation|wiederherstell\w*|lizenz\w*|w(?:ö|oe)rter|einmal\w*|palabras)",
        r"助记词|恢复|备份码|リカバリ|復元|シード|восстанов\w*|кошел\w*",
    )
)
"""A word for what is kept for the day when all else is lost."""
