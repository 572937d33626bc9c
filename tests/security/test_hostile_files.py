"""Files of a pull request that are made to hang, to crash or to hide: each ends in its own clear message."""

import json
import re
from pathlib import Path

import pytest

from pytest_planguard.errors import RunError
from pytest_planguard.replay.files.reader import read_cassette
from pytest_planguard.runs.store.revision import Revision

from ..support.commands import run
from ..support.cost import no_hang
from ..support.exchanges import chat, user, write
from ..support.git import git
from ..support.runs import attempt, case, good, run_lines
from ..support.runs import run as run_of

LONG = 10**400
"""A whole number that JSON may hold and no float."""


def kept(folder: Path, name: str, *rows: object) -> str:
    """A run in a file."""
    path = folder / f"{name}.jsonl"
    path.write_text("".join(run_lines(run_of(name, rows))), "utf-8")  # type: ignore[arg-type]
    return str(path)


@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_three_runs_of_which_one_judged_nothing(form: str, tmp_path: Path) -> None:
    """The strategy without a judged conversation has a row like the others, of zeros."""
    two = case("a", attempt("bad"), attempt("{}"))
    runs = [kept(tmp_path, "one", two), kept(tmp_path, "two", good("a")), kept(tmp_path, "none")]
    done = run("diff", *runs, "--format", form)
    assert "is a defect" not in done.stderr, done.stderr
    assert done.exit_code in (0, 1)
    if form == "markdown":
        cells = {line.count("|") for line in done.stdout.splitlines() if line.startswith(("| one", "| two", "| none"))}
        assert len(cells) <= 1


@pytest.mark.parametrize("place", ["latency_s", "cost", "input_tokens", "output_tokens"])
@pytest.mark.parametrize("command", [("report",), ("diff",), ("diff", "--metrics")])
def test_a_number_without_end_is_named(command: tuple[str, ...], place: str, tmp_path: Path) -> None:
    """One row with a whole number of 400 digits is left out with its reason, and hides no other row."""
    path = Path(kept(tmp_path, "one", good("a"), good("b")))
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    for one in [lines[1]] if place == "cost" else lines[1]["judged"][0]["attempts"]:
        one[place] = LONG
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    name, *options = command
    for form in ("text", "json"):
        done = run(name, *[str(path)] * (2 if name == "diff" else 1), *options, "--format", form)
        assert "is a defect" not in done.stderr, done.stderr
        said = " ".join((done.stdout + done.stderr).split())
        # pydantic before 2.9 says "a valid number" of it.
        assert re.search(rf"{place}: input should be (?:less than or equal to|a valid number)", said), said
        assert done.exit_code == (0 if name == "report" else 3), said


def test_a_committed_path_that_is_too_long_is_named(tmp_path: Path) -> None:
    """Git holds paths that no folder can: the comparison ends with the path, not with an error of the system."""
    source, folder = tmp_path / "repo", tmp_path / "out"
    source.mkdir()
    git(source, "init", "-q")
    (source / "x").write_text("interactions: []\n", "utf-8")
    blob = git(source, "hash-object", "-w", "x")
    name = f"cassettes/{'e' * 300}.yaml"
    git(source, "update-index", "--add", "--cacheinfo", f"100644,{blob},{name}")
    git(source, "commit", "-qm", "long")
    head = Revision(source, "HEAD")
    with pytest.raises(RunError) as told:
        head.write(head.cassettes(head.folders), folder)
    assert str(told.value) == (
        "a committed cassette cannot be read at its path (File name too long): got "
        f"'cassettes/{'e' * 50}' of 315 characters; give it a shorter path"
    )


@pytest.mark.parametrize("command", ["show", "check", "lint", "cassette recover"])
def test_a_device_is_no_file(command: str, tmp_path: Path) -> None:
    """A link in a checkout may lead to a device without end; it is refused before it is read."""
    link = tmp_path / "a.yaml"
    link.symlink_to("/dev/zero")
    with no_hang():
        done = run(*command.split(), str(link))
    assert done.exit_code == 2
    assert "is a device, which may have no end. Name a file." in " ".join(done.stderr.split())


