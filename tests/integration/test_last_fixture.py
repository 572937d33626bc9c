"""Where `planguard` is set up last, its recording opens without pytest's machinery for fixtures: nobody can tell."""

from .projects import project, rows

TESTS = """
GOOD_PLAN = '{"goal": "mend it"}'

ORDER = []

@pytest.fixture(autouse=True)
def around():
    ORDER.append("set up")
    yield
    ORDER.append("torn down")

@pytest.fixture
def asking(planguard):
    return planguard

@pytest.fixture
def by_name(request):
    return request.getfixturevalue("planguard")

@pytest.mark.planguard(PLAN)
@pytest.mark.parametrize("answer", [GOOD_PLAN])
def test_last(planguard, answer):
    assert planguard.check(answer)

@pytest.mark.planguard(PLAN)
def test_asked_again(planguard, request):
    planguard.check(GOOD_PLAN)
    assert request.getfixturevalue("planguard")._case is planguard._case

@pytest.mark.planguard(PLAN)
def test_of_a_fixture(asking):
    assert asking.check(GOOD_PLAN)

@pytest.mark.planguard(PLAN)
def test_of_a_fixture_by_name(by_name, planguard):
    assert by_name._case is planguard._case
    assert planguard.check(GOOD_PLAN)

@pytest.mark.planguard(PLAN)
def test_marked_alone():
    pass

@pytest.mark.planguard(PLAN)
def test_fails(planguard):
    planguard.check("no plan")

@pytest.mark.planguard(PLAN)
def test_that_skips(planguard):
    pytest.skip("not today")

class TestOwn:
    @pytest.fixture
    def planguard(self):
        return "own"

    @pytest.mark.planguard(PLAN)
    def test_overrides(self, planguard):
        assert planguard == "own"
"""


def test_with_and_without_the_machinery() -> None:
    """Parameters, second requests, other fixtures, an override and a skip end alike, and leave the same rows."""
    example = project(TESTS)
    plain, shown = example.run_pytest("-rA"), example.run_pytest("-rA", "--setup-show")
    assert plain.outcomes == shown.outcomes == {"passed": 5, "failed": 2, "skipped": 1}, plain.output
    assert rows(plain.example) == rows(shown.example)
    advice = "call the code that asks the model inside the test; a stubbed client sends nothing"
    assert f"next: {advice}" in plain.stdout
    assert "SETUP    F planguard" in shown.stdout
