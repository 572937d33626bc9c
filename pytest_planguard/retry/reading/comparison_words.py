"""The words of comparisons in five languages, by the part they play: a closed table that the grammar reads.

A row is a pattern of one part. German, Spanish, French and Chinese have their own rows, since a row is what a speaker
of that language checks.
"""

from __future__ import annotations

from enum import StrEnum


class Part(StrEnum):
    """What a word does in a comparison. Parts of whole expressions come first: "plus long" before "plus"."""

    LENGTH = "length"
    """The subject is a length, wherever it stands: "the length must …"."""
    LONGER = "longer"
    """A comparative upwards of a length."""
    SHORTER = "shorter"
    FLOOR = "floor"
    """The bound is the lowest value: "minimum"."""
    CEILING = "ceiling"
    """The bound is the highest value."""
    LEAST = "least"
    """A floor only in front of a number: "at least 5", but not "at least try"."""
    MOST = "most"
    DEMAND = "demand"
    """What follows is what should be: "must", "please"."""
    NOT = "not"
    FACT = "fact"
    """What follows is what was found: "is", "goes"."""
    MORE = "more"
    """A comparative upwards, which needs a bound: "greater than 5"; behind "or" it is the bound: "5 or more"."""
    LESS = "less"
    OVER = "over"
    """A position above the bound. Without a demand it tells a fault: "over 28", "exceeds 28"."""
    UNDER = "under"
    OR = "or"
    BIG = "big"
    """An adjective that counts only with "too" or "enough"."""
    SMALL = "small"
    LONG = "long"
    """One of these of a length."""
    TOO = "too"
    ENOUGH = "enough"
    UNIT = "unit"
    """The number in front counts things: "5 characters"."""
    BREAK = "break"
    """Ends a clause: what is denied or demanded in front says nothing of what is behind."""


# Words of several languages that begin alike share a stem: "minimum", "minimale", "mínimo"; "elements", "éléments".
COMMON = {
    Part.FLOOR: r"(?:exclusive)?m[ií]nim\w*|min[_ ]?(?:length|items)",
    Part.CEILING: r"(?:exclusive)?m[aá]xim\w*|max[_ ]?(?:length|items)",
    Part.LENGTH: r"m(?:in|ax)[_ ]?(?:length|items)",
    Part.LEAST: "min",
    Part.MOST: "max",
    Part.OVER: r"exc[eéè]d\w*",
    Part.UNIT: r"[eé]l[eé]ment[eo]?s?|[ií]tems?|lett?(?:er|r[ae])s?",
    Part.BREAK: "[,;.:(，。；]",
}
ENGLISH = {
    Part.NOT: "not|no|never|without|cannot|[a-z]+n't",
    Part.DEMAND: "must(?:n't)?|should(?:n't)?|may|can(?:not|'t)?|could|shall|ha(?:s|ve) to|needs?|expect(?:ed)?|please"
    "|ensure|make sure|check that|ought|enter|allowed|only|be",
    Part.FACT: "(?:is|are|was|does)(?:n't)?|were|has|goes|got",
    Part.MORE: "greater|bigger|larger|higher|more",
    Part.LESS: "less|smaller|lower|fewer",
    Part.OVER: "above|over|beyond|exceed",
    Part.UNDER: "below|under",
    Part.OR: "or",
    Part.FLOOR: "lowest|starts at|floor for|at the very least",
    Part.CEILING: "highest|exceed(?:s|ed)|at the very most|tops out at|limited to|limit of|cap for",
    Part.LEAST: "at least",
    Part.MOST: "at most|up to",
    Part.BIG: "high|large|big|long|many|much",
    Part.SMALL: "low|small|little|short|few",
    Part.LONG: "long|many|short|few",
    Part.TOO: "too",
    Part.ENOUGH: "enough",
    Part.LENGTH: "length",
    Part.LONGER: "longer",
    Part.SHORTER: "shorter",
    Part.UNIT: "char(?:acter)?s?|entr(?:y|ies)|words?|keys?|propert(?:y|ies)|(?:step|option)s?",
    Part.BREAK: "but|while",
}
GERMAN = {
    Part.NOT: r"nicht|kein\w*",
    Part.DEMAND: r"m[uü]ss\w*|d[aü]rf\w*|soll\w*|kann|bitte|sein",
    Part.FACT: "ist|sind|war|hat",
    Part.MORE: "grö(?:ß|ss)er|höher|mehr",
    Part.LESS: "kleiner|weniger|niedriger|geringer",
    Part.OVER: r"über(?:s[ct]\w*)?",
    Part.UNDER: r"unter(?:sch\w*)?",
    Part.OR: "oder",
    Part.FLOOR: "mindestens|wenigstens",
    Part.CEILING: "höchstens",
    Part.LENGTH: "länge",
    Part.LONGER: "länger",
    Part.SHORTER: "kürzer",
    Part.UNIT: "zeichen|einträge|werte|buchstaben",
    Part.BREAK: "aber",
}
SPANISH = {
    Part.DEMAND: r"(?:tienen?|asegúr\w+ de) que|debe(?:n|ría)?|puede|por favor",
    Part.FACT: "es|son|está|tiene",
    Part.MORE: "mayor(?:es)?|más|superior",
    Part.LESS: "menor(?:es)?|menos|inferior",
    Part.OVER: r"supera\w*|sobrepas\w*",
    Part.OR: "o",
    Part.FLOOR: "(?:al|por lo) menos",
    Part.CEILING: "a lo sumo",
    Part.LENGTH: "longitud",
    Part.LONGER: "más larg[oa]",
    Part.SHORTER: "más cort[oa]",
    Part.UNIT: r"car[aá]c\w*",
    Part.BREAK: "pero",
}
FRENCH = {
    Part.NOT: "ne|n|pas",
    Part.DEMAND: r"assurez-vous que|doi(?:ven)?t|devr\w+|peu(?:ven)?t|veuillez|saisissez",
    Part.FACT: "est|sont|a",
    Part.MORE: "plus(?! petit)|supérieure?",
    Part.LESS: "moins|plus petite?|inférieure?",
    Part.OVER: r"dépass\w*",
    Part.OR: "ou",
    Part.FLOOR: "au moins",
    Part.CEILING: "au plus",
    Part.LENGTH: "longueur",
    Part.LONGER: r"plus long\w*",
    Part.SHORTER: r"plus court\w*",
    Part.BREAK: "mais",
}
CHINESE = {
    Part.NOT: "不",
    Part.DEMAND: "必须|[应请得能可]",
    Part.FACT: "[是为]",
    Part.MORE: "[大多高]于",
    Part.LESS: "[小少低]于",
    Part.OVER: "超[过出]",
    Part.FLOOR: "至少|最[小少短]|以上",
    Part.CEILING: "[最至]多|最[大长]|以下",
    Part.LENGTH: "长度|最[长短]",
    Part.LONGER: "长于",
    Part.SHORTER: "短于",
    Part.UNIT: "字符|元素|[个项]",
}
LANGUAGES = (COMMON, ENGLISH, GERMAN, SPANISH, FRENCH, CHINESE)
NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
"""English number words; each one's position is its value."""
