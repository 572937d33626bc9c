"""Words that say nothing but that something is wrong, as "that is not quite what we need, please try again" does.

A closed table for ten languages. A text of these words alone is about no finding, whatever comes and goes with it.
"""

from __future__ import annotations

import re

_WORDS = {
    "English": """
        a again all an and another answer any are as asked at attempt back bad be been better but can check
        correct correctly could did didn do does doesn don done error errors expect expected fail failed fails
        first fix follow for format from get give given go good got had has have here hm hmm i if in incorrect
        instructions invalid is isn issue issues it its just know last let like look looks make me mistake
        mistakes must need needed next no not of off oh ok on once only or our output over please previous
        problem problems properly quite redo reject rejected reply response result retry return revise right
        rules s same schema see seems send should so some something sorry still t task than thank thanks that
        the then there these they thing things this time to try unfortunately unusable up us use valid ve very
        was wasn way we well were what which will with work works wrong yes yet you your""",
    "German": """
        aber alles als also an anders antwort auch auf bei besser bitte da damit danke das dem den der die dies
        diese dieser du ein eine einen einmal entspricht er erneut es falsch fehler fehlerhaft für geht hat hier
        ich ihr ihre im immer in ist ja kann kein keine korrekt korrigiere korrigieren können leider mal mit
        nein nicht nichts noch nochmal nun nur ok passt prüfe prüfen richtig schade sein sie sind so stimmt
        ungültig unsere unter verbessern vergleich versuch versuche versuchen von vorgaben war was wir wird
        wurde zu zum""",
    "Spanish": """
        a algo bien con correcto corregir corrige de del disculpa el en era error errores es esto está favor fue
        ha hay hemos incorrecto intenta intente inténtalo inválida inválido la las lo los mal me muy necesitamos
        no nos nueva nuevo o otra para pero por problema que quedó respuesta se ser si su sí todavía tu un una
        vez válida válido y ya""",
    "French": """
        a ai as au aux avez bien bon bonne c ce cela ces cette correct corrigez d de des du désolé elle encore
        erreur erreurs es essaie essayer essayez est et fait faut faux il incorrect invalide j je l la le les
        mais me merci n ne non nous nouveau on ou oui pas plaît plus pour problème qu que quelque qui recommence
        recommencez refaire refaites réessayez réponse s se si sont sur svp te toujours tu un une valable valide
        veuillez votre vous y à été être""",
    "Portuguese": """
        a ainda algo as bem certo com correta correto corrija de desculpe deu do e ela ele errado erro erros
        esta este está falhou favor foi há inválida inválido isso mais mal mas no nova novamente não o os outra
        para por porque problema que resposta se sua tentar tente um uma vez você válida válido""",
    "Italian": """
        a al ancora bene c che ci con correggi corretta corretto da del di era errore errori fatto favore giusto
        il in invalida invalido la le lo ma mancata mi mio no non nuovo o per piacere prego problema prova
        provare qualcosa riprova risposta sbagliata sbagliato scusa si sono tua tuo un una va valida valido
        volta è""",
    "Dutch": """
        aan alsjeblieft alstublieft antwoord dat de deze dit een eens er fout fouten geldig goed helaas het iets
        in is je juist kan keer klopt maar mis moet niet niets nog ok om ongeldig ongeldige opnieuw probeer
        proberen sorry te u uw van verbeter was ze""",
    "Russian": """
        а без был было в ваш ваша верно вот все еще ещё и исправь исправьте к как надо не неверно неверный
        неправильно нет но ну нужно ответ ошибка ошибки повтори повторите пожалуйста пойдет пойдёт попробуй
        попробуйте правильно проблема раз снова сожалению так то увы что это""",
    "Polish": """
        a ale błąd błędna błędny błędy coś dobrze i jest jeszcze nie niepoprawna niepoprawnie niepoprawny
        niestety o odpowiedzi odpowiedź ponownie popraw poprawna poprawnie poprawny problem proszę raz spróbować
        spróbuj tak to twoja w z za znowu źle""",
}
_KNOWN = {word for words in _WORDS.values() for word in words.split()}
# Signs of Chinese and Japanese sentences that say so; words are not parted there. Kana alone name nothing.
_SIGNS = set("不对错误正确还是再请试一次遍重新回答答案有问题的了抱歉起这个行无效能用检查修改下吧呢啊間違度願直認")
_WORD = re.compile(r"[^\W\d_]+|\d+")
_UNSPACED = re.compile(r"[\u3400-\u9fff]|[\u3041-\u309f]+")

# A whole answer: "the response", "deine Antwort", "回答".
_ANSWER = re.compile(
    r"\b(?:answer|response|reply|output|antwort|respuesta|réponse|resposta|risposta|antwoord|ответ|odpowied[zź])|回答|答案",
    re.IGNORECASE,
)


def names_answer(words: str) -> bool:
    """Return whether a text names the answer as a whole, which says something of a finding without a place alone."""
    return _ANSWER.search(words) is not None


def says_nothing(words: str) -> bool:
    """Return whether a text has words, and none but those that say that something is wrong."""
    found = _WORD.findall(words.casefold())
    return bool(found) and all(word in _KNOWN or _is_unspaced(word) for word in found)


def _is_unspaced(word: str) -> bool:
    """Return whether a run of Chinese or Japanese has no sign that could name something."""
    return _UNSPACED.sub("", word) == "" and {sign for sign in word if sign >= "\u3400"} <= _SIGNS
