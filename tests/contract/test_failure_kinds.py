"""The phase and the advice of each kind, and what a status says about a request that no model answered."""

from pytest_planguard.contract.failure_kinds import FailureKind, Phase, Reask, kind_of_status

KINDS = {
    **dict.fromkeys((401, 403), FailureKind.AUTH),
    **dict.fromkeys((408, 409, 425, 429, *range(500, 600)), FailureKind.TRANSPORT),
}


def test_each_status_of_a_request_that_no_model_answered() -> None:
    """A 400 or 404 is neither: sending it again changes nothing. Above 599 there is no status of HTTP."""
    kinds = {status: kind_of_status(status) for status in range(100, 700)}
    assert {status: kind for status, kind in kinds.items() if kind is not None} == KINDS


PARSE = (
    *("empty", "refusal", "ask_back", "truncated", "invalid_json", "invalid_yaml", "prose", "fence", "thinking"),
    *("multiple", "duplicate_key", "non_finite", "too_deep", "too_large", "encoding", "loop", "transport", "auth"),
)
SCHEMA = (
    *("schema_echo", "wrapped", "encoded", "missing", "extra", "type", "enum", "range", "length", "format", "rule"),
    *("unknown_tool", "no_tool_call"),
)
ADVICE = {
    "empty": "once",
    "refusal": "no",
    "truncated": "not at this limit",
    "loop": "no",
    "transport": "transport",
    "auth": "no",
}


def test_each_kind_has_a_phase_and_advice() -> None:
    """Of a phase before another one, the findings are fed back alone; most kinds are worth asking again."""
    assert {kind.value: kind.phase.value for kind in FailureKind} == {
        **dict.fromkeys(PARSE, "parse"),
        **dict.fromkeys(SCHEMA, "schema"),
        "content": "content",
    }
    assert {kind.value: kind.reask for kind in FailureKind if kind.reask is not Reask.YES} == ADVICE
    assert {phase.value: phase.rank for phase in Phase} == {"parse": 0, "schema": 1, "content": 2}
