"""Feedback in no known wording: words for a fault in other languages, and stock phrases without content."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path

from .error_category import ErrorCategory

_NOUN = r"(?:plain )?(?:text|strings?|(?:whole |real )?numbers?|integers?|booleans?|lists?|arrays?|objects?)"
_MISSING = {
    "English": r"\badd (?:it|one)\b|where is (?:it|that)\b|\bleft out\b|\bcannot do without|\bnowhere"
    r"|\bnull value in column\b|\bnot[ -]null\b|\bfill(?:ed)? (?:\w+ )?(?:in|out)\b|\bskipped\b",
    "Portuguese": "obrigat|preenchid|faltando|ausente|não informad",
    "Italian": r"obbligator|\bmanca|assente|non (?:è )?(?:presente|indicat)|non c.è",
    "Dutch": "verplicht|ontbre|niet (?:ingevuld|opgegeven)",
    "Russian": "отсутству|обязател|не (?:указан|заполнен|задан|хвата)|пропущен",
    "Ukrainian": "відсутн|обов.язков|не (?:вказан|заповнен|вистача)|бракує",
    "Polish": r"brak(?:uje)?\b|wymagan|obowiązkow|nie podano",
    "Czech and Slovak": r"\bchyb[ií]\b|\bchýba|povinn|není vyplněn|nie je vyplnen",
    "Swedish, Norwegian and Danish": r"saknas|obligatorisk|mangler|ikke (?:oppgitt|utfylt|angivet)|påkr[eæ]v",
    "Finnish": "puuttu|pakollinen",
    "Hungarian": "hiányzik|kötelező",
    "Romanian": "lipsește|lipseşte|obligatori",
    "Turkish": r"\beksik|zorunlu|bulunamadı|girilmemiş",
    "Greek": "λείπει|υποχρεωτικ|απουσιάζει",
    "Indonesian": "(?:wajib|belum) diisi|tidak ada|hilang",
    "Vietnamese": r"\bthiếu\b|bắt buộc",
    "Arabic": "مفقود|مطلوب|ناقص",
    "Hebrew": "חסר|נדרש|שדה חובה",
    "Hindi": "अनुपस्थित|गायब|आवश्यक|अनिवार्य",
    "Thai": "ขาด|ไม่มี|จำเป็น|หายไป",
    "Persian": "الزامی|وجود ندارد|جا افتاده",
    "Bulgarian and Macedonian": "липсва|недостасува|задължител|задолжител",
    "Serbian, Croatian and Slovenian": "nedostaje|manjka|obavez|obvez|недостаје|обавез",
    "Lithuanian and Latvian": r"trūkst|privalom|obligāt",
    "Estonian": "puudu|kohustuslik",
    "Catalan": r"\bfalta\b|obligatori",
    "Japanese": "がありません|がない|必須|欠けて|未入力",
    "Korean": "필수|없습니다|누락|빠져|빠졌",
}
_TYPE = {
    "English": rf"\b(?:not|into|be|been|as|want(?:s|ed)?|expect(?:s|ed)?) (?:an? |the )?{_NOUN}\b"
    r"|\binvalid input syntax for type\b",
    "German": "zeichenkette|liste sein|falsche[nr]? typ",
    "Spanish": "cadena de texto|una lista|tipo incorrecto",
    "French": "une liste|du bon type",
    "Portuguese": "número inteiro|um texto|uma lista|tipo (?:errado|inválido)",
    "Italian": "numero intero|una stringa|un testo|un elenco|tipo (?:errato|sbagliato)",
    "Dutch": r"geheel getal|een tekst|een lijst|\btype\b",
    "Russian": r"целое число|целым числом|строк[аои]|список|списком|тип\b",
    "Ukrainian": r"ціле число|цілим числом|рядк|список|списком|тип\b",
    "Polish": r"liczb[aęą] całkowit|tekst|list[aęą]\b|typ\b",
    "Czech and Slovak": r"celé číslo|celým čísl|b[ýy][tť] (?:text|seznam|zoznam)|text[eo]m\b|seznamem|\btyp\b",
    "Swedish, Norwegian and Danish": r"he(?:l|le )tal\b|(?:vara|være) (?:en )?(?:text|tekst)|\b(?:lista|liste)\b|\btyp",
    "Finnish": r"kokonaisluku|merkkijono|\blista|tyyppi",
    "Hungarian": "egész szám|szöveg|listá|típus",
    "Romanian": "număr întreg|un text|o listă|tip greșit",
    "Turkish": r"tam sayı|\bmetin|\bliste|\btür[üd]",
    "Greek": "ακέραι|κείμενο|λίστα|τύπο",
    "Indonesian": "bilangan bulat|berupa teks|daftar|tipe",
    "Vietnamese": "số nguyên|chuỗi|danh sách|kiểu",
    "Arabic": "عدد صحيح|نص|قائمة|نوع",
    "Hebrew": "מספר שלם|טקסט|מחרוזת|רשימה",
    "Hindi": "पूर्णांक|पाठ|सूची|प्रकार",
    "Thai": "จำนวนเต็ม|ข้อความ|รายการ|ชนิด",
    "Persian": "عدد صحیح|رشته|متن|فهرست|نوع",
    "Bulgarian and Macedonian": "цяло число|цел број|текст|низ|списък|листа",
    "Serbian, Croatian and Slovenian": r"(?:cijel|ceo|cel)\w* (?:broj|števil)|\btekst|besedilo|\bpopis|\bseznam|niz\b",
    "Lithuanian and Latvian": r"sveik\w* skai|vesel\w* skait|tekst|sąraš|sarakst",
    "Estonian": "täisarv|tekst|loend|tüüp",
    "Catalan": "nombre enter|una llista|un text|cadena",
    "Chinese": "字符串|列表|文本",
    "Japanese": "文字列|整数|リスト|配列|型が",
    "Korean": "문자열|정수|목록|배열|유형",
}
_PATTERNS = {
    category: re.compile("|".join(words.values()), re.IGNORECASE)
    for category, words in ((ErrorCategory.MISSING, _MISSING), (ErrorCategory.TYPE, _TYPE))
}


@lru_cache(maxsize=1024)  # every finding asks about the words at every place
def further_category(words: str) -> ErrorCategory | None:
    """Return the fault that words name in a language without a reader; None if they name no fault, or more than one."""
    named = [category for category, pattern in _PATTERNS.items() if pattern.search(words)]
    return named[0] if len(named) == 1 else None


# Characters of Chinese and Japanese sentences that only say that something is wrong. Their words have no spaces. Kana
# alone name nothing.
_SIGNS = set("不对错误正确还是再请试一次遍重新回答答案有问题的了抱歉起这个行无效能用检查修改下吧呢啊間違度願直認")
# Vowel and tone signs, which `\w` leaves out, and the joiner within Persian words: हिन्दी, ไม่, می‌شود.
_MARKS = (
    "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff"
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u200c\u200d"
)
_WORD = re.compile(rf"(?:[^\W\d_]|[{_MARKS}])+|\d+")
_UNSPACED = re.compile(r"[\u3400-\u9fff]|[\u3041-\u309f]+")


@cache
def _known() -> frozenset[str]:
    return frozenset(_WORD.findall(" ".join(_words(unspaced=False)).casefold()))


@cache
def _pieces() -> re.Pattern[str]:
    """Return a pattern for the known words of scripts without spaces, the longest first."""
    words = {word for line in _words(unspaced=True) for word in line.split()}
    return re.compile("|".join(sorted(map(re.escape, words), key=len, reverse=True)))


def _words(*, unspaced: bool) -> list[str]:
    """Return the words of each language. In the file: "English: again all …" or "Thai, unspaced: ยัง ไม่ …"."""
    text = Path(__file__).with_name("stock_words.txt").read_text(encoding="utf-8")
    lines = (line.partition(": ") for line in text.splitlines() if not line.startswith("#"))
    return [words for name, _, words in lines if name.endswith("unspaced") is unspaced]


# A whole answer: "the response", "deine Antwort", "回答".
_ANSWER = re.compile(
    r"\b(?:answer|response|reply|output|antwort|respuesta|réponse|resposta|risposta|antwoord|ответ|odpowied[zź])|回答|答案",
    re.IGNORECASE,
)


def names_answer(words: str) -> bool:
    """Return True if a text names the whole answer. This matters only for a finding without a place."""
    return _ANSWER.search(words) is not None


def says_nothing(words: str) -> bool:
    """Return True if a text has words, but only those that say that something is wrong."""
    found = _WORD.findall(words.casefold())
    return bool(found) and all(word in _known() or _is_unspaced(word) for word in found)


def _is_unspaced(word: str) -> bool:
    """Return True if a run of Thai, Lao, Khmer, Burmese, Chinese or Japanese names no place, value or rule."""
    if word >= "\u0e00" and _pieces().sub("", word) == "":
        return True
    return _UNSPACED.sub("", word) == "" and {sign for sign in word if sign >= "\u3400"} <= _SIGNS
