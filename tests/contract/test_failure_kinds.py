"""What a status says about a request that no model answered: one table for the loop, the judge and a replay."""

from pytest_planguard.contract.failure_kinds import FailureKind, kind_of_status

KINDS = {
    **dict.fromkeys((401, 403), FailureKind.AUTH),
    **dict.fromkeys((408, 409, 425, 429, *range(500, 600)), FailureKind.TRANSPORT),
}


def test_each_status_of_a_request_that_no_model_answered() -> None:
    """A 400 or 404 is neither: sending it again changes nothing. Above 599 there is no status of HTTP."""
    kinds = {status: kind_of_status(status) for status in range(100, 700)}
    assert {status: kind for status, kind in kinds.items() if kind is not None} == KINDS
