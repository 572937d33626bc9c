"""Words that say nothing but that something is wrong, as "that is not quite what we need, please try again" does.

A closed table for twenty languages. A text of these words alone is about no finding, whatever comes and goes with it.
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
    "Ukrainian": """
        а але без будь був була було в ваша ви відповіді відповідь вірно все ще знову і й ласка на не невірна
        невірно ні ну неправильна неправильно нажаль потрібно правильно проблема раз спробуйте спробуй так те то
        треба у це цього щось як помилка помилки жаль""",
    "Czech": """
        a ale ani asi bohužel bude by byla bylo chyba chybu chyby co dobře ho i je jednou ještě jinak k mi mě
        na nám něco není nesprávná nesprávně ne omlouvám ono opravit opravte oprav odpověď odpovědi platná
        platné pořád prosím problém se si správná správně stále špatně špatná tak takhle tedy to toho znovu
        zkus zkuste zkusit z za že už v vaše""",
    "Slovak": """
        a ale aj bohužiaľ bola bolo chyba chyby čo dobre ešte ho je ma na niečo nie nesprávna nesprávne opraviť
        opravte odpoveď odpovede platná platné prosím problém raz sa si skús skúste správna správne stále takto
        to toto v z za zle znova znovu že""",
    "Swedish": """
        alls att av bli blev bra det detta den denna du en ett fel felaktig fortfarande för försök försöka gick
        giltig giltigt gång gör han har hm i igen inte ja jag kan korrekt med men mig måste nej nu något ny nytt
        ogiltig ogiltigt ok om oss på rätt rätta sig snälla som svar svaret så tack till tyvärr vad var vara vi
        vänligen är än""",
    "Norwegian and Danish": """
        alt at av af ble blev bra bedre beklager da de den denne det dette dessverre desværre du en engang enn er
        et feil fejl for forkert fortsatt fortsat gal galt gang gik gjerne godt gyldig gyldigt gjør gør har hm i
        igen igjen ikke ja jeg kan korrekt lige litt man med men mere mig må nei nej noe noget ny nytt nyt nå nu
        og ok om på prøv prøve rett rette riktig rigtig rigtigt ret som svar svaret så takk tak til ugyldig
        ugyldigt uriktig var vennligst venligst vi være vær venlig endnu""",
    "Finnish": """
        anna ei eikä ensi hyvä ihan jokin joku kelpaa kerran kiitos korjaa kunnossa kuin mutta nyt ole oikea
        oikein ok ollut on ongelma pahoittelut pieleen se sen sitä tuo tämä uudelleen uudestaan vastaa vastaus
        vastauksesi väärin väärä vielä virhe virheellinen valitettavasti yritä yrittää""",
    "Hungarian": """
        a az egy ez ezt hiba hibás ha helyes helytelen is jó jól javítsa javítsd kell kérem kérjük még meg mert
        most nem próbálja próbáld probléma rossz sajnos sajnálom s újra válasz válasza valami vagy volt érvénytelen
        ismét""",
    "Romanian": """
        a ai ar bine ca ce care că corect corectați corectă cu da de din dar e este eroare erori fost greșit
        greșită încă încearcă încercați incorect invalid invalidă iar în la mai mulțumesc nevoie nou nu o ok pe
        pentru problemă răspuns răspunsul scuze se și sunt te un valid vă""",
    "Turkish": """
        ama bir bu bunu böyle cevap cevabı da daha de defa değil deneyin dene deneyiniz doğru düzelt düzeltin en
        et geçerli geçersiz hala hata hatalı hayır hm için ile ise istediğimiz kere kez lütfen maalesef ne oldu
        olmadı olmamış olmuş sorun şey tekrar tamam teşekkürler üzgünüm var ve yanıt yanıtınız yanlış yeniden yine
        yok""",
    "Indonesian": """
        ada ada anda apa baik belum benar bisa coba dan dari di hasil ini itu jawaban kami kembali kesalahan
        kurang lagi maaf masih mohon perbaiki salah saya sekali sesuai silakan tapi terima tidak tolong ulang ulangi
        valid yang kasih""",
    "Greek": """
        αλλά από αυτή αυτό για δεν δοκίμασε δοκιμάστε εδώ είναι ένα ευχαριστώ η ήταν και κάτι λάθος λάθη με μη
        ξανά να ναι ο όχι πάλι παρακαλώ πρόβλημα σας σου στη στο συγγνώμη σωστά σωστή σωστό τη την της το του
        φορά απάντηση δυστυχώς άκυρη έγκυρη""",
    "Vietnamese": """
        bạn bị chưa cho câu có còn của cần đã đang đây đó được đúng hãy hợp không kết là lại làm lần lệ lỗi lòng
        một mời này nữa ok quả rồi sai sửa sự tạ tiếc thể thử tôi trả lời vẫn và vì vui xin""",
    "Korean": """
        이번에도 이번엔 이번 아직 아직도 다시 한번 한 번 더 맞지 않습니다 않아요 않네요 틀렸습니다 틀렸어요 잘못
        잘못됐습니다
        잘못되었습니다 해 주세요 해주세요 주십시오 하세요 시도해 시도해주세요 보세요 부탁합니다 부탁드립니다 죄송합니다
        죄송하지만 답 답이 답은 답변이 답변은 답변을 응답이 응답은 응답을 올바르지 유효하지 오류 오류가 있습니다 문제가
        또 아닙니다 아니에요 그건 이건 좀 조금 고쳐 수정해 확인해 작성해""",
    "Arabic": """
        هذا هذه ليس ليست غير صحيح صحيحة خطأ حاول مرة أخرى من فضلك الإجابة إجابة إجابتك عذرا آسف لا لم ما زال
        زالت بعد رجاء يرجى المحاولة مجددا في على هناك مشكلة صالح صالحة""",
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
