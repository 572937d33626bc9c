"""Secrets of 95 kinds are planted in an exchange, and none is in its cassette; ordinary words and ids all are."""

import base64
import json

import pytest

from pytest_planguard.replay.files.cassette_text import render_interaction
from pytest_planguard.replay.files.interaction import Interaction
from pytest_planguard.replay.privacy.redact import redact
from pytest_planguard.replay.privacy.redaction_rules import Redaction, own_redaction
from pytest_planguard.replay.privacy.secret_names import Speaks, name_speaks

from ...support.one_item import in_one_item

VALUE = "Zq8planted4Xw7Kt2Lm"
"""A secret that has no known shape: only its place tells."""
HEX = "0123456789abcdef0123456789abcdef"
SHAPES = {
    "sk": "sk-planted0123456789abcdef",
    "github": "ghp_" + "Planted012" * 4,
    "groq": "gsk_" + "Planted012" * 4,
    "hugging face": "hf_" + "Planted012" * 4,
    "slack": "xoxb-planted-0123456789",
    "aws": "AKIAPLANTED012345678",
    "jwt": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJwbGFudGVkIn0.c2lnbmF0dXJlLXBsYW50ZWQ",
    "pem": "-----BEGIN PRIVATE KEY-----\nplanted/0123456789\n-----END PRIVATE KEY-----",
    "google": "AIza" + "Planted0" * 5,
    "gitlab": "glpat-planted0123456789abcd",
}
HEADERS = [
    "authorization",
    "proxy-authorization",
    "api-key",
    "x-api-key",
    "x-goog-api-key",
    "cookie",
    "set-cookie",
    "openai-organization",
    "openai-project",
    "anthropic-organization-id",
    "x-functions-key",
    "X-RapidAPI-Key",
    "x-portkey-virtual-key",
    "x-litellm-key",
    "x-access-key",
    "authtoken",
    "x-passwd",
    "Helicone-Auth",
    "x-auth",
    "auth",
    "x-signature",
    "CF-Access-Client-Id",
    "CF-Access-Client-Secret",
]
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
]
MEMBERS = [
    "api_key",
    "accessToken",
    "clientSecret",
    "secretKey",
    "db_password",
    "private_key_id",
    "password",
    "refresh_token",
    "client_secret",
    "secretAccessKey",
    "azureApiKey",
    "private_key",
    "passphrase",
]
FORM = ["client_secret", "password", "api_key", "refresh_token", "assertion_token", "clientSecret"]
TEXTS = {
    "assigned password": f"DATABASE_PASSWORD={VALUE}",
    "assigned access key": f"export AWS_SECRET_ACCESS_KEY='{VALUE}'",
    "assigned API key": f"MISTRAL_API_KEY={VALUE}",
    "assigned, after a line": f"a\nDB_TOKEN={VALUE}\nb",
    "base64 of a key": base64.b64encode(SHAPES["sk"].encode()).decode(),
    "base64 of an AWS key": base64.b64encode(SHAPES["aws"].encode()).decode(),
    "basic": "Basic " + base64.b64encode(f"me:{VALUE}".encode()).decode(),
    "Azure key of 32 digits": f"the azure api key: {HEX}",
    "XML": f"<Credentials><SecretAccessKey>{VALUE}</SecretAccessKey></Credentials>",
    "JSON in a text": f'see {{"password": "{VALUE}", "a": 1}}',
    "JSON, two levels deep": json.dumps({"arguments": json.dumps({"password": VALUE})}),
    "bearer": f"Bearer {VALUE}",
    "user info": f"https://me:{VALUE}@host.test/x",
    "Slack webhook": f"https://hooks.slack.com/services/T012/B012/{VALUE}",
    "Discord webhook": f"https://discord.com/api/webhooks/123456789012345678/{VALUE}{VALUE}",
    "Telegram bot": f"https://api.telegram.org/bot123456789:{VALUE}{VALUE}/send",
}
BODIES = {
    "authentication": json.dumps({"authentication": {"type": "api_key", "key": VALUE}}),
    "list under secret": json.dumps({"secret": [VALUE, VALUE]}),
    "trailing comma": f'{{"a": 1, "password": "{VALUE}",}}',
    "cut off": f'{{"a": 1, "clientSecret": "{VALUE}',
    "tool arguments": json.dumps({"tool_calls": [{"function": {"arguments": json.dumps({"password": VALUE})}}]}),
    "form answer": f"access_token={VALUE}&token_type=bearer",
    "event": f'data: {{"accessToken": "{VALUE}"}}\n\n',
    "escaped": '{"a": "\\u0073k-planted0123456789abcdef"}',
    "pieces": "".join(
        f"data: {json.dumps({'choices': [{'index': 0, 'delta': {'content': p}}]})}\n\n"
        for p in ('{"pass', 'word": "Zq8pla', "nted4Xw7", 'Kt2Lm"}')
    ),
    "multipart": (
        f'--b\r\nContent-Disposition: form-data; name="api_key"\r\n\r\n{VALUE}\r\n'
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nkept\r\n--b--\r\n'
    ),
}


