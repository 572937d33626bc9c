"""`planguard explain`: what a word in a report means, and what to do about it."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from .framework.output import say
from .framework.shared_options import EXTENSIONS, epilog, format_option

EXAMPLES = """
  planguard explain                     every word
  planguard explain truncated
  planguard explain check:feedback dep-cycle int_parsing
"""
EXIT_CODES = {0: "it was explained", 2: "the command itself is wrong: an unknown word"}


@click.command(epilog=epilog(EXAMPLES, EXIT_CODES))
@click.argument("words", metavar="WORD…", nargs=-1)
@format_option(("text", "json"))
@EXTENSIONS
def explain(words: tuple[str, ...], output: str, extensions: tuple[str, ...]) -> None:
    """Explain a word of a report: its meaning, why it matters, and what to do. Without a WORD, list all of them.

    A WORD is a finding's code, a failure kind, a check, an outcome, a grade, a constraint, a plan rule, a result of a
    comparison or a gate, or a code of pydantic or JSON Schema.
    """
    from ..report.explain import catalogue, explained_word, render_explanations, render_list
    from ..runs.load.contracts import load_extensions

    load_extensions(extensions)
    entries = [entry for word in words for entry in explained_word(word)] if words else list(catalogue())
    if output == "json":
        data = {"version": 1, "explanations": [asdict(entry) for entry in entries]}
        say(json.dumps(data, indent=1, ensure_ascii=False))
    else:
        say(render_explanations(entries) if words else render_list(entries), nl=False)
