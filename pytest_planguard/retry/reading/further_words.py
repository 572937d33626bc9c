"""Words for a missing value or a wrong type in languages for which there is no grammar."""

from __future__ import annotations

import re

from .error_category import ErrorCategory
from .remembered import remembered

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


@remembered
def further_category(words: str) -> ErrorCategory | None:
    """Return the fault that words name in a language without a reader; None if they name no fault, or more than one."""
    named = [category for category, pattern in _PATTERNS.items() if pattern.search(words)]
    return named[0] if len(named) == 1 else None