def planted() -> dict[str, Interaction]:
    """One exchange for each kind of secret, by the name of the kind."""
    kinds: dict[str, Interaction] = {}
    for name in HEADERS:
        kinds[f"header {name}"] = exchange(headers=((name, (VALUE,)),))
    location = (("location", (f"https://a.test/cb?token={VALUE}",)),)
    kinds["header location"] = exchange(response_headers=location)
    for name in QUERY:
        kinds[f"query {name}"] = exchange(url=f"https://a.test/v1?x=1&{name}={VALUE}")
    for name in MEMBERS:
        kinds[f"member {name}"] = exchange(request=json.dumps({"config": {name: VALUE}}))
    for name in FORM:
        kinds[f"form {name}"] = exchange(request=f"grant_type=client_credentials&{name}={VALUE}")
    for name, text in TEXTS.items():
        kinds[f"text {name}"] = exchange(request=json.dumps({"messages": [{"role": "user", "content": text}]}))
    for name, body in BODIES.items():
        kinds[f"body {name}"] = exchange(response=body)
    for name, text in SHAPES.items():
        kinds[f"shape {name}"] = exchange(response=json.dumps({"error": {"message": f"wrong key {text}"}}))
    return kinds


def exchange(
    *,
    url: str = "https://a.test/v1",
    headers: tuple[tuple[str, tuple[str, ...]], ...] = (),
    response_headers: tuple[tuple[str, tuple[str, ...]], ...] = (),
    request: str = "{}",
    response: str = "{}",
) -> Interaction:
    """An exchange of which one part is given."""
    return Interaction("POST", url, headers, request.encode(), 200, "OK", response_headers, response.encode())


PLANTED = planted()
assert len(PLANTED) == 95


@in_one_item
@pytest.mark.parametrize("kind", sorted(PLANTED))
def test_no_planted_secret_is_in_the_recording(kind: str) -> None:
    """Whatever the place, the text that goes to the disk has no piece of the secret."""
    text = render_interaction(redact(PLANTED[kind], Redaction()).interaction)
    pieces = [VALUE, VALUE[3:12], HEX, base64.b64encode(f"me:{VALUE}".encode()).decode(), "planted", "Planted", "PLANT"]
    pieces += [base64.b64encode(SHAPES[name].encode()).decode()[:12] for name in ("sk", "aws")]
    assert not [piece for piece in pieces if piece in text]


def test_a_number_under_a_password_becomes_another_number() -> None:
    """The type stays, so that the answer's schema says the same of it."""
    cleaned = redact(exchange(response='{"password": 48151623, "tokens": 48151623}'), Redaction())
    assert json.loads(cleaned.interaction.response_body) == {"password": 0, "tokens": 48151623}


