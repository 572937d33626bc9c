"""The store: names, atomic writing, a folder that ignores itself, and one message where the disk says no."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_planguard.errors import RunError, UsageError
from pytest_planguard.runs.model.run import RunHeader
from pytest_planguard.runs.store.project_files import write_whole
from pytest_planguard.runs.store.store import Store, checked_name, name_to_save

from ...support.runs import good

ROWS = [good("a")]
HEADER = RunHeader("x")


def test_a_saved_run_is_found_by_its_name(tmp_path: Path) -> None:
    """Saved under a name, listed, loaded under that name."""
    store = Store(tmp_path)
    path = store.save("main", HEADER, ROWS)
    assert path == tmp_path / ".planguard" / "runs" / "main.jsonl"
    assert store.names() == ("main",)
    assert (store.load("main").name, len(store.load("main").rows)) == ("main", 1)


def test_the_folder_keeps_itself_out_of_version_control(tmp_path: Path) -> None:
    """Its own .gitignore covers everything in it, itself included."""
    Store(tmp_path).save("main", HEADER, ROWS)
    assert (tmp_path / ".planguard" / ".gitignore").read_text().splitlines()[-1] == "*"


def test_an_unknown_name_offers_the_nearest(tmp_path: Path) -> None:
    """The message has the nearest name and all of them."""
    store = Store(tmp_path)
    store.save("candidate", HEADER, ROWS)
    with pytest.raises(RunError, match=r"no run 'candidat' .* Did you mean 'candidate'\? Kept runs: candidate\.$"):
        store.load("candidat")


@pytest.mark.parametrize("name", ["../up", "", "a/b", ".hidden", "a" * 81, "x\n"])
def test_a_name_cannot_leave_the_folder(tmp_path: Path, name: str) -> None:
    """A path, an empty text and a hidden file are no names."""
    with pytest.raises(UsageError, match=r"run(?: name)?; use up to 80 letters"):
        Store(tmp_path).save(name, HEADER, ROWS)
    assert not (tmp_path / ".planguard").exists()


@pytest.mark.parametrize("name", ["a", "9", "v1.2", "A-b_c", "a" * 80])
def test_a_name_is_a_file_on_every_system(tmp_path: Path, name: str) -> None:
    """Letters, digits and three signs."""
    assert checked_name(name) == name
    assert Store(tmp_path).path(name).name == f"{name}.jsonl"


def test_names_of_unfinished_sessions_are_theirs() -> None:
    """A run cannot be saved under one, and what a killed session left behind can be loaded."""
    message = "'unfinished-a': names that begin with 'unfinished-' belong to sessions that have not ended"
    with pytest.raises(UsageError) as error:
        name_to_save("unfinished-a")
    assert str(error.value) == message
    assert (name_to_save("unfinished"), checked_name("unfinished-a")) == ("unfinished", "unfinished-a")


def test_the_message_of_a_bad_name_says_what_a_good_one_is() -> None:
    """The name of the last run is taken."""
    rule = "use up to 80 letters, digits, '.', '-' and '_', starting with a letter or digit"
    for name, why in (("a/b", "is not a valid run name"), ("last", "names the last run")):
        with pytest.raises(UsageError) as error:
            checked_name(name)
        assert str(error.value) == f"{name!r} {why}; {rule}"


def test_an_unknown_run_of_an_empty_store_has_no_hint(tmp_path: Path) -> None:
    """There is no name to offer."""
    with pytest.raises(RunError) as error:
        Store(tmp_path).load("main")
    assert str(error.value) == f"there is no run 'main' in {tmp_path / '.planguard'}. Kept runs: none."


@pytest.mark.skipif(os.name == "nt", reason="needs permissions of POSIX")
def test_the_folder_is_private_and_its_rules_stay(tmp_path: Path) -> None:
    """What a user has changed there is not written again."""
    store = Store(tmp_path)
    store.prepare()
    assert stat.S_IMODE(store.folder.stat().st_mode) == 0o700
    (store.folder / ".gitignore").write_text("mine\n")
    store.folder.chmod(0o750)
    store.save("main", HEADER, ROWS)
    assert (store.folder / ".gitignore").read_text() == "mine\n"
    assert stat.S_IMODE(store.folder.stat().st_mode) == 0o750


def test_the_last_run_has_a_place_of_its_own(tmp_path: Path) -> None:
    """The last run is kept beside the saved ones, and a user cannot take its name."""
    store = Store(tmp_path)
    assert store.save("last", HEADER, ROWS) == tmp_path / ".planguard" / "last.jsonl"
    assert store.names() == ("last",)
    with pytest.raises(UsageError, match=r"^'last' names the last run"):
        checked_name("last")


def test_a_failed_write_leaves_the_old_run_and_no_litter(tmp_path: Path) -> None:
    """When writing breaks in the middle, the run that stood there stands there still."""
    path = tmp_path / "run.jsonl"
    path.write_text("old\n")

    def lines():  # type: ignore[no-untyped-def]
        yield "new\n"
        raise OSError(28, "No space left on device")

    with pytest.raises(RunError) as error:
        write_whole(path, lines(), "the run")
    assert str(error.value) == (
        f"{path}: the run was not written: No space left on device. Free some space, or write to another disk."
    )
    assert (path.read_text(), [p.name for p in tmp_path.iterdir()]) == ("old\n", ["run.jsonl"])


def test_a_place_that_is_no_folder_is_one_message(tmp_path: Path) -> None:
    """A file where the folder should be is told by its name."""
    (tmp_path / ".planguard").write_text("")
    with pytest.raises(RunError, match=r"\.planguard.*was not written: .*\. Check the path\.$"):
        Store(tmp_path).save("main", HEADER, ROWS)


def on_a_disk(options: str, folder: Path, program: str) -> list[str]:
    """Lines that a program prints on a file system of its own, mounted at a folder with these options."""
    folder.mkdir()
    script = f'mount -t tmpfs -o {options} tmpfs {folder} && {sys.executable} -c "$PROGRAM" {folder}'
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", script],
        env={**os.environ, "PROGRAM": program},
        capture_output=True,
        text=True,
        timeout=60,
    )
    if "unshare" in done.stderr or "mount" in done.stderr:
        pytest.skip("needs the right to mount a small file system in a namespace of its own")
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


SAVE = """
import sys
from pathlib import Path
from pytest_planguard.errors import RunError
from pytest_planguard.runs.model.run import RunHeader
from pytest_planguard.runs.model.run import CaseRow
from pytest_planguard.runs.store.store import Store
store = Store(Path(sys.argv[1]))
for size in (1, 3000):
    try:
        store.save("main", RunHeader("x"), [CaseRow("a", "t" * 40)] * size)
    except RunError as error:
        print(error)
