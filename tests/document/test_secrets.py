"""Secrets are searched only where one can begin, and the search finds all that the pattern finds."""

import re
from collections.abc import Callable, Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_planguard.document import secrets
from pytest_planguard.document.secrets import matches_at, places
from pytest_planguard.replay.privacy.secrets import find_secrets

from ..support.cost import assert_growth

Search = Callable[[str], Iterator[re.Match[str]]]


SEARCHES: dict[str, tuple[re.Pattern[str], Search]] = {
    "marked": (secrets._ANY, lambda text: matches_at(secrets._ANY, text, secrets._marked_starts(text))),
    "unmarked": (secrets._UNMARKED, lambda text: matches_at(secrets._UNMARKED, text, secrets._unmarked_starts(text))),
}
_ID = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7"
PIECES = st.sampled_from([
    *("sk-", "csk-proj-", "gh", "ghp_", "glpat-", "hvs.", "shpat_", "xoxb-", "AKIA", "eyJ", "rk_live_", "bot", "SG."),
    *("://user:", "@host", "bearer ", "BEARER\t", "hooks.slack.com/services/", "/api/webhooks/", "AAAAAC", "JQQJ99"),
    *("1234567890:", "110201543:", "MTk4NjIyNDgzNDcxOTI1MjQ4", ".Cl2FMQ.", "-us14", "SK", "0123456789abcdef" * 2),
    *("AWS_SECRET_ACCESS_KEY", "API_KEY_TOKEN", "_KEY", "PASSWORD=", "paſſword: ", "api_Key := ", "Credentials = '"),
    *("azure api key: ", "openai key is ", "access-\u212aey='", "hunter2hunter2", "=", ": ", "\\n", "\\", '"'),
    *(_ID, _ID * 2, "x", "7", "_", "-", "é", "=", "\n", " "),
])  # fmt: skip
TEXTS = st.lists(PIECES | st.text(max_size=3), max_size=12).map("".join)


@pytest.mark.parametrize("name", SEARCHES)
@given(text=TEXTS)
@example(text="\\nsk-proj-abcdefgh1234 AKIAsk-live-abcdefgh1")
@example(text=f"{_ID}{_ID[:6]}AAAAACAAAAAC{_ID}")
@example(text="PA\u017f\u017fWORD=hunter2hunter2 \u212aEY=hunter2hunter2 OPENAI_API_KEY=abcd")
@example(text="the azure key: 0123456789abcdef0123456789abcdef")
@example(text="my subscription_ key is '0123456789abcdef0123456789abcdef'")
@example(text=f"SK{'0123456789abcdef' * 2} {'0123456789abcdef' * 2}-us14 110201543:{_ID}x")
@example(text=f"MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.{_ID} rk_live_{_ID} sk_test_{_ID}")
def test_the_search_finds_what_the_pattern_finds(name: str, text: str) -> None:
    """Law: the same places, whatever stands between them."""
    pattern, search = SEARCHES[name]
    assert [match.span() for match in search(text)] == [match.span() for match in pattern.finditer(text)]


def test_a_letter_that_grows_in_lower_case_moves_no_place() -> None:
    """A dotted capital I has two characters in lower case."""
    text = "İ db_password = a8Kq0ZkR17 api key: 0123456789abcdef0123456789abcdef"
    found = find_secrets(text)
    assert [secret.kind for secret in found] == ["value of db_password", "API key by its name"]
    assert text[found[0].start : found[0].end] == "a8Kq0ZkR17"


@given(st.text(), st.text(min_size=1, max_size=2))
def test_places_are_all_of_them(text: str, word: str) -> None:
    """Law: every place at which the word begins."""
    assert [*places(text, word)] == [at for at in range(len(text)) if text.startswith(word, at)]


@pytest.mark.parametrize("piece", ["AAAAAC", "eyJ", "_KEY", "key=", "12345678:", "://", "sk-a "])
def test_a_text_full_of_words_of_keys_costs_no_more_than_its_length(piece: str) -> None:
    """Ten times the text costs about ten times as much."""
    assert_growth(lambda size: find_secrets(piece * size), 500, 5_000, below=40)
