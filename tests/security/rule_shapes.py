"""Shapes of secrets that the rules of two scanners name, with values of our own: 60 of them are drawn by a seed.

The shapes are facts of the rule lists of detect-secrets (its plugins) and secretlint (its rules), the values random.
Left out are rules that no shape tells: entropy of any text, public IP addresses, account numbers, home folders.
"""

import random
import string
from typing import NamedTuple

SEED = 20261122
DRAWN = 60
LOWER, UPPER, DIGITS = string.ascii_lowercase, string.ascii_uppercase, string.digits
WORD = LOWER + UPPER + DIGITS
HEX, BASE64, URL = "0123456789abcdef", WORD + "+/", WORD + "_-"


class Shape(NamedTuple):
    """One shape: how a text has it, and the part that must not be recorded."""

    rule: str
    """The scanner and its rule: "detect-secrets aws"."""
    before: str
    secret: str
    after: str = ""

    @property
    def text(self) -> str:
        """The secret as a text has it."""
        return f"{self.before}{self.secret}{self.after}"


def value(of: str, length: int, name: str) -> str:
    """A random text, the same each time; a digit and a letter are in it where the alphabet has both."""
    chooser = random.Random(name)
    text = [chooser.choice(of) for _ in range(length)]
    for kind in (DIGITS, LOWER if "a" in of else UPPER):
        if set(kind) <= set(of) and length > 8:
            text[chooser.randrange(2, 8)] = chooser.choice(kind)
    return "".join(text)


def _prefixed(rule: str, *prefixes: tuple[str, str, int]) -> list[Shape]:
    """Keys that begin with a word of their own: (prefix, alphabet, length)."""
    return [Shape(rule, "the key is ", prefix + value(of, length, prefix)) for prefix, of, length in prefixes]


def _pem(rule: str, *kinds: str) -> list[Shape]:
    shapes = []
    for kind in kinds:
        body = "\n".join(value(BASE64, 64, f"{kind}{n}") for n in range(3))
        shapes.append(Shape(rule, "", f"-----BEGIN {kind}-----\n{body}\n-----END {kind}-----"))
    return shapes


def shapes() -> list[Shape]:
    """Every shape, in a fixed order."""
    return [*_detect_secrets(), *_secretlint()]


def drawn() -> list[Shape]:
    """The shapes that the seed draws."""
    return random.Random(SEED).sample(shapes(), DRAWN)


def _detect_secrets() -> list[Shape]:
    one = "detect-secrets "
    jwt = ".".join("eyJ" + value(URL, 40, f"jwt{n}") for n in range(2)) + "." + value(URL, 43, "jwt3")
    return [
        *_prefixed(f"{one}artifactory", ("AKC", WORD, 70), ("AP", "0123456789ABCDEF", 40)),
        *_prefixed(f"{one}aws", *((prefix, UPPER + DIGITS, 16) for prefix in ("AKIA", "ASIA", "ABIA", "ACCA", "A3TX"))),
        Shape(f"{one}aws", "aws_secret_access_key = '", value(BASE64, 40, "aws secret"), "'"),
        Shape(f"{one}azure_storage_key", "AccountName=a;AccountKey=", value(BASE64, 86, "azure") + "=="),
        Shape(f"{one}basic_auth", "https://me:", value(WORD, 18, "basic"), "@a.test/x"),
        Shape(f"{one}cloudant", "cloudant_password = '", value(HEX, 64, "cloudant"), "'"),
        Shape(f"{one}cloudant", "https://me:", value(HEX, 64, "cloudant url"), "@me.cloudant.com"),
        Shape(f"{one}discord", "", f"M{value(WORD, 23, 'd1')}.{value(URL, 6, 'd2')}.{value(URL, 27, 'd3')}"),
        *_prefixed(f"{one}github_token", *((f"gh{kind}_", WORD, 36) for kind in "pousr")),
        *_prefixed(
            f"{one}gitlab_token",
            *((prefix, URL, 20) for prefix in ("glpat-", "gldt-", "glft-", "glsoat-", "glrt-", "GR1348941")),
            ("glimt-", URL, 25),
            ("glptt-", HEX, 40),
            ("glagent-", URL, 50),
            ("gloas-", HEX, 64),
        ),
        Shape(f"{one}ibm_cloud_iam", "ibm_cloud_iam_api_key: ", value(URL, 44, "ibm iam")),
        Shape(f"{one}ibm_cos_hmac", "cos_hmac_secret_access_key = ", value(HEX, 48, "ibm cos")),
        Shape(f"{one}jwt", "", jwt),
        Shape(f"{one}keyword", "password = '", value(WORD, 14, "keyword 1"), "'"),
        Shape(f"{one}keyword", 'api_key: "', value(WORD, 20, "keyword 2"), '"'),
        Shape(f"{one}keyword", "db_pass := '", value(WORD, 14, "keyword 3"), "'"),
        Shape(f"{one}keyword", "secret_key=", value(WORD, 20, "keyword 4")),
        Shape(f"{one}mailchimp", "the key is ", f"{value(HEX, 32, 'mailchimp')}-us14"),
        Shape(f"{one}npm", "//registry.test/:_authToken=", value(HEX, 36, "npm")),
        Shape(f"{one}openai", "", f"sk-{value(WORD, 20, 'o1')}T3BlbkFJ{value(WORD, 20, 'o2')}"),
        *_pem(f"{one}private_key", *(f"{kind}PRIVATE KEY" for kind in ("DSA ", "EC ", "OPENSSH ", "RSA ", ""))),
        *_pem(f"{one}private_key", "PGP PRIVATE KEY BLOCK", "SSH2 ENCRYPTED PRIVATE KEY"),
        Shape(f"{one}private_key", "PuTTY-User-Key-File-2: ssh-rsa\nPrivate-Lines: 1\n", value(BASE64, 64, "putty")),
        *_prefixed(f"{one}pypi_token", ("pypi-AgEIcHlwaS5vcmc", URL, 70), ("pypi-AgENdGVzdC5weXBpLm9yZw", URL, 70)),
        Shape(f"{one}sendgrid", "", f"SG.{value(URL, 22, 's1')}.{value(URL, 43, 's2')}"),
        *_prefixed(f"{one}slack", *((f"xox{kind}-", DIGITS + LOWER + "-", 40) for kind in "aboprs")),
        Shape(f"{one}slack", "https://hooks.slack.com/services/", f"T{value(WORD, 8, 'h')}/B1/{value(WORD, 24, 'i')}"),
        Shape(f"{one}softlayer", "softlayer_api_key = '", value(HEX, 64, "softlayer"), "'"),
        *_prefixed(f"{one}square_oauth", ("sq0csp-", URL, 43)),
        *_prefixed(f"{one}stripe", ("sk_live_", WORD, 24), ("rk_live_", WORD, 24)),
        Shape(f"{one}telegram_token", "the bot is ", f"{value(DIGITS, 10, 't1')}:{value(URL, 35, 't2')}"),
        *_prefixed(f"{one}twilio", ("SK", HEX, 32)),
    ]


