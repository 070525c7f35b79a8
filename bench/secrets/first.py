"""The first fresh set of secrets: 190 keys and tokens, 140 passwords that people choose. See `bench/secrets/README.md`.

    python bench/secrets/first.py FILE

⟦ … ⟧ marks a secret, {kind:n} inside it is a random value; ‹kind:n› is a random value that is none.
"""

import base64, hashlib, json, os, random, re, string, struct, sys, urllib.parse, zlib

R = random.Random(20250917)
OUT = sys.argv[1]

UP, LO, DG = string.ascii_uppercase, string.ascii_lowercase, string.digits
AN_ = UP + LO + DG
B58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
BECH = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"

def pick(al, n): return "".join(R.choice(al) for _ in range(n))
def rb(n): return bytes(R.getrandbits(8) for _ in range(n))
def b64b(b): return base64.b64encode(b).decode()
def b64ub(b): return base64.urlsafe_b64encode(b).decode().rstrip("=")
def uuid():
    h = pick("0123456789abcdef", 32)
    return f"{h[:8]}-{h[8:12]}-4{h[13:16]}-{R.choice('89ab')}{h[17:20]}-{h[20:]}"
def mix(al, n):
    # at least one digit, lower and upper if the alphabet has them
    while True:
        s = pick(al, n)
        if all((not set(c) & set(al)) or set(c) & set(s) for c in (UP, LO, DG)):
            return s

GEN = {
    "hex": lambda n: pick("0123456789abcdef", n),
    "HEX": lambda n: pick("0123456789ABCDEF", n),
    "an": lambda n: mix(AN_, n),
    "anl": lambda n: mix(LO + DG, n),
    "AN": lambda n: mix(UP + DG, n),
    "lo": lambda n: pick(LO, n),
    "up": lambda n: pick(UP, n),
    "dig": lambda n: pick("123456789", 1) + pick(DG, n - 1),
    "b32": lambda n: pick(UP + "234567", n),
    "b32l": lambda n: pick(LO + "234567", n),
    "b58": lambda n: pick(B58, n),
    "us": lambda n: mix(AN_, 1 if n < 4 else 3) + pick(AN_ + "-_", n - 4) + pick(AN_, 1),
    "b64": lambda n: b64b(rb(n)),          # n bytes
    "b64u": lambda n: b64ub(rb(n)),        # n bytes, url-safe, no padding
    "b64p": lambda n: base64.urlsafe_b64encode(rb(n)).decode(),
    "dj": lambda n: pick(LO + DG + "!@#$%^&*(-_=+)", n),
    "sg": lambda n: mix(AN_ + "!#%&*+-=?@^_~", n),      # signs, no quotes
    "uuid": lambda n: uuid(),
    "UUID": lambda n: uuid().upper(),
    "bech": lambda n: pick(BECH, n),
    "BECH": lambda n: pick(BECH.upper(), n),
}

def expand(s):
    return re.sub(r"\{(\w+):(\d+)\}", lambda m: GEN[m.group(1)](int(m.group(2))), s)

CASES = []

def render(text, kw):
    text = text.strip("\n")
    for k, v in kw.items():
        assert "«%s»" % k in text, (k, text)
        text = text.replace("«%s»" % k, v)
    assert not re.search(r"«[a-z0-9]+»", text), text
    text = re.sub(r"‹(\w+):(\d+)›", lambda m: GEN[m.group(1)](int(m.group(2))), text)
    out, secrets, pos = [], [], 0
    for m in re.finditer(r"⟦(.*?)⟧", text, re.S):
        out.append(text[pos:m.start()])
        v = expand(m.group(1))
        out.append(v)
        for line in v.split("\n"):
            line = line.strip()
            if line and line not in secrets:
                secrets.append(line)
        pos = m.end()
    out.append(text[pos:])
    plain = "".join(x for i, x in enumerate(out) if i % 2 == 0)
    full = "".join(out)
    assert "⟦" not in full and "⟧" not in full and secrets, full
    return full, secrets, "\x00".join(x for i, x in enumerate(out) if i % 2 == 0)

def add(cls, sit, route, text, fl, kw):
    full, secrets, rest = render(text, kw)
    CASES.append(dict(cls=cls, sit=sit, route=route, text=full, secrets=secrets, fl=fl, rest=rest))

def K(sit, route, text, fl="", **kw): add("key", sit, route, text, fl, kw)
def P(sit, route, text, fl="", **kw): add("password", sit, route, text, fl, kw)

