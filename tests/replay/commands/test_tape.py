"""Commands are recorded by running them, and replayed where no such program is installed."""

import json
import os
import select
import signal
import socket
import subprocess
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest
import yaml

from pytest_planguard import Contract
from pytest_planguard.replay.commands.command_server import CommandServer
from pytest_planguard.replay.commands.shim import CHILD, Connection
from pytest_planguard.replay.commands.taped_run import CommandRequest, CommandResult, tape_scope
from pytest_planguard.replay.files.cassette_text import render
from pytest_planguard.replay.files.interaction import local_exchange
from pytest_planguard.wire.exchange import Exchange

from ...support.cost import no_hang
from ...support.nightly import at_night
from .tape import Open, Tape

WRITES = 'echo "given: $*"; echo careful >&2; cat > notes.txt; mkdir -p out; echo "# Plan for $1" > out/plan.md; exit 3'


@pytest.fixture
def tape(tmp_path: Path) -> Tape:
    """A tape of the program `agent`."""
    return Tape(tmp_path).install(agent=WRITES)


def state(opened: Open, *words: str, stdin: bytes = b"") -> tuple[object, ...]:
    """All that a run can be known by: its streams, its end, the files in its folder."""
    done = opened.run(*words, stdin=stdin)
    files = {p.relative_to(opened.work).as_posix(): p.read_bytes() for p in opened.work.rglob("*") if p.is_file()}
    return done.returncode, done.stdout, done.stderr, files


def test_a_replay_prints_and_writes_the_same(tape: Tape) -> None:
    """Exit code, both streams, standard input that was relayed, and files in new folders."""
    with tape.recorded() as opened:
        live = state(opened, "agent", "printer", stdin=b"caf\xc3\xa9\n")
    assert live == (
        3,
        b"given: printer\n",
        b"careful\n",
        {"notes.txt": b"caf\xc3\xa9\n", "out/plan.md": b"# Plan for printer\n"},
    )
    with tape.replayed() as opened:
        assert state(opened, "agent", "printer", stdin=b"caf\xc3\xa9\n") == live
        assert not opened.session.misses
        assert not opened.session.unplayed


def test_another_input_is_no_hit(tape: Tape) -> None:
    """What a command reads is part of what it was asked; the message names the command."""
    with tape.recorded() as opened:
        opened.run("agent", "printer", stdin=b"a long text about printers and their paper")
    with tape.replayed() as opened:
        done = opened.run("agent", "tomato", stdin=b"something that has no word in common with it at all")
        assert done.returncode == 1
        assert done.stderr.startswith(b"planguard: stale cassette: the request has changed since it was recorded.")
        assert b"sent:      the command agent" in done.stderr
        assert [*opened.work.iterdir()] == []
        assert len(opened.session.misses) == 1


def test_a_prompt_file_counts_by_what_it_says(tape: Tape) -> None:
    """An argument that names a file stands for its content: the prompt that a retry has changed is another request."""
    tape.install(agent='cat "$1" > seen.txt')
    with tape.recorded() as opened:
        (opened.work / "prompt.md").write_text("Plan the printer.\n", encoding="utf-8")
        opened.run("agent", "prompt.md")
    for text, stale in (("Plan the printer.\n", False), ("Plan the other printer.\n", True)):
        with tape.replayed() as opened:
            (opened.work / "prompt.md").write_text(text, encoding="utf-8")
            opened.run("agent", "prompt.md")
            assert opened.session.stale == stale


def test_folders_of_a_run_are_no_part_of_it(tape: Tape) -> None:
    """Paths below the work folder are recorded under a name of their own, in arguments, output and files alike."""
    tape.install(agent='echo "wrote $1"; echo "$1" > plan.md')
    with tape.recorded() as opened:
        opened.run("agent", str(opened.work / "plan.md"))
    text = tape.file.read_text(encoding="utf-8")
    assert str(tape.base) not in text
    assert "<work-folder>/plan.md" in text
    with tape.replayed() as opened:
        assert opened.run("agent", str(opened.work / "plan.md")).stdout == f"wrote {opened.work}/plan.md\n".encode()
        assert (opened.work / "plan.md").read_text(encoding="utf-8") == f"{opened.work}/plan.md\n"


