"""What is found in a text: secrets beside names, after options of commands, and near words that speak of them."""

from __future__ import annotations

import base64
import re

import pytest

from pytest_planguard.replay.privacy.secrets import Secret, find_secrets, is_token, without_secrets

from ...support.one_item import in_one_item

RANDOM = "a8Kq0ZkR17pWm2Xc"
FORTY = "Ab1/" * 5 + "Zq8xW7Kt2LmR4vPn9YcE"
NEAR = "a random word near one that speaks of a secret"


def found(text: str) -> list[tuple[str, str]]:
    """The kind of each secret, and what is taken out."""
    return [(one.kind, text[one.start : one.end]) for one in find_secrets(text)]


@in_one_item
@pytest.mark.parametrize("value", ["value", "val"])
@pytest.mark.parametrize("name", ["name", "key", "variable", "header", "field"])
def test_a_name_and_a_value_may_be_two_members(name: str, value: str) -> None:
    """In JSON, in JSON within a text, in YAML on two lines, and in a shell."""
    for text in (
        f'{{"{name}": "DB_PASSWORD", "{value}": "hunter2x"}}',
        rf"{{\"{name}\": \"DB_PASSWORD\", \"{value}\": \"hunter2x\"}}",
        f"- {name}: DB_PASSWORD\n  {value}: hunter2x\n",
        f"{name}=DB_PASSWORD {value}=hunter2x",
    ):
        assert found(text) == [("value of DB_PASSWORD", "hunter2x")]
        assert found(text.replace("hunter2x", "hun")) == found(text.replace("DB_PASSWORD", "COLUMN")) == []
    assert found(f'{{"title": "DB_PASSWORD", "{value}": "hunter2x"}}') == []
    assert found(f'{{"{name}": "DB_PASSWORD", "content": "hunter2x"}}') == []


@in_one_item
@pytest.mark.parametrize(
    ("sign", "is_one"),
    [
        *((sign, True) for sign in (":=", "=>", "=", ":", " : ", " is ", " is: ")),
        *((sign, False) for sign in (",", ">", " ", "   ", "==", "::", "~", " was ")),
    ],
)
def test_a_sign_leads_from_a_name_to_its_value(sign: str, is_one: bool) -> None:
    """Of variables, of words in a sentence, and of names in quotes."""
    for name in ("DB_PASSWORD", "db_password"):
        assert found(f"{name}{sign}hunter2x end") == [(f"value of {name}", "hunter2x")] * is_one
    assert found(f'"db_password"{sign}"hunter2x" end') == [('field "db_password"', "hunter2x")] * is_one


@in_one_item
@pytest.mark.parametrize("scheme", ["bearer", "Basic", "token", "bot", "ApiKey", "SSWS", "key"])
def test_a_scheme_before_a_value_stays(scheme: str) -> None:
    """Any other word before it is the value, and no secret."""
    assert found(f"authorization: {scheme} {RANDOM}") == [("value of authorization", RANDOM)]
    assert found(f"authorization: other {RANDOM}") == []


@in_one_item
@pytest.mark.parametrize("quote", ['"', "'", "`", '\\"', "\\'"])
def test_a_value_may_stand_in_quotes(quote: str) -> None:
    """Up to the same quotes, or to the end of a line that was cut off."""
    assert found(f"db_password={quote}ab12cd{quote} x") == [("value of db_password", "ab12cd")]
    assert found(f"db_password={quote}ab12cd\nx") == [("value of db_password", "ab12cd")]
    assert found(f"db_password={quote}two words{quote}") == []


@in_one_item
@pytest.mark.parametrize("end", [" ", "\n", '"', "'", "`", "<", ">", "&", ";", ",", "(", ")", "{", "}", "[", "]", "\\"])
def test_a_value_without_quotes_ends(end: str) -> None:
    """Before any of these signs; a full stop behind it belongs to the sentence."""
    assert found(f"db_password=ab12cd{end}more") == [("value of db_password", "ab12cd")]
    assert found(f"db_password: ab12cd.:!?{end}") == [("value of db_password", "ab12cd")]


