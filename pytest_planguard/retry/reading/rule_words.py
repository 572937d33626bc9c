"""The words that name rules, in five languages: one table for each degree of firmness, and one for types.

A row is a category and the patterns that name it, English first, then German, Spanish, French and Chinese. The first
row that fits counts, so the more telling words come first: "must call the tool" before "missing". Comparisons are read
between the two tables, by their own grammar. Every repetition is bounded, so that no pattern can backtrack far.
"""

from __future__ import annotations

Rows = tuple[tuple[str, ...], ...]
# "expected `int`", "be a string"; the word boundary keeps "integrity" and "listen" out.
_TYPE = (
    r"[`'\"]?(?:str(?:ing)?|int(?:eger)?|number|float|bool(?:ean)?|list|array|dict(?:ionary)?|object|true or false)\b"
)
_DATE = "(?:date|time|ur[il]|email|uuid)"
FIRM: Rows = (
    ("no tool call", "no tool (?:call|invocation)|must call|in a tool call"),
    ("unknown tool", "(?:unknown|no such) tool|tool .{0,80}not found"),
    # "Invalid JSON", "Expecting ',' delimiter", "Unterminated string", "cut off at the token limit"
    (
        "unreadable",
        "valid (?:json|yaml)|json ?decode|parse (?:the |your )?json|parse error|not be parsed|malformed",
        "cut off|truncated|unterminated|unexpected end|trailing c|expecting [vp']",
    ),
    ("type", f"valid {_TYPE} is required"),
    # "Field required", 'requires property "zip"', "was not given", "received undefined" but "undefined key"
    (
        "missing",
        r"\brequired\b(?! (?:pattern|format))|requires prop|mandatory|\bmissing\b|\babsent\b",
        r"(?:must be|not(?: been)?) (?:present|provided|given|set)\b(?! in)|\bundefined\b(?! [fkp])|forgot",
    ),
    # "Extra inputs are not permitted", "Unrecognized key", "'x' was unexpected", "expected `never`"
    (
        "extra",
        "not (?:permitted|allowed)(?! value)|not (?:in|part of) the schema|additional propert|be removed",
        r"(?:extra|unknown|un\w+ed|no such) (?:input|field|key|propert)|is unexpected",
        r"expected (?:a value of type )?`?never\b",
    ),
    ("duplicate", r"duplicate|distinct|\bunique\b|all be different|more than once|repeat[se]"),
    ("empty", "(?:is|be|non)[ -]empty|blank"),
    ("format", "(?:wrong|invalid) format"),
    # "Input should be 'low' or 'high'", "not in ['a', 'b']", '"a" | "b"', 'expected "a", got "b"'
    (
        "enum",
        r"(?<!least )one of|(?:should|must) be (?:either )?['\"`]|\benum|valid choice|['\"`] ?\| ?['\"`]",
        r"\bexpected ['\"][^'\"\n]{1,80}['\"],? (?:but )?(?:actual|got|found|received) ['\"\d]",
        r"\bin (?:the )?(?:list )?[\[({]|allowed value|(?:allowed|permitted):",
    ),
    # "must match pattern", "invalid ISO 8601 date", but not "must be before the end date"
    (
        "format",
        r"\bmatch\w* (?:the |required )*(?:pattern|reg)|\biso ?8601",
        rf"(?:invalid|must be|expected|not) (?:(?:an?|in|iso\S*|valid|string|to match|format) ){{0,4}}['\"]?{_DATE}",
    ),
    ("out of range", r"\bexactly (?:length )?\d|(?:of|in|outside)(?: the)? range|between \W?-?\d[^a-z\n]{0,20} and "),
)
"""Words that mean one rule alone."""
PLAIN: Rows = (
    ("too small", "positive|(?:non-|not be |n't be )negative"),
    ("too large", "be negative"),
    # "not a valid integer", "should be of type 'list'", "is not an instance of int"
    (
        "type",
        rf"(?:valid|be|expect\w*|not|type|of|to|needs?)(?: an?)? {_TYPE}",
        "(?:not of(?: a)?|wrong|invalid) type|type ?error|whole number|instance of|not be null",
    ),
    ("enum", r"not a valid \w|(?:invalid|choose) (?:one|from|choice|option)|unexpected value"),
    ("format", rf"pattern|\bregex|formato?\b|valid {_DATE}|\bmatch|of the form"),
    ("extra", "zusätzlich|unbekannt", "adicional|desconocid", "supplémentaire", "多余|未知"),
    ("duplicate", "doppelt|eindeutig", "duplicad|únic", "doublon", "重复|唯一"),
    ("empty", r"\bleer", "vací|en blanco", r"\bvide\b", "为空"),
    ("enum", "eine[rs] (?:der|von)|auswahl", r"\bun[oa] de|en la lista", r"l['’]un d|\bune? des|parmi", "之一|选项"),
    (
        "missing",
        "erforderlich|pflicht|fehlt|benötigt|füllen sie",
        "requerid|obligato|falta",
        "requi[se]|manqu",
        "必[填需]|缺[少失]|请指定",
    ),
    # A German compound may end in the word: "Rechnungsdatum".
    ("format", "datum|muster", "fecha|patrón", "date valide|motif|modèle", "日期|格式|匹配"),
    (
        "type",
        "zahl|nummer|wahrheitswert|vom typ",
        "número|entero|num[eé]ri|de tipo",
        "nombre|entier|chaîne de|de type",
        "数[值字]|整数|布尔|类型",
    ),
    # "Geben Sie einen Wert ein", where nothing is said of the value
    ("missing", "wert ein", "un valor", "une valeur", "输入一?个?值|输入内容"),
)
"""Words that are said of several faults: they may agree, and contradict nothing."""

TYPES: dict[str, tuple[str, ...]] = {
    "an object": (
        r"object|dict(?:ionary)?|mapping|hash|map|struct|record|key-value",
        "objekt",
        "objeto|diccionario",
        "objet|dictionnaire",
        "对象|字典",
    ),
    "a list": ("list|array|sequence", "liste", "lista|arreglo", "liste|tableau", "列表|数组"),
    "a string": ("string|text", "zeichenkette|text", "cadena|texto", "chaîne|texte", "字符串|文本"),
    "an integer": ("int(?:eger)?|whole number", "ganzzahl|ganze zahl", "entero", "entier", "整数"),
    "a number": ("number|int(?:eger)?|float|decimal", "zahl", "número", "nombre", "数字"),
    "true or false": ("bool(?:ean)?|true or false", "wahrheitswert", "booleano|lógico", "booléen", "布尔"),
    "null": ("null|none|nil", "null", "nulo", "nul", "空值"),
}
"""What a type is called, by the words in which a finding expects it."""
