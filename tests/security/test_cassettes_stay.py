"""Cassettes that exist, redacted again: our own stay as they are, real ones lose what was reviewed and no more."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from pytest_planguard.cli.cassette.cassette_command import secrets_of
from pytest_planguard.errors import CassetteError
from pytest_planguard.replay.files.reader import find_cassettes, read_cassette
from pytest_planguard.replay.privacy.redaction_rules import Redaction

from ..support.nightly import drawn
from ..support.paths import ROOT

HEADERS = {
    "request header": {
        *("authorization", "x-api-key", "api-key", "x-goog-api-key", "x-goog-user-project", "cookie", "dd-api-key"),
        *("x-agentops-api-key", "x-amz-security-token"),
    },
    "response header": {
        *("cf-ray", "set-cookie", "openai-organization", "openai-project", "anthropic-organization-id"),
    },
}
"""Headers of real cassettes that are left out."""
BODIES = Counter(
    {
        ("Mirascope__mirascope", "value of The_passphrase"): 1,
        ("crewAIInc__crewAI", 'field "api_key"'): 1,
        ("huggingface__huggingface_hub", 'field "verifyToken"'): 6,
        ("pydantic__pydantic-ai", 'field "password"'): 2,
    }
)
"""What is taken out of bodies of real cassettes, by repository and kind, all of them tokens or passwords."""


def taken(folder: Path, paths: Iterable[Path]) -> Iterator[tuple[str, str, str]]:
    """The first folder of each cassette that would change, the place and the kind."""
    for path in paths:
        with suppress(CassetteError):  # results, settings and workflows beside the cassettes
            for secret in secrets_of(read_cassette(path)):
                yield path.relative_to(folder).parts[0], secret.place, secret.kind


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["cassettes", "examples"])
def test_our_own_recordings_stay(folder: str) -> None:
    """Nothing is taken out of what the repository holds."""
    paths = list(find_cassettes([ROOT / folder]))
    assert list(taken(ROOT / folder, paths)) == []
    assert len(paths) > 5


@pytest.mark.slow
def test_real_recordings_lose_what_was_reviewed(shared_data: Path) -> None:
    """Credentials and cookies in headers, and a few values of bodies in 461 cassettes, of which a day reads a part."""
    bodies: Counter[tuple[str, str]] = Counter()
    paths = list(find_cassettes([shared_data / "recordings"]))
    some = drawn(paths, 12)
    for repository, place, kind in taken(shared_data / "recordings", some):
        side, _, name = place.rpartition(" ")
        if side in HEADERS:
            assert name in HEADERS[side], (repository, place)
        else:
            bodies[repository, kind] += 1
    assert bodies == BODIES or (len(some) < len(paths) and bodies <= BODIES)


@pytest.mark.parametrize(
    "name",
    ["access-control-allow-credentials", "access-control-allow-headers", "x-time-per-token", "x-input-token-count"],
)
def test_headers_that_only_sound_like_secrets_stay(name: str) -> None:
    """They say what a browser may send, or count tokens."""
    assert not Redaction().hides_header(name)