ORDINARY = {
    "names": [
        "keyboard", "monkey", "keynote", "key_points", "keywords", "hotkey", "turnkey", "public_key", "primary_key",
        "foreign_key", "sort_key", "partition_key", "cache_key", "prompt_cache_key", "group_key", "idempotency_key",
        "token_count", "max_tokens", "prompt_tokens", "completion_tokens", "next_page_token", "nextPageToken",
        "pageToken", "stop_token", "eos_token", "pad_token", "tokenizer", "tokens", "token_type", "secretary",
        "secret_name", "passwordless", "password_hint", "password_reset", "author", "authority", "authored_by",
        "authentic", "author_id", "oauth_provider", "credentials_type", "keyframes", "key_id", "token_id",
        "is_secret", "secrets_found", "compass", "passenger", "passed", "bypass", "signature", "thoughtSignature",
        "signatures", "design", "cookie_consent", "cookies_eaten", "bearer_of_news", "id", "name", "role", "content",
        "model", "messages", "tools", "parameters", "required", "properties", "temperature", "title", "steps",
        "task", "status", "error", "detail", "index", "logprob", "finish_reason", "usage", "created", "object",
        "choices", "passport_country", "password_policy", "token_limit", "tokens_used", "agent_key", "vendor_key",
        "map_key", "row_key", "object_key", "page_size", "session", "sessions_total", "api", "apis", "access",
        "accessible", "private", "privateer", "keyed", "keyless", "tokenized",
    ],
    "values": [
        "3f2504e0-4f89-11d3-9a0c-0305e82c3301", "chatcmpl-9aBcDeFgHiJkLmNoPqRsTuVwXyZ01",
        "call_abc123DEF456ghi789JKL", "msg_01XFDUDYJgAACzvnptvVoYEL", "toolu_01A09q90qw90lq917835lq9",
        "resp_67ccd2bed1ec8190b14f964abc0542670bb6a6b452d3795b", "5f4dcc3b5aa765d61d8327deb882cf99",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "fp_44709d6fcb",
        "req_011CQAbCdEfGhIjKlMnOpQrS", "run-2026-11-22", "gpt-4o-mini-2024-07-18", "claude-sonnet-4-20250514",
        "sk-learn-pipeline", "sklearn", "hf_model_name_of_ours", "sha256:9f86d081884c7d659a2feaa0c55ad015",
        "PROJ-1234", "v1.2.3-rc.4", "task-force", "AKIA", "Bearer", "Basic", "basic-auth", "bearer-bonds",
        "QmFzZTY0IHRleHQgaGVyZSBmb3IgYWxs", "aGVsbG8gd29ybGQhIGFnYWlu",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "507f1f77bcf86cd799439011", "asst_abc123", "thread_abc123", "file-abc123", "vs_abc123", "batch_abc123",
        "ft:gpt-3.5-turbo:acme::7p4lURel", "us-east-1", "arn:aws:iam::123456789012:role/x", "2026-11-22T14:47:41Z",
        "cus_NffrFeUfNV2Hib", "ticket-8812", "order#55-AB-2", "https://a.test/x?page=2", "mailto:me@a.test",
        "tel:+4912345678", "ISBN-978-3-16-148410-0", "DE89370400440532013000",
    ],
    "assignments": [
        "MAX_TOKEN=4096x", "TOKENIZERS_PARALLELISM=false", "PRIMARY_KEY=customer_id", "SORT_KEY=created_at",
        "EOS_TOKEN=</s>", "PAD_TOKEN=[PAD]", "STOP_TOKEN=END_OF_TEXT", "CACHE_KEY=5f4dcc3b5aa765d61d8327deb882cf99",
        "API_KEY=$OPENAI_API_KEY", "OPENAI_API_KEY=<your-key>", "OPENAI_API_KEY=your-api-key-here",
        "DB_PASSWORD=${DB_PASSWORD}", "OPENAI_API_KEY=none-needed", "KEY_COUNT=12", "KEYBOARD=de",
        "FOREIGN_KEY=orders.customer_id", "PARTITION_KEY=tenant", "NEXT_TOKEN=page2", "LOG_LEVEL=debug",
        "PYTHONPATH=src",
    ],
    "texts": [
        "the key to success is patience", "a token of love", "the secret ingredient is salt", "pass the salt",
        "author: Jane Doe", "keys: a, b, c", "forgot your password?", "the password must have 12 characters",
        "secret garden", "key: value", "token by token", "bearer of bad news", "basic training", "API keys are secret",
        "set OPENAI_API_KEY first", "no secret here", "credentials are checked elsewhere", "auth is optional",
        "<key>value</key>", "<token>", '"password": {"type": "string"}', '"required": ["password"]',
        "use api_key=api_key", "os.environ['API_KEY']", "cookie recipe", "a signed signature", "monkey=banana",
        "keyword=planner", "primary key customer_id", "a private key is never shared", "{{ token }}", "$TOKEN",
    ],
}  # fmt: skip
WORDS = [(group, word) for group, words in ORDINARY.items() for word in words]
assert len(WORDS) >= 200