@in_one_item
@pytest.mark.parametrize(
    ("text", "secrets"),
    [
        ('"db_password": 12345', [Secret(15, 20, 'field "db_password"', "0", "db_password")]),
        ('"db_password": 1', []),
        ('"api_key": 12345', []),
        ("db_password: 12345", []),
        ('"db_password": "12345"', [Secret(16, 21, 'field "db_password"', "[redacted]", "db_password")]),
        ("api key: ab12cd34ef56gh", [Secret(9, 23, "value of api_key", name="api_key")]),
        ("my_api_key: ab12cd34ef56gh", [Secret(12, 26, "value of my_api_key", name="my_api_key")]),
        (f"ENV GITHUB_TOKEN {RANDOM}", [Secret(17, 33, "value of GITHUB_TOKEN", name="GITHUB_TOKEN")]),
        (f"env github_token {RANDOM}", []),
        (f"GITHUBTOKEN {RANDOM}", []),
        (f'["Authorization", "{RANDOM}"]', [Secret(19, 35, 'field "Authorization"', name="Authorization")]),
        (f"authorization, {RANDOM}", []),
        ('["password", "username"]', []),
        ("<db_password>hunter2</db_password>", [Secret(13, 20, "value of db_password", name="db_password")]),
        ("<a:db_password>hunter2</a:db_password>", [Secret(15, 22, "value of db_password", name="db_password")]),
        ("db_password>hunter2", []),
        (f"x\\nDB_TOKEN={RANDOM}", [Secret(12, 28, "value of DB_TOKEN", name="DB_TOKEN")]),
        ("abc", []),
    ],
)
def test_where_a_secret_is_and_what_stands_for_it(text: str, secrets: list[Secret]) -> None:
    """A number stays a number; the name is what a project may keep."""
    assert find_secrets(text) == secrets


@in_one_item
@pytest.mark.parametrize("name", ["key", "token", "sig", "code", "auth", "pwd", "id_token", "X-Goog-Signature"])
def test_a_parameter_of_an_address_is_a_secret(name: str) -> None:
    """From eight characters on, if it was made up; a word is none, nor is another parameter."""
    for mark in ("?", "?a=b&"):
        assert found(f"/x{mark}{name}=Sommer24&c=d") == [(f"value of {name}", "Sommer24")]
        assert found(f"/x{mark}{name}=Somme24") == found(f"/x{mark}{name}=sommerzeit") == []
    assert found(f"/x?{name}_length=Sommer24") == found("/x?title=Sommer24") == []


@in_one_item
@pytest.mark.parametrize(
    ("option", "made_up", "word"),
    [
        *((name, True, False) for name in ("key", "token", "pass")),
        *((name, True, True) for name in ("api-key", "db-password", "client-secret")),
        *((name, False, False) for name in ("auth", "title")),
    ],
)
def test_an_option_of_a_command_is_a_secret(option: str, made_up: bool, word: bool) -> None:
    """Of a strong name any value is one; of others, one that was made up. The next option is no value."""
    for sign in (" ", "=", ","):
        assert found(f"run --{option}{sign}ab12cd") == [(f"value of {option}", "ab12cd")] * made_up
        assert found(f"run --{option}{sign}abcdef") == [(f"value of {option}", "abcdef")] * word
    assert found(f"run --{option} --ab12cd") == []


TOOLS = (
    *("mysql", "mysqldump", "mariadb", "sshpass", "redis-cli", "mongo", "mongosh", "smbclient"),
    *("docker login", "podman login", "helm registry login", "az login", "oc login", "skopeo login"),
)


@in_one_item
@pytest.mark.parametrize("tool", TOOLS)
def test_a_short_option_of_a_tool_is_a_password(tool: str) -> None:
    """Right behind the letter or as the next word; a port, an option and a placeholder are none."""
    for option in ("-p Tr0ub4dor", "-pTr0ub4dor", "-u me -p 'Tr0ub4dor'", "-a Tr0ub4dor"):
        assert found(f"{tool} {option} x") == [("password of a command", "Tr0ub4dor")]
    for option in ("-p tr0", "-p --host x", "-p <password>", "| x -p Tr0ub4dor", "; x -p Tr0ub4dor"):
        assert found(f"{tool} {option}") == []
    for port in ("5432", "5432:5432", "127.0.0.1:5432:5432", "5432:5432/tcp"):  # `docker run --name mysql -p …`
        assert found(f"{tool} -p {port} x") == []
    assert found(f"my{tool} -p Tr0ub4dor") == []


