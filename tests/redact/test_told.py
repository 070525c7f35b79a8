"""Passwords and keys as people tell them: in a sentence, a list, a table, in groups."""

import pytest

from hardwon.redact import DEFAULT


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("the staging password is still Tulpen1954, rotate it", "Tulpen1954"),
        ("passwrod for the wiki: OtterRiver88", "OtterRiver88"),
        ("das Passwort lautet Kirsch-Kuchen", "Kirsch-Kuchen"),
        ("change the admin pw from oldMoon77 to NewMoon_78!", "NewMoon_78!"),
        ("entra con la clave girasol2031 y mira el log", "girasol2031"),
        ("le mot de passe du serveur est Tournesol1998", "Tournesol1998"),
        ("пароль от базы Sirenevy2019", "Sirenevy2019"),
        ("堡垒机密码 xiaoyu2020! 登录", "xiaoyu2020!"),
        ("共有フォルダのパスワードは himawari_88 です", "himawari_88"),
        ("router, admin / Fjord&Harbour2", "Fjord&Harbour2"),
        ("- Kasse: kasse1 / Blumen&Topf77", "Blumen&Topf77"),
        ("Password for the first start:\n  kQ7_m2Zp=Rt9wXc\n", "kQ7_m2Zp=Rt9wXc"),
        ("db.password=herbst.laub", "herbst.laub"),
        ("PASSWORD_ADMIN=Winter2031!", "Winter2031!"),
    ],
)
def test_a_password_that_is_told_goes(text: str, secret: str) -> None:
    kept = DEFAULT.text(text)
    assert secret not in kept
    assert kept != text


@pytest.mark.parametrize(
    "text",
    [
        "The password has to have 12 characters and 2 digits.",
        "Passwort vergessen? Klicken Sie hier.",
        "password authentication failed for user app_user1",
        "the password for user web7 is stored in 1Password",
        "login as deploy2 on prod-web-3 and run python3",
        "the user said: use libfoo22-dev instead of libbar",
        "p50 / p95 of the login were 12ms / 48ms",
        "Enter passphrase for key '/home/ann/.ssh/id_ed25519':",
        "const token = await getToken(user2)",
        "reset-password.MS9JyvL.css was built",
    ],
)
def test_what_is_only_said_about_them_stays(text: str) -> None:
    assert DEFAULT.text(text) == text


@pytest.mark.parametrize(
    ("text", "secrets"),
    [
        ("name;password\nann;Giraffe17\nbob;Pinguin42\n", ("Giraffe17", "Pinguin42")),
        ("| host | user | password |\n|------|------|------|\n| db1 | app | Nashorn08x |\n", ("Nashorn08x",)),
        (
            "INSERT INTO users (name, password) VALUES ('ann', 'Giraffe17'), ('bob', 'Pinguin42');",
            ("Giraffe17", "Pinguin42"),
        ),
        ("kind: Secret\ndata:\n  user: YW5uYWxpbmU=\n  pin: MTIzNHh5\n", ("YW5uYWxpbmU=", "MTIzNHh5")),
        ("BitLocker recovery: 448635-425887-259226-450978-196064-585123-627143-591327", ("448635-425887",)),
        ("backup codes: 20c6a-64c7f 11478-2b78b 0f069-fc7ec 8467c-c7ef4", ("20c6a-64c7f", "8467c-c7ef4")),
    ],
)
def test_what_stands_above_or_beside_it_says_what_it_is(text: str, secrets: tuple[str, ...]) -> None:
    kept = DEFAULT.text(text)
    assert [secret for secret in secrets if secret in kept] == []
