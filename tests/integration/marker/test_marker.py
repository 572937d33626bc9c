"""The marker is strict about its arguments, and enough by itself."""

import pytest

from ..projects import project

TEST = "@pytest.mark.planguard({arguments})\ndef test_it(planguard):\n    planguard.check(GOOD)\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("contract_from=TICKET", "contract_from=Contract(Ticket): expected a non-empty text"),
        ("TICKET, max_attempt=2", "no argument 'max_attempt'. Did you mean 'max_attempts'? Known: max_attempts, mode"),
        ("TICKET, max_attempts=0", "max_attempts=0: expected a whole number of at least 1, counting the first attempt"),
        ("TICKET, match='gate'", "match='gate'. Did you mean 'gated'? Known: gated, strict, ordered, lenient"),
        ("TICKET, mode='live'", "mode='live'. Did you mean 'driven'? Known: observed, driven, check"),
        ("TICKET, coverage='one'", "coverage='one'. Known: all, first, any"),
        ("TICKET, weakest='week'", "weakest='week'. Did you mean 'weak'? Known: verbatim, located, weak"),
        ("TICKET, copy_check='yes'", "copy_check='yes': expected True or False"),
        ("TICKET, must_feed_back='ap'", "must_feed_back='ap'. Did you mean 'app'? Known: app, contract"),
        ("TICKET, variant='../up'", "variant='../up': expected the name of a folder, without a path"),
        ("TICKET, key='{id}'", "key='{id}' cannot be filled (KeyError: 'id'). Parameters: none"),
        ("TICKET, checks={'clear': 'fail'}", "checks has no check 'clear'. Did you mean 'clean'?"),
        ("42", "42 is not a contract. Write Contract(...)"),
        ("Ticket, max_attempts=2", "<class 'contracts.Ticket'> is not a contract. Write Contract(Ticket)"),
    ],
)
def test_a_mistake_ends_the_run_before_any_test(pytester_like, arguments, message):
    """A wrong argument is a usage error that names the test, its file and line, and the nearest right name."""
    said = pytester_like(arguments)
    assert f"test_app.py:4: test_app.py::test_it: @pytest.mark.planguard: {message}" in said


@pytest.fixture
def pytester_like(request):
    """Runs the marker with the given arguments and returns what pytest said on stderr and stdout."""

    def run(arguments: str) -> str:
        done = project(TEST.format(arguments=arguments)).run_pytest("-q")
        assert done.returncode in (2, 4)
        return done.output.replace("\n", " ")

    return run


ENOUGH = """
import unittest

@pytest.mark.planguard(TICKET)
def test_plain():
    pass

@pytest.mark.planguard(TICKET)
@pytest.mark.parametrize("name", ["a", "b"])
def test_parametrized(name):
    pass

@pytest.mark.planguard(TICKET)
class TestGroup:
    def test_in_class(self):
        pass

@pytest.mark.planguard(TICKET)
class TestCase(unittest.TestCase):
    def test_in_unittest(self):
        pass
"""


def test_the_marker_alone_is_enough():
    """A marked test that judges nothing fails, be it plain, parametrized, in a class or of unittest."""
    run = project(ENOUGH).run_pytest("-q", "-rf")
    assert dict(run.outcomes) == {"failed": 5}
    assert run.stdout.count("planguard: nothing was judged") >= 5


CLASSES = """
pytestmark = pytest.mark.planguard(PLAN, max_attempts=7)

def test_of_the_module(planguard):
    assert planguard.contract is PLAN

@pytest.mark.planguard(TICKET)
def test_of_its_own(planguard):
    assert planguard.contract is TICKET
    assert planguard._case.spec.max_attempts == 7
    planguard.check(GOOD)
"""


def test_the_nearest_marker_wins():
    """Contracts of the function replace those of the module; other arguments are inherited."""
    run = project(CLASSES).run_pytest("-q")
    assert dict(run.outcomes) == {"passed": 1, "failed": 1}
    assert "test_of_the_module" in run.stdout


def test_the_fixture_needs_the_marker():
    """Without a marker there is no contract to judge with, and the message says so."""
    run = project("def test_it(planguard): pass\n").run_pytest("-q")
    assert dict(run.outcomes) == {"error": 1}
    assert "the fixture planguard needs a contract: mark the test with @pytest.mark.planguard(CONTRACT)" in run.stdout
    assert "fixture.py" not in run.stdout  # no frame of planguard


MANY = """\
@pytest.mark.planguard()
def test_a(): pass

@pytest.mark.planguard(TICKET, max_attempts=0)
@pytest.mark.parametrize("n", [1, 2, 3])
def test_b(n): pass

@pytest.mark.planguard(TICKET)
def test_right(planguard):
    planguard.check(GOOD)

@pytest.mark.planguard(TICKET, match="gate")
class TestGroup:
    def test_c(self): pass
    def test_d(self): pass
"""
OTHER = """
import pytest
from contracts import *

@pytest.mark.planguard()
def test_a(): pass
"""
NO_CONTRACT = "it has no contract. Write @pytest.mark.planguard(CONTRACT), for example Contract(Ticket)"
ALL_MISTAKES = f"""\
ERROR: 4 markers cannot work:
  test_app.py:4: test_app.py::test_a: @pytest.mark.planguard: {NO_CONTRACT}
  test_app.py:7: test_app.py::test_b[1] and 2 more: @pytest.mark.planguard: max_attempts=0: expected a whole \
number of at least 1, counting the first attempt
  test_app.py:17: test_app.py::TestGroup::test_c and 1 more: @pytest.mark.planguard: match='gate'. Did you mean \
'gated'? Known: gated, strict, ordered, lenient
  test_other.py:5: test_other.py::test_a: @pytest.mark.planguard: {NO_CONTRACT}
"""


