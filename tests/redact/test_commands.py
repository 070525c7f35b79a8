"""Commands: a password that one takes goes, and what looks like one in another stays."""

import pytest

from hardwon.redact import DEFAULT

PASSWORD = "hunter2x" + "Tr0ub4dor"
HASH = "ab12" * 16


@pytest.mark.parametrize(
    "text",
    [
        "mongosh -u bob -p {} --host db1",
        "docker exec -it mongo mongosh -u bob -p {} shop",
        "sudo -u app mongodump --host db1 -p {}",
        "sqlcmd -S h -U sa -P {} -Q 'select 1'",
        "zip -r -P {} out.zip src",
        "7z x -p{} out.7z",
        '7z a -p"{}" out.7z',
        "echo {} | sudo -S systemctl restart app",
        "echo '{}' | sudo -S -p '' ls",
        "printf '%s\\n' {} | sudo -u app -S ls",
        "echo bob:{} | sudo chpasswd",
        "echo {} | docker login -u bob --password-stdin registry.local",
        "docker login --password-stdin <<< {}",
        "htpasswd -bc /etc/nginx/.htpasswd bob {}",
        "smbclient -U 'CORP\\bob%{}' //files/share",
        "sqlplus -S bob/{}@//db:1521/shop",
        "jdbc:oracle:thin:bob/{}@db:1521:shop",
        "CREATE USER bob IDENTIFIED BY {};",
        'psql -c "ALTER USER bob PASSWORD {}"',
        "SSHPASS={} sshpass -e ssh root@host",
        "REDISCLI_AUTH={} redis-cli ping",
    ],
)
def test_the_password_of_a_command_goes_and_the_command_stays(text: str) -> None:
    """Only the password is replaced, so that one still reads what was run."""
    assert DEFAULT.text(text.replace("{}", PASSWORD)) == text.replace("{}", "[redacted:password]")


@pytest.mark.parametrize(
    "text",
    [
        "mkdir -p src/app2/x1",
        "ssh -p 2222 host1",
        "docker run -p 80:80 -p 127.0.0.1:5432:5432 -u 1000 image1",
        "cp -p a1 b1",
        "psql -h db -U bob -p 5432 shop1",
        "pg_dump -U bob -p 5432 shop1",
        "redis-cli -p 6379 ping",
        "grep -P '\\d+x1' file",
        "grep -oP 'v1\\.2' file",
        "rsync -aP src1 dst1",
        "git log -p src1",
        "git add -p app2.py",
        "cargo test -p my_crate2",
        "python -m pytest -p xdist1",
        "nmap -p80,443 -p 1-65535 host1",
        "ps -p 1234; lsof -p 1234",
        "read -s -p 'Enter the password 2: ' pw",
        "unzip -p out.zip file1.txt | head -1",
        "zip -r out.zip src1",
        "7z x -p out1.7z",
        "mongosh --port 27017 shop1",
        "mongosh -u bob -p --host db1",
        'mongosh -u bob -p "$MONGO_PASSWORD"',
        "mongosh -p asks for the password",
        "docker run -d --name mongo -p 27017:27017 mongo:7",
        "docker run -d --name mongo -p 27017 mongo:7",
        "docker run --rm -p 127.0.0.1:27017:27017/tcp mongo",
        "docker exec -it mongo mkdir -p data1",
        "docker exec mongo mkdir -p data1",
        "docker compose -p mongo1 up",
        "mkdir -p mongo/data1",
        "cd mongo && mkdir -p data1",
        "sqlcmd -S h -U sa -P $SA_PASSWORD",
        "echo done1 | sudo tee /etc/x1",
        "echo 3 | sudo tee /proc/sys/vm/drop_caches",
        'echo "$PASS" | sudo -S ls',
        "echo foo1 | sudo -u bob cat",
        "curl -fsSL https://x.local/setup1 | sudo -E bash -",
        "sudo -S ls; ls -S src1",
        "echo $PASS | docker login -u bob --password-stdin",
        "cat pw1.txt | docker login -u bob --password-stdin",
        "docker login -u bob --password-stdin < pw1.txt",
        "grep x1 <<< text1",
        'echo "bob:$PASS" | chpasswd',
        "htpasswd -c /etc/nginx/.htpasswd bob1",
        "htpasswd -B -C 10 file1 bob2",
        "`htpasswd -b`, `sqlplus user2` and `unzip`",
        "smbclient -L //files1 -U bob",
        "date -u +%H1%M2",
        "sqlplus / as sysdba",
        "sqlplus @script1.sql",
        "sqlplus user/password@db",
        "jdbc:oracle:thin:@//db:1521/shop1",
        "npm config get //registry.local/:_authToken",
        "npm config set //registry.local/:_authToken ${NPM_TOKEN}",
    ],
)
def test_an_ordinary_command_stays(text: str) -> None:
    """The same letters are a port, a folder, a pattern, a question; and a variable is no password."""
    assert DEFAULT.text(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "rows are identified by id1 and name2",
        "Users are identified by uuid4 values",
        "grant access to the rows identified by their owner",
        "we create user rows identified by their address",
        "ALTER USER bob IDENTIFIED BY RANDOM PASSWORD",
        "ALTER USER bob PASSWORD EXPIRE",
        "alter user settings: password must have 8 characters",
        "create user and role with password policy v2",
        "The password for user1 has expired",
        "A password reset2 mail is sent; password strength1 is weak",
        f"private key sha256: {HASH}",
        f"signed with the private key; transaction 0x{HASH}",
        f"public key: 0x{HASH}",
        "https://x.local/callback?code=4/0AX4XfWh&state=1",
        "exit_code=1 status_code=404",
        'secret = "foo(bar1, baz2)"',
        'SECRET_KEY = "django-insecure-change-me-in-production"',
        'token = "[A-Za-z0-9_]{3,}(x|y)+#1"',
        '"token": "a,b1,c2,d3,e4,f5,g6,h7"',
        'token: "rgba(0,0,0,0.5)"',
        'token = "$(cat /run/secrets/token1)"',
        "secret_key=get_the_secret_key_from_the_environment_variables_1()",
        "fc-list : family; fc-cache -fv",
        "perm: rwxr-xr-x.x.y",
        "jina_embeddings_v3_small_en_with_a_long_name_of_some_kind",
    ],
)
def test_what_is_said_about_passwords_and_keys_stays(text: str) -> None:
    """Prose, statements without a value, hashes, patterns and calls."""
    assert DEFAULT.text(text) == text