def test_a_device_in_a_folder_is_no_recording(tmp_path: Path) -> None:
    """Where a folder is searched, the other files are read all the same."""
    (tmp_path / "a.yaml").symlink_to("/dev/zero")
    with no_hang(), pytest.raises(Exception, match=r"a\.yaml: is a device, not a cassette"):
        read_cassette(tmp_path / "a.yaml")
    with no_hang():
        assert run("cassette", "secrets", str(tmp_path)).exit_code == 3


def test_a_link_out_of_a_folder_is_passed_over(tmp_path: Path) -> None:
    """A note says so, and nothing is quoted of the target; a link within the folder is read."""
    folder = tmp_path / "checkout"
    (folder / "real").mkdir(parents=True)
    write(folder / "real" / "a.yaml", chat([user("Hi")], "{}"))
    (folder / "inside.yaml").symlink_to("real/a.yaml")
    outside = tmp_path / "outside.yaml"
    outside.write_text("tasks: [{title: private}]\n", "utf-8")
    (folder / "plan.yaml").symlink_to(outside)
    done = run("check", str(folder))
    assert f"plan.yaml is a link out of {folder} and was skipped; name it to read it" in done.stderr
    assert "private" not in done.output
    assert "plan.yaml" not in done.stdout
    assert "read        2 cassettes with 2 exchanges" in done.stdout
    assert "was skipped" not in run("check", str(folder / "plan.yaml")).stderr


def test_a_pattern_does_not_follow_links_out_of_its_folder(tmp_path: Path) -> None:
    """Neither a link to a file nor one to a folder; one within the folder is followed."""
    folder, outside = tmp_path / "checkout", tmp_path / "outside"
    for place in (folder / "real", outside):
        place.mkdir(parents=True)
        write(place / "a.yaml", chat([user("Hi")], "{}"))
    for name, target in (("inside", folder / "real"), ("there", outside), ("link.yaml", outside / "a.yaml")):
        (folder / name).symlink_to(target)
    done = run("check", str(folder / "**" / "*.yaml"))
    for name in ("there/a.yaml", "link.yaml"):
        assert f"{name} is a link out of {folder} and was skipped; name it to read it" in done.stderr
    assert "read        2 cassettes with 2 exchanges" in done.stdout


@pytest.mark.parametrize("command", ["cassette secrets", "diff"])
def test_a_linked_cassette_outside_is_reported_unread(command: str, tmp_path: Path) -> None:
    """Nothing of it is quoted, and the exit code says that not all was judged. If it is named, it is read."""
    folder, outside = tmp_path / "checkout", tmp_path / "outside.yaml"
    folder.mkdir()
    write(folder / "a.yaml", chat([user("Hi")], "{}"))
    write(outside, chat([user("my key is sk-proj-4f9Kq2LmZx7RtY8vWbN3cHdJ")], "private"))
    (folder / "link.yaml").symlink_to(outside)
    sides = 2 if command == "diff" else 1
    done = run(*command.split(), *sides * [str(folder)])
    assert done.exit_code == 3
    assert f"link.yaml: is a link out of {folder}; name it to read it" in done.output
    assert "private" not in done.output
    assert "sk-proj" not in done.output
    named = run(*command.split(), *sides * [str(folder / "link.yaml")])
    assert "is a link out of" not in named.output
    assert "1 secret" in named.stdout or command == "diff"


def test_a_baseline_that_leads_to_a_device_is_no_file(tmp_path: Path) -> None:
    """The baseline of a pull request is a file of the checkout, too."""
    from pytest_planguard.runs.gate.known_failures import read_baseline

    (tmp_path / "b.json").symlink_to("/dev/zero")
    with no_hang(), pytest.raises(RunError, match=r"b\.json: the baseline is not a file\."):
        read_baseline(tmp_path / "b.json")
