"""The second fresh set of secrets: 180 keys and tokens, 130 passwords that people choose. See `bench/secrets/README.md`.

    python bench/secrets/second.py FILE

⟦…⟧ must not survive, ‹…› is random but harmless. Inside: "~gen args" is a generator, "@x" a value remembered by " @x"
at the end of an earlier one, "=..." or anything else literal; "¦prefix" after a generator stands before the lines that
follow.
"""

import base64, binascii, gzip, hashlib, json, random, re, string, struct, sys, zlib
from urllib.parse import quote

OUT = sys.argv[1]
R = random.Random(94031177)

SITUATIONS_KEY = """
 1 bash xtrace / set -x               2 fish, nushell, powershell, cmd variables
 3 shell history with timestamps      4 process environment dumps (/proc, docker inspect)
 5 here-documents and here-strings    6 positional arguments of small cli tools
 7 cloud: sts, iam, service principals, storage keys, SAS links, presigned URLs
 8 cloud: chinese, russian, french, german providers
 9 CI logs (actions, gitlab, jenkins, teamcity, buildkite)   10 CI definitions
11 sql shells: expanded, \\G, pipe, table                     12 key-value stores
13 document databases                14 ORM dumps and echo/bind logs
15 database URLs with generated passwords                    16 time series / search clusters first start
17 editors: rest client, sftp, authinfo, jetbrains, vim swap, notebooks
18 chats: slack/whatsapp/teams exports, webhooks, bots       19 several spoken languages
20 mobile: gradle, plist, strings.xml, logcat, dart, swift   21 store signing / push keys
22 embedded: C byte arrays, zigbee, lorawan, thread, serial console, mqtt
23 wifi psk (64 hex / 63 chars)      24 crypto: mnemonic, xprv, WIF, hex, json byte array, nostr, stellar
25 identity providers: okta, auth0, keycloak, SCIM, SAML      26 TOTP seeds, otpauth, recovery codes
27 AD: NTLM and kerberos keys        28 observability vendors  29 alert routing
30 payment providers of five continents                       31 mail providers, app passwords, SMTP transcript
32 DKIM, TSIG, DNS                   33 wireguard, openvpn static, ipsec, tailnet, proxies links
34 network gear exports              35 terraform output/plan/state/tfvars
36 ansible, pulumi, chef, consul, vault, nomad                37 kubernetes secret, join, kubeconfig, encryption config
38 helm values and --set             39 package registries: npm, pypi, nuget, maven, composer, gems, docker
40 web frameworks: django, laravel, rails, asp.net, wordpress, phoenix, spring
41 cookies, session stores           42 browser: copy as fetch/cURL, HAR, cookies.txt, localStorage
43 magic links, private calendar links, meeting links         44 stream keys
45 private key: escaped newlines     46 private key: one line   47 private key: header lost
48 private key: quoted mail          49 private key: diff       50 private key: line numbers / log prefix
51 private key: hexdump              52 private key: openssl text   53 private key: ppk, JWK, XML, concat in source
54 private key: cut off              55 private key: base64 of pem
56 encoded: base64, double base64, hex, percent, gzip, quoted-printable, unicode escapes, char codes
57 wrapped by terminal, yaml folding, csv/html mail           58 key split in halves
59 SDK constructor, python/go/rust/java/c#/php/ruby/swift/kotlin/elixir/r/matlab/perl/lua/js
60 GraphQL / REST creation responses 61 core dump, gdb, strings   62 debug prints in 7 languages
63 git remotes, extraheader, credential helper                64 git hooks, scanners' reports
65 password manager sessions and cli 66 backup tools          67 cron and systemd units
68 office macros, spreadsheets, csv  69 home automation, media servers
70 tracebacks with locals            71 sed rotation, openssl on the command line
"""

# ---------------------------------------------------------------- generators
LO, UP, DI = string.ascii_lowercase, string.ascii_uppercase, string.digits
def pick(alpha, n):
    return "".join(R.choice(alpha) for _ in range(n))
def mixed(alpha, n, *need):
    while True:
        s = pick(alpha, n)
        if n < 8 or all(any(c in g for c in s) for g in need):
            return s
def rb(n): return bytes(R.randrange(256) for _ in range(n))
def b64(b): return base64.b64encode(b).decode()
def b64u(b): return base64.urlsafe_b64encode(b).decode().rstrip("=")
def wrap(s, w): return "\n".join(s[i:i+w] for i in range(0, len(s), w))
B58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
def b58c(b):
    b += hashlib.sha256(hashlib.sha256(b).digest()).digest()[:4]
    n, s = int.from_bytes(b, "big"), ""
    while n:
        n, r = divmod(n, 58); s = B58[r] + s
    return "1" * (len(b) - len(b.lstrip(b"\0"))) + s
BECH = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
def bech32(hrp, data):
    acc = bits = 0; five = []
    for v in data:
        acc = (acc << 8) | v; bits += 8
        while bits >= 5:
            bits -= 5; five.append((acc >> bits) & 31)
    if bits: five.append((acc << (5 - bits)) & 31)
    def poly(vals):
        chk = 1
        for v in vals:
            top = chk >> 25; chk = (chk & 0x1ffffff) << 5 ^ v
            for i, g in enumerate((0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3)):
                chk ^= g if (top >> i) & 1 else 0
        return chk
    ex = [ord(c) >> 5 for c in hrp] + [0] + [ord(c) & 31 for c in hrp]
    pm = poly(ex + five + [0]*6) ^ 1
    return hrp + "1" + "".join(BECH[d] for d in five + [(pm >> 5*(5-i)) & 31 for i in range(6)])