def test_a_folder_that_is_gone_is_named(tape: Tape) -> None:
    """Without it, a run would be recorded and replayed in the folder of the tests."""
    tape.install(agent="true")
    for opening in (tape.recorded, tape.replayed):
        with opening() as opened:
            done = opened.run("sh", "-c", 'rmdir "$PWD"; agent')
            told = "agent was started in a folder that is gone; start it in one that exists"
            assert (done.returncode, opened.server.problems) == (1, [told])
            assert told.encode() in done.stderr


def test_a_program_that_is_not_there_is_named(tape: Tape) -> None:
    """Recording needs the real one."""
    (tape.base / "bin" / "agent").unlink()
    with tape.recorded() as opened:
        done = opened.run("agent")
        assert done.returncode == 127
        assert opened.server.problems == [
            "agent is not installed: got no program of that name on PATH; install it, then record"
        ]
        assert opened.server.problems[0].encode() in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "code", "says"),
    [
        ("echo no such model >&2; exit 4", 4, "it exited with code 4: no such model"),
        ("kill -9 $$", -signal.SIGKILL, "it was killed by signal 9"),
        ("kill -15 $$", -signal.SIGTERM, "it was killed by signal 15"),
    ],
)
def test_an_end_is_replayed_as_it_was(tape: Tape, script: str, code: int, says: str) -> None:
    """An exit code and a signal; such a run is no attempt, and says why."""
    tape.install(agent=script)
    for opening in (tape.recorded, tape.replayed):
        with opening() as opened:
            assert opened.run("agent").returncode == code
            assert exchange(opened).error == says


def test_a_run_that_was_cut_off_is_cut_off_again(tape: Tape) -> None:
    """The app's own time limit ends it, in the cassette and in the replay; the real program does not live on."""
    tape.install(agent="echo $$ > pid.txt; echo begun; exec sleep 600")
    for opening in (tape.recorded, tape.replayed):
        with no_hang(), opening() as opened:
            with subprocess.Popen(["agent"], cwd=opened.work, stdout=subprocess.PIPE) as process:
                assert process.stdout is not None
                assert process.stdout.readline() == b"begun\n"
                process.kill()  # as `subprocess.run` does when the time is over
            opened.server.settle()
            assert exchange(opened).error == "it was ended by a time limit"
            ended(int((opened.work / "pid.txt").read_text(encoding="utf-8")))


def exchange(opened: Open) -> Exchange:
    """The one exchange of a tape."""
    (play,) = opened.session.exchanges
    return play.exchange


def ended(pid: int) -> None:
    """Wait until no agent, nor its `sleep`, runs under this number: a busy system takes its time to end it.

    One that ended has no command line, and another program may take over its number.
    """
    with suppress(FileNotFoundError, ProcessLookupError):
        while any(name in Path(f"/proc/{pid}/cmdline").read_bytes() for name in (b"sleep", b"agent")):
            time.sleep(0.01)


def test_a_signal_reaches_the_real_program(tape: Tape) -> None:
    """A program that takes its leave properly is recorded so."""
    tape.install(agent="trap 'echo bye; exit 5' TERM; echo begun; while :; do sleep 0.05; done")
    with no_hang(), tape.recorded() as opened:
        process = subprocess.Popen(["agent"], cwd=opened.work, stdout=subprocess.PIPE)
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        process.send_signal(signal.SIGTERM)
        assert process.communicate() == (b"bye\n", None)
        assert process.returncode == 5


