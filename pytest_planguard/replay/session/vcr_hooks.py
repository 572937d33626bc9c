"""How vcrpy's settings change a request and its answer before recording: filters, hooks and ignored hosts."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Hook = Callable[[Any], Any]
"""Gets vcrpy's request or response; returns it, another, or None to leave the exchange out."""
_LOCALHOST = ("localhost", "0.0.0.0", "127.0.0.1", "::1")
_FILTERS = frozenset({
    "filter_headers", "filter_query_parameters", "filter_post_data_parameters", "filter_nested_post_data_parameters",
    "decode_compressed_response", "before_record_request", "before_record", "before_record_response",
    "ignore_hosts", "ignore_localhost",
})  # fmt: skip
"""vcrpy's settings that its filters are built from."""
_ELSEWHERE = frozenset({"match_on", "record_mode", "skip_patchers"})
"""Settings that planguard reads itself, or that have an option with the same purpose."""


@dataclass(frozen=True, slots=True)
class VcrHooks:
    """The filters of a `vcr_config`. The default changes nothing."""

    request: Hook = lambda request: request
    response: Hook = lambda response: response
    hosts: tuple[str, ...] = ()
    """Hosts that are left out of the cassette."""


def vcr_hooks(config: Mapping[str, Any], vcr: Any) -> VcrHooks:
    """Return the filters of a `vcr_config`, as vcrpy itself (an object of its class VCR) builds them."""
    given = {name: value for name, value in config.items() if name in _FILTERS}
    merged = vcr.get_merged_config(**given)
    answer = merged["before_record_response"]
    return VcrHooks(
        merged["before_record_request"],
        lambda response: answer(copy.deepcopy(response)),
        tuple(_hosts(config)),
    )


def ignored_settings(config: Mapping[str, Any]) -> list[str]:
    """Return the settings of a `vcr_config` that planguard does not follow, sorted."""
    return sorted(config.keys() - _FILTERS - _ELSEWHERE)


def _hosts(config: Mapping[str, Any]) -> Iterator[str]:
    yield from config.get("ignore_hosts", ())
    yield from _LOCALHOST if config.get("ignore_localhost") else ()
