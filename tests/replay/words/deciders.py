"""What is taken for a secret, a helper program or a recorded file: one decider for each file of inputs."""

from __future__ import annotations

from pytest_planguard.replay.commands.work_folder import is_recorded_path
from pytest_planguard.replay.files.names import safe_name
from pytest_planguard.replay.files.recording_text import block, pretty, scalar
from pytest_planguard.replay.network.helper_programs import base_name, starts_by_itself
from pytest_planguard.replay.privacy import secret_names as names
from pytest_planguard.replay.privacy.redaction import Redaction
from pytest_planguard.replay.privacy.secrets import find_secrets

from ...support.pins import Decide


def named(name: str) -> str:
    """Return what a name says of its value, as a member, a header and a parameter."""
    speaks = names.name_speaks(name).value
    return f"{speaks}{', header' * names.header_speaks(name)}{', parameter' * names.parameter_speaks(name)}"


def shaped(pieces: str) -> str:
    """Return the secrets in a text; it is spelled with blanks and counts, so that no scanner takes it for a key.

    "gsk _ *20a1" is "gsk_" and twenty times "a1".
    """
    text = "".join(_piece(piece) for piece in pieces.split(" "))
    return " ".join(f"{secret.start}-{secret.end} {secret.kind}" for secret in find_secrets(text)) or "none"


def _piece(piece: str) -> str:
    if not piece.startswith("*"):
        return " " if piece == "_blank_" else piece
    digits = piece[1:].rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_/+=.")
    count, unit = piece[1:].split(":") if ":" in piece else (digits, piece[1 + len(digits) :])
    return (unit * int(count))[: int(count)]


def program(command: str) -> str:
    """Return whether a command is one that libraries start by themselves."""
    words = command.split()
    return f"{base_name(words[0])} {starts_by_itself(words, {'PATH': '/nowhere'})}"


def random_text(value: str) -> str:
    """Return whether a value looks random, and whether it is a secret below names of each sort."""
    kinds = [name for name in ("password", "client_secret", "vendor_token", "title") if names.holds_secret(name, value)]
    return f"{names.looks_random(value)} {' '.join(kinds)}".strip()


def file_name(text: str) -> str:
    """Return a text as the name of a file, long and short."""
    return f"{safe_name(text, 60)} {safe_name(text, 12)}"


def hidden(name: str) -> str:
    """Return where a value below a name is taken out; a value of one letter only by the names that are listed."""
    plain = Redaction()
    kinds = {
        "header": plain.drops_header(name),
        "parameter": plain.hides_parameter(name),
        "form": plain.hides_form_field(name, "abcd"),
        "short form": plain.hides_form_field(name, "a"),
        "text": plain.hides_text(name, "abcd"),
        "short text": plain.hides_text(name, "a"),
        "any": plain.may_hide(name),
    }
    return ", ".join(kind for kind, hides in kinds.items() if hides)


def written(text: str) -> str:
    """Return a text as a recording writes it: on one line, as a block, and as JSON that is spread."""
    as_block = block(text, 2)
    spread_out = pretty(text.encode("utf-8", "surrogatepass"))
    return ascii([scalar(text), as_block if as_block != scalar(text) else "", spread_out.decode("utf-8", "replace")])


DECIDERS: dict[str, Decide] = {
    "names": named,
    "hidden": hidden,
    "shapes": shaped,
    "programs": program,
    "values": random_text,
    "paths": is_recorded_path,
    "file_names": file_name,
    "written": written,
}