def _secretlint() -> list[Shape]:
    one = "secretlint "
    return [
        *_prefixed(f"{one}npm", ("npm_", WORD, 36)),
        Shape(f"{one}npm", "//registry.npmjs.org/:_authToken=", f"npm_{value(WORD, 36, 'npmrc')}"),
        *_prefixed(f"{one}aws", ("AKIA", UPPER + DIGITS, 16)),
        Shape(f"{one}aws", "AWS_SECRET_ACCESS_KEY=", value(BASE64, 40, "aws 2")),
        Shape(f"{one}gcp", '"private_key_id": "', value(HEX, 40, "gcp id"), '"'),
        Shape(f"{one}gcp", '"private_key": "', f"-----BEGIN PRIVATE KEY-----\\n{value(BASE64, 90, 'gcp')}", '"'),
        *_pem(f"{one}privatekey", "RSA PRIVATE KEY", "ENCRYPTED PRIVATE KEY"),
        Shape(f"{one}basicauth", "ftp://me:", value(WORD, 16, "ftp"), "@a.test"),
        *_prefixed(f"{one}slack", ("xoxb-", DIGITS + LOWER, 40), ("xapp-1-", UPPER + DIGITS, 40)),
        *_prefixed(f"{one}shopify", *((f"shp{kind}_", HEX, 32) for kind in ("at", "ca", "pa", "ss"))),
        *_prefixed(f"{one}github", ("github_pat_", WORD, 82)),
        *_prefixed(f"{one}openai", ("sk-proj-", URL, 100), ("sk-svcacct-", URL, 100), ("sk-admin-", URL, 100)),
        *_prefixed(f"{one}anthropic", ("sk-ant-api03-", URL, 93)),
        *_prefixed(f"{one}linear", ("lin_api_", WORD, 40)),
        *_prefixed(f"{one}1password", ("ops_eyJ", WORD, 250)),
        *_prefixed(f"{one}figma", ("figd_", URL, 40)),
        *_prefixed(f"{one}huggingface", ("hf_", WORD, 34)),
        *_prefixed(f"{one}notion", ("ntn_", WORD, 46)),
        *_prefixed(f"{one}groq", ("gsk_", WORD, 52)),
        *_prefixed(f"{one}docker", ("dckr_pat_", URL, 27)),
        *_prefixed(f"{one}hashicorp-vault", ("hvs.", URL, 90), ("hvb.", URL, 140)),
        *_prefixed(f"{one}databricks", ("dapi", HEX, 32)),
        *_prefixed(f"{one}grafana", ("glsa_", WORD, 41), ("glc_", BASE64, 60)),
        Shape(f"{one}database-connection-string", "postgres://me:", value(WORD, 16, "pg"), "@a.test/db"),
        Shape(f"{one}database-connection-string", "mongodb+srv://me:", value(WORD, 16, "mg"), "@a.test/db"),
        Shape(f"{one}database-connection-string", "mysql://me:", value(WORD, 16, "my"), "@a.test/db"),
    ]
