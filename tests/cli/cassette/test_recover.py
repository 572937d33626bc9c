"""`planguard cassette recover`: what a killed run recorded becomes a cassette, and nothing finished is lost."""

from pathlib import Path

from pytest_planguard.replay.files.cassette_text import render
from pytest_planguard.replay.files.reader import read_cassette

from ...support.commands import run
from ...support.exchanges import chat, part_of, user

ONE, TWO = chat([user("one")], "first"), chat([user("two")], "second")


def interrupted(path: Path) -> Path:
    """A cassette that was killed in the middle of its third exchange."""
    part = part_of(path)
    part.parent.mkdir(parents=True, exist_ok=True)
    part.write_text(render([ONE, TWO]) + "- request:\n    meth", encoding="utf-8")
    return part


def test_the_whole_exchanges_become_a_recording(tmp_path):
    """By file or by folder; what was half written is left out, and it says how many there are."""
    one, two = tmp_path / "one.yaml", tmp_path / "deeper" / "two.yaml"
    part = interrupted(one)
    done = run("cassette", "recover", str(part))
    assert (done.exit_code, done.stdout) == (0, f"{one}: 2 exchanges recovered\n")
    assert len(read_cassette(one).exchanges) == 2
    assert not part.exists()
    interrupted(two)
    assert run("cassette", "recover", str(tmp_path)).stdout == f"{two}: 2 exchanges recovered\n"


def test_a_finished_recording_stays(tmp_path):
    """Where a cassette stands the part is not touched; the others are recovered all the same."""
    kept = tmp_path / "kept.yaml"
    kept.write_text(render([ONE]), encoding="utf-8")
    part = interrupted(kept)
    interrupted(tmp_path / "other.yaml")
    done = run("cassette", "recover", str(tmp_path))
    assert done.exit_code == 3
    assert (
        "there is a finished cassette; recover kept.yaml.0badcafe.part with --replace, which keeps that one for"
        in done.stderr
    )
    assert done.stdout == f"{tmp_path / 'other.yaml'}: 2 exchanges recovered\n"
    assert kept.read_text(encoding="utf-8") == render([ONE])
    assert part.exists()


def test_what_cannot_be_recovered_is_named(tmp_path):
    """Another file, an empty folder, a part without a whole exchange: one clear message."""
    (tmp_path / "a.yaml").write_text("x", encoding="utf-8")
    other = run("cassette", "recover", str(tmp_path / "a.yaml"))
    why = "is not a .part file; name the file that an interrupted session left, or its folder"
    assert (other.stdout, other.stderr) == ("", f"planguard: {tmp_path / 'a.yaml'}: {why}\n")
    nothing = run("cassette", "recover", str(tmp_path))
    assert nothing.stderr == f"planguard: {tmp_path}: no .part file; there is nothing to recover\n"
    (tmp_path / "b.yaml.part").write_text("version: 1\n", encoding="utf-8")
    assert "has no finished exchange; record the test again" in run("cassette", "recover", str(tmp_path)).stderr


def test_what_earlier_interruptions_left_is_named_and_not_taken(tmp_path):
    """Of a folder only the last interruption is recovered; an older one is named, and recovered by its name."""
    cassette = tmp_path / "one.yaml"
    older = interrupted(cassette).rename(tmp_path / "one.yaml.part.1")
    told = f"left by earlier interruptions (1 file); recover one by its name, or remove:\n  {older}: 2 exchanges\n"
    alone = run("cassette", "recover", str(tmp_path))
    assert (alone.exit_code, alone.stdout) == (3, told)
    assert "nothing was recovered: name the file that you want" in alone.stderr
    interrupted(cassette)
    both = run("cassette", "recover", str(tmp_path))
    assert (both.exit_code, both.stdout) == (0, f"{cassette}: 2 exchanges recovered\n{told}")
    assert "there is a finished cassette; recover one.yaml.part.1 with --replace" in (
        run("cassette", "recover", str(older)).stderr
    )
    cassette.unlink()
    assert run("cassette", "recover", str(older)).stdout == f"{cassette}: 2 exchanges recovered\n"
    assert not older.exists()


def test_a_finished_cassette_is_replaced_only_if_asked_and_comes_back(tmp_path, monkeypatch):
    """No file is moved by hand: both ways are one command."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "tests" / "a.yaml"
    part = interrupted(path)
    path.write_text(render([ONE]), encoding="utf-8")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("mine")
    (path.parent / "a.yaml.part.new").symlink_to(elsewhere)
    done = run("cassette", "recover", "--replace", str(part))
    assert (done.exit_code, done.stdout) == (0, f"{path}: 2 exchanges recovered\n")
    assert len(read_cassette(path).exchanges) == 2
    assert (elsewhere.read_text(), path.is_symlink(), part.exists()) == ("mine", False, False)
    restored = run("cassette", "restore", str(path))
    said = "restored; the newer one is kept, the same command brings it back"
    assert (restored.exit_code, restored.stdout, restored.stderr) == (0, f"{path}: {said}\n", "")
    assert path.read_text(encoding="utf-8") == render([ONE])