def stellar(ver=18 << 3):
    d = bytes([ver]) + rb(32); crc = 0
    for x in d:
        crc ^= x << 8
        for _ in range(8): crc = ((crc << 1) ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xffff
    return base64.b32encode(d + struct.pack("<H", crc)).decode().rstrip("=")
def crc62(prefix, n=30):
    body = mixed(LO+UP+DI, n, LO, UP, DI)
    c, s = zlib.crc32(body.encode()), ""
    a = DI + UP + LO
    for _ in range(6): c, r = divmod(c, 62); s = a[r] + s
    return prefix + body + s
def tlv(t, b):
    n = len(b)
    l = bytes([n]) if n < 128 else (lambda x: bytes([0x80 | len(x)]) + x)(n.to_bytes((n.bit_length()+7)//8, "big"))
    return bytes([t]) + l + b
def num(n):
    b = bytearray(rb(n)); b[0] |= 0xc0; b[-1] |= 1
    return tlv(2, b"\0" + bytes(b))
def rsa_parts(bits):
    h = bits // 16
    return [num(bits//8), tlv(2, b"\1\0\1"), num(bits//8), num(h), num(h), num(h), num(h), num(h)]
def rsa_der(bits): return tlv(0x30, tlv(2, b"\0") + b"".join(rsa_parts(bits)))
def p8(bits):
    alg = bytes.fromhex("300d06092a864886f70d0101010500")
    return tlv(0x30, tlv(2, b"\0") + alg + tlv(4, rsa_der(bits)))
def ec_der():
    return tlv(0x30, tlv(2, b"\1") + tlv(4, rb(32)) + tlv(0xa0, bytes.fromhex("06082a8648ce3d030107")) + tlv(0xa1, tlv(3, b"\0\4" + rb(64))))
def ec_p8():
    inner = tlv(0x30, tlv(2, b"\1") + tlv(4, rb(32)) + tlv(0xa1, tlv(3, b"\0\4" + rb(64))))
    return tlv(0x30, tlv(2, b"\0") + bytes.fromhex("301306072a8648ce3d020106082a8648ce3d030107") + tlv(4, inner))
def ssh_ed(comment):
    s = lambda b: struct.pack(">I", len(b)) + b
    pub = rb(32); pk = s(b"ssh-ed25519") + s(pub); c = rb(4)
    priv = c + c + s(b"ssh-ed25519") + s(pub) + s(rb(32) + pub) + s(comment.encode())
    i = 1
    while len(priv) % 8: priv += bytes([i]); i += 1
    return b"openssh-key-v1\0" + s(b"none") + s(b"none") + s(b"") + struct.pack(">I", 1) + s(pk) + s(priv)
def uuid():
    h = rb(16).hex()
    return f"{h[:8]}-{h[8:12]}-4{h[13:16]}-{R.choice('89ab')}{h[17:20]}-{h[20:]}"
JP = {
 "user": {"sub": "auth0|64f0a1c2", "aud": "https://api.kestrelpay.example", "iss": "https://login.kestrelpay.example/", "iat": 1741340000, "exp": 1741426400, "scope": "openid profile admin:all"},
 "supa": {"iss": "supabase", "ref": "qkzvhtrnwplmadyeboxc", "role": "service_role", "iat": 1718000000, "exp": 2033576000},
 "ha": {"iss": "4f0f3f1a9c1d4b7f8e0d6a2b5c3e1f7d", "iat": 1722345678, "exp": 2037705678},
 "k8s": {"iss": "kubernetes/serviceaccount", "kubernetes.io/serviceaccount/namespace": "ci", "kubernetes.io/serviceaccount/secret.name": "deployer-token-9x2fk", "sub": "system:serviceaccount:ci:deployer"},
 "short": {"uid": 8812, "r": "owner", "exp": 1767225600},
}
def jwt(kind="user", sig=32):
    alg = "HS256" if int(sig) == 32 else "RS256"
    d = lambda o: b64u(json.dumps(o, separators=(",", ":")).encode())
    return d({"alg": alg, "typ": "JWT"}) + "." + d(JP[kind]) + "." + b64u(rb(int(sig)))
WORDS = """absorb adapt agree alarm album alley amused anchor ankle apology arctic armor aspect athlete autumn avocado
bachelor badge bamboo banner barrel basket beach beyond bicycle blanket blossom borrow bracket brisk bubble buffalo butter cabin cactus
camera canyon captain carbon cargo cattle ceiling cereal chalk cherry chimney cinnamon citizen clarify cliff clutch coconut color
copper coral cradle cricket cruise cupboard curtain dance decade define dentist desert diagram dinosaur dolphin donkey dragon drift
eagle earth echo elbow elegant emerge engine enrich envelope erosion escape evidence exhibit fabric faint falcon fashion feature fence
fiction finger flame flavor fossil fragile frost funny gadget garlic gather gentle giraffe glimpse glove goddess gospel grape guitar
hammer harvest hedgehog helmet hidden hockey horror humble hybrid icon impulse inch inhale island ivory jacket jealous jewel jungle kangaroo kidney kiwi
ladder laptop lava legend lemon library lizard lobster lounge lunar magnet mango marble meadow mention midnight mimic mosquito muffin mystery
napkin narrow neglect nephew noodle nuclear oblige obscure ocean olive onion orbit orphan ostrich oxygen paddle panther parrot peanut pelican pepper piano
pigeon pioneer polar potato pudding pumpkin quantum quarter rabbit raccoon ranch raven rebel remind rescue ribbon rifle ritual rocket saddle salmon
scatter scorpion shadow shrimp siege silver siren sketch slogan spider spoon squirrel sunset swallow symptom tackle teach thunder tiger timber tobacco tornado
trumpet tunnel turtle umbrella unfold uphold utility vacant velvet venture vicious vintage vivid voyage walnut wealth whisper wisdom yellow zebra""".split()
def words(n): return " ".join(R.sample(WORDS, int(n)))
SYMS = "!#$%&()*+-:;<=>?@[]^_{|}~"
def pgp_body():
    raw = bytes([0x95, 0x03, 0x98, 4]) + rb(1000)
    return wrap(b64(raw), 64) + "\n=" + b64(rb(3))
G = {
 "hex": lambda n: mixed("0123456789abcdef", int(n), "abcdef", DI),
 "HEX": lambda n: mixed("0123456789ABCDEF", int(n), "ABCDEF", DI),
 "an": lambda n: mixed(LO+UP+DI, int(n), LO, UP, DI),
 "lan": lambda n: mixed(LO+DI, int(n), LO, DI),
 "uan": lambda n: mixed(UP+DI, int(n), UP, DI),
 "al": lambda n: mixed(LO+UP, int(n), LO, UP),
 "low": lambda n: pick(LO, int(n)),
 "up": lambda n: pick(UP, int(n)),
 "dig": lambda n: R.choice("123456789") + pick(DI, int(n)-1),
 "b32": lambda n: mixed(UP+"234567", int(n), UP, "234567"),
 "b32l": lambda n: mixed("abcdefghjkmnpqrstwxyz13456789", int(n), LO, DI),
 "b64": lambda n: b64(rb(int(n))),
 "b64u": lambda n: b64u(rb(int(n))),
 "b64n": lambda n: mixed(LO+UP+DI+"+/", int(n), LO, UP, DI),
 "idc": lambda n: mixed(LO+UP+DI+"-_", int(n), LO, UP, DI),
 "uuid": lambda: uuid(), "UUID": lambda: uuid().upper(),
 "dj": lambda n: mixed(LO+DI+"!@#$%^&*(-_=+)", int(n), LO, DI, "!@#$%^&*"),
 "pw": lambda n: mixed(LO+UP+DI+"!#%*-_+=?@^~", int(n), LO, UP, DI, "!#%*-_+=?@^~"),
 "pwu": lambda n: mixed(LO+UP+DI+"-_.~", int(n), LO, UP, DI),
 "salt": lambda n: mixed(LO+UP+DI+SYMS, int(n), LO, UP, DI, SYMS),
 "jwt": lambda *a: jwt(*a),
 "gh": lambda p: crc62(p),
 "words": words,
 "rsa": lambda n: wrap(b64(rsa_der(int(n))), 64),
 "p8": lambda n: wrap(b64(p8(int(n))), 64),
 "ecp8": lambda: wrap(b64(ec_p8()), 64), "ec": lambda: wrap(b64(ec_der()), 64),
 "edssh": lambda c: wrap(b64(ssh_ed(c)), 70),
 "pgp": pgp_body,
 "wif": lambda: b58c(b"\x80" + rb(32) + b"\1"),
 "xprv": lambda: b58c(bytes.fromhex("0488ade4") + b"\3" + rb(4) + rb(4) + rb(32) + b"\0" + rb(32)),
 "nsec": lambda: bech32("nsec", rb(32)),
 "age": lambda: bech32("age-secret-key-", rb(32)).upper(),
 "stellar": lambda: stellar(),
 "cbl": lambda n: ", ".join("0x%x" % x for x in rb(int(n))),
 "ints": lambda n: ",".join(str(x) for x in rb(int(n))),
 "cbytes": lambda n: ", ".join("0x%02X" % x for x in rb(int(n))),
}
def inner(t): return re.sub(r"%\{([^}]*)\}", lambda m: call(m.group(1)), t)
TG = {
 "t": inner,
 "b64e": lambda t: b64(inner(t).encode()),
 "hexe": lambda t: inner(t).encode().hex(),
 "pct": lambda t: quote(inner(t), safe=""),
 "wrapped": lambda t: (lambda w, s: wrap(inner(s), int(w)))(*t.split(" ", 1)),
}
def call(spec):
    name, _, rest = spec.partition(" ")
    if name in TG: return TG[name](rest)
    return G[name](*rest.split())
def M(s): return "⟦=" + s + "⟧"

CASES, WARN = [], []
def render(t):
    env, secrets, marked = {}, [], {}
    def sub(m):
        hot = m.group(1) is not None
        c = m.group(1) if hot else m.group(2)
        pre = ""
        if c.startswith("="): val = c[1:]
        elif c.startswith("@"): val = env[c[1:]]
        elif c.startswith("~"):
            c = c[1:]
            if "¦" in c: c, pre = c.split("¦", 1)
            var = None
            mm = re.search(r" @(\w+)$", c)
            if mm: var, c = mm.group(1), c[:mm.start()]
            val = call(c)
            if var: env[var] = val
        else: val = c
        if hot:
            for ln in val.split("\n"):
                if len(ln) >= 6:
                    marked[ln] = marked.get(ln, 0) + 1
                    if ln not in secrets: secrets.append(ln)
        return val.replace("\n", "\n" + pre)
    text = re.sub(r"⟦(.*?)⟧|‹(.*?)›", sub, t.strip("\n"), flags=re.S)
    return text, secrets, marked
def add(cls, route, situation, t, **kw):
    text, secrets, marked = render(t)
    for s, n in marked.items():
        if text.count(s) != n: WARN.append((len(CASES)+1, "occurs %d, marked %d" % (text.count(s), n), s[:20]))
    CASES.append(dict(cls=cls, route=route, situation=situation, text=text, secrets=secrets, **kw))
def k(route, situation, t, v=0, a=1): add("key", route, situation, t, v=v, a=a)
def p(route, situation, t, lang=""): add("password", route, situation, t, lang=lang)

# =================================================================== KEYS: output
k("output", "bash xtrace of a purge script", r'''
+ set -euo pipefail
+ ZONE=‹~hex 32›
+ curl -fsS -X POST -H 'X-Auth-Email: infra@brightlane.example' -H 'X-Auth-Key: ⟦~hex 37⟧' https://api.cloudflare.com/client/v4/zones/‹~hex 32›/purge_cache
curl: (22) The requested URL returned error: 403
+ exit 22
''')
k("output", "cat -v of /proc/PID/environ", r'''
root@collector-3:~# cat -v /proc/1187/environ
LANG=C.UTF-8^@PWD=/srv/shipper^@HOME=/var/lib/shipper^@LOGZIO=⟦~al 32⟧^@LISTENER=https://listener-eu.logz.io:8071^@INVOCATION_ID=‹~hex 32›^@SHLVL=0^@
''', a=0)
k("output", "sts assume-role JSON", r'''
$ aws sts assume-role --role-arn arn:aws:iam::‹~dig 12›:role/break-glass --role-session-name mk
{
    "Credentials": {
        "AccessKeyId": "‹~t ASIA%{b32 16}›",
        "SecretAccessKey": "⟦~b64n 40⟧",
        "SessionToken": "⟦~t IQoJb3JpZ2luX2VjE%{b64n 420}==⟧",
        "Expiration": "2025-06-18T14:05:51+00:00"
    },
    "AssumedRoleUser": {
        "AssumedRoleId": "AROA‹~b32 17›:mk"
    }
}
''', v=1)
k("output", "iam create-access-key, text output", r'''
$ aws iam create-access-key --user-name svc-backup --output text
ACCESSKEY	AKIA‹~b32 16›	2025-04-02T08:41:10+00:00	⟦~b64n 40⟧	Active	svc-backup
''', v=1, a=0)
k("output", "terraform output -json piped through jq", r'''
$ terraform output -json | jq '.db_admin, .endpoint'
{
  "sensitive": true,
  "type": "string",
  "value": "⟦~pw 24⟧"
}
{
  "sensitive": false,
  "type": "string",
  "value": "ledger-prod.c9xk2.eu-west-1.rds.amazonaws.com:5432"
}
''', a=0)
k("output", "terraform plan diff with old and new value", r'''
  # module.queue.aws_mq_broker.main will be updated in-place
  ~ resource "aws_mq_broker" "main" {
        id   = "b-‹~uuid›"
      ~ user {
          ~ password = "⟦~an 28⟧" -> "⟦~an 28⟧"
            username = "broker"
        }
    }

Plan: 0 to add, 1 to change, 0 to destroy.
''')
k("output", "kubectl get secret -o yaml, base64 of a DSN", r'''
apiVersion: v1
data:
  dsn: ⟦~b64e postgres://ledger:%{an 22}@pg-rw.data.svc:5432/ledger?sslmode=require⟧
  mode: cmVhZHdyaXRl
kind: Secret
metadata:
  creationTimestamp: "2024-12-09T10:22:41Z"
  name: ledger-db
  namespace: payments
  resourceVersion: "‹~dig 8›"
type: Opaque
''', a=0)
k("output", "kubectl config view --raw", r'''
users:
- name: kubernetes-admin
  user:
    client-certificate-data: ‹~t LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk%{an 160}›
    client-key-data: '''+ M(b64(('-----BEGIN RSA PRIVATE KEY-----\n' + wrap(b64(rsa_der(2048)), 64) + '\n-----END RSA PRIVATE KEY-----\n').encode())) + r'''
''', v=1)
k("output", "kubeadm init epilogue", r'''
You can now join any number of the control-plane node running the following command on each as root:

  kubeadm join 10.20.0.5:6443 --token ⟦~t %{lan 6}.%{lan 16} @tok⟧ \
	--discovery-token-ca-cert-hash sha256:‹~hex 64› \
	--control-plane --certificate-key ⟦~hex 64⟧

Please note that the certificate-key gives access to cluster sensitive data, keep it secret!
''')
k("output", "k3s join file", r'''
pi@edge-01:~ $ sudo cat /var/lib/rancher/k3s/server/node-token
⟦~t K10%{hex 64}::server:%{hex 32}⟧
pi@edge-01:~ $ logout
Connection to 192.168.20.11 closed.
''', v=1, a=0)
k("output", "vault operator init", r'''
Unseal Key 1: ⟦~b64 33⟧
Unseal Key 2: ⟦~b64 33⟧
Unseal Key 3: ⟦~b64 33⟧

Initial Root Token: ⟦~t hvs.%{an 24}⟧

Vault initialized with 3 key shares and a key threshold of 2. Please securely
distribute the key shares printed above.
''', v=1)
k("output", "openssl rand shown on screen before use", r'''
$ openssl rand -base64 36
⟦~b64 36⟧
$ # -> paste that as sessions.signing in values-prod.yaml
$ openssl version
OpenSSL 3.0.13 30 Jan 2024
''', a=0)
k("output", "psql expanded record", r'''
billing=# \x
Expanded display is on.
billing=# select * from api_clients where id = 41;
-[ RECORD 1 ]-+-----------------------------------------
id            | 41
name          | partner-nordwind
client_secret | ⟦~hex 40⟧
created_at    | 2023-08-14 07:12:55.210443+00
active        | t
''')
k("output", "psql table of integrations, header far away", r'''
crm=> select tenant, vendor, val from integration_creds order by 1;
   tenant   |  vendor  |                val
------------+----------+-----------------------------------
 acorn      | twilio   | ⟦~hex 32⟧
 acorn      | algolia  | ⟦~hex 32⟧
 birchwood  | geckolab | ⟦~lan 30⟧
(3 rows)
''', a=0)
k("output", "mysql vertical output", r'''
mysql> SELECT * FROM users WHERE id=3\G
*************************** 1. row ***************************
            id: 3
         email: petra.novak@handelshaus.example
     api_token: ⟦~an 60⟧
remember_token: ⟦~an 60⟧
    updated_at: 2025-02-03 18:44:09
1 row in set (0.00 sec)
''')
k("output", "redis HGETALL of an integration hash", r'''
127.0.0.1:6379> HGETALL integration:xero:org:118
1) "tenant"
2) "‹~uuid›"
3) "refresh"
4) "⟦~b64u 32⟧"
5) "expires"
6) "1745310221"
''', a=0)
k("output", "mongosh document with mfa seed", r'''
rs0 [primary] idp> db.people.findOne({email: /^henrik/})
{
  _id: ObjectId('‹~hex 24›'),
  email: 'henrik.lund@fjordbank.example',
  mfa: { type: 'totp', seed: '⟦~b32 32⟧', confirmed: true },
  roles: [ 'auditor' ]
}
''', a=0)
k("output", "rails console inspect", r'''
irb(main):004> ApiCredential.where(partner: "zalora-sync").last
  ApiCredential Load (0.6ms)  SELECT "api_credentials".* FROM "api_credentials" WHERE ...
=> #<ApiCredential id: 12, partner: "zalora-sync", bearer: "⟦~b64u 24⟧", scopes: ["orders:read"], last_used_at: "2025-01-07 03:00:04.000000000 +0000">
''')
k("output", "django shell values_list", r'''
>>> from hooks.models import Integration
>>> list(Integration.objects.values_list("vendor", "cred"))
[('mailjet', '⟦~hex 32⟧'), ('vonage', '⟦~an 16⟧'), ('geoapify', '⟦~hex 32⟧')]
>>> 
''', a=0)
k("output", "hibernate bind trace", r'''
09:12:01.114 DEBUG [nio-8080-exec-4] org.hibernate.SQL : insert into webhook_endpoint (active,signing_secret,url,id) values (?,?,?,?)
09:12:01.115 TRACE [nio-8080-exec-4] o.h.orm.jdbc.bind : binding parameter (1:BOOLEAN) <- [true]
09:12:01.115 TRACE [nio-8080-exec-4] o.h.orm.jdbc.bind : binding parameter (2:VARCHAR) <- [⟦~b64u 33⟧]
09:12:01.115 TRACE [nio-8080-exec-4] o.h.orm.jdbc.bind : binding parameter (3:VARCHAR) <- [https://hooks.partner.example/in]
09:12:01.116 TRACE [nio-8080-exec-4] o.h.orm.jdbc.bind : binding parameter (4:BIGINT) <- [2207]
''', a=0)
k("output", "sqlalchemy echo", r'''
2025-03-19 11:02:17,903 INFO sqlalchemy.engine.Engine INSERT INTO oauth_grant (user_id, access_token, refresh_token, expires_at) VALUES (%(user_id)s, %(access_token)s, %(refresh_token)s, %(expires_at)s)
2025-03-19 11:02:17,903 INFO sqlalchemy.engine.Engine [generated in 0.00031s] {'user_id': 7, 'access_token': '⟦~an 42⟧', 'refresh_token': '⟦~an 42⟧', 'expires_at': datetime.datetime(2025, 3, 19, 12, 2, 17)}
2025-03-19 11:02:17,911 INFO sqlalchemy.engine.Engine COMMIT
''')
k("output", "prisma query log params", r'''
prisma:query INSERT INTO "public"."Account" ("id","userId","provider","providerAccountId","access_token","token_type") VALUES ($1,$2,$3,$4,$5,$6) RETURNING "public"."Account"."id"
prisma:params ["‹~t cl%{lan 23}›","‹~t cl%{lan 23}›","strava","88120455","⟦~hex 40⟧","Bearer"]
''', a=0)
k("output", "graphql mutation response", r'''
$ gql-cli https://hub.tidewater.example/graphql < mk.graphql | jq .
{
  "data": {
    "credentialIssue": {
      "credential": { "id": "Q3JlZDo5MQ==", "label": "nightly-export" },
      "plaintext": "⟦~b64u 36⟧",
      "errors": []
    }
  }
}
''', a=0)
k("output", "strings on a core dump", r'''
$ strings -n 12 core.4121 | grep -A2 -i '^authoriz'
Authorization: Bearer ⟦~jwt user 256⟧
Accept-Encoding: gzip
User-Agent: kestrel-worker/2.14.0
''', v=1)
k("output", "gdb prints AES context", r'''
(gdb) frame 2
#2  0x00005581a1f0 in frame_seal (ctx=0x7ffd1c10, pkt=0x5581c3e0) at link.c:212
(gdb) p/x ctx->k
$3 = {⟦~cbl 8⟧,
  ⟦~cbl 8⟧,
  ⟦~cbl 8⟧,
  ⟦~cbl 8⟧}
(gdb) p ctx->rounds
$4 = 14
''', a=0)
k("output", "go %+v of config struct", r'''
2025/02/11 09:14:22 main.go:58: cfg=&{Addr::8080 Env:staging Shopfeed:{URL:https://feed.shopfeed.example Key:⟦~hex 40⟧ Timeout:10s} Cache:{TTL:5m0s Size:512}}
2025/02/11 09:14:22 main.go:71: listening on :8080
''')
k("output", "rust dbg! pretty print", r'''
[src/boot.rs:41:5] &settings = Settings {
    bind: "0.0.0.0:3000",
    workers: 4,
    hashing: Hashing {
        algo: Argon2id,
        pepper: "⟦~b64u 24⟧",
    },
    tenants: [],
}
''', a=0)
k("output", "php var_dump of payment config", r'''
array(4) {
  ["app_id"]=>
  string(18) "wx‹~hex 16›"
  ["mch_id"]=>
  string(10) "16‹~dig 8›"
  ["mch_key"]=>
  string(32) "⟦~an 32⟧"
  ["notify_url"]=>
  string(42) "https://pay.lanhai-trade.example/wx/notify"
}
''')
k("output", "axios error object printed by node", r'''
AxiosError: Request failed with status code 429
    at settle (/app/node_modules/axios/lib/core/settle.js:19:12) {
  code: 'ERR_BAD_REQUEST',
  config: {
    method: 'get',
    url: 'https://kulturkasse.zendesk.example/api/v2/tickets.json',
    headers: Object [AxiosHeaders] {
      Accept: 'application/json',
      Authorization: 'Basic ⟦~b64e bot@kulturkasse.example/token:%{an 40}⟧'
    },
    maxRedirects: 5
  }
}
''')
k("output", "java toString at start-up", r'''
12:00:03.551 [main] INFO  c.a.ledger.Boot - DataSourceProps[url=jdbc:oracle:thin:@//ora-ex.acme.example:1521/LEDG, user=SVC_LEDGER, pwd=⟦~pwu 22⟧, poolSize=12]
12:00:04.020 [main] INFO  com.zaxxer.hikari.HikariDataSource - HikariPool-1 - Starting...
''')
k("output", "adb logcat of an auth repository", r'''
04-11 10:31:55.871  4121  4160 D OkHttp  : <-- 200 https://id.rideco.example/oauth2/refresh (211ms)
04-11 10:31:55.874  4121  4160 D AuthRepo: refreshed -> Session(acc=⟦~b64u 48⟧, ref=⟦~b64u 48⟧, exp=3600)
04-11 10:31:55.902  4121  4121 I Choreographer: Skipped 31 frames!
''', a=0)
k("output", "git remote -v of a bitbucket clone", r'''
$ git remote -v
origin	https://x-token-auth:⟦~t ATCTT3xFfGN0%{idc 160}=%{HEX 8} @b⟧@bitbucket.org/nordlicht/shop-api.git (fetch)
origin	https://x-token-auth:⟦@b⟧@bitbucket.org/nordlicht/shop-api.git (push)
''', v=1)
k("output", "gitleaks json report", r'''
 {
  "Description": "Generic API Key",
  "StartLine": 17,
  "Match": "mapbase = '⟦~hex 40 @m⟧'",
  "Secret": "⟦@m⟧",
  "File": "web/src/geo.ts",
  "Commit": "‹~hex 40›",
  "Author": "Ilse Brandt",
  "RuleID": "generic-api-key"
 }
''')
k("output", "trufflehog finding", r'''
Found verified result
Detector Type: Mailchimp
Decoder Type: PLAIN
Raw result: ⟦~t %{hex 32}-us12⟧
Commit: ‹~hex 40›
File: scripts/newsletter.rb
Line: 9
Timestamp: 2024-10-30 16:01:22 +0000
''', a=0)
k("output", "docker inspect Env array", r'''
            "Env": [
                "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                "NODE_VERSION=20.11.1",
                "COOKIE_SALT=⟦~hex 48⟧",
                "QUEUE=amqps://svc:⟦~an 32⟧@kingfisher.rmq.example/svc"
            ],
            "Cmd": [
                "node",
                "dist/main.js"
            ],
''', a=0)
k("output", "docker history with build argument", r'''
IMAGE          CREATED       CREATED BY                                                                SIZE
‹~hex 12›   3 weeks ago   RUN |1 NPM=⟦~uuid⟧ /bin/sh -c echo "//npm.bluefin.example/:_authToken=$NPM" > .npmrc && npm ci && rm .npmrc # buildkit   211MB
<missing>      3 weeks ago   COPY package*.json ./ # buildkit                                          402kB
''', a=0)
k("output", "github actions log, unmasked env", r'''
2025-03-04T11:22:31.8213340Z ##[group]Run npx sentry-cli releases new "$REL"
2025-03-04T11:22:31.8214001Z env:
2025-03-04T11:22:31.8214220Z   REL: web@4.18.0
2025-03-04T11:22:31.8214541Z   SENTRY_AUTH_TOKEN: '''+ M('sntrys_' + b64(b'{"iat":1709551351.481,"url":"https://sentry.io","region_url":"https://us.sentry.io","org":"tidewater"}') + '_' + G['b64n'](43)) + r'''
2025-03-04T11:22:31.8214910Z ##[endgroup]
2025-03-04T11:22:33.0171233Z error: API request failed (403)
''', v=1)
k("output", "jenkins script console dump", r'''
nexus-deployer     deployer           ⟦~an 24⟧
sonar              (secret text)      ⟦~t squ_%{hex 40}⟧
jira-bot           jirabot            ⟦~pw 16⟧
Result: [null, null, null]
''', v=1, a=0)
k("output", "secretsdump of a domain controller (red team)", r'''
[*] Dumping Domain Credentials (domain\uid:rid:lmhash:nthash)
[*] Using the DRSUAPI method to get NTDS.DIT secrets
Administrator:500:aad3b435b51404eeaad3b435b51404ee:⟦~hex 32⟧:::
KELLER\svc_sql:1119:aad3b435b51404eeaad3b435b51404ee:⟦~hex 32⟧:::
[*] Kerberos keys grabbed
krbtgt:aes256-cts-hmac-sha1-96:⟦~hex 64⟧
[*] Cleaning up...
''', a=0)
k("output", "wg show dump", r'''
# wg show wg0 dump
⟦~b64 32⟧	‹~b64 32›	51820	off
‹~b64 32›	⟦~b64 32⟧	198.51.100.23:51820	10.77.0.2/32	1744011223	1822033	992011	25
''', a=0)
k("output", "nmcli shows wifi psk of a plant network", r'''
$ nmcli -s -g 802-11-wireless.ssid,802-11-wireless-security.psk con show plant-5g
PLANT-5G
⟦~an 63⟧
''', a=0)
def _colon(n, ind="    ", per=15):
    h = ["%02x" % x for x in rb(n)]
    rows = [":".join(h[i:i+per]) for i in range(0, n, per)]
    return "\n".join(ind + M(r + (":" if i < len(rows)-1 else "")) for i, r in enumerate(rows))
k("output", "openssl rsa -text", f'''
$ openssl rsa -in old.pem -noout -text | sed -n '/privateExponent/,/exponent1/p'
privateExponent:
{_colon(128)}
prime1:
{_colon(64)}
prime2:
{_colon(64)}
exponent1:
''')
def _xxd(data):
    out = []
    for i in range(0, len(data), 16):
        c = data[i:i+16]
        h = " ".join(c[j:j+2].hex() for j in range(0, len(c), 2))
        a = "".join(chr(x) if 32 <= x < 127 else "." for x in c)
        hot = 48 <= i < len(data) - 40
        out.append("%08x: " % i + (M(h) if hot else h) + " " * (41 - len(h)) + (M(a) if hot else a))
    return "\n".join(out)
_ed = ("-----BEGIN OPENSSH PRIVATE KEY-----\n" + wrap(b64(ssh_ed("ci@forge")), 70) + "\n-----END OPENSSH PRIVATE KEY-----\n").encode()
k("output", "xxd of a private key file", "$ xxd id_ed25519\n" + _xxd(_ed))
k("output", "wallet cli prints new seed", r'''
Generating a new keypair

For added security, enter a BIP39 passphrase
NOTE! This passphrase improves security of the recovery seed phrase NOT the
keypair file itself, which is stored as insecure plain text
BIP39 Passphrase (empty for none): 

Wrote new keypair to validator-identity.json
================================================================================
pubkey: ‹~t 7%{an 43}›
================================================================================
Save this seed phrase and your BIP39 passphrase to recover your new keypair:
⟦~words 12⟧
================================================================================
''', a=0)
k("output", "argocd initial admin", r'''
$ kubectl -n argocd get secret argocd-initial-admin-secret -o jsonpath="{.data.password}" | base64 -d; echo
⟦~an 16⟧
$ kubectl -n argocd port-forward svc/argocd-server 8443:443
Forwarding from 127.0.0.1:8443 -> 8080
''', a=0)
k("output", "jupyter start message", r'''
[I 2025-05-14 08:02:11.410 ServerApp] Jupyter Server 2.13.0 is running at:
[I 2025-05-14 08:02:11.410 ServerApp] http://gpu-07:8888/lab?token=⟦~hex 48 @j⟧
[I 2025-05-14 08:02:11.410 ServerApp]     http://127.0.0.1:8888/lab?token=⟦@j⟧
[I 2025-05-14 08:02:11.411 ServerApp] Use Control-C to stop this server and shut down all kernels
''')
k("output", "az storage account keys list", r'''
$ az storage account keys list -n stlandingprod -o table
CreationTime                      KeyName    Permissions    Value
--------------------------------  ---------  -------------  ----------------------------------------------------------------------------------------
2024-02-01T07:11:09.331205+00:00  key1       FULL           ⟦~b64 64⟧
2024-02-01T07:11:09.331205+00:00  key2       FULL           ⟦~b64 64⟧
''', a=0)
k("output", "elasticsearch first start banner", r'''
━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
✅ Elasticsearch security features have been automatically configured!
✅ Authentication is enabled and cluster connections are encrypted.

ℹ️  Password for the elastic user (reset with `bin/elasticsearch-reset-password -u elastic`):
  ⟦~t %{an 10}*%{an 4}+%{an 4}⟧

ℹ️  HTTP CA certificate SHA-256 fingerprint:
  ‹~hex 64›
''', a=0)
k("output", "pip verbose index line", r'''
Looking in indexes: https://build:⟦~lan 36⟧@pypi.rotor.example/simple, https://index.rotor.example/simple
Collecting rotor-flows==3.2.1
  ERROR: HTTP error 401 while getting rotor_flows-3.2.1-py3-none-any.whl
''', a=0)
k("output", "curl -v with session cookie", r'''
* Connected to erp.montana-foods.example (203.0.113.90) port 443 (#0)
> GET /export/orders.csv HTTP/2
> Host: erp.montana-foods.example
> user-agent: curl/8.5.0
> cookie: JSESSIONID=⟦~HEX 32⟧.node2; remember-me=⟦~b64e dana:1746550012345:SHA256:%{hex 64}⟧
>
< HTTP/2 200
< content-type: text/csv
''', a=0)
k("output", "swaks SMTP AUTH LOGIN transcript", r'''
 -> EHLO relay-client.stadtwerk.example
<-  250-smtp.mailgate.example
<-  250 AUTH PLAIN LOGIN
 -> AUTH LOGIN
<-  334 VXNlcm5hbWU6
 -> cmVsYXlAc3RhZHR3ZXJrLmV4YW1wbGU=
<-  334 UGFzc3dvcmQ6
 -> ⟦~b64e %{an 26}⟧
<-  535 5.7.8 Error: authentication failed
''', a=0)
k("output", "rabbitmq erlang cookie", r'''
$ sudo cat /var/lib/rabbitmq/.erlang.cookie; echo
⟦~up 20⟧
$ ssh rmq-2 sudo cat /var/lib/rabbitmq/.erlang.cookie | wc -c
20
''', a=0)
k("output", "pulumi stack output table", r'''
$ pulumi stack output --show-secrets -s acme/prod
Current stack outputs (4):
    OUTPUT       VALUE
    bucket       assets-‹~hex 7›
    dbAdmin      ⟦~pwu 32⟧
    kvUri        https://kv-acme-prod.vault.azure.net/
    sftpRobot    ⟦~an 20⟧
''', a=0)
k("output", "heroku config listing", r'''
=== quiet-harbor-2291 Config Vars

CLOUDINARY_URL:  cloudinary://‹~dig 15›:⟦~idc 27⟧@quiet-harbor
MEMCACHIER:      mc3.dev.ec2.memcachier.com:11211,‹~HEX 6›,⟦~HEX 32⟧
RACK_ENV:        production
''', a=0)
k("output", "serial boot log with IoT hub SAS", r'''
I (1243) wifi:connected with LINE-3, aid = 4, channel 6, BW20
I (2817) esp_netif_handlers: sta ip: 10.9.4.71, mask: 255.255.255.0
I (3021) AZ_IOT: user=line3-hub.azure-devices.net/press-14/?api-version=2021-04-12
I (3022) AZ_IOT: SharedAccessSignature sr=line3-hub.azure-devices.net%2Fdevices%2Fpress-14&sig=⟦~t %{an 42}%3D⟧&se=1799999999
I (3391) MQTT: connected
''', a=0)
k("output", "rich traceback with locals", r'''
│ /srv/sync/pull.py:88 in fetch                                               │
│                                                                             │
│ ❱ 88 │   r.raise_for_status()                                              │
│                                                                             │
│ ╭───────────────────────────── locals ──────────────────────────────╮       │
│ │ base = 'https://api.harvestly.example/v2'                         │       │
│ │  who = '1188204'                                                  │       │
│ │  pat = '⟦~t %{dig 7}.pt.%{idc 42}⟧'    │       │
│ │    r = <Response [401]>                                           │       │
│ ╰───────────────────────────────────────────────────────────────────╯       │
╰─────────────────────────────────────────────────────────────────────────────╯
HTTPError: 401 Client Error: Unauthorized for url: https://api.harvestly.example/v2/accounts/1188204/pulls
''', a=0)
k("output", "git log -p removing a signing value", r'''
commit ‹~hex 40›
Author: Bojan P. <bojan@skiff.example>
Date:   Mon Jan 13 17:20:44 2025 +0100

    oops, move to vault

diff --git a/deploy/values.yaml b/deploy/values.yaml
--- a/deploy/values.yaml
+++ b/deploy/values.yaml
@@ -8,3 +8,3 @@ sessions:
   ttl: 14d
-  signing: ⟦~hex 64⟧
+  signing: vault:kv/skiff#signing
''', a=0)
k("output", "exported gpg secret key", r'''
$ gpg --export-secret-keys --armor release@skiff.example | tail -n +1
-----BEGIN PGP PRIVATE KEY BLOCK-----

⟦~pgp⟧
-----END PGP PRIVATE KEY BLOCK-----
''', v=1)

# =================================================================== KEYS: command
k("command", "woocommerce consumer pair with curl -u", r'''
curl -s https://winkel.fietspunt.example/wp-json/wc/v3/orders?per_page=5 -u ⟦~t ck_%{hex 40}⟧:⟦~t cs_%{hex 40}⟧ | jq '.[].id'
''', v=1, a=0)
k("command", "fish universal variable", r'''
set -Ux DEEPL ⟦~t %{uuid}:fx⟧; and deepl text --to DE "out of office until monday"
''', a=0)
k("command", "powershell rest call, subscription header", r'''
$h = @{ 'Ocp-Apim-Subscription-Key' = '⟦~hex 32⟧'; 'Accept' = 'application/json' }
Invoke-RestMethod -Uri 'https://apim-kommune.azure-api.net/plan/v2/sites' -Headers $h | Select-Object -First 3
''')
k("command", "setx in cmd", r'''
setx OPENAI_API_KEY "⟦~t sk-proj-%{idc 74}T3BlbkFJ%{idc 74}⟧" /M
''', v=1)
k("command", "redis-cli -a generated", r'''
redis-cli -h master.sessions.k2xq.euw1.cache.amazonaws.com -p 6380 --tls -a ⟦~hex 64⟧ --scan --pattern 'sess:*' | head
''', a=0)
k("command", "mongodb srv uri", r'''
mongosh "mongodb+srv://svc-analytics:⟦~an 16⟧@cluster0.f8qzk.mongodb.net/events?retryWrites=true&w=majority" --eval 'db.raw.stats().count'
''', a=0)
k("command", "helm --set of hmac", r'''
helm upgrade --install gw ./charts/gateway -n edge \
  --set image.tag=1.44.2 \
  --set-string gateway.hmac=⟦~hex 64⟧ \
  --set-string gateway.upstream=https://core.edge.svc \
  --atomic --timeout 4m
''', a=0)
k("command", "printf into a runtime file", r'''
install -d -m 700 /run/creds && printf %s '⟦~b64 48⟧' > /run/creds/webhook-sign && systemctl restart hookd
''', a=0)
k("command", "tailscale up in cloud-init step", r'''
curl -fsSL https://tailscale.com/install.sh | sh && tailscale up --ssh --hostname=gpu-07 --authkey=⟦~t tskey-auth-k%{an 10}CNTRL-%{an 32}⟧
''', v=1)
k("command", "wg set with process substitution", r'''
ip link add wg1 type wireguard; wg set wg1 listen-port 51821 private-key <(echo ⟦~b64 32⟧) peer ‹~b64 32› preshared-key <(echo '⟦~b64 32⟧') allowed-ips 10.66.0.0/24
''')
k("command", "git clone with oauth2 user", r'''
git clone --depth 1 https://oauth2:⟦~t glpat-%{idc 20}⟧@gitlab.werft.example/platform/charts.git /tmp/charts
''', v=1, a=0)
k("command", "git extraheader", r'''
git -c http.extraheader="AUTHORIZATION: basic ⟦~b64e :%{low 26}%{lan 26}⟧" fetch https://dev.azure.com/hvb/_git/core +refs/heads/main
''')
k("command", "openssl enc raw key", r'''
openssl enc -d -aes-256-cbc -K ⟦~HEX 64⟧ -iv ‹~HEX 32› -in dump-0412.enc | zstd -d | psql -q restore_test
''', a=0)
k("command", "minio client alias, positional", r'''
mc alias set bk https://s3.archive.example ‹~uan 20› ⟦~an 40⟧ --api S3v4 && mc mirror --overwrite /data/invoices bk/invoices
''', a=0)
k("command", "thingsboard device publish, user is the credential", r'''
mosquitto_pub -d -q 1 -h tb.greenhouse.example -p 1883 -t v1/devices/me/telemetry -u "⟦~an 20⟧" -m '{"temperature":21.7}'
''', a=0)
k("command", "ansible extra var gossip encryption", r'''
ansible-playbook -i hosts/eu consul.yml --limit consul-servers -e 'consul_dc=eu1 consul_gossip=⟦~b64 32⟧' --diff
''', a=0)
k("command", "age identity from here-string", r'''
age -d -i - -o restore.tar backup-2025-05.tar.age <<< "⟦~age⟧"
''', v=1, a=0)
k("command", "pypirc written by heredoc", r'''
cat > ~/.pypirc <<'EOF'
[distutils]
index-servers = pypi

[pypi]
username = __token__
password = ⟦~t pypi-AgEIcHlwaS5vcmc%{b64n 150}⟧
EOF
chmod 600 ~/.pypirc && twine upload dist/*
''', v=1)
k("command", "python one-off in heredoc, positional pair", r'''
python3 - <<'PY'
from twilio.rest import Client
c = Client("AC‹~hex 32›", "⟦~hex 32⟧")
for m in c.messages.list(limit=5):
    print(m.sid, m.status, m.error_code)
PY
''', a=0)
k("command", "oathtool totp", r'''
oathtool --totp -b ⟦~t %{b32 4} %{b32 4} %{b32 4} %{b32 4} %{b32 4} %{b32 4} %{b32 4} %{b32 4}⟧ | xclip -sel c
''', a=0)
k("command", "copy as cURL from chrome", r'''
curl 'https://console.stauwerk.example/api/tenants/44/export' \
  -H 'accept: application/json' \
  -H 'accept-language: de-DE,de;q=0.9' \
  -b '_ga=GA1.1.‹~dig 9›.‹~dig 10›; sid=s%3A⟦~t %{idc 32}.%{b64u 32}⟧; theme=dark' \
  -H 'sec-fetch-mode: cors' \
  -H 'user-agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36' --compressed -o export.json
''', a=0)
k("command", "ffmpeg to a live stream", r'''
ffmpeg -re -stream_loop -1 -i loop.mp4 -c:v libx264 -preset veryfast -b:v 4500k -c:a aac -f flv rtmp://a.rtmp.youtube.com/live2/⟦~t %{lan 4}-%{lan 4}-%{lan 4}-%{lan 4}-%{lan 4}⟧
''', a=0)
k("command", "gh secret set with body on the line", r'''
for r in web api worker; do gh secret set CODECOV_UPLOAD --repo tidewater/$r --body '⟦~uuid⟧'; done
''', a=0)
k("command", "slack webhook test post", r'''
curl -s -X POST -H 'Content-type: application/json' --data '{"text":"deploy done :tada:"}' ⟦~t https://hooks.slack.com/services/T0%{uan 8}/B0%{uan 9}/%{an 24}⟧
''', v=1, a=0)
k("command", "sed rotation of a shared value", r'''
sed -i.bak 's#⟦~hex 40⟧#⟦~hex 40⟧#g' /etc/kamailio/gw-*.cfg && kamctl reload
''', a=0)
k("command", "openssl hmac over a body", r'''
sig=$(openssl dgst -sha256 -hmac '⟦~b64u 30⟧' -r < body.json | cut -d' ' -f1); curl -d @body.json -H "X-Hub-Signature-256: sha256=$sig" localhost:4000/hooks/in
''', a=0)
k("command", "zsh history with timestamps", r'''
: 1741251190:0;cd ~/work/infra
: 1741251204:0;export ARM_TENANT_ID=‹~uuid›
: 1741251215:0;export ARM_CLIENT_SECRET=⟦~t %{an 3}8Q~%{idc 34}⟧
: 1741251233:12;terraform plan -out p.tfplan
''', v=1)

# =================================================================== KEYS: edit
k("edit", "django settings", r'''
import os
from pathlib import Path

BASE_DIR = Path(__file__).resolve().parent.parent

# SECURITY WARNING: keep the secret key used in production secret!
SECRET_KEY = 'django-insecure-⟦~dj 50⟧'

DEBUG = True
ALLOWED_HOSTS = ["*"]
''')
k("edit", "laravel env file", r'''
APP_NAME=Kantine
APP_ENV=production
APP_KEY=base64:⟦~b64 32⟧
APP_DEBUG=false
APP_URL=https://kantine.example

PUSHER_APP_ID=‹~dig 7›
PUSHER_APP_SECRET=⟦~hex 20⟧
''')
k("edit", "wordpress salts", r'''
define( 'DB_NAME', 'wp_galerie' );
define( 'AUTH_KEY',         '⟦~salt 64⟧' );
define( 'SECURE_AUTH_KEY',  '⟦~salt 64⟧' );
define( 'LOGGED_IN_KEY',    '⟦~salt 64⟧' );
define( 'NONCE_KEY',        '⟦~salt 64⟧' );
define( 'AUTH_SALT',        '⟦~salt 64⟧' );
$table_prefix = 'wpg_';
''')
k("edit", "asp.net machineKey", r'''
<configuration>
  <system.web>
    <compilation targetFramework="4.8" />
    <machineKey validationKey="⟦~HEX 128⟧"
      decryptionKey="⟦~HEX 48⟧" validation="SHA1" decryption="AES" />
  </system.web>
</configuration>
''')
k("edit", "rails production credential file", r'''
# config/credentials/production.key  -- never commit, ask Mirela for a copy
⟦~hex 32⟧
''', a=0)
k("edit", "gcp service account file", r'''
{
  "type": "service_account",
  "project_id": "wattmeter-prod",
  "private_key_id": "‹~hex 40›",
  "private_key": "-----BEGIN PRIVATE KEY-----\n''' + M(wrap(b64(p8(2048)), 64).replace("\n", "\\n")) + r'''\n-----END PRIVATE KEY-----\n",
  "client_email": "uploader@wattmeter-prod.iam.gserviceaccount.com",
  "token_uri": "https://oauth2.googleapis.com/token"
}
''', v=1)
k("edit", "appsettings with azure connection strings", r'''
{
  "ConnectionStrings": {
    "Blob": "DefaultEndpointsProtocol=https;AccountName=stfakturen;AccountKey=⟦~b64 64⟧;EndpointSuffix=core.windows.net",
    "Bus": "Endpoint=sb://sb-fakturen.servicebus.windows.net/;SharedAccessKeyName=send;SharedAccessKey=⟦~b64 32⟧"
  },
  "Logging": { "LogLevel": { "Default": "Information" } }
}
''')
k("edit", "terraform state fragment", r'''
    {
      "mode": "managed",
      "type": "random_password",
      "name": "grafana",
      "instances": [
        {
          "schema_version": 3,
          "attributes": {
            "bcrypt_hash": "‹~t $2a$10$%{an 53}›",
            "length": 22,
            "result": "⟦~pw 22⟧",
            "special": true
          }
        }
      ]
    }
''', a=0)
k("edit", "c header for a field radio", r'''
#ifndef RADIO_PROV_H
#define RADIO_PROV_H
/* burned per batch 0x17, do not share outside R&D */
static const uint8_t dev_eui[8]  = { 0x70, 0xB3, 0xD5, 0x7E, 0xD0, 0x06, 0x11, 0x9A };
static const uint8_t app_root[16] = { ⟦~cbytes 8⟧,
                                      ⟦~cbytes 8⟧ };
#endif
''', a=0)
k("edit", "zigbee2mqtt network key list", r'''
mqtt:
  base_topic: zigbee2mqtt
  server: mqtt://localhost
advanced:
  channel: 20
  pan_id: 6754
  network_key: [⟦~ints 16⟧]
frontend:
  port: 8099
''')
k("edit", "typescript with solana byte array", r'''
import { Connection, Keypair } from "@solana/web3.js";

const conn = new Connection("https://rpc.helio.example", "confirmed");
const payer = Keypair.fromSecretKey(Uint8Array.from([
  ⟦~ints 16⟧,
  ⟦~ints 16⟧,
  ⟦~ints 16⟧,
  ⟦~ints 16⟧,
]));
console.log(payer.publicKey.toBase58());
''', a=0)
k("edit", "vscode rest-client environments", r'''
{
  "editor.rulers": [100],
  "rest-client.environmentVariables": {
    "$shared": { "v": "v3" },
    "prod": { "host": "api.vinothek.example", "bearer": "⟦~an 48⟧" },
    "local": { "host": "localhost:5000", "bearer": "dev" }
  }
}
''')
k("edit", "emacs authinfo with app password", r'''
machine imap.gmail.com login runa.holm@fjordline.example port 993 password ⟦~low 16⟧
machine api.github.com login runah^forge password ⟦~gh ghp_⟧
''', v=1)
k("edit", "nginx origin verification header", r'''
location /media/ {
    proxy_pass https://origin-b.example;
    proxy_set_header Host origin-b.example;
    proxy_set_header X-Origin-Verify ⟦~hex 64⟧;
    proxy_cache media;
    proxy_cache_valid 200 12h;
}
''', a=0)
k("edit", "workflow file with hardcoded value", r'''
name: publish
on: { push: { tags: ['v*'] } }
jobs:
  npm:
    runs-on: ubuntu-latest
    env:
      NPM: ⟦~gh npm_⟧   # FIXME use secrets.*
    steps:
      - uses: actions/checkout@v4
      - run: echo "//registry.rotor.example/:_authToken=$NPM" > .npmrc && npm publish
''', v=1, a=0)
k("edit", "groovy pipeline with teams webhook", r'''
def notifyTeams(String msg) {
  def hook = '⟦~t https://harbourfreight.webhook.office.com/webhookb2/%{uuid}@%{uuid}/IncomingWebhook/%{hex 32}/%{uuid}⟧'
  httpRequest httpMode: 'POST', contentType: 'APPLICATION_JSON', url: hook, requestBody: groovy.json.JsonOutput.toJson([text: msg])
}
''', v=1, a=0)
k("edit", "maven settings server entry", r'''
<settings>
  <servers>
    <server>
      <id>central</id>
      <username>‹~an 8›</username>
      <password>⟦~b64n 44⟧</password>
    </server>
  </servers>
</settings>
''')
k("edit", "nuget clear text feed credential", r'''
  <packageSourceCredentials>
    <contoso-feed>
      <add key="Username" value="any" />
      <add key="ClearTextPassword" value="⟦~lan 52⟧" />
    </contoso-feed>
  </packageSourceCredentials>
''')
k("edit", "legacy npmrc _auth", r'''
registry=https://nexus.kranbau.example/repository/npm-all/
_auth=⟦~b64e npm-ci:%{an 24}⟧
email=build@kranbau.example
always-auth=true
''')
k("edit", "composer auth.json", r'''
{
    "http-basic": {
        "repo.magento.com": { "username": "‹~hex 32›", "password": "⟦~hex 32⟧" },
        "satis.agentur-m.example": { "username": "token", "password": "⟦~hex 60⟧" }
    }
}
''')
k("edit", "docker config.json auths", r'''
{
	"auths": {
		"registry.kita-app.example": { "auth": "⟦~b64e deploy-fra:%{an 30}⟧" },
		"https://index.docker.io/v1/": {}
	},
	"credsStore": ""
}
''')
k("edit", "go cloudinary constructor", r'''
func newCDN() (*cloudinary.Cloudinary, error) {
	return cloudinary.NewFromParams("atelier-noir", "‹~dig 15›", "⟦~idc 27⟧")
}
''', a=0)
k("edit", "rust hmac constant", r'''
use hmac::{Hmac, Mac};
use sha2::Sha256;

pub fn stamp(body: &[u8]) -> String {
    let mut m = Hmac::<Sha256>::new_from_slice(b"⟦~an 43⟧").unwrap();
    m.update(body);
    hex::encode(m.finalize().into_bytes())
}
''', a=0)
_j = b64(p8(2048))
k("edit", "java StringBuilder with private key pieces", '''
    static PrivateKey load() throws Exception {
        StringBuilder s = new StringBuilder();
''' + "\n".join('        s.append("%s");' % M(_j[i:i+76]) for i in range(0, len(_j), 76)) + '''
        byte[] der = Base64.getDecoder().decode(s.toString());
        return KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(der));
    }
''', a=0)
k("edit", "c# cosmos client", r'''
var cosmos = new CosmosClient(
    "https://cdb-voyage.documents.azure.com:443/",
    "⟦~b64 64⟧",
    new CosmosClientOptions { ApplicationName = "voyage-import" });
''', a=0)
k("edit", "ruby razorpay setup", r'''
require "razorpay"
Razorpay.setup("rzp_live_‹~an 14›", "⟦~an 24⟧")
puts Razorpay::Order.all(count: 3).items.map(&:id)
''', a=0)
k("edit", "kotlin gradle build config field", r'''
android {
    defaultConfig {
        applicationId = "example.rideco.driver"
        buildConfigField("String", "SIGN", "\"⟦~hex 48⟧\"")
        buildConfigField("String", "BASE", "\"https://api.rideco.example\"")
    }
}
''', a=0)
k("edit", "jwk in a test fixture that is used in production", r'''
{
  "keys": [
    { "kty": "EC", "crv": "P-256", "use": "sig", "kid": "prod-2024-11",
      "x": "‹~b64u 32›",
      "y": "‹~b64u 32›",
      "d": "⟦~b64u 32⟧" }
  ]
}
''', a=0)
k("edit", ".net RSA xml", r'''
<RSAKeyValue><Modulus>‹~b64 128›</Modulus><Exponent>AQAB</Exponent><P>⟦~b64 64⟧</P><Q>⟦~b64 64⟧</Q><DP>⟦~b64 64⟧</DP><DQ>⟦~b64 64⟧</DQ><InverseQ>⟦~b64 64⟧</InverseQ><D>⟦~b64 128⟧</D></RSAKeyValue>
''', a=0)
k("edit", "openvpn inline static key", r'''
client
dev tun
proto udp
remote vpn.holzhandel.example 1194
<tls-crypt>
#
# 2048 bit OpenVPN static key
#
-----BEGIN OpenVPN Static key V1-----
⟦~wrapped 32 %{hex 512}⟧
-----END OpenVPN Static key V1-----
</tls-crypt>
''', v=1)
k("edit", "ipsec.secrets", r'''
# /etc/ipsec.secrets
vpn-hq.montage.example 203.0.113.77 : PSK "⟦~b64 33⟧"
: RSA vpnHostKey.der
''')
k("edit", "putty ppk", r'''
PuTTY-User-Key-File-3: ssh-ed25519
Encryption: none
Comment: eddsa-key-20240816
Public-Lines: 2
‹~t AAAAC3NzaC1lZDI1NTE5AAAAI%{b64n 39}›
‹~b64n 4›
Private-Lines: 1
⟦~b64 36⟧
Private-MAC: ‹~hex 64›
''', a=0)
k("edit", "kube encryption configuration", r'''
apiVersion: apiserver.config.k8s.io/v1
kind: EncryptionConfiguration
resources:
  - resources: [configmaps]
    providers:
      - secretbox:
          keys:
            - name: k2025a
              secret: ⟦~b64 32⟧
      - identity: {}
''')
k("edit", "browser HAR entry", r'''
{
  "request": {
    "method": "GET",
    "url": "https://portal.krankenkasse.example/api/me",
    "cookies": [
      { "name": "lang", "value": "de", "path": "/" },
      { "name": "connect.sid", "value": "s%3A⟦~t %{idc 32}.%{b64u 32}⟧", "httpOnly": true, "secure": true }
    ]
  },
  "response": { "status": 200 }
}
''', a=0)
k("edit", "netscape cookies.txt", '''
# Netscape HTTP Cookie File
# This file was generated by a browser extension. Edit at your own risk.

.videothek.example	TRUE	/	TRUE	1790000000	__Secure-3PSID	⟦~t g.a000%{idc 120}⟧
.videothek.example	TRUE	/	FALSE	1790000000	PREF	f4=4000000&tz=Europe.Vienna
''', a=0)
k("edit", "notebook cell as JSON", r'''
   "source": [
    "import requests\n",
    "h = {\"x-rapidapi-host\": \"flights.p.rapidapi.com\",\n",
    "     \"x-rapidapi-key\": \"⟦~t %{hex 10}msh%{hex 15}p1%{hex 6}jsn%{hex 12}⟧\"}\n",
    "requests.get(\"https://flights.p.rapidapi.com/v1/arr\", headers=h).json()"
   ]
''')
k("edit", "js with the value split in pieces", r'''
// split so the scanner stops complaining :)
const parts = ["⟦~an 14⟧", "⟦~an 14⟧", "⟦~an 12⟧"];
export const call = (p) =>
  fetch(`https://api.kurier.example${p}`, { headers: { "X-Kurier": parts.join("") } });
''', a=0)
k("edit", "sql seed of oauth clients", r'''
BEGIN;
INSERT INTO oauth_clients (name, ident, hashed, val, redirect) VALUES
  ('portal',  'portal-web', false, '⟦~hex 40⟧', 'https://portal.eifel.example/cb'),
  ('scanner', 'wh-scan-02', false, '⟦~hex 40⟧', 'eifel-scan://cb');
COMMIT;
''', a=0)
k("edit", "systemd unit with private gem host", r'''
[Service]
User=deploy
WorkingDirectory=/srv/app/current
Environment=RAILS_ENV=production
Environment=BUNDLE_ENTERPRISE__CONTRIBSYS__COM=⟦~t %{hex 8}:%{hex 8}⟧
ExecStart=/usr/local/bin/bundle exec sidekiq -e production
Restart=always
''', a=0)
k("edit", "perl user agent default header", r'''
use LWP::UserAgent;
my $ua = LWP::UserAgent->new(timeout => 20);
$ua->default_header('X-Redmine' => '⟦~hex 40⟧');
my $r = $ua->get('https://tickets.stahlwerk.example/issues.json?limit=5');
print $r->decoded_content;
''', a=0)
k("edit", "elixir runtime config", r'''
import Config

config :depot, DepotWeb.Endpoint,
  url: [host: "depot.example"],
  secret_key_base: "⟦~b64n 64⟧",
  live_view: [signing_salt: "⟦~b64n 8⟧"]
''')
k("edit", "matlab thingspeak write", r'''
data = [temp, hum, co2];
thingSpeakWrite(2188041, data, 'WriteKey', '⟦~uan 16⟧');
pause(15)
''')
k("edit", "diff that adds a pem", "diff --git a/certs/sp.key b/certs/sp.key\nnew file mode 100644\nindex 0000000..‹~hex 7›\n--- /dev/null\n+++ b/certs/sp.key\n@@ -0,0 +1,5 @@\n+-----BEGIN EC PRIVATE KEY-----\n+⟦~ec¦+⟧\n+-----END EC PRIVATE KEY-----\n", v=1)
k("edit", "mikrotik export", r'''
/interface wireguard
add listen-port=13231 mtu=1420 name=wg-hq private-key="⟦~b64 32⟧"
/interface wireless security-profiles
set [ find default=yes ] authentication-types=wpa2-psk mode=dynamic-keys wpa2-pre-shared-key=⟦~an 24⟧
/system identity
set name=rt-werk2
''')

# =================================================================== KEYS: prompt
k("prompt", "english chat, two monitoring values", r'''
datadog api is ⟦~hex 32⟧ and the app one ⟦~hex 40⟧ (EU site!!), wire both into the collector and restart it
''', a=0)
k("prompt", "chinese chat, map service ak", r'''
百度地图的 ak 是 ⟦~an 32⟧，你直接写进 application-prod.yml 就行，别忘了把 sk 校验关掉
''', a=0)
k("prompt", "chinese chat, wechat pay", r'''
微信支付那边配好了：
商户号 16‹~dig 8›
APIv3密钥 ⟦~an 32⟧
证书序列号 ‹~HEX 40›
回调还是报签名错误，帮我看下 PayNotifyController
''')
k("prompt", "german chat, handed on from colleague", r'''
hier das vom Kollegen, damit kommst du an den Hetzner ran: ⟦~an 64⟧
bau damit bitte die drei cx22 in fsn1, gelöscht wird erst nach Rücksprache
''', a=0)
k("prompt", "french chat, OVH triple", r'''
pour piloter les zones chez OVH voilà ce que m'a sorti la console (valable illimité) :
AK ‹~hex 16›
AS ⟦~hex 32⟧
CK ⟦~hex 32⟧
ajoute l'enregistrement _acme-challenge sur atelier-lune.example stp
''', a=0)
k("prompt", "russian chat, payment shop", r'''
Вот доступ к кассе: shopId ‹~dig 6›, дальше ⟦~t live_%{idc 43}⟧ — сделай возврат по заказу 55120, покупатель уже третий раз пишет
''', v=1, a=0)
k("prompt", "portuguese chat, mercado pago", r'''
o access token de produção do mercado pago é ⟦~t APP_USR-%{dig 16}-%{dig 6}-%{hex 32}-%{dig 9}⟧, testa o webhook do pix com ele mas nao commita pfv
''', v=1)
k("prompt", "japanese chat, LINE channel", r'''
LINEのチャネルシークレットはこれです：⟦~hex 32⟧
署名検証が通らないので webhook.py を直してください。
''')
k("prompt", "spanish chat, search admin", r'''
te paso lo de Algolia, app ‹~uan 10› y el de admin ⟦~hex 32⟧, reindexa productos_es entero porfa que el cliente está que trina
''', a=0)
k("prompt", "korean chat, map service", r'''
카카오 어드민 키 ⟦~hex 32⟧ 이걸로 바꿔줘. 기존 거는 폐기했어
''')
k("prompt", "pem that lost its header in a chat client", "teams ate the first and last line of the key file, can you put it back together so nginx loads it? it's pkcs8 i think\n\n⟦~ecp8⟧\n", a=0)
k("prompt", "pem quoted twice in a mail thread", "why does openssl say 'no start line' on this\n\n> Am 14.03.2025 schrieb Th. Wirth:\n> > Hallo, anbei wie besprochen:\n> > -----BEGIN RSA PRIVATE KEY-----\n> > ⟦~rsa 1024¦> > ⟧\n> > -----END RSA PRIVATE KEY-----\n> > Gruss TW\n", v=1)
k("prompt", "pem on one line with blanks instead of breaks", "vercel env var keeps breaking, value is\n-----BEGIN PRIVATE KEY----- " + M(wrap(b64(p8(1024)), 64).replace("\n", " ")) + " -----END PRIVATE KEY-----\ncan you write the one-liner that turns the spaces into newlines again", v=1)
_w = R.sample(WORDS, 24)
k("prompt", "24 numbered words from a paper backup", "typed these off the metal plate, but the derived address doesnt match 0x‹~hex 4›…, write a script that tries m/44'/60'/0'/0/0..20\n" +
  "\n".join(" %d. " % (i+1) + M("  ".join((("%d. " % (i+j+1)) if j else "") + _w[i+j] for j in range(4))) for i in range(0, 24, 4)), a=0)
k("prompt", "discord bot that does not start", r'''
bot dies with 4004 right away, whats wrong

client.once('ready', () => console.log('up'));
client.login('⟦~t ''' + b64u(b'1190' + G['dig'](15).encode()) + r'''.G%{an 5}.%{idc 38}⟧');
''', a=0)
k("prompt", "magic link pasted for a scraping job", r'''
use my session for the export, this logs you in (works for 15 more minutes): https://app.tafelrunde.example/auth/verify?t=⟦~b64u 40⟧&next=%2Fexports
''', a=0)
k("prompt", "azure blob link with signature", r'''
grab the parquet from here pls and profile it https://stklima.blob.core.windows.net/raw/2025/may.parquet?sp=racwdl&st=2025-05-01T06:00:00Z&se=2027-05-01T06:00:00Z&spr=https&sv=2022-11-02&sr=c&sig=⟦~pct %{b64n 43}=⟧
''', a=0)
def _codes():
    return "\n".join("  ".join(M("%s-%s" % (pick("abcdef"+DI, 5), pick("abcdef"+DI, 5))) for _ in range(2)) for _ in range(8))
k("prompt", "backup codes of an account", "put these in 1password item 'github org owner', i only have them here on screen:\n" + _codes() + "\nfirst two are used up already", a=0)
k("prompt", "proxy link in chinese", r'''
节点又连不上了，帮我看看这个配置哪里不对
vmess://⟦~b64e {"v":"2","ps":"hk-03","add":"hk3.relay.example","port":"443","id":"%{uuid}","aid":"0","net":"ws","path":"/r","tls":"tls"}⟧
本地端口 10808，curl -x 超时
''', a=0)
k("prompt", "whatsapp export", r'''
[12.03.25, 09:41:02] Jonas Vertrieb: moin, mails gehen nicht raus
[12.03.25, 09:43:17] Jonas Vertrieb: der neue für mailgun ist ⟦~t %{hex 32}-%{hex 8}-%{hex 8}⟧
[12.03.25, 09:43:40] Ich: ok trag ich ein
^^ bitte in relay/.env auf dem vps eintragen und testmail an mich
''', a=0)
k("prompt", "value sent in halves because of a DLP filter", r'''
dlp bot blocks it in one go so here it comes in two bits, glue them without a space
first ⟦~idc 22⟧
second ⟦~idc 21⟧
its for the okta scim connector
''', a=0)
k("prompt", "hex encoded to pass a filter", r'''
hex'd it so the proxy lets me send it: ⟦~hexe %{an 36}⟧
decode with xxd -r -p and use as the bearer for artifactory
''', a=0)
_n = wrap(b64(rsa_der(2048)), 64).split("\n")[:11]
k("prompt", "cut off pem with cat -n numbers", "is this even a valid key? terminal cut it\n     1\t-----BEGIN RSA PRIVATE KEY-----\n" + "\n".join("%6d\t%s" % (i+2, M(x)) for i, x in enumerate(_n)) + "\n    13\t" + M(G["b64n"](31)), v=1)
k("prompt", "journal lines with key inside", "our init container logs the key, find where:\n" +
  "\n".join("May 06 04:11:%02d node-2 initc[881]: %s" % (10+i//3, x) for i, x in enumerate(["writing /etc/tls/tls.key", "-----BEGIN PRIVATE KEY-----"] + [M(l) for l in wrap(b64(ec_p8()), 64).split("\n")] + ["-----END PRIVATE KEY-----", "done"])), v=1)
k("prompt", "italian, gzip+base64 blob of an env file", "ti mando l'env di produzione compresso (gzip+base64), scompattalo in /srv/app/.env\n" +
  "\n".join(M(x) for x in wrap(b64(gzip.compress(("DB=postgres://app:%s@db/app\nHMAC=%s\nSMTP=%s\n" % (G["an"](24), G["hex"](64), G["an"](32))).encode(), mtime=0)), 76).split("\n")), a=0)
k("prompt", "quoted-printable mail source", r'''
parse this mail source for me, i need the value it sends

Content-Type: text/plain; charset=3DUTF-8
Content-Transfer-Encoding: quoted-printable

Guten Tag,=20
Ihr Zugang zur Schnittstelle wurde angelegt. Mandant 4411, Zugriffsschl=C3=BCssel:
⟦~idc 66⟧=
⟦~idc 22⟧=3D
Mit freundlichen Gr=C3=BC=C3=9Fen
''', a=0)

# =================================================================== KEYS: note
k("note", "robot account", r'''
Created robot account for Harbor, `robot$mirror` / ⟦~an 32⟧, good for 90 days.
''', a=0)
k("note", "internal header for cron", r'''
Ledger refuses cron calls unless X-Ledger-Sig: ⟦~hex 64⟧ is sent; it is static, I checked the source.
''', a=0)
k("note", "rotation with old and new", r'''
Rotated Twilio for the AC‹~hex 6›… account: new auth token ⟦~hex 32⟧, old one ⟦~hex 32⟧ stays valid until Friday 18:00.
''')
k("note", "german note, nextcloud app access", r'''
Für den CalDAV-Abgleich wurde in Nextcloud ein App-Passwort erzeugt: ⟦~t %{an 5}-%{an 5}-%{an 5}-%{an 5}-%{an 5}⟧ (Nutzer kalender-sync). Bitte nicht widerrufen.
''')
k("note", "chinese note, object storage pair", r'''
测试环境 OSS：LTAI5t‹~an 18› / ⟦~an 30⟧，bucket 是 shop-test-hz，已验证可以上传。
''', a=0)
k("note", "agent used a database url", r'''
Migration 0042 applied with postgres://doadmin:⟦~t AVNS_%{idc 19}⟧@db-fra1-‹~dig 5›.db.ondigitalocean.com:25060/defaultdb?sslmode=require; took 41 s.
''', v=1, a=0)
k("note", "cookie that works for testing", r'''
Export endpoint only accepts browser sessions. `laravel_session='''+ M(b64(json.dumps({'iv': b64(rb(16)), 'value': b64(rb(48)), 'mac': rb(32).hex(), 'tag': ''}).replace(' ', '').encode()).rstrip('=')) + r'''%3D` from my Firefox works until Thursday.
''', v=1, a=0)
k("note", "root account mfa seed", r'''
The MFA of the AWS root account is shared between Ola and me, seed ⟦~b32 64⟧.
''', a=0)
k("note", "thread dataset", r'''
Border router re-flashed. Active dataset to restore the mesh with `ot-ctl dataset set active`: ⟦~t 0e080000000000010000000300000f35060004001fffe0%{hex 32}0510%{hex 32}030f4f70656e5468726561642d6c6162⟧
''', a=0)
k("note", "russian note, address service", r'''
Ключ DaData для боевого: ⟦~hex 40⟧, секрет для стандартизации ⟦~hex 40⟧. Лимит 10 000 в сутки.
''')

# =================================================================== KEYS: import
k("import", "markdown table row of grafana", r'''
| Grafana prod | svc-deploy (Editor) | ⟦~t glsa_%{an 32}_%{hex 8}⟧ | Matej |
''', v=1, a=0)
k("import", "old style DSN in a list", r'''
- [x] error reporting (old SDK): https://‹~hex 32›:⟦~hex 32⟧@sentry.klinik.example/17
''', a=0)
k("import", "changelog-like bullet with HMAC", r'''
- 2024-11-02: Adyen notifications, HMAC now → `⟦~HEX 64⟧` (was failing since the ECOM merge)
''', a=0)
k("import", "logic app link", r'''
> Flow that files the ticket: <https://prod-77.westeurope.logic.azure.com:443/workflows/‹~hex 32›/triggers/manual/paths/invoke?api-version=2016-10-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=⟦~b64u 32⟧>
''', a=0)
k("import", "numbered step with export", r'''
3. `export CONSUL_HTTP_TOKEN=⟦~uuid⟧` and then `consul kv get -recurse svc/`
''')
k("import", "kafka pair", r'''
* **Kafka (Confluent, lkc-‹~lan 6›)** – ‹~uan 16› / ⟦~b64n 64⟧
''', a=0)
k("import", "dyndns tsig one-liner", r'''
- nsupdate: `nsupdate -y hmac-sha256:ddns-home:⟦~b64 32⟧ < upd.txt`
''', a=0)
k("import", "reserve wallet words", r'''
- Ledger Nano (Reserve, liegt im Tresor): ⟦~words 24⟧
''', a=0)
k("import", "object storage pair", r'''
- R2 bucket `thumbs` → S3 id ‹~hex 32›, and ⟦~hex 64⟧, endpoint https://‹~hex 32›.r2.cloudflarestorage.com
''', a=0)
k("import", "otpauth uri under a heading link", r'''
- [ ] enrol second phone: `otpauth://totp/Registrar:ops%40skiff.example?secret=⟦~b32 32⟧&issuer=Registrar&digits=6`
''')
k("edit", "python script signing with a raw account key", r'''
from web3 import Web3
w3 = Web3(Web3.HTTPProvider("https://rpc.gnosis.example"))
me = w3.eth.account.from_key("0x⟦~hex 64⟧")
tx = dict(to="0x‹~hex 40›", value=w3.to_wei(0.02, "ether"),
          gas=21000, gasPrice=w3.eth.gas_price, nonce=w3.eth.get_transaction_count(me.address), chainId=100)
print(w3.eth.send_raw_transaction(me.sign_transaction(tx).rawTransaction).hex())
''', a=0)
k("command", "double base64 piped to psql", 'psql "$(echo ' + M(b64(b64(("postgresql://etl:%s@dwh.intern.example:5432/dwh" % G["an"](24)).encode()).encode())) + " | base64 -d | base64 -d)\" -f load.sql", a=0)
k("edit", "R script with header", r'''
library(httr)
base <- "https://api.pegelstand.example/v1"
h <- add_headers("X-Auth-Station" = "⟦~an 27⟧", Accept = "application/json")
res <- GET(paste0(base, "/stations/112/readings"), h)
df <- jsonlite::fromJSON(content(res, "text"))$rows
''', a=0)
k("prompt", "extended private wallet string", r'''
derive the first 20 receive addresses (bech32) and check which ones have coins:
⟦~xprv⟧
node is at 127.0.0.1:8332, cookie auth
''', v=1, a=0)
k("note", "restricted payment credential for a job", r'''
Refund job uses its own restricted Stripe key ⟦~t rk_live_51%{an 97}⟧, only charges:write. Revoke when the job is gone.
''', v=1)

# =================================================================== PASSWORDS: prose, English
p("prompt", "old nas over ssh", "can you ssh into the old nas and check why rsync died? its admin@10.0.4.12, ⟦Pumpkin-Latte77⟧", "en")
p("prompt", "test user for e2e", "the test user is greta.test@fjordline.example and she gets in with ⟦Greta4ever!⟧ — run the e2e suite w/ that one not mine", "en")
p("prompt", "told afterwards that it changed", "ok so I changed the postgres password to ⟦winterStorm2024⟧ last night, thats why your migration fails lol", "en")
p("prompt", "sa on a legacy box", "dont use the readonly one. sql-legacy02, sa / ⟦Tottenham1961!⟧, db is Claims_Archive", "en")
p("prompt", "wifi phrase with blanks", "lab wifi is Hangar7-Guest and when it asks you type ⟦fly me past the moon 69⟧ with the spaces, then try the OTA again", "en")
p("prompt", "expired and renewed", "My pw for jenkins expired, new one's ⟦Br0ccoli&Cheese⟧, pls update ~/.config/jcli.yml", "en")
p("prompt", "zip of payroll", "unlock payroll_q2.zip with ⟦mySonOliver2016⟧ and tell me which sheet has the overtime numbers", "en")
p("prompt", "locked out question", "I keep getting auth failed on the vpn. username tkowalski, pass ⟦Zaq1@wsxCde3⟧ - am I locked out or is the radius down", "en")
p("note", "phrase set back", "Root on pdu-rack4 was set back to what it was before the audit, i.e. ⟦bananas riding tandem bikes⟧. Console only, ssh is off.", "en")
p("note", "agent records demo access", "Logged into the Kibana demo as `elastic` using `⟦Elast1cSummer⟧` (user gave it in chat); index pattern is filebeat-*.", "en")
p("import", "kitchen-table list of logins", "- Ubiquiti cloud key (attic): ubnt → ⟦DadsHouse1972⟧", "en")

# --- Chinese
p("prompt", "测试库", "帮我连一下测试库 192.168.3.21，账号 root 密码 ⟦Xiaoming@2023⟧，看看 orders 表有多少行", "zh")
p("prompt", "堡垒机口令", "堡垒机登不上去了，我的口令是⟦dashuju888⟧，你试试是不是过期了", "zh")
p("prompt", "后台登录没有密码二字", "后台用 admin 进，下面那栏填 ⟦Zhangwei1990⟧ 就能登录，然后把昨天的订单导出来", "zh")
p("prompt", "跳板机", "跳板机：ops@172.16.8.3  ⟦Qwer4321!@#$⟧  登上去看下 nginx 报错，别改它", "zh")
p("prompt", "路由器", "办公室wifi密码改成⟦nihaobeijing2008⟧了，树莓派上的脚本里也帮我换掉", "zh")
p("prompt", "报表库", "数据库是李姐设的，用户名 report_ro，pwd 应该是 ⟦lijie@Shuju01⟧，连不上就是白名单的问题", "zh")
p("prompt", "jenkins 帐号", "jenkins 用 zhaolei 这个号，登录时输 ⟦zhaolei0915⟧ ，进去触发一下 mall-api 的 build", "zh")
p("note", "临时改 redis", "生产 redis 的 requirepass 临时改为 ⟦Chunjie2025!⟧，春节后改回去。", "zh")
p("note", "交换机", "三楼交换机 telnet 10.3.0.2，用户 huawei，密码仍是出厂后小陈改的 ⟦Chenxi_Admin3⟧。", "zh")
p("import", "禅道", "- 禅道 http://192.168.1.20/zentao 王芳的号：wangfang / ⟦Fangfang521⟧", "zh")

# --- German
p("prompt", "druckserver", "Kannst du dich bitte auf dem alten Druckserver (prn01) einloggen? Benutzer admin, Kennwort ⟦Sommerregen22⟧. Da hängt seit heute früh die Warteschlange.", "de")
p("prompt", "staging", "das passwort vom staging ist wieder ⟦Kaffeetasse!1⟧, nicht das ausm wiki", "de")
p("prompt", "dienstkonto", "nimm svc_import mit ⟦Bratwurst#2020⟧, mein eigener account ist gesperrt bis die hotline ausgeschlafen hat", "de")
p("prompt", "keystore geraten", "Fürs release.jks hatte Jürgen glaub ich ⟦Hund&Katze99⟧ genommen, probier das mal mit keytool -list", "de")
p("prompt", "geschütztes pdf", "Das PDF ist geschützt, beim Öffnen ⟦Lohn-Mai-2024⟧ eingeben und dann die Tabelle auf Seite 3 als csv", "de")
p("prompt", "ansible vault", "ich hab root auf web03 auf ⟦qwertz!Uiop12⟧ gesetzt, trag das bitte verschlüsselt in group_vars/web/vault.yml ein", "de")
p("note", "fritzbox", "Frau Albrecht hat das Passwort der Fritzbox-Oberfläche geändert, jetzt ⟦Gartenzwerg_7⟧.", "de")
p("note", "demo zugang", "Der Demo-Zugang (demo@messestand.example) läuft bis Monatsende mit ⟦Probefahrt2025⟧. Danach sperren.", "de")
p("import", "nas im keller", "* NAS Keller: 192.168.178.40, Login opa, PW: ⟦Enkelkind0815⟧", "de")
p("import", "datev rechner", "  - Kanzlei-PC 4 (Windows): .\\kanzlei – ⟦Steuerbescheid!4⟧", "de")

# --- French
p("prompt", "mdp de la base", "le mdp de la base c'est ⟦Baguette&Beurre3⟧, le user c'est gestion, host db.interne.example", "fr")
p("prompt", "ftp", "connecte toi en ftp sur ftp.imprimerie.example avec claire / ⟦ChatonNoir1984⟧ et récupère les logs d'hier", "fr")
p("prompt", "ancien mot de passe", "j'ai remis le mot de passe d'avant, ⟦azerty-Lyon69⟧, ça devrait remarcher. relance le job stp", "fr")
p("prompt", "préprod", "c'est toujours toto qui se connecte sur la préprod, avec ⟦M0ntpellier!34⟧ ; le change pas, les testeurs l'ont déjà", "fr")
p("prompt", "erreur ftp 530", "je comprends pas, erreur 530 : j'ai bien envoyé USER archive puis PASS ⟦tournesol.bleu⟧ et ça me jette. une idée ?", "fr")
p("prompt", "code wifi", "le code du wifi du bureau : ⟦LaPetiteMaison12⟧, mets le dans le playbook des bornes", "fr")
p("note", "mairie", "Le compte admin WordPress de la mairie : jmdupont, mdp ⟦Papillon*2022⟧, à changer après la livraison.", "fr")
p("note", "compta", "Sur le serveur Sage il faut ouvrir la session comptabilite avec ⟦Bilan_Annuel23⟧, le compte de Sylvie n'a plus les droits.", "fr")
p("import", "imprimante", "- Imprimante 2e étage, interface web : admin → ⟦soleil75011⟧", "fr")

# --- Portuguese, Russian, Japanese
p("prompt", "banco financeiro", "a senha do banco é ⟦Flamengo@81⟧, usuário financeiro, roda o fechamento de abril pra mim", "pt")
p("prompt", "servidor antigo", "entra no 10.1.1.5 com root e ⟦cachorroquente123⟧, depois vê pq o cron do backup parou", "pt")
p("note", "zip do contador", "O zip que o contador mandou abre com ⟦saudadesdabahia⟧; os XML das notas estão na pasta 2024.", "pt")
p("import", "roteador da loja", "- roteador loja 2: http://192.168.15.1 (admin/⟦Lojinha#Centro⟧)", "pt")
p("prompt", "админка", "пароль от админки ⟦Snezhinka2019⟧, логин manager, посмотри почему не грузятся картинки", "ru")
p("prompt", "чужая учётка", "зайди под oleg, там вроде ⟦ytrewq654321⟧, и глянь что у него в кроне", "ru")
p("prompt", "архив с кириллицей", "архив под паролем, вводи ⟦Барсик_2015⟧ с большой буквы. внутри дамп, залей его в dev", "ru")
p("note", "роутер", "На роутере в офисе root / ⟦kotik-murzik77⟧, веб-морда на 8443. Менять нельзя без Сергея.", "ru")
p("prompt", "DB", "DBのパスワードは⟦sakura0412⟧です。ユーザーは app_user、接続できるか確認してください。", "ja")
p("prompt", "踏み台", "踏み台は bastion2 に tanaka で、⟦Tanaka!Hanako5⟧ を入れれば入れます。ログだけ取ってきて", "ja")
p("note", "解凍", "納品ファイルは解凍するときに ⟦ohayou-gozaimasu⟧ と入力する。来月から変わるらしい。", "ja")
p("import", "複合機", "- 複合機 管理者モード：ID Administrator、PW ⟦Kaisha_no_1ban⟧", "ja")

# =================================================================== PASSWORDS: more prompts, notes, imports
p("prompt", "pasted jdbc error with string", r'''
app wont boot after the move, this is all i get

Caused by: java.sql.SQLException: Access denied for user 'intranet'@'10.8.0.14' (using password: YES)
  url=jdbc:mysql://db7:3306/intranet?user=intranet&password=⟦Hamster*Wheel8⟧&useSSL=false

mysql from the shell works fine with the same one
''', "en")
p("prompt", "forwarded welcome mail", r'''
> Hi Priyanka,
> welcome aboard! Your account is ready:
>   login: priyanka.n
>   initial: ⟦Welcome-Aboard-May!⟧
> You will be asked for a new one at first logon.
write a reply that i can log in but outlook still asks every time
''', "en")
p("prompt", "slack thread between two admins", r'''
read this and update the runbook

lena  10:14  anyone know how to get on the ups web card?
piotr 10:15  apc / ⟦GrumpyCat#2013⟧
lena  10:15  that worked, ta
piotr 10:16  default was apc/apc, whoever left it like that for 6 years owes me a beer
''', "en")
p("prompt", "spanish complaint with two tries", "no me deja entrar a phpmyadmin: primero probé con ⟦Barcelona*1899⟧ y luego ⟦barcelona*1899⟧, usuario webmaster. ¿puede ser fail2ban?", "es")
p("prompt", "polish one-liner on a camera", "kamera na hali: http://10.44.2.9, logujesz się jako admin i hasło ⟦Zielona-Zaba5⟧, zrób zrzut co godzinę", "pl")
p("note", "safe code phrase of a backup drive", "The offsite drive (LUKS) opens with the sentence ⟦Grandma keeps 3 geese in Toledo⟧; Hanne has it on paper as well.")
p("note", "service windows account after reset", "AD reset done for CONTOSO-LAB\\svc_scan. Scanner share works again once the MFP uses ⟦Paperjam-Again9⟧ for it.")
p("note", "three boxes share one", "All three PLC gateways (10.60.1.11-13) take root with ⟦conveyorbelt⟧, confirmed by logging in to each.")
p("note", "agent wrote a temporary account", "Created local Grafana user `auditor` with password `⟦Quarterly-Review3⟧` and Viewer role, delete after 30 June.")
p("import", "table of rooms and devices", "| Sala Turing | Cisco Codec | 10.7.0.31 | admin | ⟦Teleconf3rence!⟧ |")
p("import", "bullet with inline code", "- shared mailbox for invoices, OWA login `CORP\\invoices` + `⟦Payable&Receivable1⟧`")
p("import", "checkbox with url", "- [ ] move off ftp://webupload:⟦Schneewittchen7⟧@ftp.puppentheater.example/httpdocs")
p("import", "quoted recovery phrase of a vault export", "> Bitwarden export is encrypted, unlock: “⟦seven lazy otters nap⟧”")
p("import", "sip phones", "+ SIP ext 204: user 204, secret ⟦reception-phone-204⟧, proxy pbx.hotel-alpenblick.example")

# =================================================================== PASSWORDS: command
p("command", "mysqldump glued -p", "mysqldump -h db-old.intern -u shop -p⟦Apfelstrudel88⟧ --single-transaction shop orders | gzip > orders.sql.gz")
p("command", "sshpass rsync", "sshpass -p '⟦LetMeIn-Please7⟧' rsync -av --progress ./site/ webmaster@198.51.100.40:/var/www/html/")
p("command", "ldapsearch simple bind", 'ldapsearch -x -H ldap://dc1.acker.example -D "cn=binduser,ou=svc,dc=acker,dc=example" -w ⟦Rotkaeppchen1⟧ -b dc=acker,dc=example "(sAMAccountName=mfuchs)" memberOf')
p("command", "smbclient user percent", "smbclient //fs02/Scans -U 'WERK\\scanner%⟦Papierstau22⟧' -c 'cd 2025; ls'")
p("command", "cifs mount option", "sudo mount -t cifs //10.2.0.9/backup /mnt/bk -o username=veeam,password=⟦Nightly+Weekly4⟧,vers=3.0,uid=1000")
p("command", "net use with drive letter", "net use Z: \\\\FILESRV\\Public ⟦Fr33Parking!⟧ /user:FILESRV\\reception /persistent:yes")
p("command", "freerdp", "xfreerdp /v:10.0.9.21 /u:buchhaltung /p:⟦Mehrwertsteuer19⟧ /cert:ignore /size:1600x900 +clipboard")
p("command", "ipmitool", "for i in 11 12 13; do ipmitool -I lanplus -H 10.9.0.$i -U ADMIN -P ⟦serverroom-is-cold⟧ chassis power status; done")
p("command", "lftp mirror", 'lftp -e "mirror -R build/ /htdocs; quit" -u kegelclub,⟦AlleNeune-9er⟧ sftp://ssh.hoster.example')
p("command", "sqlplus connect string", 'echo "select count(*) from inv_lines;" | sqlplus -s apps/⟦Bumblebee_42⟧@//erp-db:1521/PROD')
p("command", "openssl pkcs12 passin", "openssl pkcs12 -in klient.pfx -nodes -passin pass:⟦zlatapraha1⟧ | openssl x509 -noout -enddate")
p("command", "keytool storepass", "keytool -importcert -noprompt -alias corp-root -file root.crt -keystore cacerts.jks -storepass ⟦chang3thisl8ter⟧")
p("command", "chpasswd", "echo 'kiosk:⟦Besucher2025⟧' | sudo chpasswd && sudo loginctl terminate-user kiosk")
p("command", "ansible become and connection", 'ansible all -i 10.3.3.7, -m ping -e "ansible_user=pi ansible_password=⟦himbeerkuchen⟧ ansible_become_pass=⟦Himbeerkuchen2⟧"')
p("command", "docker run postgres", "docker run -d --name pg -p 5433:5432 -e POSTGRES_USER=lager -e POSTGRES_PASSWORD=⟦Gabelstapler#1⟧ -v pgdata:/var/lib/postgresql/data postgres:16")
p("command", "rabbitmqctl add_user", "rabbitmqctl add_user courier ⟦pigeon-post-1870⟧ && rabbitmqctl set_permissions -p / courier '.*' '.*' '.*'")
p("command", "powershell credential object", r'''
$pw = ConvertTo-SecureString '⟦Oktoberfest!2023⟧' -AsPlainText -Force
$cred = New-Object System.Management.Automation.PSCredential('KLINIK\adm-weber', $pw)
Invoke-Command -ComputerName SRV-PACS01 -Credential $cred -ScriptBlock { Get-Service DicomRouter }
''')
p("command", "expect with send", r'''
expect <<'X'
spawn telnet 10.50.0.1
expect "Username:" ; send "netadmin\r"
expect "Password:" ; send "⟦Cisc0DiskoInferno⟧\r"
expect "#"         ; send "show run | inc snmp\r"
expect "#"         ; send "exit\r"
X
''')
p("command", "passwd twice by here-doc", r'''
sudo passwd sensor <<EOF
⟦thermometer in the barn⟧
⟦thermometer in the barn⟧
EOF
''')
p("command", "kinit from echo", "echo '⟦Krakow-Lublin-3h⟧' | kinit jnowak@AD.LOGISTYKA.EXAMPLE && klist")
p("command", "gpg symmetric batch", "tar cz ~/docs | gpg --batch --yes --pinentry-mode loopback --passphrase 'trust no goose' --symmetric -o docs.tgz.gpg".replace("trust no goose", "⟦trust no goose 1997⟧"))
p("command", "nextcloud occ with OC_PASS", 'sudo -u www-data OC_PASS=⟦Klassenfahrt-8b⟧ php occ user:add --password-from-env --display-name="Klasse 8b" --group=schueler klasse8b')
p("command", "curl form login", "curl -c jar.txt -s -o /dev/null -w '%{http_code}\\n' -d 'log=redaktion&pwd=⟦Zeitungsente%2199⟧&wp-submit=Log+In' https://lokalblatt.example/wp-login.php")

# =================================================================== PASSWORDS: output
p("output", "ps shows a client's argument", r'''
$ ps auxww | grep [m]ongodump
backup   20417  3.1  0.4 912244 38120 ?  Sl  02:00  0:11 mongodump --host rs1/mdb1,mdb2 -u dumper -p ⟦OrangUtan4Life⟧ --authenticationDatabase admin --gzip --out /bk/2025-03-02
''')
p("output", "sshd log, password typed as user name", r'''
Mar 03 07:58:40 fileserv sshd[3120]: Invalid user ⟦Liverpool!88⟧ from 10.20.4.33 port 51044
Mar 03 07:58:44 fileserv sshd[3120]: Connection closed by invalid user ⟦Liverpool!88⟧ 10.20.4.33 port 51044 [preauth]
Mar 03 07:58:51 fileserv sshd[3127]: Accepted password for mhart from 10.20.4.33 port 51046 ssh2
''')
p("output", "ftp control trace", r'''
220 ProFTPD Server ready.
>>> USER druckdaten
331 Password required for druckdaten
>>> PASS ⟦Offset&Digital5⟧
230 User druckdaten logged in
>>> TYPE I
200 Type set to I
''')
p("output", "imap log by fetchmail -v", r'''
fetchmail: IMAP< * OK [CAPABILITY IMAP4rev1 LITERAL+ AUTH=PLAIN] Dovecot ready.
fetchmail: IMAP> A0001 CAPABILITY
fetchmail: IMAP> A0002 LOGIN "kantor@gemeinde.example" "⟦Orgelpfeife1685⟧"
fetchmail: IMAP< A0002 NO [AUTHENTICATIONFAILED] Authentication failed.
''')
p("output", "brute force tool finds", r'''
[DATA] attacking ssh://10.13.37.20:22/
[22][ssh] host: 10.13.37.20   login: jsmith   password: ⟦Sunflower2019⟧
1 of 1 target successfully completed, 1 valid password found
''')
p("output", "hashcat --show", r'''
$ hashcat -m 1000 ntds.txt --show --username
kpeeters:‹~hex 32›:⟦Zomervakantie21⟧
lvanacker:‹~hex 32›:⟦Antwerpen1234⟧
svc_print:‹~hex 32›:⟦printerprinter⟧
''')
p("output", "aircrack result", r'''
                               Aircrack-ng 1.7

      [00:02:41] 812044/1400021 keys tested (5021.33 k/s)

                       KEY FOUND! [ ⟦fussball-im-garten⟧ ]
''')
p("output", "netsh wlan show profile", r'''
Security settings
-----------------
    Authentication         : WPA2-Personal
    Cipher                 : CCMP
    Security key           : Present
    Key Content            : ⟦MamaMiaPizza55⟧

Cost settings
-------------
''')
p("output", "intercepted form post", r'''
POST /j_spring_security_check HTTP/1.1
Host: archiv.museum.example
Content-Type: application/x-www-form-urlencoded
Content-Length: 59
Cookie: lang=de

j_username=depot&j_password=⟦Mammut-Skelett3⟧&submit=Anmelden
''')
p("output", "postgres statement log", r'''
2025-04-22 06:12:09.331 UTC [882] admin@hr LOG:  statement: ALTER ROLE hr_sync WITH LOGIN PASSWORD '⟦PeopleFirst!24⟧' VALID UNTIL '2026-01-01';
2025-04-22 06:12:09.340 UTC [882] admin@hr LOG:  duration: 8.713 ms
''')
p("output", "web access log with login in the query", r'''
10.1.9.4 - - [19/May/2025:21:04:11 +0200] "GET /cgi-bin/login.cgi?user=admin&passwd=⟦Katzenklo_44⟧&go=1 HTTP/1.1" 302 0 "-" "Mozilla/5.0 (iPad)"
10.1.9.4 - - [19/May/2025:21:04:11 +0200] "GET /status.html HTTP/1.1" 200 4211 "-" "Mozilla/5.0 (iPad)"
''')
p("output", "rails development log, filter off", r'''
Started POST "/users/sign_in" for 127.0.0.1 at 2025-02-17 14:20:03 +0100
Processing by Users::SessionsController#create as TURBO_STREAM
  Parameters: {"user"=>{"email"=>"ines@cooperativa.example", "password"=>"⟦MiPerroToby2011⟧", "remember_me"=>"0"}, "commit"=>"Log in"}
Completed 422 Unprocessable Content in 214ms
''')
p("output", "shell history listing", r'''
$ history | tail -5
  991  cd /opt/wiki
  992  su - wiki
  993  ⟦Wikinger-Schiff!⟧
  994  su - wiki
  995  ./gradlew run
''')
p("output", "password store entry shown", r'''
$ pass show clients/baeckerei/router
⟦Roggenmischbrot!3⟧
user: verwaltung
url: http://192.168.0.254
$ pass git log -1 --format=%h
‹~hex 7›
''')
p("output", "mimikatz wdigest", r'''
Authentication Id : 0 ; 996412 (00000000:000f343c)
Session           : Interactive from 1
User Name         : r.hoekstra
Domain            : HAVEN
        wdigest :
         * Username : r.hoekstra
         * Domain   : HAVEN
         * Password : ⟦Rotterdam#Zuid010⟧
        kerberos :
''')
p("output", "dotnet unhandled exception with connection string", r'''
Unhandled exception. System.ArgumentException: Keyword not supported: 'port'.
   at System.Data.Common.DbConnectionOptions.ParseInternal(Dictionary`2 parsetable, String connectionString, Boolean buildChain)
[dbg] cs = Server=sql3;port=1433;Database=Kundenkartei;User Id=kk_app;Pwd=⟦Goldfisch im Glas⟧;Encrypt=False
''')

# =================================================================== PASSWORDS: edit
p("edit", "my.cnf client section", "[client]\nhost = 127.0.0.1\nuser = kursverwaltung\npassword = \"⟦Volkshochschule#1⟧\"\n\n[mysqldump]\nquick\nmax_allowed_packet = 64M")
p("edit", "pgpass lines", "# host:port:db:user:pw\nlocalhost:5432:*:postgres:⟦elephant-walk⟧\ndwh.corp.example:5432:mart:ana:⟦AnaBanana1991⟧")
p("edit", "tomcat-users.xml", '<tomcat-users>\n  <role rolename="manager-gui"/>\n  <user username="hausmeister" password="⟦Schluesselbund5⟧" roles="manager-gui,admin-gui"/>\n</tomcat-users>')
p("edit", "spring application.yml", "spring:\n  datasource:\n    url: jdbc:mariadb://maria:3306/tickets\n    username: tickets\n    password: ⟦EintrittFrei2Mal⟧\n  jpa:\n    hibernate:\n      ddl-auto: validate\nserver:\n  port: 8085")
p("edit", "wpa_supplicant.conf", 'ctrl_interface=DIR=/var/run/wpa_supplicant GROUP=netdev\nupdate_config=1\ncountry=CH\n\nnetwork={\n    ssid="Chalet-EG"\n    psk="⟦Murmeltier im Schnee⟧"\n}')
p("edit", "cloud-init user data", "#cloud-config\nhostname: kiosk-7\nusers:\n  - name: maint\n    groups: sudo\n    shell: /bin/bash\n    lock_passwd: false\n    plain_text_passwd: ⟦museum-after-dark⟧\nssh_pwauth: true")
p("edit", "windows unattend file", '      <UserAccounts>\n        <AdministratorPassword>\n          <Value>⟦Werkstatt.2021⟧</Value>\n          <PlainText>true</PlainText>\n        </AdministratorPassword>\n      </UserAccounts>\n      <TimeZone>W. Europe Standard Time</TimeZone>')
p("edit", "freeradius users", 'azubi01  Cleartext-Password := "⟦Lehrjahre!1⟧"\n         Reply-Message = "Hallo %{User-Name}",\n         Tunnel-Private-Group-Id = 30')
p("edit", "pptp chap-secrets", "# client        server  secret                  IP addresses\naussendienst1   pptpd   ⟦Autobahn_A7_Nord⟧        10.99.0.21\naussendienst2   pptpd   ⟦Raststaette-West⟧        10.99.0.22")
p("edit", "php mysqli positional", '<?php\n// alt, bitte auf PDO umbauen\n$db = mysqli_connect("localhost", "gaestebuch", "⟦Hallihallo1999⟧", "gaestebuch_db");\nif (!$db) { die("keine Verbindung"); }\n$res = mysqli_query($db, "SELECT * FROM eintraege ORDER BY id DESC LIMIT 20");')
p("edit", "playwright login step", 'test("invoice can be downloaded", async ({ page }) => {\n  await page.goto("https://staging.rechnung.example/login");\n  await page.getByLabel("E-Mail").fill("qa-bot@rechnung.example");\n  await page.locator("#pw").fill("⟦QaBot-loves-Cookies1⟧");\n  await page.getByRole("button", { name: "Anmelden" }).click();\n  await expect(page.getByText("Übersicht")).toBeVisible();\n});')
p("edit", "selenium in python", 'driver.get("https://intranet.spedition.example")\ndriver.find_element(By.ID, "txtUser").send_keys("dispo3")\ndriver.find_element(By.ID, "txtPass").send_keys("⟦Sattelschlepper40t⟧", Keys.ENTER)\nWebDriverWait(driver, 10).until(EC.title_contains("Touren"))')
p("edit", "gherkin scenario against real staging", 'Feature: Anmeldung\n  Scenario: Lehrkraft meldet sich an\n    Given I am on "https://staging.lernraum.example"\n    When I sign in as "lehrer.mueller" using "⟦Tafelkreide#7c⟧"\n    Then I see "Meine Klassen"')
p("edit", "vba connection string", 'Sub HoleUmsatz()\n    Dim cn As Object: Set cn = CreateObject("ADODB.Connection")\n    cn.Open "Provider=MSOLEDBSQL;Data Source=SRV-SQL1;Initial Catalog=Umsatz;User ID=excel_ro;Password=⟦Tabellenkalkulation1⟧;"\n    Range("A2").CopyFromRecordset cn.Execute("SELECT * FROM v_Umsatz_2025")\n    cn.Close\nEnd Sub')
p("edit", "csv of school accounts", "vorname;nachname;benutzer;startkennwort;klasse\nMia;Hartung;m.hartung;⟦Regenbogen-417⟧;5a\nEmre;Yildiz;e.yildiz;⟦Fahrrad-882⟧;5a\nJule;Petersen;j.petersen;⟦Kirschbaum-209⟧;5b")
p("edit", "ansible inventory ini", "[switches]\nsw-og1 ansible_host=10.5.0.2\nsw-og2 ansible_host=10.5.0.3\n\n[switches:vars]\nansible_connection=ansible.netcommon.network_cli\nansible_network_os=community.network.ce\nansible_user=netops\nansible_ssh_pass=⟦PatchPanel-Pirate⟧")
p("edit", "asterisk peer", "[reception]\ntype=friend\nhost=dynamic\nsecret=⟦ringring-whosthere⟧\ncontext=internal\ncallerid=\"Reception\" <200>\nqualify=yes")
p("edit", "postfix sasl_passwd", "[smtp.strato-mail.example]:587    info@blumen-koenig.example:⟦Tulpen&Nelken24⟧")
p("edit", "ldif user", "dn: uid=kkrause,ou=people,dc=verein,dc=example\nchangetype: modify\nreplace: userPassword\nuserPassword: ⟦Vereinsheim1904⟧\n-\nreplace: mail\nmail: k.krause@verein.example")
p("edit", "dockerfile root password", "FROM debian:12-slim\nRUN apt-get update && apt-get install -y openssh-server && mkdir /run/sshd\nRUN echo 'root:⟦toor2Roots!⟧' | chpasswd\nEXPOSE 22\nCMD [\"/usr/sbin/sshd\", \"-D\"]")
p("edit", "kickstart", "lang de_DE.UTF-8\nkeyboard de-nodeadkeys\nrootpw --plaintext ⟦Maschinenraum-7⟧\nuser --name=bediener --groups=wheel --password=⟦Steuerpult-3⟧ --plaintext\ntimezone Europe/Berlin --utc")
p("edit", "home assistant secrets file", "# secrets.yaml\nhttp_base: https://haus.example\nmqtt_user: haus\nmqtt_pw: ⟦Waschmaschine_fertig⟧\ncam_flur: rtsp://viewer:⟦Flurkamera2020⟧@192.168.178.61:554/h264")
p("edit", "keycloak realm export with plain value", '    {\n      "username": "vertrieb.demo",\n      "enabled": true,\n      "email": "vertrieb.demo@windpark.example",\n      "credentials": [ { "type": "password", "value": "⟦Rotorblatt-55m⟧", "temporary": false } ],\n      "realmRoles": [ "viewer" ]\n    }')
p("edit", "readme getting started", "## Getting started\n\n1. `make up`\n2. open http://localhost:3000\n3. sign in as `boss@acme.example` with `⟦Roadrunner-Meep-Meep⟧` (this is the one on staging too, so don't share)\n4. click *Import*")
p("edit", "sql script with users of several engines", "-- run once per env\nCREATE USER 'lagerist'@'%' IDENTIFIED BY '⟦Palettenjack!12⟧';\nGRANT SELECT, INSERT ON lager.* TO 'lagerist'@'%';\nSET PASSWORD FOR 'chef'@'localhost' = PASSWORD('⟦Feierabend16Uhr⟧');\nFLUSH PRIVILEGES;")

# ---------------------------------------------------------------- write
def main():
    from collections import Counter
    with open(OUT, "w", encoding="utf-8") as f:
        for i, c in enumerate(CASES, 1):
            f.write(json.dumps({"id": "b%03d" % i, "class": c["cls"], "situation": c["situation"], "route": c["route"],
                                "text": c["text"], "secrets": c["secrets"]}, ensure_ascii=False) + "\n")
    rows = [json.loads(l) for l in open(OUT, encoding="utf-8")]
    bad = [r["id"] for r in rows if not r["secrets"] or any(s not in r["text"] or "\n" in s for s in r["secrets"])]
    print("rows", len(rows), dict(Counter(r["class"] for r in rows)), "bad", bad)
    for cl in ("key", "password"):
        print(cl, dict(Counter(r["route"] for r in rows if r["class"] == cl)))
    print("all", dict(Counter(r["route"] for r in rows)))
    ks = [c for c in CASES if c["cls"] == "key"]
    print("no prefix", sum(not c["v"] for c in ks), "not announced", sum(not c["a"] for c in ks))
    print("languages", dict(Counter(c["lang"] for c in CASES if c["cls"] == "password")))
    print("dup situations", [s for s, n in Counter(r["situation"] for r in rows).items() if n > 1])
    print("long", [(r["id"], r["text"].count("\n")+1) for r in rows if r["text"].count("\n") >= 30])
    print("warn", WARN, "stray", [r["id"] for r in rows if re.search("[⟦⟧‹›]", r["text"])])

if __name__ == "__main__":
    main()