def test_ordinary_words_and_ids_stay() -> None:
    """Nothing is taken out of 200 words, ids, assignments and sentences that only look a little like secrets."""
    wrong = []
    for group, word in WORDS:
        content = (
            {"keep": {word: "5f4dcc3b5aa765d6"}} if group == "names" else {"messages": [{"content": f"a {word} b"}]}
        )
        plain = exchange(request=json.dumps(content), response=json.dumps({"content": json.dumps(content)}))
        if redact(plain, Redaction()).interaction != plain:
            wrong.append(word)
    assert wrong == []


def test_a_schema_with_a_property_for_a_password_stays() -> None:
    """A property's schema is no password, whatever the property is called."""
    schema = {
        "type": "object",
        "properties": {"password": {"type": "string", "minLength": 12}},
        "required": ["password"],
    }
    plain = exchange(request=json.dumps({"tools": [{"function": {"parameters": schema}}], "hint": json.dumps(schema)}))
    assert redact(plain, Redaction()).interaction == plain


def test_what_a_validator_says_of_a_password_stays() -> None:
    """Sentences under a member's name are feedback."""
    plain = exchange(request=json.dumps({"errors": {"password": ["Missing data for required field."]}}))
    assert redact(plain, Redaction()).interaction == plain


@in_one_item
@pytest.mark.parametrize(
    ("name", "speaks"),
    [
        ("clientSecret", Speaks.SECRET),
        ("AWSAccessKeyId", Speaks.SECRET),
        ("dbPassword", Speaks.PASSWORD),
        ("vendor_token", Speaks.MAYBE),
        ("next_page_token", Speaks.NOTHING),
        ("key", Speaks.NOTHING),
        ("token", Speaks.MAYBE),
        ("API_KEYS", Speaks.SECRET),
        ("openai_api_key_prod", Speaks.SECRET),
        ("x-apitoken", Speaks.SECRET),
        ("token_id", Speaks.NOTHING),
        ("x" * 81 + "_password", Speaks.NOTHING),
        ("oauth2_token", Speaks.SECRET),
        ("OAuth2Token", Speaks.SECRET),
        ("s3_secret_key", Speaks.SECRET),
        ("api_key_2", Speaks.SECRET),
        ("private_key_base64", Speaks.SECRET),
        ("password2", Speaks.PASSWORD),
        ("x509key", Speaks.MAYBE),
        ("page2_token", Speaks.NOTHING),
        *((name, Speaks.NOTHING) for name in ("oauth2", "base64", "utf8_name", "sha256", "key1", "2", "v2")),
        ("", Speaks.NOTHING),
    ],
)
def test_a_name_speaks(name: str, speaks: Speaks) -> None:
    """Words end at capitals, digits and separators, numbers are passed over, and the last words count."""
    assert name_speaks(name) is speaks


def test_own_words_are_names_and_patterns() -> None:
    """A name is taken out of headers, parameters and members; a pattern out of every text."""
    redaction = own_redaction(["X-Tenant", "customer_no", "/CUST-[0-9]{4}/", " "])
    plain = exchange(
        url="https://a.test/?customer_no=77",
        headers=(("x-tenant", ("acme",)),),
        response_headers=(("x-tenant", ("acme",)),),
        request='{"customer-no": "77", "text": "CUST-1234 and CUST-12"}',
    )
    cleaned = redact(plain, redaction)
    assert cleaned.interaction == exchange(
        url="https://a.test/?customer_no=[redacted]",
        response_headers=(("x-tenant", ("[redacted]",)),),
        request='{"customer-no": "[redacted]", "text": "[redacted] and CUST-12"}',
    )
    assert "request body text: pattern of planguard_redact" in list(map(str, cleaned.secrets))
