# ruff: noqa: E501, C901
"""The open list: secrets in 404 places, by which redaction was built, and ordinary texts that stay."""

import base64
import gzip
import json
import random
from collections.abc import Iterator
from urllib.parse import quote

from pytest_planguard.replay.files.interaction import Interaction, unpacked

from ..replay.privacy.test_planted import exchange

WORD = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
HEX, UPPER, B36 = "0123456789abcdef", "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", "abcdefghijklmnopqrstuvwxyz0123456789"


def value(of: str, length: int, name: str) -> str:
    """A random text, the same each time."""
    chooser = random.Random(name)
    return "".join(chooser.choice(of) for _ in range(length))


V = "Zq8planT4Xw7Kt2Lm"
REQUEST_HEADERS = [
    "authorization",
    "proxy-authorization",
    "x-api-key",
    "api-key",
    "x-goog-api-key",
    "cookie",
    "x-apitoken",
    "x-apisecret",
    "X-SharedSecret",
    "X-Session-Id",
    "SESSIONID",
    "X-Otp",
    "X-Hmac",
    "DPoP",
    "X-Bearer",
    "x-amz-security-token",
    "x-csrf-token",
    "x-functions-key",
    "X-RapidAPI-Key",
    "x-portkey-virtual-key",
    "x-litellm-key",
    "x-passwd",
    "Helicone-Auth",
    "auth",
    "x-signature",
    "CF-Access-Client-Secret",
    "xi-api-key",
    "ocp-apim-subscription-key",
    "x-vault-token",
    "x-gitlab-token",
    "x-github-token",
    "x-slack-signature",
    "stripe-signature",
    "x-pw",
    "x-user-pin",
    "x-mfa",
    "x-device-fingerprint",
    "x-acme",
    "x-internal",
    "x-forwarded-user",
]
RESPONSE_HEADERS = [
    "set-cookie",
    "x-sas",
    "x-callback",
    "azure-asyncoperation",
    "x-goog-upload-url",
    "location",
    "link",
    "referer",
    "openai-organization",
    "x-csrf-token",
    "x-auth-token",
    "x-access-token",
    "x-refresh-token",
    "x-new-api-key",
]
ADDRESSED = ("location", "link", "referer", "x-callback", "azure-asyncoperation", "x-goog-upload-url", "x-sas")
QUERY = [
    "key",
    "api_key",
    "token",
    "access_token",
    "sig",
    "signature",
    "session_token",
    "id_token",
    "refresh_token",
    "auth",
    "pwd",
    "X-Goog-Signature",
    "X-Amz-Signature",
    "X-Amz-Credential",
    "X-Amz-Security-Token",
    "client_secret",
    "code",
    "password",
    "apikey",
    "subscription-key",
    "accessToken",
    "authToken",
    "jwt",
    "secret",
    "passphrase",
    "api-token",
    "app_key",
    "consumer_key",
    "user_pass",
    "oauth_token",
    "hmac",
    "sas",
    "db_password",
    "private_key",
    "ticket_token",
]
MEMBERS = [
    "api_key",
    "apiKey",
    "API_KEY",
    "accessToken",
    "access_token",
    "clientSecret",
    "client_secret",
    "secretKey",
    "db_password",
    "private_key_id",
    "password",
    "passwd",
    "pwd",
    "pwds",
    "passphrase",
    "refresh_token",
    "secretAccessKey",
    "azureApiKey",
    "private_key",
    "token_value",
    "openai_api_key_prod",
    "auth_token",
    "sessionToken",
    "bearer_token",
    "botToken",
    "deploy_key",
    "ssh_key",
    "webhook_secret",
    "signing_key",
    "encryptionKey",
    "shared_secret",
    "sharedSecret",
    "master_key",
    "account_key",
    "storageKey",
    "subscription_key",
    "license_key",
    "dbPassword",
    "mysql_pass",
    "smtp_pass",
    "admin_password",
    "root_password",
    "user_password",
    "redis_password",
    "PGPASSWORD",
    "jwt",
    "id_token",
    "csrf_token",
    "credential",
    "credentials",
    "secret",
    "token",
    "oauth_token",
    "app_secret",
    "consumer_secret",
    "apitoken",
    "authkey",
    "sessionid",
    "session_id",
    "cookie",
    "authorization",
    "otp",
    "cvv",
    "mnemonic",
    "hmac_key",
    "api_secret",
    "gh_token",
    "hf_token",
    "slack_token",
    "vendor_token",
    "access_key",
    "aws_secret_access_key",
]
NESTED = {
    "under api_keys": {"api_keys": {"prod": V}},
    "under password": {"password": {"value": V}},
    "under client_secret": {"client_secret": {"value": "ek_" + value(WORD, 30, "ek")}},
    "list of secrets": {"secrets": [V, V]},
    "list of api_keys": {"api_keys": [V]},
    "list of tokens": {"tokens": [V]},
    "list of pwds": {"pwds": [V]},
    "docker env": {"env": [{"name": "DB_PASSWORD", "value": V}]},
    "key and value": {"vars": [{"key": "API_TOKEN", "value": V}]},
    "pair": {"headers": [["Authorization", V]]},
    "pair of x-api-key": {"headers": [["x-api-key", V]]},
    "mcp args": {"args": ["--token", V]},
    "mcp args, api key": {"args": ["run", "--api-key", V]},
    "mcp args, password": {"args": ["--password", V]},
    "mcp env": {"env": {"GITHUB_TOKEN": V}},
    "auth": {"auth": {"type": "api_key", "key": V}},
    "authentication": {"authentication": {"token": V}},
    "header member": {"headers": {"Authorization": f"token {V}"}},
    "cookie member": {"headers": {"Cookie": f"sessionid={V}"}},
    "one argument": {"args": [f"--token={V}"]},
    "three levels": {"a": json.dumps({"b": json.dumps({"password": V})})},
}
VENDORS = {
    **{
        p: p + value(WORD, 40, p)
        for p in ["gsk_", "hf_", "tvly-", "pcsk_", "jina_", "nfp_", "xai-", "pplx-", "csk-", "npm_", "napi_", "ntn_"]
    },
    "elevenlabs": "sk_" + value(HEX, 48, "el"),
    "voyage": "pa-" + value(WORD, 43, "vo"),
    "langsmith": f"lsv2_pt_{value(HEX, 32, 'l1')}_{value(HEX, 10, 'l2')}",
    "firecrawl": "fc-" + value(HEX, 32, "fc"),
    "modal": "ak-" + value(WORD, 20, "mo") + "4z",
    "supabase": "sbp_" + value(HEX, 40, "su"),
    "vercel": "vcp_" + value(WORD, 40, "ve"),
    "fly": "fm2_" + value(WORD, 100, "fly"),
    "doppler": "dp.pt." + value(WORD, 43, "do"),
    "planetscale": "pscale_tkn_" + value(WORD, 43, "ps"),
    "sentry": "sntrys_" + value(WORD, 80, "se"),
    "sentry user": "sntryu_" + value(HEX, 64, "se2"),
    "atlassian": "ATATT3xFfGF0" + value(WORD, 150, "at"),
    "bitbucket": "ATBB" + value(WORD, 28, "bb"),
    "hubspot": "pat-na1-3f2b6c1a-1d2e-4f5a-8b9c-0a1b2c3d4e5f",
    "airtable": f"pat{value(WORD, 14, 'a1')}.{value(HEX, 64, 'a2')}",
    "postman": f"PMAK-{value(HEX, 24, 'p1')}-{value(HEX, 34, 'p2')}",
    "pulumi": "pul-" + value(HEX, 40, "pul"),
    "mapbox": f"sk.eyJ1Ijoi{value(WORD, 40, 'm1')}.{value(WORD, 22, 'm2')}",
    "terraform": f"{value(WORD, 14, 't1')}.atlasv1.{value(WORD, 67, 't2')}",
    "circleci": f"CCIPAT_{value(WORD, 22, 'c1')}_{value(HEX, 40, 'c2')}",
    "buildkite": "bkua_" + value(HEX, 40, "bk"),
    "rubygems": "rubygems_" + value(HEX, 48, "ru"),
    "digitalocean": "dop_v1_" + value(HEX, 64, "di"),
    "gocspx": "GOCSPX-" + value(WORD, 28, "go"),
    "google refresh": "1//0" + value(WORD, 60, "gr"),
    "jwe": "eyJhbGciOiJkaXIifQ.." + value(WORD, 16, "j1") + "." + value(WORD, 60, "j2") + "." + value(WORD, 22, "j3"),
    "age": "AGE-SECRET-KEY-1" + value(UPPER, 58, "age"),
    "plaid": "access-sandbox-3f2b6c1a-1d2e-4f5a-8b9c-0a1b2c3d4e5f",
    "mailgun": "key-" + value(HEX, 32, "mg"),
    "brevo": f"xkeysib-{value(HEX, 64, 'b1')}-{value(WORD, 16, 'b2')}",
    "newrelic": "NRAK-" + value(UPPER, 27, "nr"),
    "dynatrace": f"dt0c01.{value(UPPER, 24, 'd1')}.{value(UPPER, 64, 'd2')}",
    "github": "ghp_" + value(WORD, 36, "gh"),
    "gitlab": "glpat-" + value(WORD, 20, "gl"),
    "slack": f"xoxb-123456789012-123456789012-{value(WORD, 24, 'sl')}",
    "stripe": "sk_live_" + value(WORD, 24, "st"),
    "webhook": "whsec_" + value(WORD, 32, "wh"),
    "openai": "sk-proj-" + value(WORD, 60, "oa"),
    "anthropic": "sk-ant-api03-" + value(WORD, 90, "an"),
    "google": "AIza" + value(WORD, 35, "gk"),
    "aws": "AKIA" + value(UPPER, 16, "aws"),
    "databricks": "dapi" + value(HEX, 32, "db"),
    "grafana": "glsa_" + value(WORD, 32, "gf") + "_1a2b3c4d",
    "twilio": "SK" + value(HEX, 32, "tw"),
    "mailchimp": value(HEX, 32, "mc") + "-us14",
    "telegram": f"{value('123456789', 10, 'tg')}:{value(WORD, 35, 'tg2')}",
    "discord": f"M{value(WORD, 23, 'di1')}.{value(WORD, 6, 'di2')}.{value(WORD, 30, 'di3')}",
    "sendgrid": f"SG.{value(WORD, 22, 'sg')}.{value(WORD, 43, 'sg2')}",
    "shopify": "shpat_" + value(HEX, 32, "sh"),
    "pypi": "pypi-AgEIcHlwaS5vcmc" + value(WORD, 70, "py"),
    "vault": "hvs." + value(WORD, 90, "va"),
    "1password": "ops_eyJ" + value(WORD, 200, "1p"),
    "unknown, one word": "acme_" + value(WORD, 32, "ac"),
    "unknown, live": "zork_live_" + value(WORD, 28, "zo"),
    "unknown, dashed": "quux-" + value(WORD, 40, "qu"),
    "unknown, base 36": "blip_" + value(B36, 40, "bl"),
}
WORDS = {
    "names written as one": ("export ACMETOKEN={}", V),
    "option written as one": ("tool --acmetoken {} --force", V),
    "option of any owner": ("tool --acme-token {} --force", V),
    "letters alone": ("env:\n  password: {}\n", "lJqLKsovfhDIohhgierG"),
    "letters of a sentence": ("the client secret is {} and it fails", "sk_test_FnpxfUFgjMjvLB"),
    "short and told": ("Look:\n{}\nThanks.", "qm_pat_V0M6ThNJ1Q0z6sTJ"),
    "wandb": ("set WANDB_API_KEY={} please", value(HEX, 40, "wb")),
    "okta": ("Authorization: SSWS {}", "00" + value(WORD, 40, "ok")),
    **{form: (form, V) for form in (
        "run it with --token={}", "run it with --token {}", "run --password {} now", "curl -u me:{} https://a.test/",
        "curl --user me:{} https://a.test", "mysql -p{} -h db", "mysql -u root -p{} shop", "docker login -u me -p {} r.test",
        "sshpass -p {} ssh me@h", "PGPASSWORD={} psql -h db", "redis-cli -a {} ping", 'config: ["--token", "{}"]',
        'args = ["run", "--api-key", "{}"]', "deploy --api-key {} --force", "deploy --secret={}", "tool --auth-token {}",
        "[{{\"name\": \"DB_PASSWORD\", \"value\": \"{}\"}}]", "- name: DB_PASSWORD\n  value: {}\n",
        '[["Authorization", "{}"]]', "{{'api_key': '{}'}}", "{{'user': 'a', 'password': '{}'}}", "{{password: '{}'}}",
        "Client(api_key='{}')", "connect(user='me', password='{}')", "redis://:{}@cache:6379/0", "redis://me:{}@cache",
        "postgres://me:{}@db/x", "amqp://me:{}@mq", "mongodb+srv://me:{}@c.test", "https://b.test/f?sv=2024&sig={}",
        "https://a.test/login?token={}", "https://a.test/x?a=1&access_token={}&b=2", "https://a.test/?api_key={}",
        "Endpoint=sb://a.test/;SharedAccessKey={}", "AccountName=a;AccountKey={};b=c", "token: {}", "api_key: {}",
        "password: {}", "db_password: {}", "secret: {}", "Authorization: token {}", "Authorization: Bearer {}",
        "Authorization: {}", "Cookie: sessionid={}", "Set-Cookie: session_token={}; Path=/", "Bearer {}", "x-api-key: {}",
        "export DB_TOKEN={}", "export API_SECRET='{}'", 'SECRET_KEY="{}"', "MISTRAL_API_KEY: {}", "my api key: {}",
        "the api key is {}", "the password is {}", "my password is: {}", "access token = {}", "password = '{}'",
        "password := {}", "'password' => '{}'", '"password": "{}"', "<password>{}</password>", "<ApiKey>{}</ApiKey>",
        "<add key=\"ApiKey\" value=\"{}\"/>", "//registry.test/:_authToken={}", "machine a.test login me password {}",
        "the token for prod is\n{}\n", "Here is the secret you need: {}", "client_secret = {}", "user_token={}",
        "ENV GITHUB_TOKEN={}", "ENV GITHUB_TOKEN {}", "set OPENAI_API_KEY={}", "$env:OPENAI_API_KEY = \"{}\"",
        "const apiKey = \"{}\";", "let token = `{}`;", "apiKey: '{}',", "String password = \"{}\";", "pwd={}",
        "jwt={}", "sessionid={}", "private_key: {}", "password={}&user=me", "--from-literal=password={}",
        "helm install --set auth.password={}", "spring.datasource.password={}", "jdbc:mysql://h/db?user=a&password={}",
        "Server=h;User Id=a;Password={};", "ansible_password: {}", "TF_VAR_db_password={}", "pass: {}", "passphrase: {}",
    )},
    "AWS secret beside its id": (
        "AKIAZQ3DRSTUVWXY2345 / {} and so on", value(WORD + "+/", 40, "aws secret")),
    "AWS secret beside the id of a service": (
        "ACCAZQ3DRSTUVWXY2345 / {} and so on", value(WORD + "+/", 40, "aws service secret")),
}  # fmt: skip