if store.names():
    print(len(store.load("main").rows), sorted(p.name for p in store.path("main").parent.iterdir()))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux namespaces")
def test_a_full_disk_is_one_message_and_keeps_the_old_run(tmp_path: Path) -> None:
    """On a disk of 64 kB the second, larger run is refused, the first is kept, and nothing is left over."""
    said = on_a_disk("size=64k", tmp_path / "small", SAVE)
    path = tmp_path / "small" / ".planguard" / "runs" / "main.jsonl"
    assert said == [
        f"{path}: the run was not written: No space left on device. Free some space, or write to another disk.",
        "1 ['main.jsonl']",
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux namespaces")
def test_a_read_only_disk_is_one_message(tmp_path: Path) -> None:
    """A file system that cannot be written is told with the way out."""
    said = on_a_disk("ro", tmp_path / "fixed", SAVE)
    ignore = tmp_path / "fixed" / ".planguard" / ".gitignore"
    message = f"{ignore}: the run's folder was not written: Read-only file system."
    assert said == [f"{message} The file system is read-only: choose another folder."] * 2


@pytest.mark.slow
def test_two_sessions_at_once_leave_one_whole_run(tmp_path: Path) -> None:
    """Writers that race on one name leave the rows of one of them, never a mixture, and no temporary files."""
    program = (
        "import sys; from pathlib import Path; from pytest_planguard.runs.store.store import Store\n"
        "from pytest_planguard.runs.model.run import RunHeader\n"
        "from pytest_planguard.runs.model.run import CaseRow\n"
        "rows = [CaseRow(f'{sys.argv[2]}{n}', 't') for n in range(300)]\n"
        "for _ in range(20): Store(Path(sys.argv[1])).save('main', RunHeader('x'), rows)\n"
    )
    started = [subprocess.Popen([sys.executable, "-c", program, str(tmp_path), who]) for who in "ab"]
    assert [process.wait(60) for process in started] == [0, 0]
    path = Store(tmp_path).path("main")
    lines = path.read_text().splitlines()[1:]
    assert {json.loads(line)["key"][0] for line in lines} in ({"a"}, {"b"})
    assert (len(lines), [p.name for p in path.parent.iterdir()]) == (300, ["main.jsonl"])