def test_output_comes_as_it_is_written(tape: Tape) -> None:
    """While recording, the first line is there before the program goes on."""
    tape.install(agent='echo first; read line; echo "second $line"')
    with no_hang(), tape.recorded() as opened:
        process = subprocess.Popen(["agent"], cwd=opened.work, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert process.stdout is not None
        assert process.stdout.readline() == b"first\n"
        assert process.communicate(b"go\n")[0] == b"second go\n"
        assert opened.server.notes == [
            "agent: received input while it answered: planguard does not replay interactive protocols"
        ]


def test_input_that_is_the_test_s_own_is_left_alone(tape: Tape) -> None:
    """A command that inherits the standard input of pytest reads it live; nothing of it is recorded or read later."""
    tape.install(agent='read line; echo "read: $line"')
    ours, theirs = os.pipe()
    before = os.dup(0)
    os.dup2(ours, 0)  # a pipe that nobody closes
    try:
        for opening in (tape.recorded, tape.replayed):
            with no_hang(), opening() as opened:
                os.write(theirs, b"typed by a person\n")
                agent = subprocess.run(["agent"], cwd=opened.work, capture_output=True, check=True, timeout=60)
                assert agent.stdout == b"read: typed by a person\n"
                assert not opened.session.misses
        assert select.select([0], [], [], 0)[0], "the replay has read what was typed"
    finally:
        os.dup2(before, 0)
        for descriptor in (before, ours, theirs):
            os.close(descriptor)
    assert "stdin" not in json.loads(yaml.safe_load(tape.file.read_text())["interactions"][0]["request"]["body"])


@pytest.mark.slow
@pytest.mark.parametrize(("given", "expected_ms"), [(b"", 250), (b"a prompt", 10_000)])
def test_a_replay_waits_for_input_that_was_recorded(
    tape: Tape, given: bytes, expected_ms: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pipe that nobody writes to or closes is not waited for where the recorded run read nothing."""
    waits: list[int] = []
    with tape.recorded() as opened:
        opened.run("agent", "printer", stdin=given)
    asked = Connection.send

    def send(connection: Connection, kind: bytes, payload: bytes = b"") -> None:
        if kind == b"I":
            waits.append(int(payload))
        asked(connection, kind, payload)

    monkeypatch.setattr(Connection, "send", send)
    with no_hang(), tape.replayed() as opened:
        process = subprocess.Popen(["agent", "printer"], cwd=opened.work, stdin=subprocess.PIPE)
        assert process.stdin is not None
        process.stdin.write(given)
        process.stdin.flush()
        if given:
            process.stdin.close()
        assert process.wait() == 3
        process.stdin.close()
    assert waits == [expected_ms]


@pytest.mark.slow
def test_two_runs_at_once(tape: Tape) -> None:
    """One command name, eight runs at a time: each gets its own answer, and writes its own files, whole at once."""
    tape.install(agent='sleep 0.1; echo "answer to $1"; echo "$1" > ".$1"; mv ".$1" "$1.txt"')
    for opening in (tape.recorded, tape.replayed):
        with no_hang(), opening() as opened:
            runs = {
                f"task{n}": subprocess.Popen(["agent", f"task{n}"], cwd=opened.work, stdout=subprocess.PIPE)
                for n in range(8)
            }
            assert {name: run.communicate()[0] for name, run in runs.items()} == {
                name: f"answer to {name}\n".encode() for name in runs
            }
            assert sorted(path.stem for path in opened.work.iterdir()) == sorted(runs)


@pytest.mark.slow
def test_a_file_that_another_run_had_half_written(tape: Tape) -> None:
    """It is recorded with both runs. In a replay it is whole, whichever of them is asked for first."""
    until = "do sleep 0.01; done"
    tape.names = ("slow", "fast")
    tape.install(
        fast=f"touch .begun; while [ ! -s a.txt ]; {until}",
        slow=f"printf ha > a.txt; while [ ! -e .ended ]; {until}; printf lf >> a.txt",
    )
    with no_hang(), tape.recorded() as opened:
        fast = subprocess.Popen(["fast"], cwd=opened.work)
        while not (opened.work / ".begun").exists():
            time.sleep(0.01)
        slow = subprocess.Popen(["slow"], cwd=opened.work)
        fast.wait()
        (opened.work / ".ended").touch()
        slow.wait()
    for order in (("slow", "fast"), ("fast", "slow")):
        with tape.replayed() as opened:
            assert [opened.run(name).returncode for name in order] == [0, 0]
            assert (opened.work / "a.txt").read_bytes() == b"half"


@pytest.mark.slow
def test_what_a_command_runs_belongs_to_it(tmp_path: Path) -> None:
    """A shim within the run of another is passed by: a replay of the outer one never starts it."""
    tape = Tape(tmp_path, names=("agent", "helper")).install(
        agent='helper "for $1"; agent2=$(helper twice); echo "outer $agent2"', helper='echo "helper $1"'
    )
    with tape.recorded() as opened:
        live = opened.run("agent", "me").stdout
        assert live == b"helper for me\nouter helper twice\n"
        assert len(opened.session.exchanges) == 1
        assert opened.run("helper", "alone").stdout == b"helper alone\n"
        assert len(opened.session.exchanges) == 2
    with tape.replayed() as opened:
        assert opened.run("agent", "me").stdout == live
        assert opened.run("helper", "alone").stdout == b"helper alone\n"
        assert not opened.session.unplayed


def test_a_file_that_is_too_large_is_noted(tape: Tape) -> None:
    """With the name of the command, once."""
    tape.install(agent="head -c 1000001 /dev/zero > large.bin")
    with tape.recorded() as opened:
        opened.run("agent")
        opened.run("agent")
        assert opened.server.notes == [
            "agent: large.bin is not recorded: got 1,000,001 bytes, a file may have 1,000,000"
        ]


def test_a_child_has_its_own_variables_again(tmp_path: Path) -> None:
    """What planguard gave to a child is taken back for the real program, and recorded as it was before."""
    tape = Tape(tmp_path, scope=tape_scope((), ("A_MODEL", "A_BASE")))
    tape.install(agent='echo "$A_MODEL ${A_BASE-none}"')
    with tape.recorded() as opened:
        name, child = opened.server.child({"A_MODEL": "own", "A_BASE": None})
        assert not child.asked
        given = {**os.environ, CHILD: name, "A_MODEL": "changed", "A_BASE": "http://127.0.0.1"}
        assert opened.run("agent", env=given).stdout == b"own none\n"
        assert child.asked
        (run,) = opened.server.runs
        assert run._environment() == {"A_MODEL": "own"}
        assert len({name, opened.server.child({})[0]}) == 2


def test_a_wrapper_of_the_same_name(tape: Tape) -> None:
    """A program that starts another of its own name further down PATH is recorded once."""
    real = tape.base / "real"
    real.mkdir()
    (real / "agent").write_text('#!/bin/sh\necho "the real one: $1"\n', encoding="utf-8")
    (real / "agent").chmod(0o755)
    tape.install(agent=f'PATH="{real}:$PATH"; exec agent "wrapped $1"')
    with no_hang(), tape.recorded() as opened:
        assert opened.run("agent", "x").stdout == b"the real one: wrapped x\n"
        assert len(opened.session.exchanges) == 1


@pytest.mark.slow
def test_very_long_arguments_and_odd_ones(tape: Tape) -> None:
    """120,000 characters, line breaks, an empty word, quotes and bytes that are no UTF-8 arrive as they are."""
    tape.install(agent='for word in "$@"; do printf "%s\\n" "$word" | cksum; done')
    words = ["x" * 120_000, "two\nlines", "", 'it\'s "$HOME" `id`', os.fsdecode(b"\xff\xfe")]
    direct = subprocess.run(["/bin/sh", tape.base / "bin" / "agent", *words], capture_output=True, check=True).stdout
    for opening in (tape.recorded, tape.replayed):
        with opening() as opened:
            assert opened.run("agent", *words).stdout == direct


@pytest.mark.slow
def test_much_output(tape: Tape) -> None:
    """All of it is recorded, more than any pipe takes at once, and at night than any frame, and comes again."""
    size = 2_000_000 if at_night() else 300_000
    tape.install(agent=f"yes 0123456789abcde | head -c {size}")
    with no_hang(), tape.recorded() as opened:
        live = opened.run("agent").stdout
    assert len(live) == size
    with no_hang(), tape.replayed() as opened:
        assert opened.run("agent").stdout == live


@pytest.mark.slow
def test_megabytes_of_output_are_replayed(tape: Tape) -> None:
    """From a cassette that was written without the search for secrets, which takes seconds for twenty megabytes."""
    size = (20 if at_night() else 4) * 1024 * 1024
    printed = b"0123456789abcde\n" * (size // 16)
    request, result = CommandRequest("agent", ()), CommandResult(printed, exit_code=0)
    tape.file.write_text(render([local_exchange(request.url, request.body, result.body, 1.0)]), encoding="utf-8")
    with no_hang(), tape.replayed() as opened:
        done = opened.run("agent")
        assert (len(done.stdout), done.stdout == printed, done.stderr) == (size, True, b"")


def test_a_shim_outlives_its_test(tape: Tape) -> None:
    """A command that is started later says so."""
    with tape.recorded() as opened:
        agent = Path(os.environ["PATH"].split(":")[0], "agent").read_text(encoding="utf-8")
    late = subprocess.run(["/bin/sh", "-c", agent, "agent"], capture_output=True, cwd=opened.work, check=False)
    assert (late.returncode, late.stderr) == (1, b"planguard: agent was started after its test had ended\n")


def test_a_server_keeps_no_process_alive(tmp_path: Path) -> None:
    """Neither the thread that listens, nor one that hears a shim which says nothing."""
    before = {*threading.enumerate()}
    server = CommandServer(tmp_path)
    with socket.create_connection(("127.0.0.1", server.port)), no_hang():
        while len(begun := {*threading.enumerate()} - before) < 2:
            time.sleep(0.001)
        assert all(thread.daemon for thread in begun)
        assert "planguard commands" in {thread.name for thread in begun}
    server.close()


def test_nobody_else_is_answered(tape: Tape) -> None:
    """The port of a test takes no word from a program that does not know its token."""
    with tape.recorded() as opened:
        agent = Path(os.environ["PATH"].split(":")[0], "agent").read_text(encoding="utf-8")
        forged = agent.replace(opened.server.token, "x" * len(opened.server.token))
        assert forged != agent
        done = subprocess.run(["/bin/sh", "-c", forged, "agent"], capture_output=True, cwd=opened.work, check=False)
        assert done.returncode == 1
        assert not opened.server.runs


def test_secrets_stay_off_the_disk(tape: Tape, monkeypatch: pytest.MonkeyPatch) -> None:
    """In arguments, in the value of an option, in standard input, in output, in files; the environment is not kept."""
    key, token = "sk-proj-abcdEFGH1234567890abcdEFGH", "ghp_" + "a1B2" * 9
    monkeypatch.setenv("MY_API_KEY", "correct-horse-battery-9")
    tape.install(
        agent='echo "$MY_API_KEY"; cat; echo "token $3" > out.env; echo "db_password=hunter2hunter2" >> out.env'
    )
    with tape.recorded() as opened:
        opened.run("agent", "--api-key", "plainlooking", token, f"--password=letmein{'x' * 9}", stdin=key.encode())
        assert {str(found.kind) for found in opened.session.secrets_found} >= {"GitHub token"}
    text = tape.file.read_text(encoding="utf-8")
    for secret in (key, token, "correct-horse", "plainlooking", "letmein", "hunter2"):
        assert secret not in text
    with tape.replayed() as opened:
        done = opened.run("agent", "--api-key", "another", token, f"--password={'y' * 9}", stdin=key.encode())
        assert done.returncode == 0, done.stderr


TICKET = Contract({"type": "object", "required": ["title"]}, name="Ticket", judged="ticket.json")
"""The contract on the file that `agent` writes."""


@pytest.mark.slow
def test_a_retry_must_carry_what_was_wrong(tmp_path: Path) -> None:
    """The gate knows by the contract what was wrong with the file: a retry that drops it is refused and named."""
    tape = Tape(tmp_path, contracts=(TICKET,)).install(
        agent='case "$1" in *title*) echo \'{"title": "x"}\';; *) echo "{}";; esac > ticket.json'
    )
    good = "Write a ticket.\nFix this: 'title' is a required property"
    with tape.recorded() as opened:
        opened.run("agent", "Write a ticket.")
        opened.run("agent", good)
    with tape.replayed() as opened:
        opened.run("agent", "Write a ticket.")
        blind = opened.run("agent", "Write a ticket.")
        assert b"missing feedback: the retry feeds back no finding of the attempt before it" in blind.stderr
        assert (opened.work / "ticket.json").read_text(encoding="utf-8") == "{}\n"
    with tape.replayed() as opened:
        opened.run("agent", "Write a ticket.")
        assert opened.run("agent", good.replace("Fix this", "Please repair")).returncode == 0
        assert (opened.work / "ticket.json").read_text(encoding="utf-8") == '{"title": "x"}\n'


@pytest.mark.parametrize("pause_s", [0, 0.3])
def test_a_thread_of_runs_ends_with_its_test(tape: Tape, monkeypatch: pytest.MonkeyPatch, pause_s: float) -> None:
    """A command that still runs when the test is done is cut off, even if it can report our signal in a pause."""
    real = os.kill
    monkeypatch.setattr(os, "kill", lambda pid, number: (real(pid, number), time.sleep(pause_s)))
    tape.install(agent="exec sleep 60")
    with no_hang(), tape.recorded() as opened:
        thread = threading.Thread(target=lambda: opened.run("agent"))
        thread.start()
        while not opened.server.runs:
            time.sleep(0.01)
        opened.server.settle()
        thread.join()
        assert exchange(opened).error == "it was ended by a time limit"


def test_a_connection_that_never_says_who_it_is_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing waits for it: neither its thread nor the end of the test."""
    monkeypatch.setattr("pytest_planguard.replay.commands.command_server._HELLO_S", 0.05)
    server = CommandServer()
    try:
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as link:
            link.sendall(b"H")
            assert link.recv(100) == b""
    finally:
        server.close()