def _b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


CODED = {
    "base64 of a key": _b64(VENDORS["openai"]),
    "base64 of an assignment": _b64(f"API_KEY={V}"),
    "base64 of JSON with a key": _b64(json.dumps({"k": VENDORS["openai"]})),
    "base64 of JSON with a password": _b64(json.dumps({"password": V})),
    "data URL of a text": "data:text/plain;base64," + _b64(f"DB_PASSWORD={V}\nother=1\n"),
    "Basic": "Basic " + _b64(f"me:{V}"),
    "base64 of an env file": _b64(f"A=1\nGITHUB_TOKEN={VENDORS['github']}\n"),
}


def planted() -> Iterator[tuple[str, str, Interaction, str]]:
    """Place, name, exchange, and what must not be in its cassette."""
    for name in REQUEST_HEADERS:
        yield "request header", name, exchange(headers=((name, (V,)),)), V
    for name in RESPONSE_HEADERS:
        text = f"https://a.test/cb?sig={V}&x=1" if name in ADDRESSED else f"s={V}" if name == "set-cookie" else V
        yield "response header", name, exchange(response_headers=((name, (text,)),)), V
    for name in QUERY:
        yield "query", name, exchange(url=f"https://a.test/v1?x=1&{name}={V}"), V
    yield "query", "redis", exchange(url=f"https://:{V}@a.test/"), V
    for name in ("openai", "github", "tvly-", "unknown, live"):
        yield "query", f"path {name}", exchange(url=f"https://a.test/{VENDORS[name]}/x"), VENDORS[name]
    for name in MEMBERS:
        yield "member", name, exchange(request=json.dumps({"config": {name: V}})), V
    for name, one in NESTED.items():
        secret = one["client_secret"]["value"] if name == "under client_secret" else V  # type: ignore[index]
        yield "member", name, exchange(request=json.dumps(one)), secret
    for name, key in VENDORS.items():
        yield "vendor", name, exchange(request=chat(f"Look:\n{key}\nThanks.")), key
    for name, (form, secret) in WORDS.items():
        yield "words", name, exchange(request=chat(form.format(secret))), secret
    for name, text in CODED.items():
        yield "coding", name, exchange(request=chat(f"see {text} there")), text
    yield from _coded_bodies()
    yield from _responses()


