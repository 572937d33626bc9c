"""The words of comparisons in five languages, by the part they play: a closed table that the grammar reads.

A `|` parts the words. Longer words win: "or more" is a bound, "more" a comparative. German, Spanish, French and Chinese
have their own rows, since a row is what a speaker of that language checks.
"""

from __future__ import annotations

from enum import StrEnum


class Part(StrEnum):
    """What a word does in a comparison."""

    NOT = "not"
    DEMAND = "demand"
    """What follows is what should be: "must", "please"."""
    FACT = "fact"
    """What follows is what was found: "is", "goes"."""
    MORE = "more"
    """A comparative upwards, which needs a bound: "greater than 5"."""
    LESS = "less"
    OVER = "over"
    """A position above the bound. Without a demand it tells a fault: "over 28", "exceeds 28"."""
    UNDER = "under"
    FLOOR = "floor"
    """The bound is the lowest value: "minimum", "5 or more"."""
    CEILING = "ceiling"
    """The bound is the highest value."""
    LEAST = "least"
    """A floor only in front of a number: "at least 5", but not "at least try"."""
    MOST = "most"
    BIG = "big"
    """An adjective that counts only with "too" or "enough"."""
    SMALL = "small"
    TOO = "too"
    ENOUGH = "enough"
    LENGTH = "length"
    """The subject is a length, wherever it stands: "the length must …"."""
    LONGER = "longer"
    """A comparative upwards of a length."""
    SHORTER = "shorter"
    UNIT = "unit"
    """The number in front counts things: "5 characters"."""
    BREAK = "break"
    """Ends a clause: what is denied or demanded in front says nothing of what is behind."""


ENGLISH = {
    Part.NOT: "not|no|never|cannot|can't|isn't|mustn't|shouldn't|doesn't|don't|aren't|wasn't|without",
    Part.DEMAND: "must|mustn't|should|shouldn't|may|can|can't|cannot|could|shall|ought|has to|have to|needs|need"
    "|expected|expect|please|ensure|make sure|check that|enter|allowed|only|be",
    Part.FACT: "is|isn't|are|aren't|was|wasn't|were|has|goes|got|does|doesn't",
    Part.MORE: "greater|bigger|larger|higher|more",
    Part.LESS: "less|smaller|lower|fewer",
    Part.OVER: "above|over|beyond|exceed|surpass",
    Part.UNDER: "below|under|beneath",
    Part.FLOOR: "minimum|minimal|min value|lowest|or more|or above|or higher|or greater|or larger|or bigger|or over"
    "|at the very least|starts at|floor for|min length|min items|minlength|minitems|min_length|exclusiveminimum",
    Part.CEILING: "maximum|maximal|max value|highest|or less|or below|or lower|or fewer|or smaller|or under"
    "|at the very most|tops out at"
    "|limited to|cap for|limit of|max length|max items|maxlength|maxitems|max_length|exclusivemaximum"
    "|exceeds|exceeded",
    Part.LEAST: "at least|min|upwards of",
    Part.MOST: "at most|up to|max",
    Part.BIG: "high|large|big|great|much",
    Part.SMALL: "low|small|little",
    Part.TOO: "too",
    Part.ENOUGH: "enough",
    Part.LENGTH: "length|too long|too short|too many|too few|long enough|or longer|or shorter|in length"
    "|min length|max length|min items|max items|minlength|maxlength|minitems|maxitems|min_length|max_length",
    Part.LONGER: "longer",
    Part.SHORTER: "shorter",
    Part.UNIT: "character|characters|char|chars|item|items|element|elements|entry|entries|letter|letters|word|words|key"
    "|keys|property|properties|step|steps|option|options",
    Part.BREAK: "but|while|,|;|.|:|(",
}
GERMAN = {
    Part.NOT: "nicht|kein|keine|keinen",
    Part.DEMAND: "muss|müssen|darf|dürfen|soll|sollte|kann|bitte|sein",
    Part.FACT: "ist|sind|war|hat",
    Part.MORE: "größer|grösser|mehr|höher",
    Part.LESS: "kleiner|weniger|niedriger|geringer",
    Part.OVER: "über|überschreiten|überschreitet|übersteigen|übersteigt",
    Part.UNDER: "unter|unterschreiten|unterschreitet",
    Part.FLOOR: "mindestens|wenigstens|minimal|minimale|minimalen|oder mehr|oder größer",
    Part.CEILING: "höchstens|maximal|maximale|maximalen|oder weniger|oder kleiner",
    Part.LENGTH: "länge",
    Part.LONGER: "länger",
    Part.SHORTER: "kürzer",
    Part.UNIT: "zeichen|elemente|element|einträge|buchstaben|werte",
    Part.BREAK: "aber",
}
SPANISH = {
    Part.DEMAND: "tiene que|tienen que|asegúrese de que|asegúrate de que|debe|deben|debería|puede|por favor",
    Part.FACT: "es|está|son|tiene",
    Part.MORE: "mayor|mayores|más|superior",
    Part.LESS: "menor|menores|menos|inferior",
    Part.OVER: "exceder|excede|superar|supera|sobrepasar",
    Part.FLOOR: "al menos|como mínimo|por lo menos|mínimo|mínima|o más|o mayor",
    Part.CEILING: "como máximo|a lo sumo|máximo|máxima|o menos|o menor",
    Part.LENGTH: "longitud",
    Part.LONGER: "más largo|más larga",
    Part.SHORTER: "más corto|más corta",
    Part.UNIT: "caracteres|carácter|elementos|elemento|letras|items|ítems",
    Part.BREAK: "pero",
}
FRENCH = {
    Part.NOT: "ne|n|pas",
    Part.DEMAND: "assurez-vous que|doit|doivent|peut|peuvent|veuillez|saisissez|devrait",
    Part.FACT: "est|sont|a",
    Part.MORE: "plus|supérieur|supérieure|plus grand|plus grande",
    Part.LESS: "moins|inférieur|inférieure|plus petit|plus petite",
    Part.OVER: "dépasser|dépasse|excéder|excède",
    Part.FLOOR: "au moins|au minimum|minimum|minimal|minimale|ou plus",
    Part.CEILING: "au plus|au maximum|maximum|maximal|maximale|ou moins",
    Part.LENGTH: "longueur",
    Part.LONGER: "plus long|plus longue",
    Part.SHORTER: "plus court|plus courte",
    Part.UNIT: "caractères|caractère|éléments|élément|lettres",
    Part.BREAK: "mais",
}
CHINESE = {
    Part.NOT: "不",
    Part.DEMAND: "必须|应|请|得|能|可",
    Part.FACT: "是|为",
    Part.MORE: "大于|多于|高于",
    Part.LESS: "小于|少于|低于",
    Part.OVER: "超过|超出",
    Part.FLOOR: "至少|最小|最少|最短|或以上",
    Part.CEILING: "最多|最大|至多|最长|或以下",
    Part.LENGTH: "长度|最长|最短",
    Part.LONGER: "长于",
    Part.SHORTER: "短于",
    Part.UNIT: "字符|个|项|元素",
    Part.BREAK: "，|。|；",
}
LANGUAGES = (ENGLISH, GERMAN, SPANISH, FRENCH, CHINESE)
NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
"""English number words; each one's position is its value."""