# ---------- structures ----------
def dl(n):
    if n < 128: return bytes([n])
    b = n.to_bytes((n.bit_length() + 7) // 8, "big")
    return bytes([0x80 | len(b)]) + b
def tlv(t, b): return bytes([t]) + dl(len(b)) + b
def dint(n):
    b = n.to_bytes(n.bit_length() // 8 + 1, "big")
    return tlv(2, b)
def rint(bits): return R.getrandbits(bits) | (1 << (bits - 1)) | 1
def seq(*a): return tlv(0x30, b"".join(a))
OID_RSA = bytes.fromhex("06092a864886f70d010101")
OID_EC = bytes.fromhex("06072a8648ce3d0201")
OID_P256 = bytes.fromhex("06082a8648ce3d030107")
def rsa_der(bits):
    h = bits // 2
    return seq(dint(0), dint(rint(bits)), dint(65537), dint(rint(bits - 2)), dint(rint(h)), dint(rint(h)),
               dint(rint(h)), dint(rint(h - 1)), dint(rint(h)))
def rsa_p8(bits): return seq(dint(0), seq(OID_RSA, b"\x05\x00"), tlv(4, rsa_der(bits)))
def ec_der(): return seq(dint(1), tlv(4, rb(32)), tlv(0xA0, OID_P256), tlv(0xA1, tlv(3, b"\x00\x04" + rb(64))))
def ec_p8(): return seq(dint(0), seq(OID_EC, OID_P256), tlv(4, seq(dint(1), tlv(4, rb(32)), tlv(0xA1, tlv(3, b"\x00\x04" + rb(64))))))
def ed_p8(): return seq(dint(0), seq(bytes.fromhex("06032b6570")), tlv(4, tlv(4, rb(32))))
def enc_p8(n):
    kdf = seq(bytes.fromhex("06092a864886f70d01050c"), seq(tlv(4, rb(8)), dint(2048), seq(bytes.fromhex("06082a864886f70d0209"), b"\x05\x00")))
    enc = seq(bytes.fromhex("0609608648016503040 12a".replace(" ", "")), tlv(4, rb(16)))
    return seq(seq(bytes.fromhex("06092a864886f70d01050d"), seq(kdf, enc)), tlv(4, rb(n)))
def wrap(b, w=64):
    s = b64b(b) if isinstance(b, bytes) else b
    return [s[i:i + w] for i in range(0, len(s), w)]
def sstr(b): return struct.pack(">I", len(b)) + b
def openssh_ed(comment):
    pub, seed, chk = rb(32), rb(32), rb(4)
    pb = sstr(b"ssh-ed25519") + sstr(pub)
    pv = chk + chk + sstr(b"ssh-ed25519") + sstr(pub) + sstr(seed + pub) + sstr(comment.encode())
    i = 1
    while len(pv) % 8: pv += bytes([i]); i += 1
    return b"openssh-key-v1\0" + sstr(b"none") + sstr(b"none") + sstr(b"") + struct.pack(">I", 1) + sstr(pb) + sstr(pv)
def openssh_rsa(bits, comment):
    def mp(n): return sstr(n.to_bytes(n.bit_length() // 8 + 1, "big"))
    n, e = rint(bits), 65537
    pb = sstr(b"ssh-rsa") + mp(e) + mp(n)
    chk = rb(4)
    pv = chk + chk + sstr(b"ssh-rsa") + mp(n) + mp(e) + mp(rint(bits)) + mp(rint(bits // 2)) + mp(rint(bits // 2)) + mp(rint(bits // 2)) + sstr(comment.encode())
    i = 1
    while len(pv) % 8: pv += bytes([i]); i += 1
    return b"openssh-key-v1\0" + sstr(b"none") + sstr(b"none") + sstr(b"") + struct.pack(">I", 1) + sstr(pb) + sstr(pv)
def mk(lines, pre="", post=""): return "\n".join(f"{pre}⟦{l}⟧{post}" for l in lines)
def jwt(payload, alg="HS256", **hdr):
    h = {"alg": alg, "typ": "JWT"}; h.update(hdr)
    j = lambda o: b64ub(json.dumps(o, separators=(",", ":")).encode())
    return j(h) + "." + j(payload) + "." + b64ub(rb({"HS256": 32, "HS512": 64, "RS256": 256, "ES256": 64}[alg]))
def b58c(raw):
    raw += hashlib.sha256(hashlib.sha256(raw).digest()).digest()[:4]
    n, s = int.from_bytes(raw, "big"), ""
    while n: n, r = divmod(n, 58); s = B58[r] + s
    return s
def wif(): return b58c(b"\x80" + rb(32) + b"\x01")
def xprv(): return b58c(bytes.fromhex("0488ade4") + b"\x03" + rb(4) + b"\x80\x00\x00\x00" + rb(32) + b"\x00" + rb(32))
def crc62(body):
    n, s = zlib.crc32(body.encode()), ""
    while n: n, r = divmod(n, 62); s = (DG + UP + LO)[r] + s
    return s.rjust(6, "0")
def gh(pfx="ghp_"):
    b = pick(AN_, 30); return pfx + b + crc62(b)
BIP = ("absent absorb acoustic adapt airport alarm album banana barrel blossom candy canvas cargo carpet cattle cherry "
       "cinnamon clutch coconut copper coral cradle cricket crystal curtain dolphin dragon drift eagle elbow engine "
       "fabric fiction filter flavor fossil fragile gadget garlic genius giraffe glimpse gravity hamster harvest hazard "
       "hybrid icon impulse indoor island jaguar jewel jungle kangaroo kidney kitten ladder lava lemon leopard lizard "
       "lunar magnet mango maple marble mimic mosquito nephew noble nuclear oak ocean olive orbit ostrich oxygen panda "
       "panther pepper pigeon pilot planet puzzle quantum rabbit radar raven ribbon rifle river robot rocket saddle "
       "salmon scorpion shadow shrimp silver slender sniff spider squirrel stadium sunset sword tackle tiger toast "
       "tornado tragic trophy tunnel turtle umbrella uncle unveil vacuum velvet venture vintage violin volcano walnut "
       "whale winter wisdom yellow zebra zone").split()
def words(n): return R.sample(BIP, n)
def hexcolon(nbytes, per=15):
    h = [f"{x:02x}" for x in rb(nbytes)]
    ls = [":".join(h[i:i + per]) for i in range(0, nbytes, per)]
    return [l + ":" for l in ls[:-1]] + [ls[-1]]
def q(s): return urllib.parse.quote(s, safe="")
def m(s): return "⟦" + s + "⟧"
g = lambda name, n=0: GEN[name](n)

# =====================================================================================
# Part 1: keys
# =====================================================================================

# ---------- shells ----------
K("env dump, own service variables", "output", r'''
$ env | sort | grep -v -e ^LC_ -e ^XDG
BROWSER_POOL=4
COLORTERM=truecolor
GEOFENCE_SVC_KEY=⟦{an:40}⟧
HOME=/home/marta
INGEST_SHARED_SECRET=⟦{hex:64}⟧
LANG=de_DE.UTF-8
LESS=-R
LOGNAME=marta
OLDPWD=/home/marta/src/geofence
PATH=/home/marta/.local/bin:/usr/local/bin:/usr/bin:/bin
PWD=/home/marta/src/geofence/deploy
SHLVL=2
TERM=xterm-256color
''')

K("export lines before running a script", "command", r'''
export PARCELHUB_USER=svc-label-printer
export PARCELHUB_APIKEY='⟦{us:43}⟧'
export PARCELHUB_ENV=live
python -m labels.sync --since 2025-08-01 --dry-run
''')

K("shell history with header in a curl call", "output", r'''
$ history | tail -8
  811  cd ~/work/tide-gauge
  812  git pull --rebase
  813  curl -s https://telemetry.fjordwatch.no/v2/stations -H "X-Fjord-Access: ⟦{anl:32}⟧" | jq '.[0]'
  814  make lint
  815  vim internal/poll/poll.go
  816  go test ./internal/poll -run TestBackoff -count=1
  817  git commit -am "poll: back off on 429"
  818  history | tail -8
''', "n")

K("set -x trace of a deploy script", "output", r'''
+ set -o pipefail
+ VERSION=4.18.2
+ ARTIFACT=dist/kiosk-4.18.2.tgz
+ sha256sum dist/kiosk-4.18.2.tgz
‹hex:64›  dist/kiosk-4.18.2.tgz
+ curl -fsS -X PUT --data-binary @dist/kiosk-4.18.2.tgz -H 'X-JFrog-Art-Api: ⟦AKCp8{b58:68}⟧' https://artifacts.lumenretail.internal/generic/kiosk/4.18.2.tgz
+ echo 'uploaded 4.18.2'
uploaded 4.18.2
''', "p")

K("heredoc writing a daemon's config", "command", r'''
sudo tee /etc/pond-relay/relay.conf >/dev/null <<'CONF'
[upstream]
url      = wss://relay.ponds.example/ingest
node     = relay-fra-07
psk      = ⟦{b64:32}⟧
compress = zstd
CONF
sudo systemctl restart pond-relay
''')

K("PowerShell env and SetEnvironmentVariable", "command", r'''
$env:CONTOSO_TELEMETRY = "⟦{us:52}⟧"
[Environment]::SetEnvironmentVariable("CONTOSO_TELEMETRY", $env:CONTOSO_TELEMETRY, "User")
.\tools\Push-Metrics.ps1 -Endpoint https://metrics.corp.local:8443/ingest -Verbose
''', "n")

K("fish universal variable", "command", r'''
set -Ux TRANSLATOR_KEY ⟦{uuid:0}:fx⟧; and funcsave fish_prompt; and exec fish
''')

K("cmd.exe setx", "command", r'''
setx BUGSNARE_UPLOAD_PSK ⟦{HEX:32}⟧ /M && net stop BugSnareAgent && net start BugSnareAgent
''')

K("ps aux shows the argument", "output", r'''
$ ps aux | grep [c]ollector
otel      1877  0.3  1.1 1264212 91844 ?  Ssl  Sep02  41:12 /opt/collector/bin/collectord --region eu-c1 --ingest-token ⟦{anl:40}⟧ --spool /var/spool/collectord
otel      1903  0.0  0.1  22388  9120 ?   S    Sep02   0:07 /opt/collector/bin/rotate --every 1h
''')

# ---------- clouds ----------
K("AWS credentials file, two profiles", "edit", r'''
[default]
aws_access_key_id = AKIA‹b32:16›
aws_secret_access_key = ⟦«s1»⟧

[stage-readonly]
aws_access_key_id = AKIA‹b32:16›
aws_secret_access_key = ⟦«s2»⟧
region = eu-north-1
output = json
''', "p", s1=pick(AN_ + "/+", 40), s2=pick(AN_ + "/+", 40))

K("aws sts assume-role JSON", "output", r'''
{
    "Credentials": {
        "AccessKeyId": "ASIA‹b32:16›",
        "SecretAccessKey": "⟦«s»⟧",
        "SessionToken": "⟦IQoJb3JpZ2luX2VjE«t»⟧",
        "Expiration": "2025-09-11T14:02:51+00:00"
    },
    "AssumedRoleUser": {
        "AssumedRoleId": "AROA‹b32:17›:ops-lena",
        "Arn": "arn:aws:sts::418290557316:assumed-role/DeployRole/ops-lena"
    }
}
''', "p", s=pick(AN_ + "/+", 40), t=b64b(rb(330)))

K("second half of an AWS pair, in chat", "prompt", r'''
the id is AKIA‹b32:16› and the other half is ⟦«s»⟧ , region is ap-southeast-2. can you list what's in the harbour-scans bucket and tell me which prefixes are older than 90 days?
''', "n", s=pick(AN_ + "/+", 40))

_p8 = wrap(rsa_p8(2048))
K("GCP service account JSON", "edit", r'''
{
  "type": "service_account",
  "project_id": "orchard-yield-4417",
  "private_key_id": "‹hex:40›",
  "private_key": "-----BEGIN PRIVATE KEY-----\n«body»\n-----END PRIVATE KEY-----\n",
  "client_email": "yield-batch@orchard-yield-4417.iam.gserviceaccount.com",
  "client_id": "1‹dig:20›",
  "auth_uri": "https://accounts.google.com/o/oauth2/auth",
  "token_uri": "https://oauth2.googleapis.com/token",
  "universe_domain": "googleapis.com"
}
''', "p", body="\\n".join(m(l) for l in _p8))

K("Azure storage connection string in local.settings.json", "edit", r'''
{
  "IsEncrypted": false,
  "Values": {
    "AzureWebJobsStorage": "DefaultEndpointsProtocol=https;AccountName=stmeterprodweu;AccountKey=⟦{b64:64}⟧;EndpointSuffix=core.windows.net",
    "FUNCTIONS_WORKER_RUNTIME": "dotnet-isolated",
    "MeterQueue": "meter-readings"
  }
}
''')

K("azcopy with SAS URL", "command", r'''
azcopy copy "./export/2025-08" "https://stmeterprodweu.blob.core.windows.net/archive?sv=2023-11-03&ss=b&srt=co&sp=rwlc&se=2025-12-31T22:59:59Z&st=2025-09-01T06:00:00Z&spr=https&sig=⟦«sig»⟧" --recursive --put-md5
''', "n", sig=q(b64b(b"\xfb\xff" + rb(29) + b"\xfe")))

K("az ad sp create-for-rbac", "output", r'''
WARNING: The output includes credentials that you must protect. Be sure that you do not include these credentials in your code.
{
  "appId": "‹uuid:0›",
  "displayName": "sp-ledger-ci",
  "password": "⟦{an:3}8Q~{us:34}⟧",
  "tenant": "‹uuid:0›"
}
''', "p")

K("az storage keys list as table", "output", r'''
$ az storage account keys list -n stledgerarch -g rg-ledger -o table
CreationTime                      KeyName    Permissions    Value
--------------------------------  ---------  -------------  ----------------------------------------------------------------------------------------
2024-02-19T08:44:10.101922+00:00  key1       FULL           ⟦{b64:64}⟧
2024-02-19T08:44:10.101922+00:00  key2       FULL           ⟦{b64:64}⟧
''')

K("Cloudflare DNS API call", "command", r'''
curl -sX POST "https://api.cloudflare.com/client/v4/zones/‹hex:32›/purge_cache" \
     -H "Authorization: Bearer ⟦{us:40}⟧" \
     -H "Content-Type: application/json" \
     --data '{"purge_everything":true}'
''')

K("Cloudflare global key with mail headers", "prompt", r'''
the old global one still works, use it for now: X-Auth-Email: it@weberei-nord.de / X-Auth-Key: ⟦{hex:37}⟧
and move the three A records of shop. over to 203.0.113.40
''')

K("hcloud cli.toml", "edit", r'''
active_context = "prod-fsn"

[[contexts]]
name = "prod-fsn"
token = "⟦{an:64}⟧"

[[contexts]]
name = "lab"
token = "⟦{an:64}⟧"
''')

K("doctl auth init", "command", r'''doctl auth init --context staging -t ⟦dop_v1_{hex:64}⟧ && doctl kubernetes cluster kubeconfig save pigeon-stg''', "p")

K("S3-compatible keys of Oracle in rclone.conf", "edit", r'''
[oci-cold]
type = s3
provider = Other
access_key_id = ‹hex:40›
secret_access_key = ⟦{b64:32}⟧
endpoint = axqkbplt1rnd.compat.objectstorage.eu-frankfurt-1.oraclecloud.com
acl = private

[nas]
type = sftp
host = 192.168.40.12
user = backup
key_file = ~/.ssh/id_nas
''')

K("Scaleway UUID secret noted by an agent", "note", r'''
Scaleway provider needs both halves: access key SCW‹AN:17›, secret key ⟦{uuid:0}⟧; project stays the default one. Applied with tofu 1.8, no drift.
''')

K("Linode token in a markdown bullet", "import", r'''- linode cli (account `rosenhof-it`): PAT ⟦{hex:64}⟧, expires in March, scopes linodes:rw + domains:rw''')

K("OVH three headers", "command", r'''
TS=$(curl -s https://eu.api.ovh.com/1.0/auth/time)
AK=‹anl:16› AS=⟦{hex:32}⟧ CK=⟦{hex:32}⟧
SIG='$1$'$(printf '%s' "$AS+$CK+GET+https://eu.api.ovh.com/1.0/me++$TS" | sha1sum | cut -d' ' -f1)
curl -s https://eu.api.ovh.com/1.0/me -H "X-Ovh-Application: $AK" -H "X-Ovh-Consumer: $CK" -H "X-Ovh-Timestamp: $TS" -H "X-Ovh-Signature: $SIG"
''', "n")

K("b2 application key printed on creation", "output", r'''
$ b2 key create --bucket vinyl-scans scanner-upload listFiles,readFiles,writeFiles
003‹hex:12›0000000007 ⟦K003{an:27}⟧
''')

K("Vultr key pasted with a task", "prompt", r'''
can you spin up 2 small boxes in Warsaw (vc2-1c-2gb), debian 12, hostnames pl-1 and pl-2? vultr: ⟦{AN:36}⟧
''', "n")

K("IBM / smaller cloud in a table of notes", "import", r'''| provider | region | what I log in with | paid by |
|---|---|---|---|
| exoscale | ch-gva-2 | EXO‹hex:24› / ⟦{us:43}⟧ | Hugo |
| upcloud | fi-hel1 | ops-api / ⟦{an:24}⟧ | company card |''', "n")

# ---------- CI ----------
K("GitHub Actions log, step env unmasked", "output", r'''
2025-09-03T10:14:27.1184402Z ##[group]Run ./scripts/publish-docs.sh
2025-09-03T10:14:27.1184910Z ./scripts/publish-docs.sh
2025-09-03T10:14:27.1232071Z shell: /usr/bin/bash -e {0}
2025-09-03T10:14:27.1232390Z env:
2025-09-03T10:14:27.1232601Z   NODE_VERSION: 20
2025-09-03T10:14:27.1232817Z   DOCS_DEPLOY_TOKEN: ⟦{hex:48}⟧
2025-09-03T10:14:27.1233038Z   SITE: docs-preview
2025-09-03T10:14:27.1233220Z ##[endgroup]
2025-09-03T10:14:29.7710554Z Uploading 412 files...
2025-09-03T10:14:33.0090127Z ##[error]Process completed with exit code 22.
''')

K("GitLab job log, clone with job token in URL", "output", r'''
Getting source from Git repository
Reinitialized existing Git repository in /builds/herbarium/scanner/.git/
$ git submodule set-url vendor/ocr https://gitlab-ci-token:⟦{us:20}⟧@git.herbarium.lan/vendor/ocr.git
$ git submodule update --init vendor/ocr
Cloning into '/builds/herbarium/scanner/vendor/ocr'...
remote: HTTP Basic: Access denied
fatal: Authentication failed for 'https://git.herbarium.lan/vendor/ocr.git/'
ERROR: Job failed: exit code 128
''')

K("Jenkins console, sonar login", "output", r'''
[Pipeline] sh
+ ./mvnw -B -ntp sonar:sonar -Dsonar.projectKey=claims-core -Dsonar.host.url=https://sonar.assekura.lan -Dsonar.login=⟦{hex:40}⟧
[INFO] Scanning for projects...
[INFO] Reactor Build Order:
[INFO] claims-parent                                                      [pom]
[INFO] claims-core                                                        [jar]
[ERROR] Not authorized. Please check the properties sonar.login and sonar.password.
[Pipeline] }
Finished: FAILURE
''', "n")

K("CircleCI API call in an agent's plan", "note", r'''
Reran the flaky job over the API instead of the UI: POST /api/v2/workflow/‹uuid:0›/rerun with Circle-Token: ⟦CCIPAT_{an:22}_{hex:40}⟧. It went green on the second try.
''', "p")

K("Buildkite agent config", "edit", r'''
# The token from your Buildkite "Agents" page
token="⟦{hex:50}⟧"

# The name of the agent
name="mac-mini-%spawn"
priority=1
tags="os=macos,xcode=16.2"
build-path="/opt/buildkite-agent/builds"
hooks-path="/opt/buildkite-agent/hooks"
''')

K("Azure DevOps checkout, extraheader in base64", "output", r'''
##[command]git -c http.https://dev.azure.com/tramworks/_git/depot.extraheader="AUTHORIZATION: basic ⟦«b»⟧" fetch --force --tags --prune --no-recurse-submodules origin --depth=1
remote: Azure Repos
remote: Found 1893 objects to send. (212 ms)
From https://dev.azure.com/tramworks/_git/depot
 * [new ref]         «sha» -> origin/«sha»
''', sha=pick("0123456789abcdef", 40), b=b64b((":" + pick(LO + "234567", 52)).encode()))

# ---------- kubernetes ----------
K("Secret manifest with base64 data", "edit", r'''
apiVersion: v1
kind: Secret
metadata:
  name: ferry-booking
  namespace: prod
  labels: {app: ferry}
type: Opaque
data:
  payment-hmac: ⟦«a»⟧
  smtp-relay: ⟦«b»⟧
''', a=b64b(pick("0123456789abcdef", 64).encode()), b=b64b(mix(AN_, 28).encode()))

K("kubectl get secret one value decoded", "output", r'''
$ kubectl -n argocd get secret argocd-initial-admin-secret -o jsonpath='{.data.password}' | base64 -d; echo
⟦{us:16}⟧
''')

K("kubeconfig with client key data and token", "edit", r'''
apiVersion: v1
kind: Config
clusters:
- name: rke-basel
  cluster:
    server: https://10.20.0.5:6443
contexts:
- name: rke-basel
  context: {cluster: rke-basel, user: anke}
current-context: rke-basel
users:
- name: anke
  user:
    client-key-data: ⟦«kd»⟧
- name: deployer
  user:
    token: ⟦kubeconfig-u-{anl:10}:{anl:54}⟧
''', kd=b64b(("-----BEGIN EC PRIVATE KEY-----\n" + "\n".join(wrap(ec_der())) + "\n-----END EC PRIVATE KEY-----\n").encode()))

K("helm values of a chart", "edit", r'''
replicaCount: 2
image:
  repository: registry.lan/outline
  tag: "0.80.1"
outline:
  url: https://wiki.brauhaus.lan
  secretKey: ⟦{hex:64}⟧
  utilsSecret: ⟦{hex:64}⟧
  slackBot: ⟦xoxb-{dig:12}-{dig:13}-{an:24}⟧
oidc:
  clientId: outline
  clientSecret: ⟦{an:32}⟧
ingress:
  enabled: true
''')

K("kubectl create secret from literal", "command", r'''
kubectl -n billing create secret generic invoice-pdf --from-literal=LICENSE='⟦{b64:60}⟧' --from-literal=mode=strict --dry-run=client -o yaml | kubectl apply -f -
''')

K("sealed-secrets master key backup", "output", r'''
$ kubectl get secret -n kube-system -l sealedsecrets.bitnami.com/sealed-secrets-key -o yaml | head -12
apiVersion: v1
items:
- apiVersion: v1
  data:
    tls.crt: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUV6VENDQXJXZ0F3SUJBZ0lS‹an:64›
    tls.key: ⟦«kd»⟧
  kind: Secret
  metadata:
    creationTimestamp: "2024-11-05T09:31:44Z"
    name: sealed-secrets-keyx7p2q
''', kd=b64b(("-----BEGIN PRIVATE KEY-----\n" + "\n".join(wrap(rsa_p8(2048))) + "\n-----END PRIVATE KEY-----\n").encode()))

K("kubeadm init final lines", "output", r'''
Your Kubernetes control-plane has initialized successfully!

You can now join any number of the control-plane node running the following command on each as root:

  kubeadm join 10.8.4.10:6443 --token ⟦{anl:6}.{anl:16}⟧ \
	--discovery-token-ca-cert-hash sha256:‹hex:64› \
	--control-plane --certificate-key ⟦{hex:64}⟧
''')

_sa = jwt({"aud": ["https://kubernetes.default.svc.cluster.local"], "exp": 1788912000, "iss": "https://kubernetes.default.svc.cluster.local", "kubernetes.io": {"namespace": "monitoring", "serviceaccount": {"name": "grafana-sa", "uid": uuid()}}, "sub": "system:serviceaccount:monitoring:grafana-sa"}, "RS256", kid=g("us", 43))
K("kubectl create token, output only", "output", r'''
anke@bastion:~$ kubectl -n monitoring create token grafana-sa --duration=8760h
⟦«t»⟧
anke@bastion:~$
''', "p", t=_sa)

# ---------- docker ----------
K("docker config.json auth", "edit", r'''
{
	"auths": {
		"harbor.tramworks.net": {
			"auth": "⟦«a»⟧"
		},
		"https://index.docker.io/v1/": {}
	},
	"credsStore": ""
}
''', a=b64b(("robot$depot+puller:" + mix(AN_, 32)).encode()))

K("docker login with PAT on the command line", "command", r'''docker login -u kelpfarmci -p ⟦dckr_pat_{us:27}⟧ && docker buildx build --platform linux/arm64,linux/amd64 -t kelpfarm/gauge:1.4 --push .''', "p")

K("docker inspect Env", "output", r'''
$ docker inspect -f '{{json .Config.Env}}' paperless-webserver-1 | jq
[
  "PAPERLESS_REDIS=redis://broker:6379",
  "PAPERLESS_DBHOST=db",
  "PAPERLESS_SECRET_KEY=⟦{us:50}⟧",
  "PAPERLESS_OCR_LANGUAGE=deu+eng",
  "PATH=/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin",
  "PYTHON_VERSION=3.12.7"
]
''')

# ---------- terraform, ansible, vault ----------
K("terraform state, random_password and db", "edit", r'''
    {
      "mode": "managed",
      "type": "random_password",
      "name": "db",
      "provider": "provider[\"registry.terraform.io/hashicorp/random\"]",
      "instances": [
        {
          "schema_version": 3,
          "attributes": {
            "bcrypt_hash": "$2a$10$‹an:53›",
            "id": "none",
            "length": 24,
            "result": "⟦{sg:24}⟧",
            "special": true
          },
          "sensitive_attributes": []
        }
      ]
    },
''', "n")

K("ansible vault password file shown", "output", r'''
$ cat ~/.ansible/vault-prod.txt
⟦{an:48}⟧
$ ansible-playbook -i inventories/prod site.yml --vault-password-file ~/.ansible/vault-prod.txt --check
''', "n")

K("ansible -vvv task result", "output", r'''
changed: [web03] => {
    "changed": true,
    "diff": {},
    "invocation": {
        "module_args": {
            "channel": "#rollouts",
            "msg": "web03 drained",
            "token": "⟦{an:9}/{an:9}/{an:24}⟧",
            "username": "ansible",
            "validate_certs": true
        }
    },
    "msg": "OK"
}
''')

K("vault operator init", "output", r'''
$ vault operator init -key-shares=3 -key-threshold=2
Unseal Key 1: ⟦{b64:33}⟧
Unseal Key 2: ⟦{b64:33}⟧
Unseal Key 3: ⟦{b64:33}⟧

Initial Root Token: ⟦hvs.{an:24}⟧

Vault initialized with 3 key shares and a key threshold of 2.
''', "p")

# ---------- package registries ----------
K(".npmrc with UUID auth token", "edit", r'''
@brauhaus:registry=https://npm.brauhaus.lan/
//npm.brauhaus.lan/:_authToken="⟦{uuid:0}⟧"
always-auth=true
fund=false
''')

K(".pypirc upload token", "edit", r'''
[distutils]
index-servers =
    pypi
    lab

[pypi]
username = __token__
password = ⟦pypi-AgEIcHlwaS5vcmc«t»⟧

[lab]
repository = https://devpi.lab.lan/root/prod/
''', "p", t=b64ub(rb(110)))

K("pip with index URL holding a token", "command", r'''pip install --no-cache-dir "soilkit==2.7.*" --extra-index-url https://ci-reader:⟦{b32l:52}⟧@pkgs.dev.azure.com/tramworks/_packaging/depot/pypi/simple/''', "n")

K("poetry http-basic", "command", r'''poetry config http-basic.foundry svc-build ⟦{an:26}⟧ && poetry publish --build -r foundry''', "n")

K("cargo credentials", "edit", r'''
[registry]
token = "⟦cio{an:32}⟧"

[registries.kellnr]
token = "⟦{an:32}⟧"
''')

K("maven settings.xml server", "edit", r'''
<settings>
  <servers>
    <server>
      <id>nexus-releases</id>
      <username>‹us:8›</username>
      <password>⟦{us:44}⟧</password>
    </server>
  </servers>
  <mirrors>
    <mirror><id>nexus</id><mirrorOf>*</mirrorOf><url>https://nexus.assekura.lan/repository/maven-public/</url></mirror>
  </mirrors>
</settings>
''')

K("NuGet.Config clear text", "edit", r'''
<?xml version="1.0" encoding="utf-8"?>
<configuration>
  <packageSources>
    <add key="depot" value="https://pkgs.dev.azure.com/tramworks/_packaging/depot/nuget/v3/index.json" />
  </packageSources>
  <packageSourceCredentials>
    <depot>
      <add key="Username" value="build" />
      <add key="ClearTextPassword" value="⟦{b32l:52}⟧" />
    </depot>
  </packageSourceCredentials>
</configuration>
''')


# ---------- databases ----------
K("DATABASE_URL with raw signs in the password", "edit", r'''
RAILS_MAX_THREADS=8
DATABASE_URL=postgres://claims_rw:⟦{an:6}#{an:5}/{an:4}%{an:5}?{an:3}⟧@pg-claims.cluster-c8.eu-central-1.rds.amazonaws.com:5432/claims?sslmode=require
REDIS_URL=redis://cache.lan:6379/2
''', "n")

K("JDBC URL in properties", "edit", r'''
spring.datasource.url=jdbc:sqlserver://sql-core.lan:1433;databaseName=tolls;encrypt=true;trustServerCertificate=true;user=tolls_app;password=⟦{sg:22}⟧;
spring.jpa.hibernate.ddl-auto=validate
server.port=8085
''')

K("ODBC string in Python", "edit", r'''
import pyodbc

def connect():
    return pyodbc.connect(
        "Driver={ODBC Driver 18 for SQL Server};Server=tcp:sql-meter-weu.database.windows.net,1433;"
        "Database=meters;Uid=meter_etl;Pwd={⟦{an:11};{an:7}!{an:6}⟧};Encrypt=yes;Connection Timeout=30;"
    )
''')

K("mongosh SRV", "command", r'''mongosh "mongodb+srv://catalog-etl:⟦{an:24}⟧@cluster0.k3x9qap.mongodb.net/catalog?retryWrites=true&w=majority" --quiet --eval 'db.books.estimatedDocumentCount()' ''', "n")

K("rediss URL on a command line", "command", r'''redis-cli --tls -u rediss://default:⟦{us:44}⟧@eu1-humble-otter-38812.upstash.io:38812 --scan --pattern 'sess:*' | head''', "n")

K("Prisma stack trace with URL", "output", r'''
PrismaClientInitializationError: 
Invalid `prisma.booking.findMany()` invocation in
/srv/ferry/dist/booking/booking.service.js:41:39

  38 async upcoming(limit = 50) {
  39   const now = new Date();
→ 41   return this.prisma.booking.findMany(
Can't reach database server at `ferry-db-do-user-991827-0.c.db.ondigitalocean.com`:`25060`
datasource url: postgresql://doadmin:⟦AVNS_{us:19}⟧@ferry-db-do-user-991827-0.c.db.ondigitalocean.com:25060/ferry?sslmode=require
    at ki.handleRequestError (/srv/ferry/node_modules/@prisma/client/runtime/library.js:121:7068)
    at async BookingService.upcoming (/srv/ferry/dist/booking/booking.service.js:41:18)
''', "p")

K("Go MySQL DSN", "edit", r'''
package store

// TODO(jonas): move to the secrets store before the audit
const dsn = "parcel:⟦{an:8}@{an:4}:{an:9}⟧@tcp(10.30.2.18:3306)/parcel?parseTime=true&loc=Europe%2FBerlin"
''', "n")

K("SQL INSERT of API clients", "edit", r'''
-- seed_live_clients.sql (dumped from prod on 2025-07-14)
INSERT INTO `api_client` (`id`,`label`,`client_key`,`rate_limit`,`created_at`) VALUES
(14,'Stadtwerke Halle','⟦{hex:40}⟧',600,'2023-04-02 08:12:55'),
(15,'Kelp Farm iOS','⟦{hex:40}⟧',6000,'2023-05-17 11:40:03'),
(19,'reporting cron','⟦{hex:40}⟧',NULL,'2024-01-09 00:00:00');
''')

K("CSV export of devices", "edit", r'''
device_id,site,firmware,provisioning_key,last_seen
GW-00417,Rosenhof Nord,3.2.1,⟦{HEX:32}⟧,2025-09-01T06:12:44Z
GW-00418,Rosenhof Süd,3.2.1,⟦{HEX:32}⟧,2025-09-01T06:12:51Z
GW-00422,Depot Halle,3.1.9,⟦{HEX:32}⟧,2025-08-30T19:55:02Z
''')

K("elasticsearch ApiKey header in Kibana dev request", "command", r'''
curl -s "https://es.assekura.lan:9200/claims-*/_count" -H 'Authorization: ApiKey ⟦«a»⟧' -H 'Content-Type: application/json' -d '{"query":{"range":{"@timestamp":{"gte":"now-1d"}}}}'
''', a=b64b((g("us", 20) + ":" + g("us", 22)).encode()))

K("elasticsearch first start", "output", r'''
━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
✅ Elasticsearch security features have been automatically configured!
✅ Authentication is enabled and cluster connections are encrypted.

ℹ️  Password for the elastic user (reset with `bin/elasticsearch-reset-password -u elastic`):
  ⟦{us:10}={us:5}*{us:4}⟧

ℹ️  HTTP CA certificate SHA-256 fingerprint:
  ‹hex:64›

ℹ️  Configure Kibana to use this cluster:
• Copy the following enrollment token and paste it into Kibana in your browser (valid for the next 30 minutes):
  ⟦«e»⟧
''', e=b64b(json.dumps({"ver": "8.14.0", "adr": ["172.19.0.2:9200"], "fgr": pick("0123456789abcdef", 64), "key": g("us", 20) + ":" + g("us", 22)}, separators=(",", ":")).encode()))

# ---------- message queues ----------
K("celery config with amqps URL", "edit", r'''
from kombu import Queue

broker_url = "amqps://kxwtrqlm:⟦{us:32}⟧@stingray.rmq.cloudamqp.com/kxwtrqlm"
result_backend = "rpc://"
task_queues = (Queue("default"), Queue("ocr", routing_key="ocr.#"))
worker_prefetch_multiplier = 1
''', "n")

K("kafka client.properties", "edit", r'''
bootstrap.servers=pkc-7xoy1.eu-central-1.aws.confluent.cloud:9092
security.protocol=SASL_SSL
sasl.mechanism=PLAIN
sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username='‹AN:16›' password='⟦«s»⟧';
client.dns.lookup=use_all_dns_ips
session.timeout.ms=45000
''', s=pick(AN_ + "+/", 64))

K("NATS creds file", "edit", r'''
-----BEGIN NATS USER JWT-----
⟦«j»⟧
------END NATS USER JWT------

************************* IMPORTANT *************************
NKEY Seed printed below can be used to sign and prove identity.
NKEYs are sensitive and should be treated as secrets.

-----BEGIN USER NKEY SEED-----
⟦SUA{b32:55}⟧
------END USER NKEY SEED------
''', "p", j=jwt({"jti": g("b32", 52), "iat": 1752000311, "iss": "A" + g("b32", 55), "name": "gauge-writer", "sub": "U" + g("b32", 55), "nats": {"pub": {"allow": ["gauge.>"]}, "type": "user", "version": 2}}, "ES256"))

K("service bus endpoint in a chat message", "prompt", r'''
Consumer keeps dead-lettering. This is the connection I use locally, please write me a small peek script:
Endpoint=sb://sb-tramworks-prod.servicebus.windows.net/;SharedAccessKeyName=listen-only;SharedAccessKey=⟦{b64:32}⟧;EntityPath=depot-events
''')

# ---------- editors, tools ----------
K("VS Code settings of an extension", "edit", r'''
{
    "editor.fontSize": 14,
    "files.trimTrailingWhitespace": true,
    "wakatime.apiKey": "⟦waka_{uuid:0}⟧",
    "codegeex.privateKey": "⟦{an:44}⟧",
    "redhat.telemetry.enabled": false,
    "workbench.colorTheme": "Gruvbox Dark Hard"
}
''')

K("MCP server entry with env", "edit", r'''
{
  "mcpServers": {
    "search": {
      "command": "npx",
      "args": ["-y", "@lantern/search-mcp@latest"],
      "env": { "LANTERN_API_KEY": "⟦lnt-{us:38}⟧", "GITHUB_PERSONAL_ACCESS_TOKEN": "⟦«gh»⟧" }
    },
    "fs": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/home/jo/notes"] }
  }
}
''', "p", gh=gh())

# ---------- mobile ----------
K("keystore.properties with generated values", "edit", r'''
storeFile=../signing/upload.jks
storePassword=⟦{an:32}⟧
keyAlias=upload
keyPassword=⟦{an:32}⟧
''')

K("google-services.json", "edit", r'''
  "client": [
    {
      "client_info": {
        "mobilesdk_app_id": "1:‹dig:12›:android:‹hex:22›",
        "android_client_info": { "package_name": "farm.kelp.gauge" }
      },
      "api_key": [
        { "current_key": "⟦AIzaSy{us:33}⟧" }
      ],
      "services": { "appinvite_service": { "other_platform_oauth_client": [] } }
    }
  ],
  "configuration_version": "1"
''', "p")

K("APNs .p8 whole", "edit", r'''
-----BEGIN PRIVATE KEY-----
«b»
-----END PRIVATE KEY-----
''', "p", b=mk(wrap(ec_p8())))

K("in-app purchase shared value noted", "note", r'''
Receipt validation fails on TestFlight only because the sandbox needs the app-specific shared secret ⟦{hex:32}⟧ (App Store Connect > App Information). Added it to the staging config, prod untouched.
''')

K("notarytool with app-specific password", "command", r'''
xcrun notarytool submit build/Gauge-1.9.dmg --apple-id dev@kelp.farm --team-id 7K‹AN:8› --password ⟦{lo:4}-{lo:4}-{lo:4}-{lo:4}⟧ --wait
''')

# ---------- browsers ----------
K("copied as cURL from the browser", "prompt", r'''
this request works in the browser but my script gets 403, what header am I missing?

curl 'https://portal.stadtwerke-halle.example/api/readings?meter=8811&from=2025-01-01' \
  -H 'accept: application/json' \
  -H 'accept-language: de-DE,de;q=0.9' \
  -b 'cookieconsent=1; XSRF-TOKEN=⟦{an:40}⟧; portal_sid=⟦s%3A{us:32}.{an:43}⟧; _pk_id.4.1f2a=8e1c0f3d.1756' \
  -H 'referer: https://portal.stadtwerke-halle.example/meters' \
  -H 'user-agent: Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0'
''')

K("HAR entry", "output", r'''
$ jq '.log.entries[3].request | {method,url,headers}' portal.har
{
  "method": "POST",
  "url": "https://app.lumenretail.example/graphql",
  "headers": [
    { "name": "Host", "value": "app.lumenretail.example" },
    { "name": "Content-Type", "value": "application/json" },
    { "name": "Cookie", "value": "locale=en; __Secure-lumen=⟦{b64u:96}⟧" },
    { "name": "X-Requested-With", "value": "XMLHttpRequest" }
  ]
}
''', "n")

K("localStorage pasted from devtools", "prompt", r'''
Why does the app think I'm logged out? my localStorage:
theme	dark
lastRoute	/orders/open
oidc.user:https://login.lumenretail.example:web	{"id_token":"⟦«j»⟧","refresh_token":"⟦{HEX:64}-1⟧","token_type":"Bearer","expires_at":1757001822}
tour.done	true
''', "p", j=jwt({"iss": "https://login.lumenretail.example", "sub": "48812", "aud": "web", "exp": 1757001822, "email": "ruth@lumenretail.example"}, "RS256", kid=pick("0123456789ABCDEF", 40)))

K("response headers with Set-Cookie", "output", r'''
$ curl -si https://wiki.brauhaus.lan/login -d @/tmp/form | sed -n '1,9p'
HTTP/2 302
server: nginx
date: Tue, 02 Sep 2025 07:41:12 GMT
location: /
set-cookie: MoodleSession=⟦{anl:26}⟧; path=/; secure; HttpOnly
set-cookie: remember_web_‹hex:40›=⟦«c»⟧; expires=Wed, 02-Sep-2026 07:41:12 GMT; path=/; httponly
x-frame-options: SAMEORIGIN
''', "n", c=q(b64b(json.dumps({"iv": b64b(rb(16)), "value": b64b(rb(96)), "mac": pick("0123456789abcdef", 64), "tag": ""}).encode())))

K("HTML form with CSRF hidden field", "output", r'''
<form class="edit_account" action="/account" accept-charset="UTF-8" method="post">
  <input type="hidden" name="_method" value="patch" autocomplete="off" />
  <input type="hidden" name="authenticity_token" value="⟦{b64p:64}⟧" autocomplete="off" />
  <label for="account_name">Name</label>
  <input type="text" value="Rosenhof GmbH" name="account[name]" id="account_name" />
</form>
''')

K("PHP session id given in chat", "prompt", r'''
du kannst dich mit meiner sitzung draufhängen: PHPSESSID=⟦{anl:26}⟧ auf intern.weberei-nord.de, dann die liste unter /auftraege/offen als csv ziehen. läuft so in 20min ab
''', "n")

# ---------- HTTP ----------
K("curl -u id:value", "command", r'''curl -sS -u 7719:⟦{hex:40}⟧ https://api.loghaus.example/v1/systems.json -G -d page=2 | jq length''', "n")

K("curl with an odd header", "command", r'''
for d in 2025-08-{01..07}; do
  curl -fsS "https://meteo.alpenwetter.example/archive/$d.grib2" -H "Wetter-Zugang: ⟦{AN:24}⟧" -o "grib/$d.grib2"
done
''', "n")

K("curl with Basic in base64", "command", r'''curl -H 'Authorization: Basic ⟦«b»⟧' https://jira.assekura.lan/rest/api/2/myself -H 'X-Atlassian-Token: no-check' ''', b=b64b(("svc-triage:" + mix(AN_ + "!%", 26)).encode()))

K("httpie call", "command", r'''http --ignore-stdin POST https://api.postbote.example/v3/smtp/email api-key:⟦{hex:64}-{an:16}⟧ sender:='{"email":"noreply@kelp.farm"}' to:='[{"email":"qa@kelp.farm"}]' subject=hi textContent=hi''')

K("wget --header with private token", "command", r'''wget -q --header="PRIVATE-TOKEN: ⟦{us:20}⟧" -O sbom.json "https://git.herbarium.lan/api/v4/projects/88/jobs/artifacts/main/raw/sbom.json?job=sbom"''')

K("nginx access log with token in query", "output", r'''
10.4.0.21 - - [03/Sep/2025:08:01:13 +0200] "GET /healthz HTTP/1.1" 200 2 "-" "kube-probe/1.30"
87.191.40.2 - - [03/Sep/2025:08:01:15 +0200] "GET /feed/private.rss?u=4410&access_token=⟦{an:43}⟧ HTTP/2.0" 200 18221 "-" "NetNewsWire (RSS Reader)"
10.4.0.21 - - [03/Sep/2025:08:01:23 +0200] "GET /healthz HTTP/1.1" 200 2 "-" "kube-probe/1.30"
''')

K("tcpdump -A of a plain HTTP request", "output", r'''
08:22:41.190233 IP 192.168.40.31.51544 > 192.168.40.5.80: Flags [P.], seq 1:212, ack 1, win 502, length 211: HTTP: PUT /api/lights/3/state HTTP/1.1
E.....@.@.".....(......P..
.....PUT /api/⟦{us:40}⟧/lights/3/state HTTP/1.1
Host: 192.168.40.5
Content-Type: application/json
Content-Length: 22

{"on":true,"bri":140}
''', "n")

# ---------- web frameworks ----------
K("rails master.key shown in a shell", "output", r'''
$ ls config/*.key && cat config/master.key
config/master.key
⟦{hex:32}⟧
$ bin/rails credentials:show | head -3
# aws:
#   bucket: tolls
''', "n")

K("rails secrets.yml production", "edit", r'''
development:
  secret_key_base: dev
test:
  secret_key_base: test
production:
  secret_key_base: ⟦{hex:128}⟧
  mailer_host: tolls.example
''')

K("django settings", "edit", r'''
from pathlib import Path

BASE_DIR = Path(__file__).resolve().parent.parent

# SECURITY WARNING: keep the secret key used in production secret!
SECRET_KEY = '⟦{dj:50}⟧'

DEBUG = False
ALLOWED_HOSTS = ["paperless.rosenhof.lan"]
''')

K("Laravel env", "edit", r'''
APP_NAME=Weberei
APP_ENV=production
APP_KEY=⟦base64:{b64:32}⟧
APP_DEBUG=false
APP_URL=https://intern.weberei-nord.de

PUSHER_APP_ID=1887201
PUSHER_APP_KEY=⟦{hex:20}⟧
PUSHER_APP_SECRET=⟦{hex:20}⟧
''')

K("generated fernet value printed by python", "output", r'''
>>> from cryptography.fernet import Fernet
>>> Fernet.generate_key()
b'⟦{b64p:32}⟧'
>>> f = Fernet(_)
>>> f.encrypt(b"hello")[:12]
b'gAAAAABov7kT'
''')

K("next auth env", "edit", r'''
# .env.local
NEXTAUTH_URL=http://localhost:3000
NEXTAUTH_SECRET="⟦{b64:32}⟧"
AUTH_KEYCLOAK_ID=web
AUTH_KEYCLOAK_SECRET="⟦{an:32}⟧"
''')

_wp = UP + LO + DG + "!@#$%^&*()-_ []{}<>~`+=,.;:/?|"
K("wordpress salts", "edit", r'''
define( 'AUTH_KEY',         '«a»' );
define( 'SECURE_AUTH_KEY',  '«b»' );
define( 'LOGGED_IN_KEY',    '«c»' );
define( 'NONCE_SALT',       '«d»' );

$table_prefix = 'wn_';
''', a=m("k" + pick(_wp, 62) + "7"), b=m("Q" + pick(_wp, 62) + "x"), c=m("1" + pick(_wp, 62) + "Z"), d=m("r" + pick(_wp, 62) + "B"))

K("ASP.NET machineKey XML", "edit", r'''
<system.web>
  <compilation targetFramework="4.8" />
  <machineKey validationKey="⟦{HEX:128}⟧"
              decryptionKey="⟦{HEX:48}⟧"
              validation="HMACSHA256" decryption="AES" />
  <customErrors mode="RemoteOnly" />
</system.web>
''')

K("flask bytes with backslash escapes", "edit", r'''
from flask import Flask

app = Flask(__name__)
app.secret_key = b'⟦«s»⟧'
app.config.update(SESSION_COOKIE_SAMESITE="Lax", PERMANENT_SESSION_LIFETIME=3600)
''', s="_5\\x" + g("hex", 2) + "y\\x" + g("hex", 2) + "Q8\\n\\x" + g("hex", 2) + "z\\xec]/K\\x" + g("hex", 2) + "\\x" + g("hex", 2) + "m#")

# ---------- private keys ----------
K("PEM RSA whole in a terminal", "output", r'''
$ sudo cat /etc/ssl/private/vpn.key
-----BEGIN RSA PRIVATE KEY-----
«b»
-----END RSA PRIVATE KEY-----
''', "p", b=mk(wrap(rsa_der(2048))[:]))

K("only the middle piece of a PEM", "prompt", r'''
openssl says "bad base64 decode" somewhere in here, is there a char that does not belong?

«b»
''', "n", b=mk(wrap(rsa_der(2048))[6:11]))

K("OpenSSH key file", "edit", r'''
-----BEGIN OPENSSH PRIVATE KEY-----
«b»
-----END OPENSSH PRIVATE KEY-----
''', "p", b=mk(wrap(openssh_ed("jo@thinkpad"), 70)))

K("encrypted PKCS8", "edit", r'''
Bag Attributes
    friendlyName: billing-client
    localKeyID: 54 69 6D 65 20 31 37 35 36
Key Attributes: <No Attributes>
-----BEGIN ENCRYPTED PRIVATE KEY-----
«b»
-----END ENCRYPTED PRIVATE KEY-----
''', "p", b=mk(wrap(enc_p8(592))))

K("key in JSON with escaped newlines", "prompt", r'''
the webhook signer crashes with "error:1E08010C:DECODER routines::unsupported" — config is {"kid":"sig-2","alg":"ES256","pem":"-----BEGIN EC PRIVATE KEY-----\n«b»\n-----END EC PRIVATE KEY-----"} is the newline handling wrong?
''', "p", b="\\n".join(m(l) for l in wrap(ec_der())))

K("key in a YAML block", "edit", r'''
dkim:
  selector: s2025
  domain: weberei-nord.de
  private_key: |
    -----BEGIN RSA PRIVATE KEY-----
«b»
    -----END RSA PRIVATE KEY-----
queue:
  retries: 6
''', "p", b=mk(wrap(rsa_der(1024)), "    "))

K("key quoted in a mail", "prompt", r'''
Got this back from the registrar, can you convert it to PKCS8 for me?

On Mon, 1 Sep 2025 at 16:20, Support <help@regi-desk.example> wrote:
> Hi Anke,
> as requested the private part for *.rosenhof.example:
>
> -----BEGIN PRIVATE KEY-----
«b»
> -----END PRIVATE KEY-----
>
> Kind regards
> Tomasz
''', "p", b=mk(wrap(ec_p8()), "> "))

K("p8 body on one line without header", "edit", r'''
APPLE_TEAM=7KQ2‹AN:6›
APPLE_KID=‹AN:10›
APPLE_P8=⟦«b»⟧
APPLE_BUNDLE=farm.kelp.gauge
''', "n", b=b64b(ec_p8()))

_j = wrap(rsa_p8(1024), 60)
K("Java string concatenation", "edit", r'''
final class LicenseSigner {
    private static final String PK8 =
«b»;

    static Signature signature() throws GeneralSecurityException {
        KeyFactory kf = KeyFactory.getInstance("RSA");
        byte[] der = Base64.getDecoder().decode(PK8);
        Signature s = Signature.getInstance("SHA256withRSA");
        s.initSign(kf.generatePrivate(new PKCS8EncodedKeySpec(der)));
        return s;
    }
}
''', "n", b="\n".join(("            \"" if i == 0 else "          + \"") + m(l) + "\"" for i, l in enumerate(_j)))

K("Go constant with concatenated PEM", "edit", r'''
package acme

const fallbackAccount = "-----BEGIN EC PRIVATE KEY-----\n" +
«b»
	"-----END EC PRIVATE KEY-----\n"

var directory = "https://acme-v02.api.letsencrypt.org/directory"
''', "p", b=mk(wrap(ec_der()), "\t\"", "\\n\" +"))

K("wg genkey piped, shown", "output", r'''
root@gw:/etc/wireguard# wg genkey | tee lena.priv | wg pubkey > lena.pub; cat lena.*
⟦{b64:32}⟧
‹b64:32›
''', "n")

K("age-keygen", "output", r'''
$ age-keygen -o sops.txt && cat sops.txt
Public key: «pk»
# created: 2025-08-28T21:09:31+02:00
# public key: «pk»
⟦AGE-SECRET-KEY-1{BECH:58}⟧
''', "p", pk="age1" + g("bech", 58))

K("ssh key body without header lines", "output", r'''
$ sed '1d;$d' ~/.ssh/id_deploy
«b»
$ ssh-keygen -lf ~/.ssh/id_deploy.pub
256 SHA256:‹an:43› deploy@tolls (ED25519)
''', "n", b=mk(wrap(openssh_ed("deploy@tolls"), 70)))

K("GPG secret key block", "output", r'''
$ gpg --armor --export-secret-keys releases@tidewatch.example
-----BEGIN PGP PRIVATE KEY BLOCK-----

«b»
=‹an:4›
-----END PGP PRIVATE KEY BLOCK-----
''', "p", b=mk(wrap(bytes.fromhex("94580468ad1f3216092b06010401da470f01010740") + rb(270))))

K("openssl rsa -text", "output", r'''
$ openssl rsa -in small.key -noout -text | sed -n '/privateExponent/,/prime1/p'
privateExponent:
«b»
prime1:
''', "n", b=mk(hexcolon(128), "    "))

K("private JWK", "edit", r'''
{
  "keys": [
    {
      "kty": "EC",
      "crv": "P-256",
      "use": "sig",
      "kid": "2025-07",
      "x": "‹b64u:32›",
      "y": "‹b64u:32›",
      "d": "⟦{b64u:32}⟧"
    }
  ]
}
''', "n")


# ---------- crypto ----------
K("wallet seed, twelve words in a note", "note", r'''
Cold wallet for the tips jar was restored on the blue Nano today, in this order: ⟦«w»⟧. First receive address matches the one on the site.
''', "n", w=" ".join(words(12)))

K("WIF from bitcoin-cli", "output", r'''
$ bitcoin-cli -rpcwallet=till dumpprivkey bc1q‹bech:38›
⟦«w»⟧
$ bitcoin-cli -rpcwallet=till walletlock
''', "n", w=wif())

K("xprv in a markdown bullet", "import", r'''- BTCPay store "Kelp": derivation m/84'/0'/0', master ⟦«x»⟧ (offline copy is in the safe)''', "p", x=xprv())

K("cast send with raw private key", "command", r'''cast send 0x‹hex:40› "mint(address,uint256)" 0x‹hex:40› 25 --rpc-url https://rpc.sepolia.example --private-key 0x⟦{hex:64}⟧ --legacy''')

K("solana id.json byte array", "output", r'''
$ cat ~/.config/solana/id.json
[⟦«a»⟧]
$ solana balance
3.118904412 SOL
''', "n", a=",".join(str(x) for x in rb(64)))

_w = words(24)
K("numbered words in three columns, asked in chat", "prompt", r'''
I wrote my recovery phrase on paper and want a python script to stamp it on steel plates, layout 3 columns. Use this:

«w»
''', w="\n".join(m("   ".join(f"{i + 1}. {_w[i]}" for i in range(r, r + 3))) for r in range(0, 24, 3)))

# ---------- webhooks, signed URLs ----------
K("Slack incoming webhook in a note", "note", r'''
Nightly report goes to #ops-night through https://hooks.slack.com/services/⟦T{AN:10}/B{AN:10}/{an:24}⟧ , cron at 05:10 on the NAS.
''', "pn")

K("Discord webhook in notes", "import", r'''- [x] build bot posts to #nightlies: `https://discord.com/api/webhooks/‹dig:19›/⟦{us:68}⟧`''', "pn")

K("n8n webhook path nobody can guess", "command", r'''curl -fsS -m 10 --retry 3 "https://n8n.rosenhof.lan/webhook/⟦{uuid:0}⟧" --json '{"event":"gate_open","by":"cron"}' || logger -t gate "webhook failed"''', "n")

K("s3 presigned URL", "output", r'''
$ aws s3 presign s3://claims-exports/2025/09/batch-118.zip --expires-in 604800
https://claims-exports.s3.eu-central-1.amazonaws.com/2025/09/batch-118.zip?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIA‹b32:16›%2F20250903%2Feu-central-1%2Fs3%2Faws4_request&X-Amz-Date=20250903T081144Z&X-Amz-Expires=604800&X-Amz-SignedHeaders=host&X-Amz-Signature=⟦{hex:64}⟧
''', "n")

K("CloudFront signed link shared in a note", "note", r'''
The 4K master for review: https://d3k‹anl:11›.cloudfront.net/masters/ferry-doc_v7.mov?Expires=1759276800&Signature=⟦{b64u:64}~{b64u:125}__⟧&Key-Pair-Id=K2‹AN:12› - good until the end of the month.
''')

K("private calendar feed in notes", "import", r'''* Dienstplan-Feed: https://calendar.google.com/calendar/ical/plan%40rosenhof.example/private-⟦{hex:32}⟧/basic.ics (nur lesen)''', "n")

# ---------- SaaS keys in notes, chats, imports ----------
K("OpenAI style key: here's the key", "prompt", r'''
here's the key: ⟦sk-proj-{us:74}T3BlbkFJ{us:74}⟧
put it wherever the embeddings script expects it and run it on the first 200 rows only
''', "p")

K("LLM key in an agent's summary", "note", r'''
The summariser failed because ANTHROPIC_API_KEY was unset in the systemd unit. I wrote Environment=ANTHROPIC_API_KEY=⟦sk-ant-api03-{us:93}AA⟧ into the drop-in and restarted it.
''', "p")

K("payment CLI with live key", "command", r'''stripe payouts list --limit 3 --api-key ⟦sk_live_51{an:97}⟧ --live | jq -r '.data[].arrival_date' ''', "p")

K("Twilio sid and auth token in a note", "note", r'''
SMS fallback: account AC‹hex:32›, auth token ⟦{hex:32}⟧, sender +49 1573 0000000. Trial credit is gone, billing moved to the company card.
''')

K("two Datadog keys in bullets", "import", r'''
- Datadog EU (app.datadoghq.eu)
  - api ⟦{hex:32}⟧
  - app ⟦{hex:40}⟧
''', "n")

K("search admin key in a heading list", "import", r'''### Algolia
app id `‹AN:10›`, search-only is in the repo, admin: `⟦{hex:32}⟧`''')

K("mail API key tried by an agent", "note", r'''
Sandbox domain works: curl --user 'api:⟦key-{hex:32}⟧' against api.eu.mailgun.net returned 200, so the 401 in prod comes from the US endpoint.
''', "p")

K("Grafana service account in a note", "note", r'''
Dashboards are provisioned with glsa token ⟦glsa_{an:32}_{hex:8}⟧ (role Editor); it has no expiry so nothing to rotate before the release.
''', "p")

K("pagerduty routing key in notes", "import", r'''1. Pager: events v2, integration `tide-prod`, routing_key = ⟦{hex:32}⟧, severity mapped in `alerts/map.yml`''')

K("Jira token with mail", "note", r'''
For the ticket sync use jo@tramworks.net:⟦ATATT3xFfGF0{us:172}={HEX:8}⟧ as basic auth, project key is DEPOT.
''', "p")

K("Heroku UUID key in bullet", "import", r'''+ heroku (old account, only the `ferry-archive` dyno): ⟦{uuid:0}⟧ via `heroku auth:token`''')

K("weather API id in notes", "import", r'''> greenhouse forecast: `https://api.openweathermap.org/data/3.0/onecall?lat=51.48&lon=11.97&units=metric&appid=⟦{hex:32}⟧`''', "n")

K("Trello pair in a note", "note", r'''
Trello import needs key=⟦{hex:32}⟧ and token=⟦ATTA{hex:64}{HEX:8}⟧; board 5f‹hex:22› is the right one, the other is the template.
''')

K("shop admin token in table", "import", r'''| shop | kind | value |
| :--- | :---: | --- |
| vinyl-club.myshopify.com | custom app | `⟦shpat_{hex:32}⟧` |
| weberei-nord (Shopware) | integration | `⟦SWIA{AN:20}⟧` / `⟦{an:52}⟧` |''', "p")

K("CDN API value in a sentence", "note", r'''
Purge on release: Fastly service ‹an:22›, I authenticate with ⟦{us:32}⟧, soft purge by surrogate key only.
''')

_ha = jwt({"iss": pick("0123456789abcdef", 32), "iat": 1751201101, "exp": 2066561101})
K("home assistant long-lived in notes", "import", r'''- HA long lived (rest_command from the NAS): ⟦«j»⟧''', "p", j=_ha)

K("plex value in a URL in notes", "import", r'''- Plex scan trigger → `curl "http://192.168.40.8:32400/library/sections/2/refresh?X-Plex-Token=⟦{us:20}⟧"` after each rip''')

K("backup repository key noted", "note", r'''
restic on the NAS: repo sftp:backup@192.168.40.12:/pool/restic, repo key is ⟦{an:40}⟧ - without it the snapshots are gone, so keep it in two places.
''')

K("BitLocker recovery", "note", r'''
ThinkPad of Ruth asked for recovery after the BIOS update. ID 4B‹HEX:6›, entered ⟦«k»⟧ and it booted.
''', "n", k="-".join(f"{R.randrange(0, 65536) * 11:06d}" for _ in range(8)))

K("LUKS recovery in German import", "import", r'''- Server Keller: Platte sdb entsperrt nur noch mit dem Wiederherstellungsschlüssel ⟦«k»⟧ (Slot 2)''', k="-".join(pick("cbdefghijklnrtuv", 8) for _ in range(8)))

K("nextcloud app password", "command", r'''rclone config create cloud webdav url=https://cloud.rosenhof.example/remote.php/dav/files/lena vendor=nextcloud user=lena pass="$(rclone obscure ⟦{an:5}-{an:5}-{an:5}-{an:5}-{an:5}⟧)" && rclone lsd cloud:''')

K("google app password in four groups", "note", r'''
SMTP for the scanner: smtp.gmail.com:587, scans.rosenhof@gmail.com, and the app one Google made: ⟦{lo:4} {lo:4} {lo:4} {lo:4}⟧ (type it without spaces).
''', "n")

K("tailscale auth key", "command", r'''curl -fsSL https://tailscale.com/install.sh | sh && sudo tailscale up --authkey=⟦tskey-auth-k{an:10}CNTRL-{an:32}⟧ --hostname=edge-13 --advertise-tags=tag:edge''', "p")

K("DSN of an old error tracker with both halves", "import", r'''- `RAVEN_DSN` legacy on the tolls box → https://‹hex:32›:⟦{hex:32}⟧@errors.tolls.example/4 (remove when the box goes)''', "n")

K("license of a commercial tool", "import", r'''- build agents: SqlPilot 9 volume licence ⟦{AN:5}-{AN:5}-{AN:5}-{AN:5}-{AN:5}⟧, 5 seats, Hugo has the invoice''', "n")

K("router provisioning noted by an agent", "note", r'''
TR-069 client of the branch router now talks to acs.rosenhof.lan; connection request digest is acs-77 / ⟦{an:20}⟧ (generated by GenieACS). Firmware untouched.
''', "n")

K("RADIUS shared value in a note", "note", r'''
Added the two new access points as RADIUS clients: 10.12.0.31 and .32, shared secret ⟦{an:32}⟧ on both. EAP-TLS test from the tablet passed.
''')

K("matrix registration value in a note", "note", r'''
Synapse: registration_shared_secret is ⟦{sg:50}⟧ , used it once with register_new_matrix_user to create @oncall. Open registration stays off.
''')

K("invite link with long code", "note", r'''
Lena can join the vault herself: https://vault.rosenhof.lan/#/accept-organization?organizationId=‹uuid:0›&organizationUserId=‹uuid:0›&token=⟦{us:180}⟧
''')

K("password reset link seen in a mail catcher", "output", r'''
$ curl -s localhost:8025/api/v2/messages?limit=1 | jq -r '.items[0].Content.Body'
Hallo Ruth,

jemand hat ein neues Kennwort für dein Konto angefordert.
https://shop.weberei-nord.de/konto/neu?c=88120&h=⟦{us:54}⟧

Der Link gilt 24 Stunden.
''', "n")

K("Chinese chat: corp app value", "prompt", r'''
企业微信的告警一直发不出去，corpid 是 ww‹hex:16›，secret 是 ⟦{us:43}⟧，agentid 1000007。帮我看下 send_alert.py 是不是取 access_token 的地方写错了
''')

K("Chinese chat: just use this one", "prompt", r'''
额度用完了，先用我个人这个跑：⟦sk-{hex:32}⟧ 跑完把它从环境变量里删掉
''', "pn")

K("Chinese note by agent", "note", r'''
高德地图 Web 服务 key 已换成 ⟦{hex:32}⟧，签名用的私钥 ⟦{hex:32}⟧ 放在 config/amap.yml；配额每天 5000 次。
''')

K("German chat: token in a sentence", "prompt", r'''
der Token für die Paperless-API ist ⟦{hex:40}⟧, bitte alle Rechnungen von 2023 mit Tag "Steuer" versehen. Erst Probelauf!
''')

K("German chat: try this", "prompt", r'''
hm, versuch's mal mit dem hier: ⟦{an:48}⟧
der alte ist wohl gestern abgelaufen, deswegen das 401
''', "n")

K("Spanish chat: key of a provider", "prompt", r'''
te paso la clave de la API del correo: ⟦xkeysib-{hex:64}-{an:16}⟧, manda la prueba solo a mi cuenta y borra el borrador después porfa
''', "p")

K("Spanish chat: without a word for it", "prompt", r'''
el proveedor nos mandó esto para el entorno de producción, ponlo en el .env del servidor y reinicia: ⟦{b64:40}⟧
''', "n")

K("Japanese chat: access token", "prompt", r'''
LINEのチャネルアクセストークンはこれです → ⟦{b64:126}⟧
リッチメニューの画像だけ差し替えてもらえますか？本番なので他は触らないでください。
''')

K("Japanese note", "note", r'''
kintone連携：アプリ42のAPIトークンは ⟦{an:40}⟧（閲覧のみ）。レコード取得は成功、添付ファイルは権限不足で403。
''')

K("Russian chat: token of a bot", "prompt", r'''
токен бота вот: ⟦{dig:10}:AA{us:33}⟧ , поставь webhook на https://bot.sklad.example/hook и проверь getWebhookInfo
''', "p")

K("Russian chat: login pair without label", "prompt", r'''
зайди на api.sklad.example под integration_1c, вот что мне прислали: ⟦{us:36}⟧ — и выгрузи остатки по складу 3 в csv
''', "n")

K("only the token, alone on a line", "prompt", r'''
⟦{an:44}⟧
''', "n")

K("answer of one line to a question of the agent", "prompt", r'''
ok here you go

⟦{hex:64}⟧

that's the one from the admin page, valid till friday
''', "n")

K("chat: try this one instead", "prompt", r'''
still 403? try this one ⟦{us:39}⟧ its got write scope
''', "n")

K("chat: quoted with line break inside", "prompt", r'''
slack broke the token into two lines, glue them together yourself:

"⟦{us:48}⟧
⟦{us:31}⟧"

and then `POST /v1/imports` with the csv in ./data
''')

K("2FA backup codes", "prompt", r'''
store these for me in the team docs under "npm org owner", I just re-enabled 2FA:
«a»
''', a="\n".join(m(f"{g('hex', 5)}-{g('hex', 5)}") + "   " + m(f"{g('hex', 5)}-{g('hex', 5)}") for _ in range(5)))

K("otpauth URI from a QR code", "output", r'''
$ zbarimg --raw -q ~/Downloads/qr-2fa.png
otpauth://totp/Hetzner%20Robot:rosenhof?secret=⟦{b32:32}⟧&issuer=Hetzner%20Robot&algorithm=SHA1&digits=6&period=30
''')

K("TOTP seed with spaces", "import", r'''- [ ] AWS root MFA neu einrichten, Seed: ⟦{b32l:4} {b32l:4} {b32l:4} {b32l:4} {b32l:4} {b32l:4} {b32l:4} {b32l:4}⟧''', "n")

# ---------- forms of text ----------
K("python dict repr", "output", r'''
DEBUG:shipper.conf:effective settings {'host': 'shipper.lan', 'retries': 5, 'carrier': {'id': 'dhl-de', 'signature_key': '⟦{us:40}⟧', 'sandbox': False}, 'label_dpi': 203}
DEBUG:shipper.conf:loaded 3 printers
''')

K("Go struct %+v", "output", r'''
2025/09/02 06:55:10 main.go:61: cfg={Addr::8080 Upstream:{URL:https://ledger.lan Client:gate Secret:⟦{b64:30}⟧ Timeout:5s} Cache:{Size:512 TTL:1m0s}}
2025/09/02 06:55:10 main.go:77: listening on :8080
''')

K("JSON in JSON from secrets manager", "output", r'''
$ aws secretsmanager get-secret-value --secret-id prod/toll/mq --query '{n:Name,s:SecretString}'
{
    "n": "prod/toll/mq",
    "s": "{\"username\":\"toll_mq\",\"password\":\"⟦{an:9}\\\\{an:6}\\\"{an:12}⟧\",\"host\":\"mq.lan\",\"port\":5671}"
}
''')

K("git diff with rotated value", "output", r'''
diff --git a/deploy/values.prod.yaml b/deploy/values.prod.yaml
index ‹hex:7›..‹hex:7› 100644
--- a/deploy/values.prod.yaml
+++ b/deploy/values.prod.yaml
@@ -18,7 +18,7 @@ webhooks:
   partner:
     url: https://in.tollbridge.example/cb
-    signing: ⟦whsec_{b64:32}⟧
+    signing: ⟦whsec_{b64:32}⟧
     retries: 8
   audit:
     enabled: true
''', "p")

K("value wrapped by the terminal width", "output", r'''
lena@edge-07:~$ fleetctl enroll show
ENROLLMENT              TEAM      VALUE
edge-2025               outdoor   ⟦{us:46}⟧
                                  ⟦{us:46}⟧
                                  ⟦{us:18}⟧
lena@edge-07:~$
''', "n")

K("percent-encoded in a form body", "output", r'''
[proxy] POST https://login.tramworks.net/oauth/token 400 in 88ms
[proxy]   grant_type=client_credentials&client_id=depot%2Dsync&client_secret=⟦«s»⟧&scope=vehicles%3Aread
[proxy]   <- {"error":"invalid_scope"}
''', s="".join("%%%02X" % ord(c) if c in "/+=!#%&@" else c for c in pick(AN_, 9) + "/" + pick(AN_, 9) + "+%" + pick(AN_, 12) + "=="))

K("base64 once more in cloud-init", "edit", r'''
#cloud-config
write_files:
  - path: /etc/agent/bootstrap.env
    encoding: b64
    permissions: "0600"
    content: ⟦«b»⟧
runcmd:
  - [systemctl, enable, --now, agent]
''', "n", b=b64b(("AGENT_BOOTSTRAP_TOKEN=" + mix(AN_, 40) + "\nAGENT_URL=https://c2.lan\n").encode()))

K("TOML of a static site deployer", "edit", r'''
[deploy]
provider = "pagehost"
site     = "tidewatch"
bearer   = """⟦{hex:32}⟧"""

[build]
out = "public"
''')

K("python traceback with URL", "output", r'''
Traceback (most recent call last):
  File "/srv/rss/pull.py", line 58, in <module>
    r = s.get(url, timeout=10)
  File "/srv/rss/.venv/lib/python3.12/site-packages/requests/sessions.py", line 602, in get
    return self.request("GET", url, **kwargs)
requests.exceptions.SSLError: HTTPSConnectionPool(host='youtube.googleapis.com', port=443): Max retries exceeded with url: /youtube/v3/search?part=snippet&channelId=UC‹us:22›&key=⟦AIzaSy{us:33}⟧ (Caused by SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: unable to get local issuer certificate (_ssl.c:1000)')))
''', "p")

K("unified patch mailed into the chat", "prompt", r'''
review this quickly pls, is it ok to merge?

@@ -4,6 +4,9 @@ import os
 CARRIERS = ("dhl", "gls")
+# TODO env
+GLS_CONTACT = "‹anl:12›"
+GLS_ACCESS = "⟦{us:36}⟧"
 
 def rate(parcel):
     w = max(parcel.kg, parcel.volumetric())
''', "n")


# ---------- more lines in notes ----------
K("Chinese import, SMS provider pair", "import", r'''- 阿里云短信：LTAI5t‹an:18› / ⟦{an:30}⟧，签名「玫瑰园」，模板 SMS_‹dig:9›''', "n")

K("Japanese import, small cloud pair", "import", r'''- さくらのクラウド（石狩第2）：アクセストークン ‹uuid:0› ／ シークレット ⟦{an:64}⟧''')

K("push monitor URL in wiki link", "import", r'''- [[Uptime]] backup job pushes to `https://uptime.rosenhof.lan/api/push/⟦{an:32}⟧?status=up&msg=OK&ping=` every 20 min''', "n")

K("Spanish import, search server master", "import", r'''* [ ] Meilisearch del catálogo: clave maestra `⟦{b64u:32}⟧`, puerto 7700, solo red interna''')

# =====================================================================================
# Part 2: passwords that people choose
# =====================================================================================

# ---------- commands ----------
P("mysql -p glued", "command", r'''mysql -h db.weberei.lan -u root -p⟦Webstuhl2023!⟧ -N -e "SELECT COUNT(*) FROM orders WHERE status='open'" shop''')
P("PGPASSWORD before pg_dump", "command", r'''PGPASSWORD=⟦biscuit_the_dog⟧ pg_dump -h 10.30.2.20 -U parcel -Fc parcel > /backup/parcel-$(date +%F).dump''')
P("sqlcmd with -P", "command", r'''sqlcmd -S sql-core.lan -U sa -P '⟦P@ssw0rt#Halle⟧' -d tolls -Q "EXEC sp_who2" -o who.txt''')
P("sqlplus connect string", "command", r'''sqlplus lager/⟦Gabelstapler7⟧@//ora-hal.lan:1521/LAGERPDB @/opt/sql/inventur.sql''', "n")
P("smbclient user with percent", "command", r'''smbclient //nas.rosenhof.lan/scans -U 'ROSENHOF\anke%⟦Kaninchen!22⟧' -c 'cd 2025; prompt off; mget *.pdf' ''', "n")
P("mount cifs options", "command", r'''sudo mount -t cifs //192.168.40.12/fotos /mnt/fotos -o username=lena,password=⟦mausebaer88⟧,uid=1000,gid=1000,vers=3.0''')
P("ldapsearch bind", "command", r'''ldapsearch -x -H ldaps://dc1.assekura.lan -D "cn=svc-scan,ou=service,dc=assekura,dc=lan" -w ⟦Versicherung1!⟧ -b "dc=assekura,dc=lan" "(mail=r.vogt@*)" memberOf''', "n")
P("7z encrypted archive", "command", r'''7z a -t7z -mhe=on -p"⟦Steuer 2024 Mama⟧" steuer.7z ~/Dokumente/Steuer/2024''', "n")
P("sshpass around scp", "command", r'''for h in 10.12.0.3{1,2,3}; do sshpass -p '⟦r00tbeer4u⟧' scp -o StrictHostKeyChecking=no fw.bin admin@$h:/tmp/; done''', "n")
P("openssl enc with pass:", "command", r'''tar cz ~/keepass ~/.ssh/config | openssl enc -aes-256-cbc -pbkdf2 -salt -pass pass:⟦il0veRaclette⟧ -out /mnt/usb/box.tgz.enc''')
P("keytool storepass and keypass", "command", r'''keytool -genkeypair -alias upload -keyalg RSA -keysize 2048 -validity 9000 -keystore upload.jks \
  -storepass ⟦seetang2022⟧ -keypass ⟦seetang2022⟧ -dname "CN=Kelp Farm, O=Kelp Farm, C=DE"''')
P("htpasswd -b", "command", r'''docker exec proxy htpasswd -bB /etc/nginx/.htpasswd hugo ⟦Hugo4President⟧ && docker exec proxy nginx -s reload''', "n")
P("net use on Windows", "command", r'''net use P: \\fs01\plan ⟦Qwertz!234⟧ /user:TRAM\j.brandt /persistent:yes''', "n")
P("PowerShell New-LocalUser", "command", r'''
$pw = ConvertTo-SecureString '⟦Willkommen-2025⟧' -AsPlainText -Force
New-LocalUser -Name 'werkstatt' -Password $pw -FullName 'Werkstatt PC' -PasswordNeverExpires
Add-LocalGroupMember -Group 'Remotedesktopbenutzer' -Member 'werkstatt'
''')
P("ansible extra var become", "command", r'''ansible-playbook -i hosts.ini kiosk.yml -l halle -e 'ansible_user=pi ansible_password=⟦himbeerkuchen⟧ ansible_become_password=⟦himbeerkuchen⟧' --tags screen''')
P("openvpn auth file written by printf", "command", r'''printf 'anke.keller\n⟦Elbe&Saale09⟧\n' | sudo tee /etc/openvpn/client/up.txt >/dev/null && sudo chmod 600 /etc/openvpn/client/up.txt && sudo systemctl restart openvpn-client@buero''', "n")
P("nmcli wifi connect", "command", r'''nmcli device wifi connect "Casa Ortega 5G" password "⟦lagatanegra77⟧" ifname wlp3s0''')
P("rsync daemon variable", "command", r'''RSYNC_PASSWORD='⟦apfelstrudel!⟧' rsync -avz --delete /srv/photos/ backup@nas.rosenhof.lan::photos/''')
P("lftp mirror", "command", r'''lftp -u kelpfarm,⟦0ctopus-Garden⟧ -e "mirror -R --only-newer ./public /htdocs; bye" ftp.webspace.example''', "n")
P("mosquitto_pub", "command", r'''mosquitto_pub -h 192.168.40.9 -p 1883 -u haus -P ⟦licht_an_licht_aus⟧ -t zigbee/flur/set -m '{"state":"OFF"}' ''', "n")
P("snmpwalk v3", "command", r'''snmpwalk -v3 -l authPriv -u nmsuser -a SHA -A ⟦switchM0nkey⟧ -x AES -X ⟦switchM0nkey2⟧ 10.12.0.2 IF-MIB::ifOperStatus''', "n")
P("ipmitool lanplus", "command", r'''ipmitool -I lanplus -H 10.8.4.111 -U ADMIN -P ⟦supermicro_bln⟧ chassis power cycle''', "n")
P("chpasswd loop", "command", r'''
ssh root@lab-gw <<'SH'
useradd -m -s /bin/bash praktikant
echo 'praktikant:⟦Fruehling-25⟧' | chpasswd
chage -d 0 praktikant
SH
''', "n")
P("xfreerdp", "command", r'''xfreerdp /v:ts2.tramworks.net /u:jo /d:TRAM /p:'⟦zaq12wsx!Jo⟧' /size:1920x1080 +clipboard /cert:ignore''', "n")

# ---------- files ----------
P("dotenv of a PHP shop", "edit", r'''
APP_ENV=prod
DB_HOST=127.0.0.1
DB_NAME=vinyl
DB_USER=vinyl
DB_PASS=⟦DarkSideOfTheMoon73⟧
MAIL_FROM=club@vinylclub.example
''')
P("YAML of a home service", "edit", r'''
mqtt:
  broker: 192.168.40.9
  username: haus
  password: ⟦waschbaer99⟧
zones:
  - {name: flur, sensor: 0x00158d0001}
  - {name: keller, sensor: 0x00158d0002}
''')
P("INI of a scanner tool", "edit", r'''
[smtp]
server=mail.rosenhof.example
port=587
user=scanner@rosenhof.example
pass=⟦Scan2Mail!⟧
tls=1

[scan]
dpi=300
''')
P("hikari properties", "edit", r'''
dataSourceClassName=org.mariadb.jdbc.MariaDbDataSource
dataSource.user=ferry
dataSource.password=⟦ahoi.matrose⟧
dataSource.serverName=db-ferry.lan
maximumPoolSize=12
''')
P("TOML config of a bot", "edit", r'''
[irc]
host = "irc.libera.chat"
nick = "tidebot"
sasl_user = "tidebot"
sasl_pass = "⟦ebbe&flut4ever⟧"
channels = ["#tidewatch", "#tidewatch-dev"]
''')
P("JSON settings with SMTP auth", "edit", r'''
{
  "transport": {
    "host": "smtp.ionos.example",
    "port": 465,
    "secure": true,
    "auth": { "user": "hallo@weberei-nord.de", "pass": "⟦Leinen+Wolle_1⟧" }
  },
  "digestHour": 7
}
''')
P("tomcat-users.xml", "edit", r'''
<tomcat-users xmlns="http://tomcat.apache.org/xml" version="1.0">
  <role rolename="manager-gui"/>
  <role rolename="manager-script"/>
  <user username="deploy" password="⟦TomKatze2020⟧" roles="manager-gui,manager-script"/>
</tomcat-users>
''')
P("wp-config.php", "edit", r'''
/** The name of the database for WordPress */
define( 'DB_NAME', 'd0391ab2' );

/** Database username */
define( 'DB_USER', 'd0391ab2' );

/** Database password */
define( 'DB_PASSWORD', '⟦Blumen-Meyer_1974⟧' );

define( 'DB_HOST', 'localhost' );
''')
P("netrc", "edit", r'''
machine ftp.druckerei-kolb.example
login weberei
password ⟦Kolb4Druck⟧

machine git.herbarium.lan login ilse password ⟦LoewenzahnTee⟧
''')
P("pgpass", "edit", r'''
# host:port:db:user
localhost:5432:*:postgres:⟦elefant123⟧
pg-claims.lan:5432:claims:ruth:⟦RuthsPferd#Max⟧
''', "n")
P("docker-compose environment", "edit", r'''
services:
  db:
    image: mariadb:11
    restart: unless-stopped
    environment:
      MARIADB_ROOT_PASSWORD: ⟦kartoffelsalat⟧
      MARIADB_DATABASE: nextcloud
      MARIADB_USER: nextcloud
      MARIADB_PASSWORD: ⟦wolkenkuckucksheim⟧
    volumes: ["./db:/var/lib/mysql"]
''')
P("wpa_supplicant network", "edit", r'''
ctrl_interface=DIR=/var/run/wpa_supplicant GROUP=netdev
country=ES
network={
    ssid="Vecinos_del_4B"
    psk="⟦tortillaconcebolla⟧"
    key_mgmt=WPA-PSK
    priority=5
}
''')
P("cifs credentials file", "edit", r'''
# /root/.smb-plan
username=plotter
password=⟦Plan4Plotter⟧
domain=TRAM
''')
P("msmtprc", "edit", r'''
defaults
auth on
tls on
logfile ~/.msmtp.log

account posteo
host posteo.example
port 587
from ilse@posteo.example
user ilse@posteo.example
password ⟦herbst.zeitlose⟧
account default : posteo
''')
P("sql script creating users", "edit", r'''
-- 003_users.sql, run once on prod
CREATE DATABASE IF NOT EXISTS gauge CHARACTER SET utf8mb4;
CREATE USER 'gauge_ro'@'10.%' IDENTIFIED BY '⟦nurlesen2024⟧';
GRANT SELECT ON gauge.* TO 'gauge_ro'@'10.%';
ALTER USER 'gauge'@'10.%' IDENTIFIED BY '⟦Pegelstand+3m⟧';
FLUSH PRIVILEGES;
''')
P("browser test with a real staff account", "edit", r'''
import { test, expect } from "@playwright/test";

// runs against https://portal.stadtwerke-halle.example, account of Jürgen until we get a test user
test("reading upload", async ({ page }) => {
  await page.goto("/login");
  await page.fill("#email", "juergen.pohl@stadtwerke-halle.example");
  await page.fill("#pw", "⟦Borussia1909!⟧");
  await page.click("text=Anmelden");
  await expect(page).toHaveURL(/meters/);
});
''')
P("pytest fixture, staging admin", "edit", r'''
import pytest, requests

@pytest.fixture(scope="session")
def admin():
    s = requests.Session()
    r = s.post("https://stage.lumenretail.example/api/login",
               json={"user": "admin@lumenretail.example", "password": "⟦Lumen&Licht77⟧"})
    r.raise_for_status()
    return s
''')
P("ppp chap-secrets", "edit", r'''
# Secrets for authentication using CHAP
# client	server	secret			IP addresses
"feste-ip4/88120@tel.example"	*	"⟦dslneuhaus3⟧"	*
''')
P("kickstart plaintext root", "edit", r'''
lang de_DE.UTF-8
keyboard de
timezone Europe/Berlin --utc
rootpw --plaintext ⟦Server!Raum12⟧
user --name=ops --groups=wheel --plaintext --password=⟦ops4tramworks⟧
bootloader --location=mbr
clearpart --all --initlabel
autopart --type=lvm
''')
P("switch running config", "edit", r'''
hostname sw-halle-02
!
enable password ⟦katzenklo⟧
username netadm privilege 15 password 0 ⟦N3tzwerk-Halle⟧
!
interface GigabitEthernet0/1
 switchport access vlan 20
 spanning-tree portfast
!
line vty 0 4
 login local
''')
P("ansible inventory", "edit", r'''
[printers]
lp-nord ansible_host=10.12.4.21
lp-sued ansible_host=10.12.4.22

[printers:vars]
ansible_user=admin
ansible_ssh_pass=⟦toner-leer!⟧
ansible_connection=network_cli
''')
P("kubernetes stringData", "edit", r'''
apiVersion: v1
kind: Secret
metadata: {name: smtp, namespace: club}
stringData:
  user: club@vinylclub.example
  pass: "⟦abbey road 1969⟧"
''')
P("filezilla site, base64 of the password", "edit", r'''
<Server>
  <Host>ftp.weberei-nord.de</Host>
  <Port>21</Port>
  <Protocol>0</Protocol>
  <User>w0114ab</User>
  <Pass encoding="base64">⟦«b»⟧</Pass>
  <Logontype>1</Logontype>
  <Name>Weberei live</Name>
</Server>
''', b=b64b("Spinnrad!2018".encode()))
P("PHP mysqli in an old page", "edit", r'''
<?php
// verbindung.inc.php  -- bitte nicht anfassen, Gerd 2011
$db = mysqli_connect("localhost", "web12", "⟦gerd4711⟧", "usr_web12_3") or die("keine DB");
mysqli_set_charset($db, "latin1");
$res = mysqli_query($db, "SELECT * FROM termine WHERE datum >= CURDATE() ORDER BY datum");
''', "n")

# ---------- outputs ----------
P("grep hits over a repo", "output", r'''
$ grep -rniE "passw(or)?d *[:=]" --include=*.{py,yml,cfg} .
./etl/load.py:14:    password = "⟦tramfahrer!99⟧"
./etl/load.py:61:def reset_password(user):
./deploy/stage.yml:9:  db_password: ⟦Gleis9¾-stage⟧
./setup.cfg:22:# password: set in the vault
''')
P("ps shows mysqldump argument", "output", r'''
$ ps -eo pid,user,args | grep -i dump
 4410 root     /bin/sh -c /usr/local/bin/nightly.sh
 4416 root     mysqldump --single-transaction -ubackup --password=⟦sicherung_sicher⟧ --all-databases
 4417 root     gzip -9
''')
P("FTP session in a packet dump", "output", r'''
220 ProFTPD Server (druckerei-kolb) [::ffff:10.4.0.3]
USER weberei
331 Password required for weberei
PASS ⟦farbrolle.cmyk⟧
230 User weberei logged in
TYPE I
200 Type set to I
STOR 2025-09-flyer.pdf
''')
P("netsh wlan show profile", "output", r'''
C:\Users\ruth>netsh wlan show profile name="FRITZ!Box 7590 QR" key=clear

Sicherheitseinstellungen
------------------------
    Authentifizierung      : WPA2-Personal
    Verschlüsselung        : CCMP
    Sicherheitsschlüssel   : Vorhanden
    Schlüsselinhalt        : ⟦oma-ingrid-1938⟧
''')
P("nmcli show secrets", "output", r'''
$ nmcli -s -f 802-11-wireless.ssid,802-11-wireless-security.psk connection show cafe
802-11-wireless.ssid:                   Kaffeehaus Gast
802-11-wireless-security.psk:           ⟦einspaenner⟧
''', "n")
P("debug log of a login", "output", r'''
2025-09-02 09:14:01,117 DEBUG auth.backend login attempt user=t.ortega@lumenretail.example pwd=⟦RealMadrid14⟧ ip=10.4.0.77
2025-09-02 09:14:01,164 DEBUG auth.backend bcrypt check ok
2025-09-02 09:14:01,171 INFO  auth.session created for uid=311
''')
P("hydra finding", "output", r'''
[DATA] max 4 tasks per 1 server, overall 4 tasks, 812 login tries, ~203 tries per task
[DATA] attacking ssh://10.12.0.40:22/
[22][ssh] host: 10.12.0.40   login: pi   password: ⟦raspberry.kuchen⟧
1 of 1 target successfully completed, 1 valid password found
''')
P("john show", "output", r'''
$ john --show shadow.txt
anke:⟦sommerregen1⟧:19941:0:99999:7:::
werkstatt:⟦hammer&nagel⟧:19702:0:99999:7:::

2 password hashes cracked, 3 left
''', "n")
P("table of app users in clear text", "output", r'''
mysql> SELECT id, login, passwort, rolle FROM benutzer LIMIT 3;
+----+----------+------------------+--------+
| id | login    | passwort         | rolle  |
+----+----------+------------------+--------+
|  1 | gerd     | ⟦Modelleisenbahn⟧  | admin  |
|  2 | sabine   | ⟦sabine<3tobi⟧     | buero  |
|  5 | lager    | ⟦palette4⟧         | lager  |
+----+----------+------------------+--------+
3 rows in set (0.00 sec)
''')
P("docker compose config resolved", "output", r'''
$ docker compose config | sed -n '/grafana:/,/image/p'
  grafana:
    environment:
      GF_SECURITY_ADMIN_PASSWORD: ⟦Graf4Dracula⟧
      GF_SECURITY_ADMIN_USER: admin
      GF_USERS_ALLOW_SIGN_UP: "false"
    image: grafana/grafana:11.2.0
''')
P("django debug page POST data", "output", r'''
Request Method: POST
Request URL: http://paperless.rosenhof.lan/accounts/login/

POST:
login = 'lena'
password1 = '⟦Ponyhof!Lena⟧'
remember = 'on'

Exception Type: OperationalError at /accounts/login/
Exception Value: database is locked
''')
P("git diff in a Vagrant script", "output", r'''
--- a/provision/desktop.sh
+++ b/provision/desktop.sh
@@ -11,4 +11,4 @@
 useradd -m -G sudo kiosk
-echo "kiosk:⟦fahrplan⟧" | chpasswd
+echo "kiosk:⟦Fahrplan-2026⟧" | chpasswd
 systemctl set-default graphical.target
''', "n")
P("connection URL in a failure", "output", r'''
sqlalchemy.exc.OperationalError: (pymysql.err.OperationalError) (1045, "Access denied for user 'herbar'@'10.4.0.12' (using password: YES)")
url was: mysql+pymysql://herbar:⟦Pusteblume%2112⟧@db.herbarium.lan/herbar?charset=utf8mb4
(Background on this error at: https://sqlalche.me/e/20/e3q8)
''', "n")
P("cat of a text file on a desktop", "output", r'''
PS C:\Users\Public\Desktop> type zugang.txt
Kasse 2 / Windows:  kasse  ->  ⟦Kasse2Kasse2⟧
Warenwirtschaft:    filiale07  ->  ⟦Filiale*Sieben⟧
Teamviewer fragen bei Hugo
''', "n")
P("php var_dump of a config", "output", r'''
array(4) {
  ["host"]=>
  string(16) "imap.weberei.lan"
  ["user"]=>
  string(10) "bestellung"
  ["pass"]=>
  string(15) "⟦Garn&Zwirn_2021⟧"
  ["ssl"]=>
  bool(true)
}
''')
P("proxied form body, url-encoded", "output", r'''
>> POST https://kasse.brauhaus.example/session HTTP/1.1
   content-type: application/x-www-form-urlencoded
   _utf8=%E2%9C%93&benutzer=wirt&kennwort=⟦Zapf%26Hahn%21⟧&commit=Anmelden
<< 302 Found
   location: /tageskasse
''')
P("systemctl show environment", "output", r'''
$ systemctl show radicale -p Environment -p ExecStart
Environment=RADICALE_USER=familie RADICALE_PASS=⟦4PfotenImSchnee⟧
ExecStart={ path=/usr/bin/python3 ; argv[]=/usr/bin/python3 -m radicale ; ignore_errors=no }
''')
P("mysql history file", "output", r'''
$ tail -4 ~/.mysql_history
show tables;
SET PASSWORD FOR 'ruth'@'%' = PASSWORD('⟦schimmel&rappe⟧');
select\040count(*)\040from\040claims;
exit
''')
P("CSV of class accounts made by a script", "output", r'''
$ head -4 konten_7b.csv
nachname;vorname;login;startkennwort
Arslan;Emre;earslan;⟦Giraffe17⟧
Böhm;Clara;cboehm;⟦Pinguin42⟧
Diallo;Aminata;adiallo;⟦Nashorn08⟧
''')
P("set -x around curl ftp", "output", r'''
+ f=plan-2025-36.pdf
+ curl -sS --ftp-create-dirs -T plan-2025-36.pdf 'ftp://tram:⟦Weiche12links⟧@ftp.druckerei-kolb.example/in/'
curl: (67) Access denied: 530
+ exit 67
''', "n")

# ---------- prose: English ----------
P("en note: admin login of a NAS", "note", r'''
NAS web UI is on :5001, log in as admin with ⟦Bramble&Thorn8⟧. SMART test on disk 3 still running, check tomorrow.
''', "n")
P("en note: agent reports what worked", "note", r'''
The restore only went through after I used the old root password (⟦penguinparade⟧) instead of the one in the vault, so the snapshot predates the change in May.
''')
P("en note: switch stack", "note", r'''
Console on the core switch: enable pw is still ⟦cisc0kidd⟧, nobody changed it after Martin left. Ports 40-48 are free.
''')
P("en note: zip from accountant", "note", r'''
Payroll zip from the accountant opens with ⟦Payday-Friday⟧; inside are 14 PDFs, renamed and filed under hr/2025-08.
''', "n")
P("en note: shared streaming account", "note", r'''
Lobby screen uses the signage account lobby@lumenretail.example / ⟦welc0me2lumen⟧, playlist 3, loops every 12 min.
''', "n")
P("en prompt: the pass is", "prompt", r'''
ssh into the old pi at 192.168.40.22, user pi and the pass is ⟦gooseberry11⟧, then tell me why pihole stopped resolving
''')
P("en prompt: typo passwrod", "prompt", r'''
sorry forgot, passwrod for the staging site is ⟦TurtleSoup!⟧ (basic auth, user preview). can you rerun lighthouse on it
''')
P("en prompt: pw set it to", "prompt", r'''
reset the grafana admin and set it to ⟦MrWhiskers2016⟧ please, the mail flow is broken anyway
''', "n")
P("en prompt: two tries", "prompt", r'''
no idea which one it was. try ⟦ilovelamp22⟧ and if that doesnt unlock the xlsx then ⟦ILoveLamp22!⟧ , one of em has to
''', "n")
P("en prompt: multi-line access list", "prompt", r'''
ok so access for the migration tonight:

host  cp4.webspace.example (DirectAdmin, port 2222)
user  kelpfa
pwd   ⟦seaweedSnack5⟧
db is kelpfa_wp, same pw

move it to the new box and leave the mail where it is
''')
P("en prompt: all lower, login with", "prompt", r'''
login with marketing@kelp.farm and ⟦spring fling 24⟧ on postplan.example and check why the queue for thursday is empty
''', "n")
P("en prompt: router sticker changed", "prompt", r'''
write me a script that reboots the router every sunday, it's a tplink at 192.168.0.1, I changed the admin password to ⟦nomorelag4me⟧ back in june
''')
P("en import: house wiki bullets", "import", r'''- alarm panel app: house@rosenhof.example, pw: ⟦TwoBlackCats⟧''')
P("en import: printer in heading", "import", r'''## Plotter (2nd floor) — admin/⟦inkjet4ever⟧, web on :8443''', "n")
P("en import: crossed out old and new", "import", r'''- wifi guest: ~~⟦cornflakes2023⟧~~ now ⟦cornflakes2025⟧ (changed after the party)''', "n")
P("en import: lab BIOS", "import", r'''* BIOS supervisor pw on all the lab Dells = ⟦d3llhell⟧''')

# ---------- prose: Chinese ----------
P("zh note: 服务器 root", "note", r'''
测试服务器 10.8.4.52 的 root 密码已改成 ⟦Xiongmao@2024⟧，旧密码不能用了，记得同步给小李。
''')
P("zh note: 后台账号", "note", r'''
商城后台用 admin 登录，口令 ⟦mima5201314⟧，验证码在测试环境是关闭的。
''')
P("zh note: wifi", "note", r'''
会议室 WiFi 是 Yunhe-5F，连的时候输 ⟦yunhekeji888⟧ 就行，访客网段不能访问 NAS。
''', "n")
P("zh note: agent found in config", "note", r'''
排查结果：conf/jdbc.properties 里写死了数据库账号 wms，密码是 ⟦zhangwei0826⟧，导致换库之后一直连到旧实例。建议改成环境变量。
''')
P("zh prompt: 帮我连数据库", "prompt", r'''
帮我连一下 192.168.1.30 的 mysql，用户 root 密码 ⟦woaini1314⟧，看看 orders 表为什么这么慢
''')
P("zh prompt: 压缩包解压", "prompt", r'''
这个 rar 解压码是 ⟦laowang666⟧，解开后把里面的图片按拍摄日期分文件夹
''', "n")
P("zh prompt: mm 缩写", "prompt", r'''
堡垒机账号 chenjing mm ⟦Chenjing.1990⟧，跳到 prod-web-3 看下 nginx 的 error log，别重启服务
''')
P("zh prompt: 改密码", "prompt", r'''
写个脚本批量把 20 台工控机的 administrator 密码从 ⟦gongkong123⟧ 改成 ⟦Gongkong@2025⟧，用 winrm 就可以
''')
P("zh prompt: 两行账号", "prompt", r'''
账号：liumei@yunhe.example
密码：⟦taozi_xiaomao⟧
登录进去把上个月的考勤导出来，格式跟模板一样
''')
P("zh import: 家里设备", "import", r'''- 群晖 DS920：http://192.168.1.8:5000 ，baba / ⟦quanjiafu2019⟧''', "n")
P("zh import: 表格", "import", r'''| 系统 | 地址 | 账号 | 密码 |
| --- | --- | --- | --- |
| 禅道 | zentao.yunhe.lan | sunhao | ⟦sunhao@niubi⟧ |
| Jenkins | ci.yunhe.lan:8080 | builder | ⟦qazwsx2023⟧ |''')
P("zh import: 监控", "import", r'''* 海康录像机 admin，密码 ⟦Daxiang2020⟧（网页要用 IE 模式）''')

# ---------- prose: German ----------
P("de note: Kundenserver", "note", r'''
Plesk beim Kunden Meyer: Benutzer admin, Kennwort ⟦Blumenkohl!66⟧. Zertifikat läuft am 14.10. ab, Erneuerung ist eingetragen.
''')
P("de note: Kasse, ohne Wort", "note", r'''
An Kasse 3 meldet man sich als „schicht“ mit ⟦Kassensturz3⟧ an, danach startet die Waage von selbst.
''', "n")
P("de note: Agent hat gesetzt", "note", r'''
Habe in der mosquitto-Config den Benutzer haus neu angelegt (Passwort: ⟦Sternschnuppe_7⟧) und den Dienst neu gestartet; Zigbee2MQTT verbindet sich wieder.
''')
P("de note: PDF vom Steuerberater", "note", r'''
Die PDFs vom Steuerberater gehen mit ⟦keller1967⟧ auf (Nachname + Jahrgang, klein geschrieben).
''', "n")
P("de prompt: pw dazu geschrieben", "prompt", r'''
mach mal bitte ein dump von der db auf web7, user web7 pw ⟦dackelblick⟧, aber nur die tabellen die mit shop_ anfangen
''')
P("de prompt: Passwort lautet", "prompt", r'''
Das Passwort vom Postfach info@ lautet ⟦Regenschirm-Dienstag⟧. Bitte alle Mails mit Bewerbungen in den Ordner Personal verschieben.
''')
P("de prompt: Tippfehler Passwrot", "prompt", r'''
fritzbox passwrot ist ⟦pizza4kaese⟧, schau mal nach warum die portfreigabe auf 8123 ständig verschwindet
''')
P("de prompt: erst das, sonst jenes", "prompt", r'''
Login am Drucker: admin und dann ⟦Toner!Toner⟧, wenn das nicht geht ist es noch das vom Vorgänger (⟦mueller-luedenscheid⟧)
''', "n")
P("de prompt: Zugangsdaten als Block", "prompt", r'''
Zugangsdaten Typo3 alt
URL: https://alt.weberei-nord.de/typo3
Name: redaktion
PW: ⟦Kettfaden.08⟧

Bitte nur die Seiten unter "Aktuelles" exportieren, Rest ist Schrott
''')
P("de import: WLAN Ferienhaus", "import", r'''- Ferienhaus: WLAN "Duenenblick", Schlüssel ⟦moewenschiss⟧, Kaminholz im Schuppen''')
P("de import: Elster-Zertifikat", "import", r'''- [ ] Elster-Zertifikat (Anke, .pfx auf dem Stick) -> ⟦Finanz@mt2024⟧, gültig bis 03/27''', "n")
P("de import: Fileserver alt", "import", r'''1. alter Fileserver \\FS00, Administrator hat Passwort ⟦Gerdchen1958⟧ (lokal, nicht Domäne)''')
P("de import: Zeiterfassung", "import", r'''* Zeiterfassung Web: sabine | ⟦feierabend16uhr⟧ | Mandant 2''', "n")

# ---------- prose: Spanish ----------
P("es note: servidor de facturas", "note", r'''
El servidor de facturas (10.20.0.8) entra con usuario conta y contraseña ⟦Croqueta2022⟧; el backup corre a las 3.
''')
P("es note: agente deja constancia", "note", r'''
Dejé el usuario lectura en Postgres con la clave ⟦solo.leer.24⟧ y permisos únicamente sobre el esquema ventas.
''')
P("es note: wifi de la oficina", "note", r'''
Para conectar la impresora nueva usé la red Oficina_2G, ⟦cafeconleche9⟧, IP fija .45.
''', "n")
P("es note: panel del hosting", "note", r'''
cPanel de la panadería: usuario panlola, contra ⟦LolaBizcocho!⟧, ya está activo el certificado.
''')
P("es prompt: entra con", "prompt", r'''
entra al router 192.168.1.1 con admin y ⟦perrosalchicha⟧ y mira si está abierto el 3389, que no me fío
''', "n")
P("es prompt: la contra es", "prompt", r'''
la contra del ftp es ⟦Sevilla1905!⟧ (usuario hosteleria3), sube lo de dist y no borres la carpeta fotos
''')
P("es prompt: contraseña sin tilde ni eñe", "prompt", r'''
contrasena del excel de nominas: ⟦abuelacarmen⟧ , saca una tabla con los totales por mes
''')
P("es prompt: cambiar de una a otra", "prompt", r'''
cámbiame el password del usuario tienda en mysql, ahora es ⟦tienda1234⟧ y quiero que sea ⟦MeGustaElSol7⟧. acuérdate del .env también
''')
P("es prompt: datos en varias líneas", "prompt", r'''
Datos del TPV viejo:
 - IP 192.168.10.4 (VNC)
 - pass VNC ⟦caja0rapida⟧
 - windows: caja / ⟦gazpacho_frio⟧
Necesito exportar los tickets de agosto a CSV
''')
P("es import: cuenta de proveedor", "import", r'''- Portal del proveedor Ortega: pedidos@bartomas.example / ⟦JamonYQueso3⟧ — pedir antes del miércoles''', "n")
P("es import: alarma y cámaras", "import", r'''- Cámaras: app VigiCam, usuario tomas, contraseña ⟦betisbalompie07⟧''')
P("es import: NAS de fotos", "import", r'''+ NAS fotos boda → \\192.168.1.60\boda  usuario `novios` clave `⟦siquiero140625⟧`''')

# ---------- prose: Japanese ----------
P("ja note: 社内サーバー", "note", r'''
社内Wikiの管理者は admin、パスワードは ⟦sakura0401⟧ のまま。更新は毎月第一月曜。
''')
P("ja note: 検証機", "note", r'''
検証機（192.168.20.14）には tanaka / ⟦Tanuki-Soba3⟧ でSSHできた。ディスク使用率は91%、ログの圧縮が止まっていた。
''', "n")
P("ja note: パスワードを設定した報告", "note", r'''
共有フォルダ用に scan ユーザーを作成し、パスを ⟦fukugouki_2f⟧ に設定しました。複合機からのスキャン送信は成功しています。
''')
P("ja note: zip", "note", r'''
見積書のzipは ⟦otsukaresama⟧ で解凍できました。中身はPDF 3点とExcel 1点です。
''', "n")
P("ja prompt: つないで", "prompt", r'''
DBにつないで遅いクエリ調べて。ユーザーはapp、パスワードは ⟦Hanabi#2023⟧ です
''')
P("ja prompt: PWは", "prompt", r'''
ステージングのベーシック認証、IDはpreview、PWは ⟦nekochan22⟧ 。トップページのスクショ撮ってくれる？
''')
P("ja prompt: 変更依頼", "prompt", r'''
pi のログインパスワードを ⟦raspi-kun⟧ から ⟦Takoyaki8ko!⟧ に変えるコマンドをplaybookに足してください
''')
P("ja prompt: 箇条書き", "prompt", r'''
レンタルサーバーの情報です
・FTPホスト：ftp.mizuno-ya.example
・アカウント：mizunoya
・パスワード：⟦wagashi_daisuki⟧
index.html だけ差し替えお願いします
''')
P("ja prompt: これで入れるはず", "prompt", r'''
ルーター、admin と ⟦kumamoto55⟧ で入れるはず。ファーム古いか見て
''', "n")
P("ja import: 家のWi-Fi", "import", r'''- 実家のWi-Fi：buffalo-g-2F10、キーは ⟦obaachannoie⟧''')
P("ja import: 勤怠システム", "import", r'''- 勤怠（https://kintai.mizuno-ya.example）　ID: 0042　PASS: ⟦Yukidaruma12⟧''')
P("ja import: 防犯カメラ", "import", r'''* [x] 防犯カメラのNVR交換、admin／⟦mimamori2025⟧ に統一済み''', "n")

# ---------- prose: Russian ----------
P("ru note: учётка на сервере", "note", r'''
На складском сервере завёл пользователя sklad, пароль ⟦privet_medved⟧, вход только из подсети 10.30.0.0/24.
''')
P("ru prompt: пасс от почты", "prompt", r'''
пасс от почты zakaz@sklad.example ⟦Barsik2014⟧, проверь imap и почему письма от банка падают в спам
''')
P("ru import: роутер на даче", "import", r'''- Дача: роутер keenetic, admin, пароль ⟦shashlik777⟧, симка МТС''')

# ---------- pastes ----------
P("mail from a provider pasted", "prompt", r'''
they sent me this, can you set up the DNS and upload the page?

-----
Dear Mr. Kolb,
your webspace has been set up. As agreed on the phone we used the password of your choice.
  Server:   host114.webspace.example
  Login:    kolb-druck
  Password: ⟦Heidelberger-Tiegel⟧
Kind regards, your Webspace team
''')
P("failing command pasted with a question", "prompt", r'''
why 530?

$ ncftpput -u vinylclub -p ⟦sgtpepper67⟧ ftp.webspace.example /htdocs ./dist/*
ncftpput: cannot open ftp.webspace.example: username and/or password was not accepted for login.

works in filezilla with the exact same data
''')
P("table of test boxes in notes", "import", r'''| box | ip | login |
|-----|----|-------|
| win11-a | 10.12.9.11 | tester / ⟦Klick!Klack!⟧ |
| win11-b | 10.12.9.12 | tester / ⟦Klick!Klack!2⟧ |
| mac-mini | 10.12.9.20 | qa / ⟦apfelkompott⟧ |''', "n")
P("nested bullet under a customer", "import", r'''
- Druckerei Kolb
  - Ansprechpartner Tobias, Durchwahl 14
  - RIP-Rechner: rip / ⟦Passkreuz-rot⟧ (Fernwartung nur vormittags)
''', "n")

# =====================================================================================
def main():
    want = {"key": 190, "password": 140}
    ok = True
    n = 0
    rows = []
    for cls in ("key", "password"):
        for c in [c for c in CASES if c["cls"] == cls]:
            n += 1
            c["id"] = f"a{n:03d}"
            rows.append({"id": c["id"], "class": cls, "situation": c["sit"], "route": c["route"], "text": c["text"], "secrets": c["secrets"]})
            for s in c["secrets"]:
                if s not in c["text"] or "\n" in s:
                    ok = False; print("NOT A SUBSTRING", c["id"], repr(s))
                if s in c["rest"]:
                    ok = False; print("ALSO OUTSIDE", c["id"], c["sit"], repr(s))
                if len(s) < 4:
                    ok = False; print("SHORT", c["id"], c["sit"], repr(s))
            if c["text"].count("\n") + 1 > 32: print("LONG", c["id"], c["sit"], c["text"].count("\n") + 1)
            if c["route"] not in ("note", "prompt", "command", "output", "edit", "import"):
                ok = False; print("ROUTE", c["id"])
    with open(OUT, "w", encoding="utf-8") as f:
        for r in rows: f.write(json.dumps(r, ensure_ascii=False) + "\n")
    from collections import Counter
    for cls in ("key", "password"):
        cs = [c for c in CASES if c["cls"] == cls]
        print(cls, len(cs), "(want %d)" % want[cls], dict(Counter(c["route"] for c in cs)))
        if len(cs) != want[cls]: ok = False
        print("   vendor prefix:", sum("p" in c["fl"] for c in cs), " no announcing word:", sum("n" in c["fl"] for c in cs))
    print("both", len(rows), dict(Counter(r["route"] for r in rows)))
    d = [t for t, k in Counter(r["situation"] for r in rows).items() if k > 1]
    if d: ok = False; print("same situation", d)
    d = [t for t, k in Counter(r["text"] for r in rows).items() if k > 1]
    if d: ok = False; print("same text")
    print("OK" if ok else "NOT OK")
    return 0 if ok else 1

if __name__ == "__main__":
    sys.exit(main())
