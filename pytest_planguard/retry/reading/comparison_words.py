"""The words of comparisons in five languages, by the kind of word: a closed table that `comparison` reads.

Each kind has its rows in English, German, Spanish, French and Chinese, as far as a language needs one, since a row is
what a speaker of that language checks. Words that begin alike share a stem: "maximum", "maximale", "máximo".
"""

from __future__ import annotations

_MORE = (
    r"greater|larger|higher|more|longer|above|over|beyond|exc[eéè]+d\w*",
    r"größer|höher|mehr|länger|über(?:s\w+)?",
    r"mayor\w*|más(?! cort)|supera\w*|sup[eé]ri[oe]u?r\w*",
    r"plus(?! [pc])|dépass\w*",
    "[大多高长]于|超[过出]",
)
_LESS = (
    "less|smaller|lower|fewer|shorter|below|under",
    "kleiner|weniger|kürzer|unter",
    r"menor\w*|menos|inf[eé]ri[oe]u?r\w*",
    "moins",
    "[小少低短]于",
)
_OR = "o(?:r|der|u)? "
# The first kind that fits a place of the text counts, so whole expressions come first: "or more" before "more".
COMPARISON_WORDS: dict[str, tuple[str, ...]] = {
    # The fault itself: "is too long", "isn't long enough"; "not good enough" compares nothing.
    "excess": ("too (?:high|large|big|long|many)",),
    "lack": (r"too (?:low|small|short|few)|\w{0,9}n[o']t (?:high|large|big|long|many) enough",),
    # A named bound: "minimum 5", "at least 5", "5 or more", "28 or less".
    "floor": (
        r"(?:exclusive)?m[ií]n(?:im\w*|_?length|_?items|(?=\W[^.;]{0,20}\d))",
        "at least|lowest",
        "mindestens",
        "(?:al|por lo) menos",
        "au moins",
        "至少|最[小少短]|以上",
        f"{_OR}(?:{'|'.join(_MORE)})",
    ),
    "ceiling": (
        r"(?:exclusive)?m[aá]x(?:im\w*|_?length|_?items|(?=\W[^.;]{0,20}\d))",
        "at most|(?<!go )up to|highest",
        "höchstens",
        "a lo sumo",
        "au plus",
        "[最至]多|最[大长]|以下",
        f"{_OR}(?:{'|'.join(_LESS)})",
    ),
    "more": _MORE,
    "less": _LESS,
    # What follows is what should be: "must".
    "demand": (
        r"must|should|may|can?(?!')|ha(?:s|ve) to|needs?|expect\w*|ensure|enter",
        r"m[uü]ss\w*|d[aü]rf\w*|soll\w*|erwart\w*",
        r"debe\w*|que|esper[aáe]\w*",
        r"doi(?:ven)?t|peut|attendu?e?s?",
        "必须|[应请得能可]|期[望待]",
    ),
    "not": (r"not|(?<![.\]])no|never|n't", r"nicht|kein\w*", "ne|n|pas", "不"),
    # What follows is what was found: "is".
    "fact": ("is|are|was|has", "ist|sind|hat", "es|son", "est|sont", "[是为]"),
    # What is denied or demanded in front says nothing of what is behind.
    "break": ("[,;.:(，。；]|but|while",),
}
