"""Strategies for rows: every field of every part, with any text, lone surrogates included."""

from hypothesis import strategies as st

from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding, Related, Severity
from pytest_planguard.document.positions import Span
from pytest_planguard.replay.session.rerecord import RerecordHint
from pytest_planguard.runs.model.judged_answers import AttemptRow, CheckRow, FedBackRow, Judged, Said
from pytest_planguard.runs.model.run import (
    BadSample,
    CaseRow,
    LiveCheckRow,
    PipelineRow,
    ProofRow,
    SamplesRow,
    SearchRow,
)

from .document_paths import PATHS

TEXT = st.text(st.characters(exclude_categories=()), max_size=20)
MAYBE = st.none() | TEXT
COUNTS = st.none() | st.integers(0, 10_000)
SECONDS = st.none() | st.floats(0, 1_000)
SPANS = st.none() | st.builds(Span, st.integers(1, 9), st.integers(1, 9), COUNTS, COUNTS)
FINDINGS = st.builds(
    Finding, TEXT, PATHS, TEXT, st.sampled_from(FailureKind), st.sampled_from(Severity), SPANS, MAYBE, MAYBE, MAYBE,
    related=st.tuples() | st.tuples(st.builds(Related, TEXT, PATHS, SPANS)),
)  # fmt: skip
ATTEMPTS = st.builds(
    AttemptRow, TEXT, st.booleans(), MAYBE, st.tuples() | st.tuples(FINDINGS), MAYBE, MAYBE, COUNTS, COUNTS,
    st.tuples() | st.tuples(st.builds(FedBackRow, TEXT, PATHS, TEXT, MAYBE, MAYBE, MAYBE, MAYBE)),
    SECONDS, st.just(()) | st.tuples(st.tuples(TEXT)), st.integers(0, 3),
    st.tuples() | st.tuples(st.builds(Said, TEXT, TEXT)), COUNTS,
)  # fmt: skip
CHECKS = st.tuples() | st.tuples(
    st.builds(CheckRow, TEXT, st.sampled_from(["warn", "fail", "not judged"]), TEXT, st.tuples() | st.tuples(TEXT))
)
CONVERSATIONS = st.builds(
    Judged, st.lists(ATTEMPTS, max_size=3).map(tuple), TEXT, st.booleans(), st.sampled_from(["1", "t 2"]), TEXT, MAYBE,
    CHECKS, st.just(False), COUNTS,
)  # fmt: skip
SINGLES = st.builds(
    lambda one, outcome, contract, digest: Judged((one,), outcome, one.ok, "1", contract, digest, single=True),
    ATTEMPTS, st.sampled_from(["valid", "x"]), TEXT, MAYBE,
)  # fmt: skip
SAMPLES = st.builds(
    SamplesRow, st.integers(0, 3), st.integers(3, 9), st.floats(0, 1),
    st.lists(st.builds(BadSample, st.integers(1, 9), TEXT), max_size=2).map(tuple),
)  # fmt: skip
PROOFS = st.builds(ProofRow, TEXT, st.integers(1, 9), TEXT, PATHS, TEXT, TEXT)
PARTS = st.builds(PipelineRow, TEXT, TEXT, MAYBE, st.lists(TEXT, max_size=2).map(tuple))
NAMES = st.text(max_size=20)
"""Of scores and steps: a key with half of a surrogate pair is kept with a stand-in for it."""
CALLS = st.dictionaries(NAMES, st.integers(0, 99), max_size=2)
SEARCHES = st.builds(
    SearchRow, TEXT, st.booleans(), TEXT, st.integers(0, 99), st.integers(0, 9), st.integers(0, 9),
    st.lists(TEXT, max_size=2).map(tuple), CALLS, CALLS, st.lists(st.integers(1, 9), max_size=2).map(tuple), MAYBE,
)  # fmt: skip
ROWS = st.builds(
    CaseRow, TEXT, TEXT, MAYBE, MAYBE, MAYBE, MAYBE, st.just("a.yaml"), MAYBE,
    exchanges=st.none() | st.integers(0, 9), result=MAYBE, outcome=MAYBE,
    stale=st.lists(TEXT, max_size=2).map(tuple), misses=st.lists(TEXT, max_size=2).map(tuple),
    judged=st.tuples() | st.tuples(CONVERSATIONS, SINGLES), contracts=st.tuples() | st.just((("Ticket", "ab"),)),
    cost=SECONDS, latency_s=SECONDS, line=st.none() | st.integers(1, 99),
    scores=st.dictionaries(NAMES, st.floats(0, 1), min_size=1, max_size=2),
    rerecord=st.none() | st.builds(RerecordHint, TEXT, st.integers(0, 9), COUNTS, COUNTS),
    asked=st.lists(st.builds(Said, TEXT, TEXT), max_size=2).map(tuple), gave_up=st.none() | st.just("app.NoTicket"),
    rekey=st.none() | st.just("show"),
    samples=st.none() | SAMPLES,
    live_check=st.none() | st.builds(LiveCheckRow, TEXT, TEXT, st.sampled_from(["same", "worse"])),
    proofs=st.tuples() | st.tuples(PROOFS), pruned=st.lists(TEXT, max_size=2).map(tuple),
    untracked=st.lists(TEXT, max_size=2).map(tuple),
    searches=st.lists(SEARCHES, max_size=2).map(tuple), task=MAYBE,
    pipeline=st.lists(PARTS, max_size=2).map(tuple),
)  # fmt: skip
