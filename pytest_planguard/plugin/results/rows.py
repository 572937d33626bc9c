"""The row of a finished case, with its cost: all the information for later runs, reports and comparisons.

A worker of xdist sends it to the main process in `reporting`.
"""

from __future__ import annotations

import hashlib
import sys
from dataclasses import fields, is_dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ... import __version__
from ...errors import RunError
from ...runs.judge_cases import conversation_row, proof_row, verdict_row
from ...runs.model.judged_answers import first_request, prompt_digest
from ...runs.model.run import CaseRow, search_row
from ...wire.exchange import all_together
from ..marker.identity import inputs_digest, variant_of
from ..options import settings_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...runs.prices import Prices
    from ..case import Case


def case_row(case: Case) -> CaseRow:
    """Return the row of a finished case."""
    exchanges = [attempt.exchange for found in case.conversations for attempt in found.attempts]
    contracts = tuple((contract.name, contract.digest) for contract in case.spec.contracts)
    conversations = [conversation_row(found, dict(contracts)) for found in case.conversations]
    row = CaseRow(
        key=case.key,
        test=case.nodeid,
        line=(case.item.location[1] or 0) + 1,
        inputs=inputs_digest(case.item, case.spec),
        model=", ".join(sorted({each.model for each in exchanges if each.model})) or case.spec.model,
        for_model=case.for_model,
        variant=variant_of(case.spec, case.settings),
        prompt=prompt_digest(exchanges),
        asked=first_request(exchanges),
        result=case.result,
        outcome=outcome_of(case),
        stale=case.stale_reasons,
        misses=case.recording.misses,
        judged=(*conversations, *(verdict_row(each.verdict, each.contract.digest) for each in case.checked)),
        contracts=contracts,
        cost=_cost(case),
        latency_s=all_together(found.latency_s for found in case.conversations),
        scores=dict(sorted(case.scores.items())),
        expected=tuple(scored.score for scored in case.scored),
        rerecord=case.rerecord_hint,
        gave_up=case.gave_up,
        rekey=case.rekey_command,
        samples=case.samples,
        live_check=case.live_check,
        proofs=tuple(map(proof_row, case.proofs)),
        pruned=tuple(case.pruned),
        untracked=case.untracked,
        task=case.task,
        searches=tuple(map(search_row, case.searches)),
        pipeline=tuple(part() for part in case.parts),
    )
    if case.conversations:
        row = _with_cassette(row, case)
    clean: CaseRow = redacted(row)  # includes text that is in no cassette: values of parameters, the key of the case
    return clean


def redacted(value: object) -> Any:
    """Return a row, or a part of one, without the secrets that its cassette hides."""
    from ...replay.privacy.secrets import without_secrets

    if type(value) is str:
        return without_secrets(value, lambda _: None)
    if type(value) is tuple:
        return tuple(map(redacted, value))
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{each.name: redacted(getattr(value, each.name)) for each in fields(value)})
    return value


def outcome_of(case: Case) -> str:
    """Return one word for the case.

    "unrecorded", "stale" or "ambiguous" if a request found no answer; "stale" if one got the answer to another request;
    else the first bad outcome of its conversations, "valid" or "invalid" for checked answers, or the result.
    """
    if case.samples is not None and case.result == "passed":  # enough samples are good, and none is unproven
        good = next((c.outcome.value for c in case.conversations if c.ok), "valid")
        return "stale" if case.stale else good
    if case.recording.outcome is not None:
        return case.recording.outcome
    if case.stale or case.expired:
        return "stale"
    if case.conversations:
        bad = [c.outcome.value for c in case.conversations if not c.ok]
        return bad[0] if bad else case.conversations[0].outcome.value
    if case.checked:
        return "valid" if all(c.verdict.ok for c in case.checked) else "invalid"
    return case.result


def attempts_of(case: Case) -> int:
    """Return the number of attempts in all conversations of a case."""
    return sum(len(c.attempts) for c in case.conversations)


def _with_cassette(row: CaseRow, case: Case) -> CaseRow:
    # Without a recording, skip even the path: to build it takes longer than the rest of the row.
    if not case.recording.uses_file or not case.path.is_file():
        return row
    content = case.path.read_bytes()
    digest, exchanges = hashlib.sha256(content).hexdigest(), case.recording.exchanges_in(content)
    return replace(row, cassette=case.relative_path, cassette_digest=digest, exchanges=exchanges)


def _cost(case: Case) -> float | None:
    """Return the cost of a case; None without a price table."""
    if not case.settings.prices:
        return None

    return cost_of(case)


PRICES: pytest.StashKey[Prices] = pytest.StashKey()


def prices_of(config: pytest.Config) -> Prices:
    """Return the price table of this run, read once. Raises pytest.UsageError for an invalid one."""
    from ...runs.prices import read_prices

    found = config.stash.get(PRICES, None)
    if found is None:
        path = config.rootpath / Path(settings_of(config).prices or "")
        try:
            found = config.stash[PRICES] = read_prices(path)
        except RunError as error:
            raise pytest.UsageError(f"ini value planguard_prices: {error}") from None
    return found


def cost_of(case: Case) -> float | None:
    """Return the cost of a case's judged answers; None if part of it is unknown.

    For projects with a price table. `planguard diff` handles list prices, and uses the same ones for both runs.
    """
    from ...runs.prices import total

    prices = prices_of(case.item.config)
    exchanges = [attempt.exchange for found in case.conversations for attempt in found.attempts]
    return total(prices.answer_cost(e.model, e.usage.input_tokens, e.usage.output_tokens) for e in exchanges)


# The versions of the clients that tests use to reach models, reported by the processes that ran tests.

KEY = "planguard_sdks"
ALWAYS = ("pytest", "pydantic")
SDKS = {
    "anthropic": "anthropic",
    "boto3": "boto3",
    "cohere": "cohere",
    "google.genai": "google-genai",
    "groq": "groq",
    "instructor": "instructor",
    "langchain_core": "langchain-core",
    "litellm": "litellm",
    "mistralai": "mistralai",
    "ollama": "ollama",
    "openai": "openai",
    "pydantic_ai": "pydantic-ai-slim",
}
"""Module to package."""
TOLD: pytest.StashKey[dict[str, str]] = pytest.StashKey()
"""Versions reported by workers."""


def packages(config: pytest.Config) -> dict[str, str]:
    """Return the versions that may explain a difference: planguard, pytest, pydantic and the loaded clients."""
    own = {"pytest-planguard": __version__, **versions(ALWAYS)}
    return own | config.stash.get(TOLD, {}) | loaded()


def loaded() -> dict[str, str]:
    """Return the clients that this process has loaded."""
    return versions(package for module, package in SDKS.items() if module in sys.modules)


def versions(names: Iterable[str]) -> dict[str, str]:
    """Return the versions of packages by name, without those that are not installed as packages."""
    return {name: found for name in names if (found := _version(name))}


def _version(name: str) -> str | None:
    """Return the version of the loaded module, else of the package's metadata, which takes milliseconds to read."""
    said = getattr(sys.modules.get(name), "__version__", None)
    if isinstance(said, str):
        return said
    try:
        return version(name)
    except PackageNotFoundError:
        return None


class Telling:
    """Reports a worker's versions at its end. A killed worker reports none; the others have the same."""

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Leave the versions for the controller."""
        output: dict[str, object] = session.config.workeroutput  # type: ignore[attr-defined]
        output[KEY] = loaded()


def take_versions(node: Any) -> None:
    """Take the versions of a worker that ends."""
    node.config.stash.setdefault(TOLD, {}).update(getattr(node, "workeroutput", {}).get(KEY, {}))
