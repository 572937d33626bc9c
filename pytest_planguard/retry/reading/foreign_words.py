"""Words for rules in German, Spanish, French and Chinese, where nothing is compared: required, empty, one of, a type.

They are asked last, so a category's nouns ("Zahl", "número") count only where no comparison and no other rule is told.
A `|` parts the words; a word may be the beginning of a longer one ("requerid" of "requerido").
"""

from __future__ import annotations

import re

_ROWS = (
    ("extra", "zusätzliche|unbekannte", "adicional|desconocid", "inattendu|supplémentaire", "多余|未知"),
    ("duplicate", "doppelt|eindeutig", "duplicad|únic|repetid", "doublon|en double", "重复|唯一"),
    ("empty", "leer", "vací|en blanco", "vide", "不能为空|为空"),
    (
        "enum",
        "einer der|eines der|einer von|in der liste|auswahl",
        "uno de|una de|en la lista|valores permitidos|opción",
        "l'un d|l’un d|une des|un des|parmi|dans la liste",
        "之一|选项|列表",
    ),
    (
        "missing",
        "erforderlich|pflichtfeld|fehlt|benötigt|füllen sie",
        "requerid|obligatori|falta",
        "obligatoire|requis|requiert|manqu",
        "必填|必需|缺少|缺失|请指定|请输入内容",
    ),
    (
        "format",
        "datum|format|muster",
        "fecha|formato|patrón",
        "date valide|une date|la date|format|motif|modèle|horodate|sous la forme",
        "日期|格式|模式|匹配",
    ),
    (
        "type",
        "zahl|nummer|ganzzahl|zeichenkette|wahrheitswert|numerisch|vom typ",
        "número|entero|numéric|booleano|de tipo",
        "nombre|entier|numérique|booléen|chaîne de|de type",
        "整数|数值|数字|布尔|字符串|类型|号码",
    ),
    # "introduce un valor", where nothing is said of the value
    ("missing", "wert ein", "un valor", "une valeur", "输入一个值|输入值"),
)
# A German compound may end in the word ("Rechnungsdatum"), so a Latin word needs no space in front, only no hidden
# middle of an English one: "falta" and "leer" stand at the beginning of a word.
_PATTERNS = tuple(
    (name, re.compile("|".join(rf"(?<![a-zà-ÿ_])(?:{row})" if row.isascii() or row[0] < "一" else row for row in rows)))
    for name, *rows in _ROWS
)
# "Ungültiger Wert", "no válido", "无效": wrong, and nothing of what. All of the message.
INVALID = (
    r"ungültig\w*(?: wert| eingabe)?|(?:valor )?(?:inválid[oa]|no válid[oa])|(?:entrada|valor) (?:no )?válid[oa]"
    r"|nicht erlaubt|no permitid[oa]|non autorisée?"
    r"|(?:valeur|saisie) (?:non valide|invalide)|(?:est )?invalide|non valide|无效的?(?:值|输入)?|(?:值|输入)无效"
)


def foreign_category(text: str) -> str | None:
    """Return the name of the category that foreign words tell ("missing", "type"); None where they tell none."""
    lower = text.lower()
    return next((name for name, pattern in _PATTERNS if pattern.search(lower)), None)
