"""Where a run comes from: what is said if nothing has its name, the files of a folder, and single tasks."""

from pathlib import Path

import pytest

from pytest_planguard.errors import RunError, UsageError
from pytest_planguard.runs.load.load import folded, load_run, only_tasks, read_run, without_task
from pytest_planguard.runs.load.source import LoadOptions, Source, read_answer_file
from pytest_planguard.runs.store.store import Store

from ...support.exchanges import chat, user, write
from ...support.one_item import in_one_item
from ...support.runs import good, run


def test_an_unknown_name_lists_what_there_is(tmp_path: Path) -> None:
    """Kept runs and variants, with the nearest of them."""
    options = LoadOptions(root=tmp_path)
    end = "Keep a run with pytest --planguard-save NAME."
    with pytest.raises(RunError) as error:
        load_run("main", options)
    nothing = "'main' is not a file, folder, kept run or variant. Kept runs: none; variants: none."
    assert str(error.value) == f"{nothing} {end}"
    Store(tmp_path).save("main", run("main", []).header, [])
    Store(tmp_path).save("old", run("old", []).header, [])
    folder = tmp_path / "cassettes" / "test_x" / "gpt-5"
    folder.mkdir(parents=True)
    write(folder / "case.yaml", chat([user("hi")], "hello"))
    with pytest.raises(RunError) as error:
        load_run("gpt-6", options)
    assert str(error.value) == (
        "'gpt-6' is not a file, folder, kept run or variant. Did you mean 'gpt-5'? Kept runs: main, old; "
        f"variants: gpt-5. {end}"
    )
    assert load_run("main", options).rows == ()


def test_a_folder_without_an_answer_says_what_was_looked_for(tmp_path: Path) -> None:
    """The first problem, if it has any."""
    with pytest.raises(RunError) as error:
        load_run(str(tmp_path))
    assert str(error.value) == (
        f"{tmp_path}: no cassette and no answer; looked for .yaml, .yml, .json, .jsonl, .ndjson"
    )


def test_hidden_files_and_links_out_of_a_folder_are_not_read(tmp_path: Path) -> None:
    """A link within it is; one that leads out is named."""
    folder, outside = tmp_path / "runs", tmp_path / "secret.json"
    (folder / ".git").mkdir(parents=True)
    for file in (outside, folder / "a.json", folder / ".hidden.json", folder / ".git" / "b.json", folder / "c.txt"):
        file.write_text("{}", encoding="utf-8")
    (folder / "in.json").symlink_to(folder / "a.json")
    (folder / "out.json").symlink_to(outside)
    raw = read_run(str(folder))
    assert [case.row.key for case in raw.cases] == ["a", "in"]
    assert [(problem.place, problem.reason) for problem in raw.problems] == [
        (f"{folder / 'out.json'}", f"is a link out of {folder}; name it to read it")
    ]
    assert len(read_run(str(folder / "out.json")).cases) == 1


def test_samples_of_a_case_have_the_key_of_the_first(tmp_path: Path) -> None:
    """If that is there; a file of answers with such a name is a case of its own."""
    for name in ("case", "case.2", "other.2"):
        write(tmp_path / f"{name}.yaml", chat([user("hi")], "hello"))
    (tmp_path / "plain.json").write_text("{}", encoding="utf-8")
    (tmp_path / "plain.2.json").write_text("{}", encoding="utf-8")
    keys = sorted(case.row.key for case in read_run(str(tmp_path)).cases)
    assert keys == ["case", "case", "other.2", "plain", "plain.2"]


@in_one_item
@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("018-2-pre_project_assessment", "preprojectassessment"), ("PreProjectAssessmentTask", "preprojectassessment"),
        ("3. Pre Project--assessment", "preprojectassessment"), ("task", "task"), ("Task", "task"), ("1-task", "task"),
        ("2026", "2026"), ("2a", "2a"), ("ÄrgerTask", "ärger"), ("taskforce", "taskforce"),
    ],
)  # fmt: skip
def test_names_of_tasks_are_compared_without_their_spelling(name: str, plain: str) -> None:
    """Without case, separators, leading numbers and the end of a class's name."""
    assert folded(name) == plain


def test_only_the_rows_of_the_named_tasks_are_kept() -> None:
    """Under the name that was given, also by the last part of a path; one that only one run has is kept there."""
    runs = [run("v1", [good("out/018-plan"), good("out/019-risks")]), run("v2", [good("PlanTask"), good("x")])]
    chosen = only_tasks(runs, ["plan", "Risks", "plan"])
    assert [[row.key for row in one.rows] for one in chosen] == [["plan", "Risks"], ["plan"]]
    assert [row.test for row in only_tasks(runs, ["out/018-plan"])[0].rows] == ["test_x.py::out/018-plan"]
    assert without_task(runs[1]) == "v2 has no output of it: the task failed, or did not run"


def test_an_unknown_task_lists_the_tasks_that_there_are() -> None:
    """Eight of them, and the nearest, by its spelling or without it."""

    def said(task: str, *keys: str) -> str:
        runs = [run("v1", [good(key) for key in keys]), run("v2", [good(keys[0])])]
        with pytest.raises(UsageError) as error:
            only_tasks(runs, [task])
        return str(error.value)

    assert said("zzz", "b", "a") == "--task 'zzz': no such task in v1 and v2. There is: a, b."
    assert said("plam", "plan") == "--task 'plam': no such task in v1 and v2. Did you mean 'plan'? There is: plan."
    eight, nine = ([f"t{number}" for number in range(count)] for count in (8, 9))
    assert said("zzz", *eight).endswith("There is: t0, t1, t2, t3, t4, t5, t6, t7.")
    assert said("zzz", *nine).endswith("There is: t0, t1, t2, t3, t4, t5, t6, t7 and 1 more.")


def test_a_file_that_the_system_cannot_read_is_named(tmp_path: Path) -> None:
    """With the system's reason, whichever part of it is read first."""
    source = Source(str(tmp_path / "gone.jsonl"))
    for part in ("first_line", "values"):
        with pytest.raises(RunError) as error:
            getattr(source, part)
        assert str(error.value) == f"{source.name}: the run cannot be read: No such file or directory. Check the path."
    (problem,) = read_answer_file(source).problems
    assert (problem.place, problem.reason) == (source.name, "cannot be read: No such file or directory")
