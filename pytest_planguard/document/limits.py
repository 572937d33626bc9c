"""Limits that keep a hostile answer cheap. No real document comes close."""

MAX_DEPTH = 200
"""Maximum depth of objects and lists. Python's JSON parser goes deeper, depending on its version."""
MAX_SIZE = 20_000_000
"""Maximum length of an answer, in characters."""
MAX_PROBLEMS = 1_000
"""Maximum number of problems of one kind to report for one answer (duplicate keys, errors of the schema, violations of
one constraint)."""
MAX_EXPANSION = 1_000_000
"""Maximum number of values in a YAML document. Every use of an alias counts."""
ACTUAL_LIMIT = 60
"""Maximum characters of the answer that a problem quotes."""


def clip(text: str) -> str:
    """Return at most `ACTUAL_LIMIT` characters of the first line, with "…" if something is left out."""
    line = text.strip().replace("\r", "\n").split("\n", 1)[0]
    whole = line == text.strip() and len(line) <= ACTUAL_LIMIT
    return line if whole else line[: ACTUAL_LIMIT - 1] + "…"