def chat(text: str) -> str:
    """A request with a text."""
    return json.dumps({"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": text}]})


def _coded_bodies() -> Iterator[tuple[str, str, Interaction, str]]:
    text = json.dumps({"password": V, "k": "x"})
    for coding in ("utf-16", "utf-16-le", "utf-16-be"):
        made = exchange()
        yield "coding", coding, _with_body(made, text.encode(coding)), V
        yield "coding", f"key in {coding}", _with_body(made, f'"{VENDORS["openai"]}"'.encode(coding)), VENDORS["openai"]
    zipped = unpacked((("content-encoding", ("gzip",)),), gzip.compress(text.encode()))[1]
    yield "coding", "gzip", _with_body(exchange(), zipped), V
    forms = ("pass={}&user=me", "user=me&password={}", "grant_type=x&client_secret={}", "token={}&a=b", "api_key={}")
    for form in forms:
        yield "coding", form, exchange(request=form.format(quote(V))), V
    for name in ("password", '"password"', '"api_key"', "token"):
        part = f"--b\r\nContent-Disposition: form-data; name={name}\r\n\r\n{V}\r\n--b--\r\n"
        yield "coding", f"multipart {name}", exchange(request=part), V
    yield "coding", "broken JSON", exchange(request=f'{{"a": 1, "password": "{V}",}}'), V
    yield "coding", "cut JSON", exchange(request=f'{{"a": 1, "clientSecret": "{V}'), V
    yield "coding", "YAML", exchange(request=f"a: 1\npassword: {V}\n"), V
    yield "coding", "escaped", exchange(request=f'{{"a": "\\u0073k-proj-{V}{V}"}}'), f"k-proj-{V}"


