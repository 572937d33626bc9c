"""What is missing or of a wrong type, in further languages: enough to tell another fault of a place from its own.

Nothing is carried by these words. They are a closed table of the two faults that are told without a number.
"""

from __future__ import annotations

import re

from .error_category import ErrorCategory

_MISSING = (
    *("obrigat|faltando|ausente|não informad", r"obbligator|\bmanca|assente|non (?:è )?(?:presente|indicat)"),
    *("verplicht|ontbre|niet (?:ingevuld|opgegeven)", "отсутству|обязател|не (?:указан|заполнен|задан)|пропущен"),
    *(r"brak(?:uje)?\b|wymagan|obowiązkow|nie podano", "がありません|がない|必須|欠けて|未入力", "필수|없습니다|누락"),
)
"""Portuguese, Italian, Dutch, Russian, Polish, Japanese and Korean."""
_TYPE = (
    *("zeichenkette|liste sein|falsche[nr]? typ", "cadena de texto|una lista|tipo incorrecto", "une liste|du bon type"),
    *("字符串|列表|文本", "número inteiro|um texto|uma lista|tipo (?:errado|inválido)"),
    *(
        "numero intero|una stringa|un testo|un elenco|tipo (?:errato|sbagliato)",
        "geheel getal|een tekst|een lijst|type",
    ),
    *(r"целое число|целым числом|строк[аои]|список|списком|тип\b", r"liczb[aęą] całkowit|tekst|list[aęą]\b|typ\b"),
    *("文字列|整数|リスト|配列|型が", "문자열|정수|목록|배열|유형"),
)
"""German, Spanish, French, Chinese, Portuguese, Italian, Dutch, Russian, Polish, Japanese and Korean."""
_PATTERNS = {
    category: re.compile("|".join(words), re.IGNORECASE)
    for category, words in ((ErrorCategory.MISSING, _MISSING), (ErrorCategory.TYPE, _TYPE))
}


def further_category(words: str) -> ErrorCategory | None:
    """Return the fault that words name in a language that no reader is for; None where they name neither, or both."""
    named = [category for category, pattern in _PATTERNS.items() if pattern.search(words)]
    return named[0] if len(named) == 1 else None