@pytest.mark.parametrize(
    ("arguments", "plugins"),
    [((), ()), (("-k", "test_right"), ()), (("-n", "2"), ("xdist",))],
    ids=["alone", "deselected", "workers"],
)
def test_all_mistakes_are_reported_at_once(arguments, plugins):
    """One usage error lists each with file, line and test, and no test runs; under xdist the controller ends so too."""
    example = project(MANY).with_files({"test_other.py": OTHER})
    run = example.run_pytest("-q", *arguments, plugins=("planguard", *plugins))
    assert run.returncode == pytest.ExitCode.USAGE_ERROR
    assert run.stderr.strip() == ALL_MISTAKES.strip()
    assert "passed" not in run.stdout
    assert "INTERNALERROR" not in run.output


DOCTEST = """
class Marked(pytest.Item):
    def runtest(self): pass

class File(pytest.File):
    def collect(self):
        item = Marked.from_parent(self, name="thing")
        item.add_marker(pytest.mark.planguard())
        yield item

def pytest_collect_file(file_path, parent):
    if file_path.suffix == ".txt":
        return File.from_parent(parent, path=file_path)
"""


def test_a_marker_on_what_is_no_function_is_a_mistake():
    """An item of another plugin runs no fixtures, so nothing would be judged."""
    run = project("", conftest=f"import pytest\n{DOCTEST}").with_files({"a.txt": ""}).run_pytest("-q")
    assert run.returncode == pytest.ExitCode.USAGE_ERROR
    assert run.stderr.strip() == (
        "ERROR: a.txt:1: a.txt::thing: @pytest.mark.planguard: it works on test functions and methods; "
        "a Marked has no fixtures"
    )


BARE = """
@pytest.mark.planguard(Ticket)
def test_it(planguard):
    planguard.check(GOOD)
"""


def test_a_class_alone_is_explained():
    """A mark with one class marks that class, so the module cannot be imported; the last line says what to write."""
    run = project(BARE).run_pytest("-q")
    assert run.returncode == 2
    hint = (
        "planguard: @pytest.mark.planguard(Ticket) with a class alone marks that class, not the test (a rule of "
        "pytest's marks). Write @pytest.mark.planguard(Contract(Ticket))"
    )
    assert hint in run.stdout
    fixed = run.example.replaced("planguard(Ticket)", "planguard(Contract(Ticket))").run_pytest("-q")
    assert dict(fixed.outcomes) == {"passed": 1}
    other = run.example.replaced("planguard(Ticket)", "planguard(Contract(Ticket))").replaced("GOOD)", "GOOD, )(")
    assert "marks that class" not in other.run_pytest("-q").stdout


MODES = """
@pytest.mark.planguard(TICKET, mode="driven")
def test_driven(planguard):
    planguard.check(GOOD)

@pytest.mark.planguard(TICKET, mode="observed")
def test_observed(planguard):
    planguard.check(GOOD)

@pytest.mark.planguard(TICKET, mode="check")
def test_check(planguard):
    planguard.check(GOOD)
"""


def test_a_mode_is_a_promise():
    """A test that says how it works fails where it does not work so."""
    run = project(MODES).run_pytest("-q", "-rf")
    assert dict(run.outcomes) == {"passed": 1, "failed": 2}
    assert 'planguard: mode="driven", but planguard.converge was never called' in run.stdout
    assert 'next: call planguard.converge in the test, or remove mode="driven"' in run.stdout
    assert "FAILED test_app.py::test_observed - planguard: nothing was judged" in run.stdout


NESTED = """
INNER = '''
import pytest
from contracts import *

@pytest.mark.planguard(PLAN, mode="check")
def test_inner(planguard):
    planguard.check('{"goal": "ship"}')
'''


@pytest.mark.planguard(TICKET, mode="check")
def test_marked(planguard):
    planguard.check(GOOD)


def test_unmarked(request, tmp_path):
    inner = tmp_path / "test_inner.py"
    inner.write_text(INNER)
    options = ["-q", "--rootdir", str(tmp_path), "-p", "no:cacheprovider", "-p", "pytest_planguard.plugin"]
    assert pytest.main([str(inner), *options]) == 0
    with pytest.raises(pytest.fail.Exception, match="test_unmarked: the fixture planguard needs a contract"):
        request.getfixturevalue("planguard")
"""


def test_the_fixture_knows_its_own_test():
    """A session inside a test, and a marked test before an unmarked one, do not lend their case to another."""
    done = project(NESTED).run_pytest("-q")
    assert done.outcomes == {"passed": 2}, done.output
