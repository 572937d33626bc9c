"""Phrases that say nothing but that something is wrong."""

from __future__ import annotations

import pytest

from pytest_planguard.retry.proof import names_answer, says_nothing

from ..support.one_item import in_one_item

PHRASES = (
    *("Please try again.", "That was not correct. Please give another answer!", "Hm, something is wrong here."),
    *(
        "Das war leider nichts, bitte noch einmal.",
        "No está bien, inténtalo de nuevo, por favor.",
        "还是不对，请再试一次。",
    ),
    *("Ce n'est pas encore bon, recommencez s'il vous plaît.", "Tente outra vez, por favor.", "Riprova, per favore."),
    *("Probeer het nog eens.", "Попробуйте ещё раз.", "Proszę spróbować ponownie.", "もう一度お願いします。"),
    *("Försök igen.", "Prøv igen.", "Yritä uudelleen.", "Zkuste to prosím znovu.", "Lütfen tekrar deneyin."),
    *(
        "다시 시도해 주세요.",
        "Próbálja újra.",
        "Încercați din nou.",
        "Спробуйте ще раз, будь ласка.",
        "Silakan coba lagi.",
    ),
    *("Non ci siamo ancora, riprova.", "Δεν είναι ακόμα σωστό, δοκίμασε ξανά.", "זה עדיין לא נכון, נסה שוב בבקשה."),
    *("यह ठीक नहीं है, कृपया फिर से कोशिश करें।", "ยังไม่ถูกต้อง กรุณาลองใหม่อีกครั้ง", "هذا غير صحيح، حاول مرة أخرى."),
    *(
        "Поки що не те, спробуйте ще раз.",
        "Ini belum tepat, silakan coba lagi.",
        "این پاسخ درست نیست، لطفاً دوباره تلاش کنید.",
        "Това не е вярно, моля опитайте отново.",
        "Ovo nije ispravno, pokušajte ponovo.",
    ),
)
TELLING = (
    *("Please try again with two nights.", "That is too short.", "Das ist zu viel.", "優先度が違います。", "title"),
    *("คืนมากเกินไป", "रातें बहुत ज़्यादा हैं", "יותר מדי לילות", "Troppe notti, riprova.", "Πάρα πολλές νύχτες."),
    *("Försök igen med två nätter.", "제목이 짧습니다.", "Chybí název.", "42", "", " ...", "2 errors"),
)


@in_one_item
@pytest.mark.parametrize("words", PHRASES)
def test_stock_phrases_say_nothing(words: str) -> None:
    """In any of the languages."""
    assert says_nothing(words)
    assert says_nothing(words.upper())


@in_one_item
@pytest.mark.parametrize("words", TELLING)
def test_other_words_may_say_something(words: str) -> None:
    """One word that is no part of a stock phrase is enough; and no words are no phrase."""
    assert not says_nothing(words)


def test_a_whole_answer_has_a_name() -> None:
    """Which says something of a finding without a place."""
    assert all(map(names_answer, ("Wrong: the answer", "Deine Antwort ist falsch", "回答が違います", "ваш ответ")))
    assert not any(map(names_answer, ("please try again", "title", "")))
