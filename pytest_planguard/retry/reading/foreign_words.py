"""Words for rules in German, Spanish, French and Chinese, where nothing is compared: required, empty, one of, a type.

They are asked last, so a category's nouns ("Zahl", "número") count only where no comparison and no other rule is told.
A `|` parts the words; a word may be the beginning of a longer one ("requerid" of "requerido").
"""

from __future__ import annotations

import re

_ROWS = (
    ("extra", "zusätzlich|unbekannt", "adicional|desconocid", "inattendu|supplémentaire", "多余|未知"),
    ("duplicate", "doppelt|eindeutig", "duplicad|únic|repetid", "doublon|en double", "重复|唯一"),
    ("empty", "leer", "vací|en blanco", "vide", "为空"),
    (
        "enum",
        "eine[rs] (?:der|von)|auswahl|in der liste",
        "un[oa] de|en la lista|valores permitidos|opción",
        "l['’]un d|une? des|des valeurs|parmi|dans la liste",
        "之一|选项|列表",
    ),
    (
        "missing",
        "erforderlich|pflichtfeld|fehlt|benötigt|füllen sie",
        "requerid|obligato|falta",
        "requi[se]|manqu",
        "必[填需]|缺[少失]|请指定|请输入内容",
    ),
    (
        "format",
        "datum|format|muster",
        "fecha|patrón",
        "date valide|(?:une|la) date|motif|modèle|horodate|sous la forme",
        "日期|格式|模式|匹配",
    ),
    (
        "type",
        "(?:ganz)?zahl|nummer|zeichenkette|wahrheitswert|vom typ",
        "número|entero|num[eé]ri|boole|de tipo",
        "nombre|entier|booléen|chaîne de|de type",
        "数[值字]|整数|布尔|字符串|类型|号码",
    ),
    # "introduce un valor", where nothing is said of the value
    ("missing", "wert ein", "un valor", "une valeur", "输入一?个?值"),
)
# A German compound may end in the word ("Rechnungsdatum"), so a Latin word needs no space in front, only no hidden
# middle of an English one: "falta" and "leer" stand at the beginning of a word.
_PATTERNS = tuple(
    (name, re.compile("|".join(rf"(?<![a-zà-ÿ_])(?:{row})" if row.isascii() or row[0] < "一" else row for row in rows)))
    for name, *rows in _ROWS
)
# "Ungültiger Wert", "no válido", "无效": wrong, and nothing of what. All of the message.
INVALID = (
    r"ungültig\w*(?: wert| eingabe)?|(?:valor |entrada )?(?:in|no )?válid[oa]"
    r"|(?:valeur |saisie )?(?:est )?(?:non val|inval)ide"
    r"|nicht erlaubt|no permitid[oa]|non autorisée?|(?:值|输入)?无效的?(?:值|输入)?"
)


def foreign_category(text: str) -> str | None:
    """Return the name of the category that foreign words tell ("missing", "type"); None where they tell none."""
    lower = text.lower()
    return next((name for name, pattern in _PATTERNS if pattern.search(lower)), None)
