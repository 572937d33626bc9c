"""What the commands print about the recordings, plans and answers of this repository, and their help."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from shutil import copy, copytree
from tempfile import TemporaryDirectory

import pytest
from click import Group

from pytest_planguard.cli.main import planguard

from ...support.paths import ROOT
from ...support.warm import inner_environment, run_module
from ...support.whole import Outputs
from ..project.test_demo import run_step
from .scenes import scenes
from .session import printed, session

_RECORDINGS = ("ignores", "fixes", "swings", "echoes_schema", "answers_another_task")
_TICKET = "-c contract.py:TICKET"
_CONTRACT = """
from pytest_planguard import Contract, distinct

SCHEMA = {
    "type": "object",
    "properties": {"priority": {"enum": ["low", "high"]}, "steps": {"type": "array", "items": {"type": "string"}}},
    "required": ["priority", "steps"],
}
TICKET = Contract(SCHEMA, constraints=[distinct("steps")], name="ticket")
WARNS = Contract(SCHEMA, constraints=[distinct("steps", severity="warn")], name="ticket")
"""
_ANSWERS = (
    '{"id": "good", "answer": "{\\"priority\\": \\"low\\", \\"steps\\": [\\"look\\", \\"go\\"]}"}',
    '{"id": "bad", "answer": "{\\"priority\\": \\"hihg\\", \\"steps\\": [\\"look\\", \\"look\\"]}"}',
    '{"id": "prose", "answer": "Sorry, I cannot help."}',
)
COMMANDS = {
    "check-recordings": """
        check recordings
        check recordings -v
        check recordings/instructor-tools.swings.yaml --format json
        check recordings --format github
        check recordings --fail-on warn
        check recordings -c contract.py:TICKET
        check nothing.yaml
        check recordings --format errors
        check recordings --format sarif
        check recordings --format junit
        check recordings --coverage any --must-feed-back contract
        check recordings --fail-on-unclear --max-attempts 2
        check recordings -q
        check recordings --time-limit 0
        check recordings -c contract.py:TICKET --baseline known.json --baseline-update
        check recordings -c contract.py:TICKET --baseline known.json
        check recordings/instructor-tools.fixes.yaml -c contract.py:TICKET --baseline known.json --baseline-prune
        check feedback streams
        check
    """,
    "check-plans": """
        plan check plans
        plan check plans -v
        plan check plans/spec-kit-tasks.md --format json
        plan check broken.md
        plan check broken.md --format json
        plan check plans/bmad-story.md --rules bmat
        plan check broken.md --severity id-unique=warn --fail-on warn
        plan check broken.md --ignore id-unique --format github
        plan check broken.md --severity id-unique=grave
        plan check broken.md --severity nothing=warn
        plan check plans/atomicguard.json --level expansive --max-explorations 10 --r-max 1
        plan check plans/atomicguard.json --level deep
        plan check plans/atomicguard.json --catalogue store,serve
        plan check plans/autospec-tasks.yaml --schema --schema-version implemented
        plan check plans/task-list.json --json-schema nothing.json
        plan fix broken.md
        plan graph plans/spec-kit-tasks.md
        plan graph plans/jira-issues.json --format mermaid
        plan graph answers.jsonl
        plan graph broken.md
        plan graph broken.md --format dot
        plan check nothing.md
        plan check recordings
        plan fix plans
        plan fix broken.md --yes
        plan fix broken.md --yes --rules spec-kit
        plan rules --rules superpowers
        plan rules dep-self --format json
        plan rules dep-self
        plan rules dep-elf
        plan rules copy
        plan rules copy task-mastr
        plan rules dep-cycle task-master
    """,
    "cassettes": """
        show recordings/instructor-tools.ignores.yaml
        show recordings/instructor-tools.swings.yaml
        show recordings/instructor-tools.fixes.yaml --whole -c contract.py:TICKET
        show recordings/instructor-tools.fixes.yaml --rekey
        show recordings
        show nothing.yaml
        cassette secrets recordings
        cassette secrets recordings --redact Printer --redact /pri[a-z]+y/
        cassette secrets recordings --redact Printer --format json
        cassette secrets recordings --redact /(/
        cassette restore nothing.yaml
        cassette recover nothing.yaml
    """,
    "answers": f"""
        check answers.jsonl {_TICKET}
        check answers.jsonl {_TICKET} -v
        check answers.jsonl -c contract.py:NOTHING
        check promptfoo/eval.jsonl
        diff promptfoo/eval.json promptfoo/eval.jsonl
        diff promptfoo/eval.json nothing.json
        diff promptfoo/eval.json
        strength answers.jsonl {_TICKET}
        check warned.jsonl -c contract.py:WARNS
        check warned.jsonl -c contract.py:WARNS --fail-on warn
        check answers.jsonl {_TICKET} --field nothing
        check answers.jsonl {_TICKET} --field answer.text
        check dotted.jsonl {_TICKET} --field answer.text
        check empty.jsonl {_TICKET}
        strength empty.jsonl {_TICKET}
        strength
        strength answers.jsonl {_TICKET} --field answer --format json
        strength answers.jsonl {_TICKET} --field answer --at-least 0.9
        strength answers.jsonl {_TICKET} --field answer --prompt plans/prp.md --equivalent nothing.tsv
        init --from answers.jsonl --field answer --to tickets.py
        init --from answers.jsonl --field answer --to tickets.py
        init --from nothing.jsonl --to tickets.md
        lint plans/prp.md plans/claude-plan.md
        lint plans/prp.md --retry-context
        lint promptfoo
        review
        report nothing
        report
    """,
    "forms": f"""
        check answers.jsonl {_TICKET} --format json
        check answers.jsonl {_TICKET} --format github
        check answers.jsonl {_TICKET} --format sarif
        check answers.jsonl {_TICKET} --format junit
        check answers.jsonl {_TICKET} -q --format errors
        check warned.jsonl -c contract.py:WARNS --fail-on warn --format json
        check empty.jsonl {_TICKET} --format json
        check void --format json
        check answers.jsonl {_TICKET} --baseline new.json --baseline-update --format json
        check answers.jsonl {_TICKET} --baseline new.json --format github
        check answers.jsonl {_TICKET} --baseline-update
        check settings answers.jsonl {_TICKET} --format junit
        plan fix broken.md --format json
        plan fix broken.md --format github --yes
        plan graph plans/jira-issues.json --format dot
        strength answers.jsonl {_TICKET} --field answer
        strength answers.jsonl {_TICKET} --field answer --format markdown --seed 3
        strength answers.jsonl {_TICKET} --field answer -o strength.md --at-least 1
        cassette secrets recordings/instructor-tools.fixes.yaml broken.md --format json
        explain --format json dep-elf
    """,
    "logs": f"""
        check calls.jsonl
        check calls.jsonl -v
        check calls.jsonl {_TICKET}
        check calls.jsonl {_TICKET} --format json
        check calls.jsonl {_TICKET} --format github
        check calls.jsonl {_TICKET} --group-by session
        check calls.jsonl --since 1h
        check calls.jsonl --fail-on new-failures
        check calls.jsonl --engine nothing
        check calls.jsonl --engine dask
        check calls.jsonl --sample 200%
        cassette reproduce calls.jsonl
        cassette reproduce calls.jsonl {_TICKET} --worst 1 -o made
        cassette reproduce calls.jsonl {_TICKET} --worst 1 -o made
        cassette reproduce calls.jsonl {_TICKET} --trace nothing
    """,
    "runs": f"""
        check calls.jsonl {_TICKET} --save first
        check better-calls.jsonl {_TICKET} --save second
        report
        report first
        report first --format markdown
        report first --format json
        report last
        diff first second
        diff first second --format json
        diff second first --format github
        diff first second --case good
        diff first second --fail-on nothing
        report first --tasks
        report first -o first.html
        report first -o first.pdf
        report --matrix nothing
        diff first second --task ticket/e3b0c44298fc
        diff first second --verdict priority --ignore steps
        diff first second --digits 1 --key steps=name
        diff first second -o diff.md
        diff first second --prices nothing.json
        diff first second --fail-on any --format junit
        diff first second --fail-on any --format sarif
        diff first third
        diff first second --baseline-update
        diff first second --baseline nothing.json
        diff --git HEAD
        diff first second first
        diff one=first two=second three=first
        diff one=first two=second three=first --format json
        check calls.jsonl {_TICKET} --save ../first
        check answers.jsonl {_TICKET} --save first
        diff answers.jsonl better.jsonl {_TICKET}
        diff better.jsonl answers.jsonl {_TICKET} --format markdown
        diff better.jsonl answers.jsonl {_TICKET} --format github
    """,
    "words": """
        explain feedback
        explain dep-cycle
        explain converged
        explain converge
        explain feedback --format json
        explain nothing-like-that
        gate abort --run-dir nothing
        gate status --run-dir nothing
        gate resume --run-dir nothing
        search search/planning_contracts.py:STEPS search/recorded
        search search/planning_contracts.py:NOTHING search/recorded
        search search/nothing.py:STEPS search/recorded
    """,
    "nothing-read": f"""
        check void
        check void {_TICKET}
        check settings
        check settings -v
        check settings {_TICKET} -v
        check settings/app.yaml
        check settings/app.yaml {_TICKET} --format errors
        check answers.jsonl
        check answers.jsonl {_TICKET} -c contract.py:WARNS
        show void
        show calls.jsonl
        lint void
        init --from void
        report void
        report --matrix void
        report --matrix answers.jsonl
        report --matrix contract.py
        cassette secrets void
        cassette recover void
        cassette recover answers.jsonl
        cassette serve nothing.yaml
        plan graph plans
    """,
    "refused": f"""
        check calls.jsonl --since soon
        check calls.jsonl --map nothing
        check calls.jsonl --resume --engine dask://local
        check answers.jsonl {_TICKET} --resume
        plan fix -
        plan fix broken.md {_TICKET}
        plan check broken.md --rules contract.py:TICKET
        plan check broken.md --severity id-unique
        plan check broken.md --severity ''
        cassette serve recordings/instructor-tools.fixes.yaml --record
        cassette reproduce calls.jsonl {_TICKET} -c contract.py:WARNS --worst 1
        cassette reproduce calls.jsonl {_TICKET}
        cassette reproduce calls.jsonl {_TICKET} --worst 1 --one-of-each
        init --to tickets.py
        init --field answer
        init --from answers.jsonl --to tickets.md
        init --from answers.jsonl --to ''
        diff one=answers.jsonl two=better.jsonl three=answers.jsonl --format github
        diff one=answers.jsonl two=better.jsonl three=answers.jsonl -o arms.xml
        diff one=answers.jsonl two=better.jsonl three=answers.jsonl --fail-on new
        diff one=answers.jsonl two=better.jsonl three=answers.jsonl --max-latency-increase 1%
        diff one=answers.jsonl two=better.jsonl three=answers.jsonl --max-length-change 1%
        diff one=answers.jsonl one=better.jsonl
        diff answers.jsonl answers.jsonl answers.jsonl
        diff answers.jsonl better.jsonl {_TICKET} --base-contract contract.py:TICKET --base-contract contract.py:WARNS
        diff answers.jsonl better.jsonl --allow-empty-base
        diff answers.jsonl better.jsonl --fail-on verdict
        diff answers.jsonl better.jsonl --fail-on nw
        diff answers.jsonl better.jsonl --max-cost-increase lots
        diff answers.jsonl better.jsonl --max-tokens-increase inf
        diff answers.jsonl better.jsonl --max-length-change -1%
        diff answers.jsonl better.jsonl --rows
        diff answers.jsonl better.jsonl -o a.md -o ./a.md
        diff --git HEAD answers.jsonl better.jsonl
        diff --git HEAD --run-a answers.jsonl
        report --tasks --matrix answers.jsonl
        report answers.jsonl -o page.sarif
        demo --into void -- pytest
        demo --answer answers.jsonl
        demo --into settings
        demo -- nothing-like-that
    """,
}


def outputs() -> Outputs:
    """Return what makes each output."""
    made = {f"{name}.txt": partial(_printed, lines) for name, lines in COMMANDS.items()}
    return {**made, **scenes(), "help.txt": _help, "hook.txt": _hook, "demo.txt": _demo}


def _printed(lines: str) -> str:
    with _project():
        return printed(lines)


def _demo() -> str:
    """Return what the demo prints, without what pytest says of the machine."""
    steps = "pytest_planguard.cli.project.demo.subprocess.run"
    with pytest.MonkeyPatch.context() as patch, _project():
        run_module(["pytest", "--version"], Path.cwd(), inner_environment())  # starts the process that steps come from
        patch.setattr(steps, run_step)
        text = session("demo --into first")
    text = re.sub(r"(?m)^(?:platform|rootdir:|plugins:).*\n", "", text)
    return re.sub(r"127\.0\.0\.1:\d+|\bin \d+\.\d+s\b|=+(?= in |$)", "…", text)


def _hook() -> str:
    """Return what each event of a coding agent is answered about a broken plan."""
    events = {
        "Claude Code": ("PreToolUse", "PostToolUse", "PermissionRequest"),
        "Cursor": ("beforeFileEdit", "preToolUse", "afterFileEdit"),
    }
    sessions = []
    with _project():
        broken = Path("broken.md").read_text(encoding="utf-8")
        for agent, names in events.items():
            roots = {"workspace_roots": [str(Path.cwd())]} if agent == "Cursor" else {"cwd": str(Path.cwd())}
            for name in names:
                given = {"file_path": "new.md" if name.lower().startswith(("pre", "bef")) else "broken.md"}
                event = {"hook_event_name": name, "tool_name": "Write", "tool_input": {**given, "content": broken}}
                for options in ("--rules spec-kit", "--rules spec-kit --deny"):
                    text = session(f"plan hook {options}", json.dumps({**event, **roots}))
                    sessions.append(f"{agent}, {name}:\n{text}")
    return "\n".join(sessions)


def _help() -> str:
    return "\n".join(session(f"{name} --help".strip()) for name in _names(planguard))


def _names(group: Group, prefix: str = "") -> Iterator[str]:
    from click import Context

    yield prefix
    for name in group.list_commands(Context(group)):
        command = group.get_command(Context(group), name)
        if isinstance(command, Group):
            yield from _names(command, f"{prefix} {name}".strip())
        else:
            yield f"{prefix} {name}".strip()


@contextmanager
def _project() -> Iterator[None]:
    """Work in a new folder with copies of plans, answers and a few recordings."""
    before = Path.cwd()
    with TemporaryDirectory() as folder:
        copytree(ROOT / "fixtures", folder, dirs_exist_ok=True)
        Path(folder, "recordings").mkdir()
        for how in _RECORDINGS:
            copy(ROOT / "cassettes" / "scripted-loops" / f"instructor-tools.{how}.yaml", Path(folder, "recordings"))
        Path(folder, "contract.py").write_text(_CONTRACT, encoding="utf-8")
        Path(folder, "answers.jsonl").write_text("".join(f"{line}\n" for line in _ANSWERS), encoding="utf-8")
        dotted = json.dumps({"answer.text": json.loads(_ANSWERS[0])["answer"]})
        Path(folder, "dotted.jsonl").write_text(f"{dotted}\n", encoding="utf-8")
        Path(folder, "empty.jsonl").touch()
        Path(folder, "void").mkdir()
        Path(folder, "settings").mkdir()
        Path(folder, "settings", "app.yaml").write_text("level: debug\n", encoding="utf-8")
        warned = _ANSWERS[1].replace("hihg", "high")
        Path(folder, "warned.jsonl").write_text(f"{warned}\n", encoding="utf-8")
        better = [_ANSWERS[0], _ANSWERS[1].replace("hihg", "high"), _ANSWERS[0].replace('"good"', '"prose"')]
        Path(folder, "better.jsonl").write_text("".join(f"{line}\n" for line in better), encoding="utf-8")
        calls = "".join(_calls())
        Path(folder, "calls.jsonl").write_text(calls, encoding="utf-8")
        Path(folder, "better-calls.jsonl").write_text(calls.replace("hihg", "high"), encoding="utf-8")
        tasks = Path(folder, "plans", "spec-kit-tasks.md").read_text(encoding="utf-8")
        Path(folder, "broken.md").write_text(
            tasks.replace("T002", "T001").replace("- [ ]", "* [ ]", 1), encoding="utf-8"
        )
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def _calls() -> Iterator[str]:
    """Yield the lines of a log: a conversation of two attempts, a good call, and two lines that are none."""
    task = [{"role": "user", "content": "Write a ticket as JSON with priority and steps."}]
    bad, good = (json.loads(line)["answer"] for line in (_ANSWERS[1], _ANSWERS[0]))
    again = [*task, {"role": "assistant", "content": bad}, {"role": "user", "content": "Try again."}]
    worse = bad.replace("hihg", "hgih")
    other = [{"role": "user", "content": "Write another ticket as JSON."}]
    retry = [*other, {"role": "assistant", "content": bad}, {"role": "user", "content": "priority: low or high"}]
    calls = ((task, bad), (again, good), (task, good), (other, bad), (retry, worse))
    for number, (asked, answer) in enumerate(calls, 1):
        message = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": answer}}
        response = {"id": f"c{number}", "object": "chat.completion", "created": 1_760_000_000 + number, "model": "m"}
        request = {"model": "m", "messages": asked}
        yield json.dumps({"request": request, "response": {**response, "choices": [message]}, "session": number}) + "\n"
    yield from ('{"level": "info", "message": "started"}\n', "no JSON\n")
