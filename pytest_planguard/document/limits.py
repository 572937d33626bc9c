"""Bounds that keep a hostile answer cheap. No real document comes near them."""

MAX_DEPTH = 200
"""Objects and lists nested deeper than this are not read. Python's own JSON parser goes deeper, by its version."""
MAX_SIZE = 20_000_000
"""Characters of the longest answer that is read."""
MAX_PROBLEMS = 1_000
"""Problems of one kind (duplicate keys, errors of the schema, what breaks one constraint) reported for one answer."""
MAX_EXPANSION = 1_000_000
"""Values of the largest YAML document, every alias counted as often as it is used."""
ACTUAL_LIMIT = 60
"""Characters of a quoted piece of the answer in a problem."""


def clip(text: str) -> str:
    """At most `ACTUAL_LIMIT` characters of the first line, with "…" where something is left out."""
    line = text.strip().replace("\r", "\n").split("\n", 1)[0]
    whole = line == text.strip() and len(line) <= ACTUAL_LIMIT
    return line if whole else line[: ACTUAL_LIMIT - 1] + "…"
