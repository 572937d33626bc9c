"""The words of German, Spanish, French and Chinese for each rule, each by itself."""

from __future__ import annotations

import pytest

from pytest_planguard.retry.reading.comparison import Direction, comparison_in
from pytest_planguard.retry.reading.error_category import category_of_words, firm_category
from pytest_planguard.retry.reading.words import stems

from ...support.one_item import in_one_item

RULES = {
    "extra": "zusätzlich|unbekannt|adicional|desconocido|supplémentaire|多余|未知",
    "duplicate": "doppelt|eindeutig|duplicado|único|doublon|重复|唯一",
    "empty": "leer|vacío|en blanco|vide|为空",
    "enum": "einer der|eines von|Auswahl|uno de|una de|en la lista|l'un des|l’un d|une des|un des|parmi|之一|选项",
    "missing": "erforderlich|Pflicht|fehlt|benötigt|füllen Sie|requerido|obligatorio|falta|requis|requise|manque|必填"
    "|必需|缺少|缺失|请指定",
    "format": "Datum|Muster|fecha|patrón|date valide|motif|modèle|日期|格式|匹配",
    "type": "Zahl|Nummer|Wahrheitswert|vom Typ|número|entero|numérico|numerico|de tipo|nombre|entier|chaîne de|de type"
    "|数值|数字|整数|布尔|类型",
}
GIVE_A_VALUE = "Geben Sie einen Wert ein|Introduzca un valor|Saisissez une valeur|输入值|输入一个值|输入内容"


@in_one_item
@pytest.mark.parametrize("rule", RULES)
def test_each_word_for_a_rule(rule: str) -> None:
    """In any case. It may agree with a finding, and never contradict it: a German compound may end in it."""
    for word in RULES[rule].split("|"):
        for text in (word, word.upper(), f"x {word}!"):
            assert (category_of_words(text), firm_category(text)) == (rule, None), text


def test_who_asks_for_a_value_may_mean_that_it_is_missing() -> None:
    """As forms do."""
    for words in GIVE_A_VALUE.split("|"):
        assert (category_of_words(words), firm_category(words)) == ("missing", None), words


@pytest.mark.parametrize("words", ["une vidéo", "ungleich", "einer dieser", "wertvoll", "Lehrer", "vacante", "数"])
def test_words_that_are_like_those_of_a_rule(words: str) -> None:
    """They are others."""
    assert category_of_words(words) is None


COMPARED = {
    Direction.LOW: (
        *("mindestens 5", "al menos 5", "por lo menos 5", "au moins 5", "至少5", "最小5", "最少5", "最短5", "5以上"),
        *("at least 5", "lowest 5", "minimum 5", "mínimo 5", "min_length 5", "min_items 5", "exclusiveMinimum 5"),
        *("too low", "too short", "too few", "too small"),
        *("isn't long enough", "not high enough", "aren't many enough", "not big enough", "not large enough"),
        *("5 or more", "5 oder mehr", "5 o más", "5 ou plus"),
    ),
    Direction.HIGH: (
        *("höchstens 5", "a lo sumo 5", "au plus 5", "最多5", "至多5", "最大5", "最长5", "5以下", "at most 5"),
        *("highest 5", "up to 5", "maximum 5", "máximo 5", "max_length 5", "max_items 5", "exclusiveMaximum 5"),
        *("too high", "too large", "too big", "too long", "too many", "5 or less", "5 or fewer", "5 oder weniger"),
        *("muss kleiner sein als 5", "darf nicht größer sein als 5", "debe ser menor que 5", "doit être moins de 5"),
        *("必须小于5", "不能大于5", "is more than 5", "ist mehr als 5", "es mayor que 5", "est plus de 5"),
    ),
}


@in_one_item
@pytest.mark.parametrize("side", COMPARED)
def test_each_word_that_compares(side: Direction) -> None:
    """A named bound, an excess or a lack, and a comparative with a demand or a fact."""
    for words in COMPARED[side]:
        found = comparison_in(words)
        assert found is not None, words
        assert found.direction is side, words


COMPARATIVES = {
    True: (
        *("greater", "larger", "higher", "more", "longer", "above", "over", "beyond", "exceeding", "excède", "größer"),
        *(
            "höher",
            "mehr",
            "länger",
            "über",
            "überschreiten",
            "mayor",
            "más",
            "superar",
            "superior",
            "plus",
            "dépasser",
        ),
        *("大于", "多于", "高于", "长于", "超过", "超出"),
    ),
    False: (
        *("less", "smaller", "lower", "fewer", "shorter", "below", "under", "kleiner", "weniger", "kürzer", "unter"),
        *("menor", "menos", "inferior", "moins", "小于", "少于", "低于", "短于"),
    ),
}


@in_one_item
@pytest.mark.parametrize("up", COMPARATIVES)
def test_each_comparative_is_a_rule_behind_a_demand_and_a_fault_behind_a_fact(up: bool) -> None:
    """A demand upwards names a value that is too low, a fact upwards one that is too high."""
    for word in COMPARATIVES[up]:
        rule, fault = comparison_in(f"must {word} 5"), comparison_in(f"is {word} 5")
        assert (rule is not None, fault is not None) == (True, True), word
        assert rule is not None
        assert fault is not None
        assert rule.direction is (Direction.LOW if up else Direction.HIGH), word
        assert fault.direction is (Direction.HIGH if up else Direction.LOW), word


DEMANDS = (
    *("must", "should", "may", "can", "has to", "have to", "need", "needs", "expected", "ensure", "enter", "muss"),
    *("müssen", "darf", "dürfen", "soll", "sollte", "erwartet", "debe", "deben", "que", "esperado", "espera", "doit"),
    *("doivent", "peut", "attendu", "attendue", "必须", "应", "请", "得", "能", "可", "期望", "期待"),
)
FACTS = ("is", "are", "was", "has", "ist", "sind", "hat", "es", "son", "est", "sont", "是", "为")
DENIALS = ("not", "no", "never", "can't", "nicht", "kein", "keine", "ne", "pas", "不")


@in_one_item
@pytest.mark.parametrize("word", DEMANDS)
def test_each_word_that_demands(word: str) -> None:
    """A value above the bound is wanted, so the value is too low."""
    found = comparison_in(f"{word} above 5")
    assert found is not None
    assert found.direction is Direction.LOW


@in_one_item
@pytest.mark.parametrize("word", FACTS)
def test_each_word_that_states_a_fact(word: str) -> None:
    """The value is above the bound, so it is too high."""
    found = comparison_in(f"{word} above 5")
    assert found is not None
    assert found.direction is Direction.HIGH


@in_one_item
@pytest.mark.parametrize("word", DENIALS)
def test_each_word_that_denies(word: str) -> None:
    """What must not be above the bound is too high."""
    for words in (f"must {word} above 5", f"{word} above 5"):
        found = comparison_in(words)
        assert found is not None
        assert found.direction is Direction.HIGH, words


@pytest.mark.parametrize("sign", [*",;.:(，。；", "but", "while"])
def test_each_sign_that_ends_a_clause(sign: str) -> None:
    """A demand in front of it is about something else."""
    found = comparison_in(f"must be {sign} above 5")
    assert found is not None
    assert found.direction is Direction.OUTSIDE


def test_a_kind_that_no_language_has_is_without_words() -> None:
    """Each other kind has a pattern for each language that names it."""
    assert stems("colour") == ()
    assert [len(stems(kind)) for kind in ("extra", "excess", "empty")] == [4, 1, 4]