def _with_body(made: Interaction, body: bytes) -> Interaction:
    return Interaction(made.method, made.url, (), body, 200, "OK", (), b"")


def _responses() -> Iterator[tuple[str, str, Interaction, str]]:
    key = VENDORS["openai"]
    pieces = [key[at : at + 4] for at in range(0, len(key), 4)]
    tokens = [{"token": p, "logprob": -0.1, "bytes": list(p.encode()), "top_logprobs": []} for p in pieces]
    whole = {"choices": [{"index": 0, "message": {"content": key}, "logprobs": {"content": tokens}}]}
    yield "response", "logprobs", exchange(response=json.dumps(whole)), pieces[5]
    out = {"output": [{"content": [{"type": "output_text", "text": key, "logprobs": tokens}]}]}
    yield "response", "logprobs of responses", exchange(response=json.dumps(out)), pieces[5]
    for name, cut in (("in pieces", pieces), ("letters", list(key))):
        events = [{"choices": [{"index": 0, "delta": {"content": p}}]} for p in cut]
        yield (
            "response",
            f"stream {name}",
            exchange(response="".join(f"data: {json.dumps(e)}\n\n" for e in events)),
            key,
        )
    events = [
        {"choices": [{"index": 0, "delta": {"content": p}, "logprobs": {"content": [{"token": p}]}}]} for p in pieces
    ]
    text = "".join(f"data: {json.dumps(e)}\n\n" for e in events)
    yield "response", "stream with logprobs", exchange(response=text), pieces[5]
    for name, error in {
        "error repr": f"Error: {{'api_key': '{V}'}} is wrong",
        "error header": f"Incorrect API key provided: {V}.",
        "traceback": f"  File 'a.py', line 3\n    client = Client(token=\"{V}\")",
    }.items():
        yield "response", name, exchange(response=json.dumps({"error": {"message": error}})), V
    for name in ("access_token", "refresh_token", "id_token", "client_secret", "api_key", "session_token"):
        yield "response", name, exchange(response=json.dumps({name: V, "token_type": "bearer", "expires_in": 3600})), V


