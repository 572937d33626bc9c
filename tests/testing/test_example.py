"""The Example project runs a real pytest and gives back what it left."""

import pytest

from pytest_planguard.testing.example import Example, outcomes_of

PASSES = Example({"test_a.py": "def test_a(): pass\ndef test_b(): assert 0\n"})


@pytest.mark.slow
def test_runs_in_a_process_of_its_own():
    """Counts, exit code and output are those of pytest."""
    run = PASSES.run_pytest()
    assert dict(run.outcomes) == {"passed": 1, "failed": 1}
    assert run.returncode == 1
    assert "assert 0" in run.stdout


@pytest.mark.slow
def test_continues_from_what_a_run_left():
    """Files that a run wrote are part of the next example; caches are not."""
    writes = Example({"test_w.py": "from pathlib import Path\ndef test_w(): Path('made.txt').write_text('x')\n"})
    after = writes.run_pytest().example
    assert after.paths() == ["made.txt", "test_w.py"]
    assert after.read("made.txt") == "x"


def test_changes_make_a_new_example():
    """An example never changes under its reader."""
    changed = PASSES.replaced("assert 0", "assert 1").with_files({"b.txt": "b"}).without("b.txt")
    assert "assert 0" in PASSES.read("test_a.py")
    assert "assert 1" in changed.read("test_a.py")
    assert changed.paths() == ["test_a.py"]


def test_a_replacement_that_finds_nothing_is_a_mistake():
    """A test that changes nothing cannot pass by accident."""
    with pytest.raises(ValueError, match=r"^no file of the example contains 'nowhere'$"):
        PASSES.replaced("nowhere", "x")


def test_reads_the_last_summary_line():
    """Plurals are one noun, colours and decorations do not matter."""
    assert outcomes_of("== 2 passed, 1 failed, 2 errors, 3 warnings in 0.1s ==") == {
        "passed": 2,
        "failed": 1,
        "error": 2,
        "warning": 3,
    }
    assert outcomes_of("no tests ran in 0.01s") == {}
    assert outcomes_of("nothing here") == {}