@in_one_item
@pytest.mark.parametrize("option", ["-u", "--user", "--proxy-user"])
def test_a_user_option_has_a_password_behind_the_name(option: str) -> None:
    """In a line, and in lists of words with either sort of quotes."""
    for text in (
        f"curl {option} me:Tr0ub4dor x",
        f"curl {option}=me:Tr0ub4dor",
        f"curl {option} 'me:Tr0ub4dor'",
        f'["curl", "{option}", "me:Tr0ub4dor"]',
        f"['curl', '{option}', 'me:Tr0ub4dor']",
    ):
        assert found(text) == [("user and password of a command", "Tr0ub4dor")]
    for other in ("me:tr0", "me:1234", "me", ":Tr0ub4dor", "me:changeme"):
        assert found(f"curl {option} {other}") == []
    assert found(f"curl -{option} me:Tr0ub4dor") == []


@in_one_item
@pytest.mark.parametrize(
    "word",
    [
        *(f"{owner}{sign}key" for owner in ("api", "access", "secret", "private", "auth", "license") for sign in " -_"),
        *("password", "passphrase", "passwd", "secret", "token", "credential", "PASSWORD"),
    ],
)
def test_a_random_word_near_one_that_speaks_of_secrets_is_one(word: str) -> None:
    """Also on the next line; shorter words, digests, plain words and words behind a bracket are none."""
    assert found(f"The {word} for prod is now\n{RANDOM}") == [(NEAR, RANDOM)]
    for other in (RANDOM[:-1], "0123456789abcdef" * 2, "abcdefghijklmnop", f"[x] {RANDOM}", f"{RANDOM}.py"):
        assert found(f"The {word} for prod is now\n{other}") == []


def test_how_near_a_random_word_is() -> None:
    """At most 80 characters lie between the two, of which the last is no letter."""
    assert found(f"password {'x ' * 39}x{' '}{RANDOM}") == []
    assert found(f"password {'x ' * 39} {RANDOM}") == [(NEAR, RANDOM)]
    assert found(f"the sort key is now {RANDOM}") == found(f"mytoken now {RANDOM}") == []


@in_one_item
@pytest.mark.parametrize(("start", "is_id"), [("AK", 1), ("AB", 1), ("AS", 1), ("AC", 1), ("AI", 0), ("XK", 0)])
def test_the_secret_of_an_id_of_aws_is_near_it(start: str, is_id: int) -> None:
    """The id says whose the random word is; without one it is any word."""
    own = f"{start}{'CA' if start == 'AC' else 'IA'}Q3EGRIUYJXAB5Z4T"
    assert found(f"{own} {FORTY}") == [("AWS access key id", own), ("AWS secret", FORTY)][: 2 * is_id]
    assert found(f"{own[:-1]} {FORTY}") == found(f"{own} {FORTY}x")[1:] == []


@in_one_item
@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("planted.bearer.token.123456", True),
        ("certificate-2024-b", False),
        ("0123456789abcdef", True),
        ("0123456789abcde", False),
        ("abcdefgh.abcdefghijk", False),
        (RANDOM, True),
    ],
)
def test_a_token_follows_the_word_bearer(text: str, is_one: bool) -> None:
    """From 16 characters on, with a digit, and no word of a sentence."""
    assert is_token(text) is is_one
    assert found(f"bearer {text}") == [("value of bearer", text)] * is_one


def test_base64_hides_secrets() -> None:
    """A user and a password behind "Basic", and any text with a secret in it."""
    login = base64.b64encode(b"user:password1").decode()
    assert found(f"Basic {login}") == found(f"basic {login}") == [("user and password in base64", login)]
    assert found(f"other {login}") == []
    text = base64.b64encode(b"db_password=hunter2 and more text").decode()
    assert found(f"see {text} there") == [("a key in base64", text)]


def test_a_projects_own_patterns_are_found_beside_the_known_kinds() -> None:
    """Each match that is not empty; of two that begin together the longer one, of two that overlap the first."""
    more = [("letters", re.compile("Q*")), ("digits", re.compile("Q[0-9]+")), ("late", re.compile("5.*"))]
    text = "xQQ1 Q55 end"
    secrets = [(one.kind, text[one.start : one.end]) for one in find_secrets(text, more)]
    assert secrets == [("letters", "QQ"), ("digits", "Q55")]
    noted: list[str] = []
    assert without_secrets(text, noted.append, more) == "x[redacted]1 [redacted] end"
    assert noted == ["letters", "digits"]