ORDINARY = (
    "test_unit_key_20240101T120000Z", "unit_test_parametrize2utf16le", "tool --maxtokens 4096tokens --acme-token page-token-2024-1",
    "password: NotImplementedErrorHandler", "run_test_5f4dcc3b5aa765d61d8327deb882cf99", "nexttoken: a8Kq0ZkR17pWm2Xc9dTb",
    '{"errors": {"password": "String should have at least 8 characters"}}', '{"db_password": "may not be blank"}',
    '{"passwd": "invalid"}', '{"api_key": "Field required"}', '{"password": "weak"}', '{"password": "Passwort eingeben"}',
    '{"password": ["Missing data.", "too short"]}', '{"token": ["This field is required."]}',
    '{"detail": [{"loc": ["body", "password"], "msg": "Field required"}]}', "pwd=/home/user/project1",
    "API_KEY=dummy", "SECRET_KEY=changeme123", "OPENAI_API_KEY=sk-your-key-here", "export OPENAI_API_KEY=sk-...",
    "AKIAIOSFODNN7EXAMPLE", "postgres://user:password@localhost/db", "hf_model_bert_base_2024_v1",
    "npm_config_registry_2024_x1", "sk-2024-regression-analysis-final", "bearer certificate-2024-11-series-b",
    "550e8400-e29b-41d4-a716-446655440000", "5f4dcc3b5aa765d61d8327deb882cf99", "call_" + value(WORD, 24, "call"),
    "toolu_01" + value(WORD, 22, "toolu"), "msg_01" + value(WORD, 22, "msg"), "chatcmpl-" + value(WORD, 29, "cc"),
    "sha256:" + value(HEX, 64, "sha"), "req_" + value(WORD, 24, "req"), "file-" + value(WORD, 22, "file"),
    '{"encrypted_content": "' + value(WORD + "_-", 600, "enc") + '"}', '{"signature": "' + value(WORD + "+/", 400, "sig") + '"}',
    "data:image/png;base64," + value(WORD + "+/", 2000, "png"), '{"max_tokens": 100, "prompt_tokens": 25}',
    '{"token_type": "bearer"}', '{"stop_token": "<|end|>"}', '{"next_page_token": "' + value(WORD, 40, "page") + '"}',
    '{"primary_key": "id", "sort_key": "created_at"}', '{"keyword": "password reset"}', '{"is_secret": "true"}',
    "The password must have 8 characters and a digit.", "Tokens are billed per 1000.", "the token count is 1234567",
    "the secret of good soup is patience", "a key insight: version-2024-11 beats all", "password: at least 12 characters",
    "password = getpass.getpass()", "token = tokenizer.encode(text2)", "api_key = os.environ['OPENAI_API_KEY']",
    "api_key=settings.api_key_2", "headers = {'Authorization': f'Bearer {token}'}", "Authorization: Bearer <token>",
    "Authorization: Bearer $TOKEN", "curl -u user:pass https://example.test", "docker login -u me -p $PASSWORD",
    '{"args": ["--token", "${TOKEN}"]}', '["password", "username", "email"]', "class PasswordResetView2024(View):",
    "def test_token_refresh_2024_returns_401():", "secret_santa_2024_list", "public_key = load('id_rsa.pub')",
    "https://a.test/docs?page=token-authentication-2024", "https://a.test/?q=password+reset&lang=en",
    "ssh-rsa " + value(WORD, 372, "rsa"), "git commit 3f2b6c1a9d8e7f60", "task_key: PROJ-1234", "passport number",
    "compass bearing 270", "the authors of 2024", "bypass=true", "assigned keys: a1, b2", "hockey player 99",
    '{"type": "object", "properties": {"password": {"type": "string", "minLength": 8}}}',
    '{"password": {"msg": "too short", "type": "value_error"}}', '{"key": "user_profile_2024", "value": "dark-mode-2"}',
    '{"name": "temperature", "value": "20.5 C"}', '{"name": "session_count", "value": "12345678"}', "keyboard=qwerty2024",
    "monkey=banana2024x", "tokenizer: cl100k_base", "encoding: o200k_base", "secret: none", "token: null",
    "password:\n  type: string\n", "auth: basic", "session: 20241127T101500", "api_key: <your key>", "api_key: YOUR_API_KEY",
    "[redacted]", "token: [redacted]", '{"token": "Hello", "logprob": -0.1}', '{"tokens": ["Hello", "world"]}',
    '{"password_hint": "name of my first dog"}', '{"secret": "the butler did it"}', "signed-off-by: A B <a@b.test>",
    '{"passed": "test_login_2024_ok"}', '{"author": "j.smith2024"}', "cache-key-2024-linux-x64-abcdef",
    "v1.2.3-rc4+build20241127", "gpt-4o-mini-2024-07-18", "claude-3-5-sonnet-20241022", "us-east-1a", "ResNet50V2",
    "x86_64-unknown-linux-gnu", "3f2b6c1a-1d2e-4f5a-8b9c-0a1b2c3d4e5f token", "the token 3f2b6c1a9d8e7f60 is a hash",
    "sess_key_order = 5", "password strength: 85%", "Kennwort: mindestens 12 Zeichen", "mot de passe : 8 caractères",
    "cookies: 12 per box", "passing grade: 65of100",
)  # fmt: skip
"""Texts of requests and answers that hold no secret."""
PLAIN_HEADERS = {
    "x-token-usage": "1234", "x-auth-type": "oauth2", "x-token-type": "bearer", "x-cookie-consent": "all",
    "x-sig-alg": "hmac-sha256", "x-ratelimit-limit-tokens": "30000", "x-ratelimit-reset-tokens": "6m0s",
    "retry-after": "20", "location": "/v1/files/file-abc?page=2", "x-request-id": "req_" + value(WORD, 24, "rq"),
    "content-type": "application/json", "etag": '"' + value(HEX, 40, "etag") + '"', "date": "Fri, 27 Nov 2026 02:00:00 GMT",
    "access-control-allow-credentials": "true", "x-stainless-lang": "python", "cache-control": "no-store",
    "strict-transport-security": "max-age=31536000", "x-amzn-bedrock-input-token-count": "12", "server": "cloudflare",
    "openai-processing-ms": "1234",
}  # fmt: skip
"""Headers of answers that keep their values."""
