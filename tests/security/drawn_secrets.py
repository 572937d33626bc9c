"""Draw secrets and ordinary texts from a seed, and count what redaction misses and changes, by place.

`python -m tests.security.drawn_secrets RULES.toml FOLDER... [--seed N]`: a scanner's rules (in gitleaks' format) give
the shapes, half of them from vendors that planguard's table lacks. Lines of the files in the folders are the ordinary
texts. What is left is sorted by the page about security: it stays if no name or word beside it speaks of a secret.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import re._parser as parser
import string
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pytest_planguard.document.secrets import keys_in
from pytest_planguard.replay.files.interaction import Interaction
from pytest_planguard.replay.privacy.redact import redact
from pytest_planguard.replay.privacy.redaction_rules import Redaction

SECRETS, TEXTS = 400, 500
PRINTED = string.ascii_letters + string.digits + "-_"
NAMES = (
    "api_key",
    "token",
    "password",
    "client_secret",
    "{}_API_KEY",
    "{}Token",
    "{}_secret",
    "access_token",
    "apiKey",
)


def example(pattern: Any, chooser: random.Random) -> str:
    """Return a text that a parsed pattern matches; lookarounds add nothing."""
    return "".join(_one(str(op), value, chooser) for op, value in pattern)


def _one(op: str, value: Any, chooser: random.Random) -> str:
    if op == "LITERAL":
        return chr(value)
    if op == "IN":
        fits = re.compile("[" + "".join(map(_class, value)) + "]")
        return chooser.choice([c for c in PRINTED + "./+=:" if fits.match(c)] or ["-"])
    if op in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        least, most, inner = value
        count = chooser.randint(least, min(int(most), max(least, 40)))
        return "".join(example(inner, chooser) for _ in range(count))
    if op == "SUBPATTERN":
        return example(value[3], chooser)
    if op == "BRANCH":
        return example(chooser.choice(value[1]), chooser)
    return chooser.choice(PRINTED) if op == "ANY" else ""


def _class(item: Any) -> str:
    op, value = str(item[0]), item[1]
    if op == "RANGE":
        return f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}"
    if op == "CATEGORY":
        return {"CATEGORY_WORD": r"\w", "CATEGORY_DIGIT": r"\d"}.get(str(value), r"\s")
    return "^" if op == "NEGATE" else re.escape(chr(value))


def shapes(rules: Path, chooser: random.Random) -> Iterator[tuple[str, str]]:
    """Yield vendor and key of each rule that begins with fixed letters."""
    for rule in tomllib.loads(rules.read_text("utf-8"))["rules"]:
        core = rule.get("regex", "").split("(?:[\\x60'\"\\s;]")[0].replace("\\z", "\\Z")
        core = re.sub(r"\(\?[a-z-]+\)", "", core).removeprefix(r"\b").removeprefix("(")
        core = core.removesuffix(")") if core.count("(") < core.count(")") else core
        if re.match(r"[A-Za-z]{2}", core) or re.match(r"\(\?:[A-Za-z]", core):
            try:
                yield rule["id"], example(parser.parse(core), chooser)
            except re.error:
                continue


def secrets(rules: Path, seed: int) -> Iterator[tuple[str, str, Interaction, str]]:
    """Yield "known" or "unknown" for the vendor, the place, the exchange and the secret."""
    chooser = random.Random(seed)
    drawn = [shape for _ in range(12) for shape in shapes(rules, chooser) if 16 <= len(shape[1]) <= 400]
    known = [s for s in drawn if any(True for _ in keys_in(s[1], prefixed=False))]
    unknown = [s for s in drawn if s not in known]
    for number in range(SECRETS):
        vendor, key = chooser.choice(known if number % 2 else unknown)
        if number % 4 == 0:  # no vendor: only the name beside it marks it as a secret
            vendor, key = "unnamed", "".join(chooser.choices(PRINTED[:62], k=chooser.randint(18, 44)))
        place = chooser.choice(sorted(PLACES) if vendor != "unnamed" else NAMED)
        name = chooser.choice(NAMES).format(re.split(r"\W", vendor)[0].upper())
        yield "known" if number % 2 else "unknown", place, PLACES[place](name, key), key


def _made(url: str = "https://a.test/v1", headers: Any = (), body: str = "", answer: str = "") -> Interaction:
    return Interaction("POST", url, headers, body.encode(), 200, "OK", (), answer.encode())


def _chat(text: str) -> Interaction:
    return _made(body=json.dumps({"model": "m", "messages": [{"role": "user", "content": text}]}))


def _stream(_name: str, key: str) -> Interaction:
    pieces = [key[at : at + 5] for at in range(0, len(key), 5)]
    events = ({"choices": [{"index": 0, "delta": {"content": piece}}]} for piece in pieces)
    return _made(answer="".join(f"data: {json.dumps(event)}\n\n" for event in events))


PLACES = {
    "request header": lambda name, key: _made(headers=((f"x-{name.lower()}", (key,)),)),
    "parameter": lambda name, key: _made(url=f"https://a.test/v1?a=1&{name}={key}"),
    "member": lambda name, key: _made(body=json.dumps({"config": {name: key}})),
    "mapping": lambda name, key: _made(body=json.dumps({f"{name}s": {"prod": key}})),
    "assignment": lambda name, key: _chat(f"then run\nexport {name.upper()}={key}\nand go on"),
    "python": lambda name, key: _chat(f"I get an error from Client({name}='{key}'), why?"),
    "yaml": lambda name, key: _chat(f"env:\n  {name}: {key}\n"),
    "option": lambda name, key: _chat(f"tool --{name.lower().replace('_', '-')} {key} --force"),
    "sentence": lambda name, key: _chat(f"the {name.replace('_', ' ')} is {key} and it fails"),
    "alone": lambda _name, key: _chat(f"Look:\n{key}\nThanks."),
    "stream": _stream,
}
UNTOLD = ("alone", "stream")
"""Places without a name or a word that tells: the page about security says that a key of unknown shape stays there."""
NAMED = [place for place in PLACES if place not in UNTOLD]


def texts(folders: list[Path], seed: int) -> list[str]:
    """Return ordinary lines of 12 to 300 characters, half of them with a word about secrets."""
    chooser, hint = random.Random(seed), re.compile("(?i)key|token|secret|passw|auth|session|sign")
    files = sorted(f for folder in folders for s in ("*.md", "*.rst", "*.txt", "*.py") for f in folder.rglob(s))
    lines: set[str] = set()
    for file in chooser.sample(files, min(600, len(files))):
        lines |= {line.strip() for line in file.read_text("utf-8", "replace").split("\n") if 12 <= len(line) <= 300}
    told = sorted(line for line in lines if hint.search(line))
    return [*chooser.sample(told, TEXTS // 2), *chooser.sample(sorted(lines - set(told)), TEXTS // 2)]


def main() -> None:
    """Print the counts."""
    parser = argparse.ArgumentParser(prog="python -m tests.security.drawn_secrets")
    parser.add_argument("rules", type=Path)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--seed", type=int, default=20261127)
    asked = parser.parse_args()
    planted, left = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for vendor, place, one, key in secrets(asked.rules, asked.seed):
        cleaned = redact(one, Redaction()).interaction
        planted[vendor, place] += 1
        if any(key[:12] in str(part) or key in str(part) for part in (cleaned, cleaned.request_headers)):
            left[vendor, place] += 1
            print(f"left: {vendor} {place}: {key[:6]}…")
    for at in sorted(planted):
        print(f"{at[0]:8} {at[1]:15} {planted[at]:4} planted {left[at]:4} left")
    changed = [text for text in texts(asked.folders, asked.seed) if redact(_chat(text), Redaction()).secrets]
    print(*(f"changed: {text}" for text in changed), sep="\n")
    documented = sum(left["unknown", place] for place in UNTOLD)
    print(
        f"seed {asked.seed}: {left.total()} of {planted.total()} secrets left, {documented} of them of unknown shape "
        f"and with no word beside them, as documented; {len(changed)} of {TEXTS} texts changed"
    )


if __name__ == "__main__":
    main()
