"""What a marker's arguments come to."""

from pytest_planguard.contract.contract import Contract
from pytest_planguard.plugin.marker.marker import Spec
from pytest_planguard.retry.judging.judging_options import JudgeOptions
from pytest_planguard.retry.outcomes import Firmness


def test_the_arguments_decide_how_conversations_are_judged():
    """Each option of the judgement has its argument; without any the defaults hold."""
    contracts = (Contract(None),)
    assert Spec(contracts, 3).options == JudgeOptions()
    strict = Spec(contracts, 3, weakest="located", known_wordings=False, copy_check=True, checks={"clean": "fail"})
    assert (strict.options.weakest, strict.options.known_wordings, strict.options.copy_check) == (
        Firmness.LOCATED,
        False,
        True,
    )
    assert strict.options.statuses["clean"] == "fail"
