"""Words that say nothing but that something is wrong, by language: those around "please try again" and "not valid".

None of them names a fault. Words of how much, long, short, missing or too are left out, and so are numbers.
"""

from __future__ import annotations

WORDS = {
    "English": """
        a again all an and another answer any are as asked at attempt back bad be been better but can check
        correct correctly could did didn do does doesn don done error errors expect expected fail failed fails
        first fix follow for format from get give given go good got had has have here hm hmm i if in incorrect
        instructions invalid is isn issue issues it its just know last let like look looks make me mistake
        mistakes must need needed next no not of off oh ok on once only or our output over please previous
        problem problems properly quite redo reject rejected reply response result retry return revise right
        rules s same schema see seems send should so some something sorry still t task than thank thanks that
        the then there these they thing things this time to try unfortunately unusable up us use valid ve very
        was wasn way we well were what which will with work works wrong yes yet you your although anyhow
        anything apologies attention because become cannot carefully change close come currently doing either
        else even exactly finally fully further glad happened hello help hey however i'm improve instead keep
        ll made matter maybe might mind moment my never now obviously okay ones order others ought own perhaps
        proceed quick quickly really rather regret repeat seem seemed seriously shall she sir since somehow
        soon started sure surely take tell that'll therefore though thus towards tried trying turn understand
        usual wait want wanted wants whatever while why wish without would write wrote yourself""",
    "German": """
        aber alles als also an anders antwort auch auf bei besser bitte da damit danke das dem den der die
        dies diese dieser du ein eine einen einmal entspricht er erneut es falsch fehler fehlerhaft für geht
        hat hier ich ihr ihre im immer in ist ja kann kein keine korrekt korrigiere korrigieren können leider
        mal mit nein nicht nichts noch nochmal nun nur ok passt prüfe prüfen richtig schade sein sie sind so
        stimmt ungültig unsere unter verbessern vergleich versuch versuche versuchen von vorgaben war was wir
        wird wurde zu zum abermals ach allerdings andere anderen anderes bin bisher bitten dafür dann darum
        dein deine denn derzeit dich doch einfach erhalten erneuten fehlgeschlagen ganz gar geben gemacht
        genau gerade gern gleich gut hallo haben hatten hätten heute hinbekommen hoffe ihnen jetzt keinen
        konnte könnte leid machen macht man mein mich mir müssen muss nächste neu neue neuen neuer oder passen
        passend richtige sagen schau schauen schon sehen sicher sieh sollte sollten sondern sorry stimmen tut
        überarbeite überarbeiten überprüfe uns versuchs vielleicht vielen völlig vom vorher weg weiter wenn
        wer werden wieder will wirklich wollen worden zurück zwar""",
    "Spanish": """
        a algo bien con correcto corregir corrige de del disculpa el en era error errores es esto está favor
        fue ha hay hemos incorrecto intenta intente inténtalo inválida inválido la las lo los mal me muy
        necesitamos no nos nueva nuevo o otra para pero por problema que quedó respuesta se ser si su sí
        todavía tu un una vez válida válido y ya ahora algún alguna algunos aquí así aún bueno cada comprueba
        comprobar correcta cosa cual cualquier cuando debe deben debería dice dime disculpe donde ella ello
        encontramos entonces equivocado eso estaba están estás estos fallo falló fin fuera gracias hacer hagas
        hace hazlo hola igual intentar intentarlo intentes intento lamentablemente lamento lograrlo mejor mi
        mismo momento necesito ni nuestra nunca ok otro parece pena perdón podemos podría posible prueba
        pruebe puede puedes quería quiero repetir repite repítelo revisa revisar revise sale salió sé sea
        según seguro sin sirve sobre son soy también tal tampoco te tenemos tener tengo tiene tras tus usted
        vale vamos verdad ver volver vuelva vuelve""",
    "French": """
        a ai as au aux avez bien bon bonne c ce cela ces cette correct corrigez d de des du désolé elle encore
        erreur erreurs es essaie essayer essayez est et fait faut faux il incorrect invalide j je l la le les
        mais me merci n ne non nous nouveau on ou oui pas plaît plus pour problème qu que quelque qui
        recommence recommencez refaire refaites réessayez réponse s se si sont sur svp te toujours tu un une
        valable valide veuillez votre vous y à été être ah ainsi allez alors après assez attendions attendu
        attendue aussi autre autres avait avant avec avoir bientôt ceci celui cependant chose ci comme
        convient correcte correctement dans depuis dernière désolée deuxième dire dois doit donc dommage
        erronée essayons est-ce étaient était étais exact exactement fais faites fallait fois fonctionne hélas
        ici ils jamais juste là leur lui maintenant mal malheureusement malgré marche meilleur même mes mieux
        mon moi monsieur ni notre ont oups par parfait peut peux possible pourquoi pourriez prête propre puis
        quand quel quelle quelques raté recommencer refais regarde sans sauf savoir seulement soit sommes sous
        suis suit surtout tard tel tenter tentez très va vais vers veux vois voici voilà vos vraiment vu""",
    "Portuguese": """
        a ainda algo as bem certo com correta correto corrija de desculpe deu do e ela ele errado erro erros
        esta este está falhou favor foi há inválida inválido isso mais mal mas no nova novamente não o os
        outra para por porque problema que resposta se sua tentar tente um uma vez você válida válido agora
        algum alguma antes ao aqui assim até bom cada caso coisa correção corrigir cuidado da depois desta
        desse deste deve dizer dos eles encontramos então era errada erradas é estava estou eu faça falha
        fazer feito foram fosse gentileza havia infelizmente isto já lamento melhor mesmo meu minha nem nos
        nossa nosso novo nunca obrigado obrigada outro ou parece pelo perdão pode podemos poderia pois
        precisamos pronto próxima quando queremos refaça refazer repita repetir respondido revise saiu segunda
        seja sem ser serve seu sim só sobre tá também tem temos tenho tentando ter última usar vai vamos vê
        ver vezes vou""",
    "Italian": """
        a al ancora bene c che ci con correggi corretta corretto da del di era errore errori fatto favore
        giusto il in invalida invalido la le lo ma mancata mi mio no non nuovo o per piacere prego problema
        prova provare qualcosa riprova risposta sbagliata sbagliato scusa si sono tua tuo un una va valida
        valido volta è abbiamo abbia adesso ah ahimè alla allora altra altre altri altro anche andata andato
        appena bisogno buona buono capito caso certo cioè come controlla controllare cortesia così cosa d dai
        dal della delle dello deve dispiace dispiacermi dopo dunque e ecco ed ero essere esatta esatto faccia
        facciamo fa fai fare finora fosse fra già giusta gli grazie ha hai hanno ho i ieri insomma l lei lì
        loro mai male meglio mentre mia momento ne neanche nella nemmeno noi nostra nostro nuova nuovamente
        oggi ogni oh ok oppure ora ovviamente peccato però perché perfetto può poi prima presto proprio
        proviamo provi purtroppo qua qual quella quello quel questa queste questi questo qui quindi rifai
        rifare riprovare riprovi riscrivi rispondi salve sarà scrivi sei sembra sempre senza serve sì siamo
        sia spiacente spiace sta stata stato stesso sto su sua subito suo tale tentare tentativo terza ultima
        vediamo verifica verificare vi volte vorremmo vuole""",
    "Dutch": """
        aan alsjeblieft alstublieft antwoord dat de deze dit een eens er fout fouten geldig goed helaas het
        iets in is je juist kan keer klopt maar mis moet niet niets nog ok om ongeldig ongeldige opnieuw
        probeer proberen sorry te u uw van verbeter was ze alleen als altijd ander andere antwoordt bedankt
        ben beter bij controleer daar daarom dan dank dezelfde doe doen door dus echt eerst eigenlijk en eigen
        even gaat gebeurd gedaan geen gegaan gelukt gelukkig gemaakt goede graag ging had hallo heb hebben
        heeft help hem hier hij hoe hoop hun ik inderdaad jammer jou jouw juiste kijk klaar klein kon kun
        kunnen kunt later lukte maak maken mag me mee mij mijn misschien moest moeten naar nee niemand nieuw
        nieuwe nodig nu of omdat ons ook op over pas poging precies probeert reactie slecht snap snel soms
        spijt spijtig staat steeds terug toch toe trouwens uit vanaf verbeteren verder verkeerd verwacht
        volgende voor vraag vragen waar waren wat we weer weet wel welke werkt werd wie wij wil willen worden
        wordt zal zeer zei zelf zeg zich zie ziet zijn zo zoals zou zouden""",
    "Russian": """
        а без был было в ваш ваша верно вот все еще ещё и исправь исправьте к как надо не неверно неверный
        неправильно нет но ну нужно ответ ошибка ошибки повтори повторите пожалуйста пойдет пойдёт попробуй
        попробуйте правильно проблема раз снова сожалению так то увы что это будет будь была были быть верните
        вам вас вновь вообще всё всю вы где давай давайте дайте даже делать для должно ее если есть ждали ждем
        же за здесь зря или именно исправить их кажется как-то какая-то лучше меня мне можем может можно мы
        наш наша него некорректно некорректный неправильный нельзя неплохо ни ничего новый нужен о об обратите
        один он она они опять от очень ошибку перепишите пере по повторить под поправь поправьте почему пошло
        правильный придется причина при про проверь проверьте просим просто прошу пусть работает равно сам
        свой сделай сделайте сделать себя сейчас сначала спасибо стоит такой там твой тебе теперь того тоже
        только тот ты у уже ух хорошо хотели хотелось хочется чем через чтобы эта этот я""",
    "Polish": """
        a ale błąd błędna błędny błędy coś dobrze i jest jeszcze nie niepoprawna niepoprawnie niepoprawny
        niestety o odpowiedzi odpowiedź ponownie popraw poprawna poprawnie poprawny problem proszę raz
        spróbować spróbuj tak to twoja w z za znowu źle aby ach albo alez ani będzie był była było byś być
        choć chyba ci cię czy dalej dla dlaczego dlatego do drugi dziękuję gdy go ich ile im inaczej inny ja
        jak jaka jako jakoś je jedno jej jego jednak jestem jeśli już każdy kiedy kolejny kolejna która które
        ktoś lub ma mam mamy mi mnie moja może można mój na nadal najpierw nam nas nasz nią nich nigdy nim niż
        no nowa nowy odpowiada ok on ona one oni oraz pan panie pani po pod podejście podaj poprawić
        potrzebujemy powtórz próba próbę próbuj przed przepraszam przepraszamy przez przy przykro raczej razem
        się sobie sprawdź sprawdzić są ta taka taki tam tego tej ten też tobie trzeba tu tutaj twoje ty tylko
        tym u udało uwaga uzyskać wciąż we więc wiem wy wygląda wyszło zanim zawsze ze zły zrobić zrób żeby""",
    "Ukrainian": """
        а але без будь був була було в ваша ви відповіді відповідь вірно все ще знову і й ласка на не невірна
        невірно ні ну неправильна неправильно нажаль потрібно правильно проблема раз спробуйте спробуй так те
        то треба у це цього щось як помилка помилки жаль аби або адже аж ані ба бачу би більш буде були бути
        вам вас ваш ваше ваші вдалося версія весь вже вибач вибачте виглядає вийшло виправ виправте від
        відповідає він вона вони воно геть готово дай дайте далі де добре добрий довелося дуже дякую дякуємо є
        ж же жодної з за зараз зауваж звичайно здається знаю знов зовсім зроби зробіть з'явилася із інакше
        інша інше їх його йдеться ймовірно каже коли колись кожен ледь лише ми мабуть має маємо майже мене
        мені може можемо можете можливо моя нам нас наш наша недійсна недійсний нема немає некоректна
        некоректно ніж ніяк нова нове нового нову о об обов'язково один одна ок он ось перевір перевірте
        перепрошую перепрошуємо під підійшло підходить по повертайте повторіть повтори поки пробачте пробуй
        пробуйте просимо просто прошу раніше робити разу саме свій себе сказано скоріше слід собі справді
        спробувати спроба спробу спробі сюди та таки такий таке там твоя тепер ти тоді той тут уже уважно хай
        хочемо хоча цей ці ця через чи чому чомусь я яка який якось які що щоб хто цієї цим""",
    "Czech": """
        a ale ani asi bohužel bude by byla bylo chyba chybu chyby co dobře ho i je jednou ještě jinak k mi mě
        na nám něco není nesprávná nesprávně ne omlouvám ono opravit opravte oprav odpověď odpovědi platná
        platné pořád prosím problém se si správná správně stále špatně špatná tak takhle tedy to toho znovu
        zkus zkuste zkusit z za že už v vaše abych aby ač aha avšak bez budeme budete byl byly byste či chtěli
        chceme čeho dá dát další dejte dej děkuji děkujeme díky do docela dokud druhý ech fajn hned jak jako
        jaký jde jen jenže jejich jestli ji jich jim jinou jiný jsem jsi jsme jsou jste kde kdy kdyby když
        která které který kvůli lépe líp má mám máme máte mezi mohl mohli možná můj musí myslím nad námi náš
        naše platí nebo nebyla nebylo nefunguje nechte nej nejde nelze nemáme neodpovídá nepovedlo nepovedla
        nepřijatelné neplatná neplatné neplatný nevadí nevyšlo nic nikdy nová nové nový nu o od odpovídá
        odpovědět omluva on ona oprava opravdu opětovně pak pardon po podívejte pojď pokus pokusit pokuste
        pokusíme potřebujeme pošlete pouze povedlo právě pravda proč proto protože prostě před předchozí při
        přijít přece přesně příště připraven raději rád radši reagujte řekněte sám sami skoro smůla snad spíš
        sto stojí svůj ta tady také takový takto tam tě ten tento této teď ti tohle totiž trochu tu tuto tvoje
        ty u určitě ve vám vás více vidím víte však vše všechno vůbec vrať vy vyšlo zas zatím zcela zde
        zkontrolujte zkontroluj zkusme zpět zrovna""",
    "Slovak": """
        a ale aj bohužiaľ bola bolo chyba chyby čo dobre ešte ho je ma na niečo nie nesprávna nesprávne
        opraviť opravte odpoveď odpovede platná platné prosím problém raz sa si skús skúste správna správne
        stále takto to toto v z za zle znova znovu že aby ach ako akože alebo áno asi až bez bol boli by čože
        ďalej ďalší dajte daj ďakujem ďakujeme do dobrá druhý fajn hneď i iba im inak iná ja jednoducho ju kde
        ktorá ktoré ktorý kvôli lebo len lepšie má máme me medzi mi mne možno môže môžete musí my nad nám nás
        náš naša ne nech nedá nefunguje neodpovedá nepodarilo nevyšlo neplatná neplatné neplatný nič no nová
        nové nový od odpovedz odpovedzte odpovedá ok on ona ono oprav oprava opäť pardon po podľa pokus
        pokúste potom potrebujeme práve preto pretože prepáč prepáčte pre pred predchádzajúca pri prosíme
        presne príliš radšej skoro skontroluj skontrolujte skúsme snaď som sme sú svoj táto tak taký tam tento
        teraz ti tiež toho trochu tu tvoja ty u určite už poriadku vám váš vaša však všetko vôbec vráť vy zase
        zatiaľ žiaľ zlá""",
    "Swedish": """
        alls att av bli blev bra det detta den denna du en ett fel felaktig fortfarande för försök försöka
        gick giltig giltigt gång gör han har hm i igen inte ja jag kan korrekt med men mig måste nej nu något
        ny nytt ogiltig ogiltigt ok om oss på rätt rätta sig snälla som svar svaret så tack till tyvärr vad
        var vara vi vänligen är än aldrig alla allt annan annat annars bara behöver bort båda både bör början
        då därför där dig din ditt dock dom dra efter eftersom eller emellertid er era exakt fast fick
        fortsatt fram från fungerade fungerar få får före förra förlåt först ge genom ger godkänd godkänt gott
        gånger göra ha hade hela helt henne hjälp hos hur här hör ihop illa ingen inget inom istället ju just
        kanske kolla kom kommer kontrollera kunde kvar klar lite lika lyckades låt läs man medan mer mina
        misslyckades möjligt nja någon nästa nästan när o och ojdå okej omöjligt prova pröva rättar riktigt sa
        samma se sedan ska skicka skriva skriv skulle snarare sorry ser stämde stämmer står svara svarade
        sådan ta tar tillbaka titta tro typ tänk under ursäkta ut utan varför varje vet vid vidare vill visst
        vår vårt väl åt åter återigen även""",
    "Norwegian and Danish": """
        alt at av af ble blev bra bedre beklager da de den denne det dette dessverre desværre du en engang enn
        er et feil fejl for forkert fortsatt fortsat gal galt gang gik gjerne godt gyldig gyldigt gjør gør har
        hm i igen igjen ikke ja jeg kan korrekt lige litt man med men mere mig må nei nej noe noget ny nytt
        nyt nå nu og ok om på prøv prøve rett rette riktig rigtig rigtigt ret som svar svaret så takk tak til
        ugyldig ugyldigt uriktig var vennligst venligst vi være vær venlig endnu aldri alle andre annen annet
        anden andet bare behov blir bliver bort både båre bør dårlig deg dem her der derfor derimot din ditt
        dit dog efter eftersom ellers end ennå etter fikk fik forrige forsøk forsøg fra fram frem funker
        fungerer fungerte får få føre først gi giv giver gir gjennom godkendt godkjent god ha hadde havde hele
        helt hos hva hvad hvis hvor hvorfor hver hjelp hjælp ifølge ingen intet inn ind jo kanskje kom kommer
        kontroller kunne kun lenge la lad like likevel lykkedes lyktes mange å mener mens mer min mitt
        mislykkedes mislyktes måske måtte naturligvis neste næste nesten næsten noen nogen når okei okay
        omigjen over passer prøver prøvde prøvede rettes op samme se sende send ser siden sikkert skal skriv
        skulle slik sådan sorry sist sidst svare svarte svarede synes vidt ta tag bake tilbake tilbage tro
        under undskyld unnskyld unnskyldt ut ud uten uden ved vet videre vil ville virker virkelig virkede
        våre vårt vores åpenbart""",
    "Finnish": """
        anna ei eikä ensi hyvä ihan jokin joku kelpaa kerran kiitos korjaa kunnossa kuin mutta nyt ole oikea
        oikein ok ollut on ongelma pahoittelut pieleen se sen sitä tuo tämä uudelleen uudestaan vastaa vastaus
        vastauksesi väärin väärä vielä virhe virheellinen valitettavasti yritä yrittää ai ainakaan aivan alas
        antaa antakaa anteeksi ehkä eli ennen epäonnistui eräs että hän he hei helposti hetki huomaa hups
        hyvin ikävä itse ja jälkeen jatka joka joko jonkin jos jotain jälleen kai kaikki vain kanssa kelvannut
        kerta kertaa kiitoksia kirjoita kirjoittakaa kohta koska kokeile kokeilkaa korjatkaa korjattava kun
        kunnolla kyllä kyse lähetä lienee mainio malta me meidän meille minä mitä miten moi muu muuten muutoin
        myös nähdä näin näyttää ne niin no nuo odotettu oho oikeanlainen oikeasti oletko oli olisi olisit olla
        olleet omasta onko onnistunut onnistui pahoittelen pahus palaa paremmin parempi pitäisi pitää pois
        puolelta pyydetty pyydän pyydämme pyyntö saa saatu saisi saman sama selvä siis siitä siksi sinun sinä
        siten sitten sopimaton sopiva sovi tai taas tarkasta tarkista tarkistakaa tarvitaan tarvitsemme tee
        tehdä tehkää tietysti tällä täten tätä te teidän tuli tule tulos tunnu tyyliin uusi uutta vaan vaikka
        valmis varmasti vastatkaa vastaava vastannut viime viimeinen virheet virhettä voi voisi voisitko
        voitko väärällä yksi yrittäkää yritys yritetään""",
    "Hungarian": """
        a az egy ez ezt hiba hibás ha helyes helytelen is jó jól javítsa javítsd kell kérem kérjük még meg
        mert most nem próbálja próbáld probléma rossz sajnos sajnálom s újra válasz válasza valami vagy volt
        érvénytelen ismét abban adja ahogy akkor ami amit annak arra át azt azért azonban be bele bocs
        bocsánat cserébe csak de ebben eddig egyik egyszer egyszerűen elég ellenőrizd ellenőrizze elnézést
        előző elő én erre és ettől ezen ezzel fel felelt fog hanem hát helyesen hiszen hogy hogyan hozzá i így
        igen igazán ilyen itt ja jelenleg jobban jobb kapott kellene kellett kerül ki köszönjük köszönöm
        következő közben lehet lenne lesz lett maga már más másik megfelel megfelelő megfelelően megint
        megpróbálja megpróbálná mi miatt mit múlt nagyon ne nekünk ő ok olyan ön óh össze pedig persze pont
        próbáljuk próba rá rendben rosszul se sem semmi sikerült sikertelen stimmel talán tegye tehát tévedés
        több tudja tudna úgy ugyan újból utolsó vagyok választ valamit van végül vissza volna""",
    "Romanian": """
        a ai ar bine ca ce care că corect corectați corectă cu da de din dar e este eroare erori fost greșit
        greșită încă încearcă încercați incorect invalid invalidă iar în la mai mulțumesc nevoie nou nu o ok
        pe pentru problemă răspuns răspunsul scuze se și sunt te un valid vă acea aceasta această acel acest
        acesta acum ad adevărat ales am alt alta altă altceva apoi are aș așa aşa așteptat atât atunci avea
        avem avut bună când cât cel cele cer cerem cerut chiar ci cineva corecteze corectezi cumva deci decât
        deja despre deși după ea ei el era erau eu exact facă face faceți facem fă făcut fi fie fiind fim
        greșeală greșeli hai iată îi îl îmi imediat înainte încât încercare încercăm îndreptați între într
        însă își îți le li lor lucru lui m ma mă mâine mea mereu merge mi mie mod moment ne neapărat necesar
        nevalid nevalidă ni nici niciun nicio nimic noastră noi nostru oare ori păcat părea pare poate poți
        potrivit potrivită primul probabil puteți putea rău rog rugăm rugam să sa sau seama sigur simplu spre
        spune ști sub tare tot totul totuși trebuie trimite trimiteți tu unde unei unui v va văd vedea
        verifica verificați vi voi vom vorba vrem""",
    "Turkish": """
        ama bir bu bunu böyle cevap cevabı da daha de defa değil deneyin dene deneyiniz doğru düzelt düzeltin
        en et geçerli geçersiz hala hata hatalı hayır hm için ile ise istediğimiz kere kez lütfen maalesef ne
        oldu olmadı olmamış olmuş sorun şey tekrar tamam teşekkürler üzgünüm var ve yanıt yanıtınız yanlış
        yeniden yine yok acaba aslında ayrıca az bak bakın bana başka başarılı başarısız bazı belki ben beri
        bile bilgi birkaç biz bizim böylece bunun burada buyurun bütün çok çünkü dikkat diye dolayı durum
        edelim edemedik eder ederim ediniz elde etmek gibi göre göründü görünüyor gözden gün halen hatta hemen
        henüz her herhangi hiç hoş ilk işe iste istenen istenilen istiyoruz iyi kabul kadar karşı kendi ki
        kısmen kontrol kusura lazım madem mi mı mu mü nasıl neden nedenle olan olarak oldukça olmuyor olması
        olsa olsun olur olmaz olup onu onun öncesi önceki orada öyle özür pek rağmen rica sadece sana sanırım
        siz sizden sizin son sonra sonuç şekilde şimdi şöyle şu tam tamamen tane tarafından tekrarlayın
        teşekkür tüm uygun uymuyor uyuyor üzere vermek verin veriniz verir yapın yapınız yapılan yapmak yani
        yap yaptı yardım yaz yazın yeni yeterli yönde zaten""",
    "Indonesian": """
        ada anda apa baik belum benar bisa coba dan dari di hasil ini itu jawaban kami kembali kesalahan
        kurang lagi maaf masih mohon perbaiki salah saya sekali sesuai silakan tapi terima tidak tolong ulang
        ulangi valid yang kasih agar akan akhir aku apabila apakah atas atau bahwa balas balasan bantu banyak
        baru beberapa begitu bermasalah berhasil berikan berikut besar bila bisakah boleh bukan buat cara cek
        cocok cukup dahulu dalam dapat data dengan diberikan diharapkan diminta dipakai diperbaiki diterima
        dulu gagal hal hampir hanya harap harus hendak ingin jadi jangan jawab jika juga kalau kali kalimat
        kamu karena kata ke kecil keliru kemudian kira kita koreksi lebih lah lain lalu maka maksud malah mari
        mau mana memang membuat memperbaiki memeriksa mencoba mengapa mengirim mengulang meminta menjadi
        menurut mesti minta mungkin nah namun nanti no oh oke oleh pada pakai paling percobaan perlu periksa
        permintaan pernah pertama pula rasa rupanya saat saja salahnya sampai sangat sayang sebelum sebelumnya
        sebuah secara sedang sedikit segera sebaiknya sekarang selain seperti seharusnya serta sesuatu setelah
        siap silahkan soal sudah supaya sungguh tadi tampak tampaknya tepat terakhir ternyata terjadi tersebut
        tetap tetapi tidaklah tulis tulislah ulangilah untuk usah ya yaitu""",
    "Greek": """
        αλλά από αυτή αυτό για δεν δοκίμασε δοκιμάστε εδώ είναι ένα ευχαριστώ η ήταν και κάτι λάθος λάθη με μη
        ξανά να ναι ο όχι πάλι παρακαλώ πρόβλημα σας σου στη στο συγγνώμη σωστά σωστή σωστό τη την της το του
        φορά απάντηση δυστυχώς άκυρη έγκυρη α αδύνατο ακόμα ακόμη ακριβώς άλλη άλλο αλλιώς αμάν ανταποκρίνεται
        απάντησή απάντησε απαντήσετε αποδεκτό απόπειρα αργότερα ας αυτά αυτές αυτής αυτού βάλε βλέπω βοήθεια
        γίνει γίνεται γράψε γράψτε δείτε δει δες δικό διορθώστε διόρθωσε δοκιμή δοκιμάσετε δοκιμάσεις δούλεψε
        δώσε δώσετε έγινε έγκυρο εγώ εκ εκεί εκείνο έλα ελέγξτε έλεγξε εμείς εμάς εντάξει εξακολουθεί επιτυχία
        επανάλαβε επόμενη έρχεται εσύ έτσι ευχαριστούμε έχει έχεις έχω έχουμε ζητάμε ζητήθηκε ζητούσαμε ή
        ήθελα θα θέλαμε θέλει θέλουμε ίδιο ίσως κάθε καθόλου κακό καλά καλό καλύτερα κάνε κάνετε κατά κι κοίτα
        κοιτάξτε κρίμα λέει λόγω λοιπόν λυπάμαι λυπούμαστε μα μαζί μας μετά μέχρι μήπως μία μια μιας μόνο μου
        μπορεί μπορείς μπορείτε νέα νέο ξανακάνε ξαναδοκίμασε ξαναδοκιμάστε ξαναπροσπάθησε οι όμως όπως ό,τι
        όταν ότι ούτε παρά περιμέναμε ποια ποιο πρέπει πριν προηγούμενη προσέξτε προσοχή προσπάθεια προσπάθησε
        προσπαθήστε προς πρόκειται πρώτα πώς σαν σε σημαίνει σίγουρα σκέψου στα στις στον σωστός τα τέλος
        τελικά τέτοιο τι τις τον τότε τους τώρα υπάρχει χρειάζεται χωρίς ως""",
    "Vietnamese": """
        bạn bị chưa cho câu có còn của cần đã đang đây đó được đúng hãy hợp không kết là lại làm lần lệ lỗi
        lòng một mời này nữa ok quả rồi sai sửa sự tạ tiếc thể thử tôi trả lời vẫn và vì vui xin ai anh bây
        bởi cách cái chắc chỉ chính chỗ chúng cùng cũng dù đâu đến đi điều đổi em gì giờ hẳn hay họ hoặc hỏi
        kế khác khi kiểm kiện lúc mà mình mong mới muốn năm nên nếu ngay nhé nhưng như những nhận ổn phải phản
        hồi qua quý rằng sao sau sẽ song thấy thế theo thì thôi thực tới tra trên trong trước tuy từ ừ vậy vẻ
        về viết việc với vừa xem yêu""",
    "Korean": """
        이번에도 이번엔 이번 아직 아직도 다시 한번 한 번 더 맞지 않습니다 않아요 않네요
        틀렸습니다 틀렸어요 잘못 잘못됐습니다 잘못되었습니다 해 주세요 해주세요 주십시오 하세요
        시도해 시도해주세요 보세요 부탁합니다 부탁드립니다 죄송합니다 죄송하지만 답 답이 답은
        답변이 답변은 답변을 응답이 응답은 응답을 올바르지 유효하지 오류 오류가 있습니다 문제가
        또 아닙니다 아니에요 그건 이건 좀 조금 고쳐 수정해 확인해 작성해 그 그래도 그래서
        그러나 그럼 그리고 글쎄요 네 아니요 아쉽게도 안타깝게도 이것은 이게 이 저 제대로
        아닙니다만 되었습니다 됐습니다 됩니다 돼요 안 못 했습니다 하고 하지만 합니다 할 함
        처음부터 정확하지 정확히 올바른 올바르게 옳지 맞는 맞게 원하는 원한 필요한 것 것이 것은
        것을 것과 답변 답변해 대답 대답해 응답 다시한번 한번더 재시도 재시도해 바랍니다
        시도하세요 시도해보세요 검토해 살펴 봐 주시기 주시겠어요 주실래요 고쳐주세요 수정해주세요
        확인해주세요 작성해주세요 보내 보내주세요 결과 결과가 형식이 아쉬워요 감사합니다 고맙습니다
        미안합니다 실패했습니다 실패 잘못된 틀린 유효한""",
    "Arabic": """
        هذا هذه ليس ليست غير صحيح صحيحة خطأ حاول مرة أخرى من فضلك الإجابة إجابة إجابتك عذرا آسف لا لم ما زال
        زالت بعد رجاء يرجى المحاولة مجددا في على هناك مشكلة صالح صالحة أعد أعيد أن أنت أي إذا إرسال إلى إلا إن
        أو الآن التالي الثانية الجواب الخطأ الذي الرد السابق السابقة الصحيح الصواب الطلب اللازم المتوقع المرة
        المطلوب الموضوع النتيجة أتوقع أحاول أخر أخيرا أسف أصلح أطلب أفضل أنا أيضا بشكل بل بما بهذا تأكد تحقق
        تحاول تصحيح تكون جديد جديدة جواب جوابك حاولي حتى حسنا حقا خاطئ خاطئة ذلك رد ردك سبق سليم سليمة شكرا
        شيء صح ضروري طلب طلبنا عذرًا عفوا عليك عندما فشل فشلت فقط قم كان كانت كما كن كيف لأن لدينا للأسف لك
        لكن لقد لماذا له لها مازال مجددًا محاولة مرفوض معذرة مقبول مقبولة مناسب مناسبة منك مرتين نأسف نحتاج
        نحن نريد نعتذر نعم نفس نفسه هل هنا هو هي هيا واحدة وليس يا يبدو يجب يحتاج يكن يكون ينبغي يوجد""",
    "Hebrew": """
        או אבל אותו אחד אחר אחרת אחת איך אין אינה אינו אינך אל אלה אם אנא אנו אנחנו אני אפשר אשר את אתה אתם
        בבקשה בדוק בדקו בו בזה בטוח בינתיים במקום בסדר בעיה בפעם בצורה בקשה ברור ברצינות גם דבר הבא הבקשה
        ההודעה הוא היא היה היינו הייתה היו המבוקש המתאים הנה הניסיון הנכון הפעם הפלט הצליח הקודם התשובה השגיאה
        וגם ולא זאת זה זו זוהי חבל חדש חדשה חוזר חזור טוב טובה טעות יש יתכן כאן כבר כדאי כדי כי כך כמו כן כעת
        לא לאחר לבדוק לו לחזור לי למה למרבה לנו לנסות לעשות לפני לצערי לצערנו לקבל לשוב לתקן מבקש מבקשים מה
        מחדש מידי מי ממש מן מצטער מצטערת מצטערים משהו מתאים מתאימה נא נדרש נדרשת נו נכון נכונה נכשל נסה נסו
        נסי נעשה נראה נפלה סליחה עבד עדיין עוד על עם עצמו עשה פה פעם פעמים פשוט צריך צריכים קודם ראשון רגע
        רוצה רק רשום שגוי שגויה שגיאה שוב של שלא שלך שלנו שם תודה תוקן תיקון תן תנסה תקין תקינה תקן תקנו תשובה
        תשובתך""",
    "Hindi": """
        अगर अगली अच्छा अतः अनुरोध अन्य अपना अपने अपनी अब अभी आप आपका आपकी आपके आपको इस इसमें इसे उत्तर उस एक
        ऐसा ऐसे और करके करना करें करो कर कहीं का काम कि किया किसी की के को कोई कोशिश कृपया क्या क्योंकि क्षमा
        खेद गड़बड़ गलत गलती गया गयी गई चाहिए चाहते चाहिये जब जवाब जांच जाँच जा जैसा जैसे जो ज़रा जी ठीक तक तब
        तो थी था थे दिया दीजिए दुबारा दें दे देखें दो दोबारा धन्यवाद नए नया नहीं न ने पर पहले पाया पुनः पुन
        प्रयास प्रयत्न फिर फिर-से बस बात बार बारे बाद बेहतर भी माफ़ माफ मान्य में मैं मुझे यह यही यहाँ ये रहा
        रही रहे लगता लिए लिखें वह वही वाला वैध से समस्या सकते सका सही सुधार सुधारें सुधारिए सो हम हमें हमारी
        है हैं हाँ हां हुआ हुई हुए हो होगा होना अमान्य त्रुटि""",
    "Persian": """
        آن آنچه از است اشتباه اصلاح اگر الان اما امتحان این اینجا با باز باره بار باید ببخشید بدهید بده برای
        بررسی بعد بفرمایید بله به بهتر بود بودن بوده تا تلاش جواب چه چون چیز چیزی حالا خطا خطایی خواهش خوب خود
        داده دارد داریم در درست دقیق دقت دهید دوباره دیگر را سپاس سعی شد شده شما شود صحیح ظاهرا عذر غلط قابل
        قبل قبول قبلی کار کردن کرده کرد کن کنم کنید کنیم که لطفا لطفاً لازم ما متأسفانه متاسفانه متأسفم متاسفم
        مجدد مجددا مجدداً مشکل معتبر مناسب من مورد می میشود نادرست نامعتبر نبود نتیجه ندارد نشد نظر نمی نه
        نیست نیاز ها هم همان هنوز هیچ واقعا و ولی پاسخ پاسختان پاسخت یا یک یکبار""",
    "Urdu": """
        آپ آپکا اب ابھی اپنا اپنے اس اسے اگر اور ایک ایسا براہ بار بھی بہت پر پہلے پھر تک تھا تھی تو جو جواب
        جی درست دوبارہ دیں سے صحیح ضرورت غلط غلطی کا کچھ کر کرم کریں کرنا کہ کو کوئی کوشش کی کیا کے گا لیے
        مسئلہ معاف معذرت مہربانی میں نہ نہیں نے نیا وہ ٹھیک ہم ہمیں ہو ہوا ہے ہیں یہ یہی""",
    "Bengali": """
        অনুগ্রহ আগে আছে আপনার আপনি আবার আমরা আমাদের আর উত্তর উত্তরটি এই একটু একবার এখন এখনও এটা এটি এবং এমন ঐ
        ও করুন করে করা করতে কি কিছু কিন্তু কোনো গেছে গেল ঘটেছে চাই চেষ্টা ছিল জন্য ঠিক তবে তা তো থেকে দয়া দিন
        দুঃখিত ধন্যবাদ না নয় নেই নতুন পারে প্রয়োজন ভুল ভাল ভালো মতো যা যে সঠিক সমস্যা সেটা হচ্ছে হয় হয়নি
        হয়েছে হবে হলো""",
    "Tamil": """
        அது அந்த ஆனால் இது இந்த இல்லை இன்னும் உங்கள் என்று ஏதோ ஒரு கொஞ்சம் சரி சரியாக சரியான செய்யவும்
        செய்யுங்கள் தயவுசெய்து தயவு தவறு தவறான நன்றி பதில் மன்னிக்கவும் மற்றும் மீண்டும் முயற்சி
        முயற்சிக்கவும் வேண்டும்""",
    "Filipino": """
        ang ako ay at ayos ba beses dapat dito din hindi ibang inyong isa isang ito iyon iyong ka kailangan
        kasi ko lang lamang mali maling mo muli muling na namin nang natin ng ngunit nito o paki pakiusap
        paumanhin pa pakisubukan para pasensya pero pong po problema sa sagot salamat sana sinubukan subukan
        subukang sulit tama tamang tayo uli ulit ulitin ulitan wala wasto""",
    "Swahili": """
        asante au bado baadaye hapa hapana hilo hii hiyo huu ila ilikuwa imekosea inahitaji ipo jaribu
        jaribuni jaribio jambo jibu kama karibu kosa kuna kwa kwamba lakini lako mara moja na naomba nyingine
        pole samahani sahihi si siyo sisi tafadhali tena tu una unahitaji vizuri vema wa ya yako yangu za""",
    "Bulgarian": """
        аз ако ами без беше благодаря бъде бях в валиден валидно валидна вас ваш ви все всичко във вярно го да
        дай добре друг друго е един едно ето за защо здравей и или има исками искаме искахме как какво като
        което който коригирай коригирайте към ли ме между ми може можем моля на нали напиши настоящ нас наш не
        невалиден невалидна невалидно невярно него нещо ни нищо но нов ново няма о обаче обмисли опитай
        опитайте отговор отговора отговорът отново още перфектно по повтори повторете поправете поправи
        правилен правилна правилно преди пробвай пробвайте проблем проверете провери пък път само се сега си
        след сме смятам според стига става стане сте съжалявам съжаляваме съм също такъв така тва това тогава
        този тук ти то трябва у че ще съвсем грешен грешка грешно грешки""",
    "Serbian, Croatian and Bosnian": """
        a ali ako an biti bi bilo bila bio bolje da dajte dalje dobar dobro dok drugi drugo ga gdje greška
        greške grešku hvala hoću i ih ili im ima imate ispravan ispravi ispravite ispravno ispravna iz ja
        jedan je jednom jer jesu još ju jučer kako kao kod koja koje koji kroz li loše me meni mi molim molimo
        može možda mora moraš na nam nama nas naša naš ne nego neispravan neispravno neispravna nema nemoj
        netačno netočno neki nešto ni nije nismo nisu no nova novi o od odgovara odgovor odgovora odnosno ok
        on ona onda ono opet oprosti oprostite osim ovaj ovako ovo pa po pogrešan pogrešno pogrešna pokušaj
        pokušajte ponovi ponovite ponovno ponovo popravi popravite poslije pravi pravilno prethodni pri prije
        probaj probajte problem provjeri proverite put s sa sad sada sam samo se sebe si smo sto su što ta
        tačan tačno tako taj te ti točan točno to tu tvoj u uredu uvijek uz vam vaš vas već vi vidi za zaista
        zar zato žao željeli znači""",
    "Serbian in Cyrillic": """
        а али ако био било била бити боље да добар добро друго грешка грешке га и или је јер једном још како
        као ли лоше мало ми молим молимо може мора на нам нас не неисправан неисправно нетачно нешто ни није
        ништа ново нови од одговара одговор опет опрости овако ово па погрешан погрешно покушај покушајте
        понови поново поправи поправите проблем пробај пробајте пут са сада само се смо су све та тачно тако
        то твој у ваш већ жао""",
    "Slovenian": """
        a ali ampak bi bila bilo bil biti bo da dobro drugače drugo enkrat eno ga hvala in ima imamo je jih
        kaj kako kar kot kljub lahko le mi morali na nam napačen napačno napačna napaka napake naš ne nekaj
        neveljaven neveljavno ni nismo nisi niso no nov novo o od odgovor odgovora ok oprosti oprostite pa po
        pogoj ponovi ponovite ponovno poskusi poskusite poskusimo popravi popravite pravilen pravilno pravilna
        pred preveri prosim prosimo prej s se sedaj si sicer smo so še ta tako tale to tudi tvoj v vaš
        veljaven z za zato zdaj znova žal že""",
    "Lithuanian": """
        aš ar arba atsakymas atsakymą atsakymo atsiprašau atsiprašome ačiū bandyk bandykite bandymą bet bei
        buvo būti dabar dar dėkui dėja dėl gal gali gerai geras iš ištaisyk ištaisykite ir į jei jis jūs jūsų
        kad kaip kartą kas kažkas kitaip kol klaida klaidą klaidos klaidingas mes mums mūsų nauja naują ne
        nebuvo negerai nei neteisinga neteisingai neteisingas nėra nes netinka netinkamas o pabandyk
        pabandykite pakartok pakartokite pataisyk pataisykite patikrink per prašau prašom prašome problema
        pirmiau reikia šį ši šis šiek tai tas tavo teisinga teisingai teisingas tik tiek tikrai tinka tinkamas
        tinkama tiesiog tu už vėl vis viskas viso yra""",
    "Latvian": """
        ar atbilde atbildi atbilst atkal atkārto atkārtojiet atvaino atvainojiet bet bija diemžēl es gan ir
        izlabo izlabojiet iznāca ja jau jauna jaunu jo joprojām jums jūs jūsu jāmēģina kā kaut kas kļūda kļūdu
        kļūdains kļūdaina labi labo lai lūdzu mēģini mēģiniet mēs mums nav ne nederīga nederīgs nepareiza
        nepareizi nepareizs nekas no nu pa paldies par pareiza pareizi pareizs pārbaudi pārbaudiet piedod
        problēma reiz reizi šī šis šo tā tagad tas tavs tikai to tomēr tu tur un vai vajag vēl vēlreiz viss""",
    "Estonian": """
        aga aitäh antud ega ei ennast et hästi ikka ja jah jälle järgmine juba kas kahjuks kehtetu kehtiv kord
        korda kontrolli korralik korras kui küll läks ma me mida mina mis mitte mõni ning nüüd oleks oli olla
        olnud on õige õigesti palun paranda parandage parem probleem proovi proovige proovida see seda siis
        siin sina sobi sobiv sobimatu ta tee tegelikult teie teine teistmoodi tuleb uuesti uus vabandust vaata
        vaja vale valesti vastus vastust vastuse viga vigane või väga üks üldse""",
    "Catalan": """
        a ací acabem algun alguna alguns altra altre amb ara així aquest aquesta això bé bo bona cal com
        corregeix corregiu correcta correcte cosa de del dels disculpa disculpeu el els em en encara ens
        entesos era error errors és està esperàvem et fa falla fem fer fet gràcies ha hem hi ho i incorrecta
        incorrecte intenta intenteu intentar invàlid invàlida ja la les li lo lamento malament manera mateix
        mateixa me mes millor mira ne ni no nou nova o ok per perdona perdó però pot prova proveu problema
        qual quan que quedat què resposta revisa s sembla ser si sí sou som sisplau sobre sort també tens teva
        teu torna torneu un una us va vàlid vàlida vegada veure vol volem""",
    "Icelandic": """
        að af aftur afsakið annað á ánægð bara ekki en enn er eða ég eins fyrir gerðu gilt gott góð hafa hann
        hér í innt kom laga leiðréttu lítur með mér mistök nei nú nýtt og ógilt okkur orðið prófaðu rangt
        reynið reyndu rétt sá sem sinni skal skil sko skoðaðu svar svara svarið svo takk til tilraun um úr
        vandamál var vel verður villa villur við vinsamlegast vitlaust það þannig þarf þessi þetta þér þú þín
        því""",
    "Afrikaans": """
        aan almal antwoord as asseblief beter bly by daar dankie dat die dis dit doen een eers ek en fout
        foute foutief geldig gegee geen goed graag het hierdie hoe iets in is ja jammer jou kan kans keer
        korrek kyk maar maak met moet my na nee nie nodig nog nou nuut om ons ongeldig ook op ongelukkig
        probeer probleem reg reggestel sien so steeds te tog u van verkeerd vir volgende wat was weer weet
        wees wil word""",
    "Albanian": """
        a ai ajo ashtu asgjë ato bëj bëhet cilat diçka dhe do duhet duket e ende edhe është faleminderit gabim
        gabime gabuar gjithçka i jo ju juaj ka kam kemi keni kërkojmë kjo korrigjo korrigjoni ky le lutem
        lutemi mirë mund na ne nga në nuk një o ok pa për përgjigja përgjigje përgjigjen përsërit përsëri por
        problem provo provoni prove qe që rishtas sa saktë s se serish sërish si shiko tani tek të ti u
        vlefshme vlefshëm vjen""",
    "Macedonian": """
        а ако ама барем беше благодарам бидат бил било ваш ве валиден вие во все да дали дека добро додека
        друго е една едно ете за затоа и извини извинете или има имаме исправи исправете како кога кој крај ли
        ми може можете молам молиме мора на нам нас не невалиден него неточен неточно нешто ни ние ништо но
        ново о обиди обидете од одговор одговорот оди она оваа ова повторно погрешен погрешно пак поправи
        поправете пред проблем провери пробај пробајте само сега се си сме сте со сум така таа тоа точен точно
        треба тука уште ќе што грешка""",
    "Belarusian": """
        а адказ адказу але без будзе была было быць вам ваш ваша выправіце выправі дзякуй для добра ды е ёсць
        зноў і калі каб каля ласка мы на нам не нельга няма няправільна няправільны нешта ну памылка памылкі
        паспрабуй паспрабуйце паўтары паўтарыце правільна правільны праблема прабач прабачце праўда раз сябе
        так такі там твой трэба ты тут у ўжо што шкада яшчэ як гэта гэты""",
    "Kazakh": """
        ал ақау әлі бар барлығы бас бе беріңіз болды болмады бір бұл және жаңа жауап жауабы жауабыңыз жоқ
        жөндеңіз жарамсыз кейін кешіріңіз көріңіз қайта қайтадан қайталаңыз қате қателік керек мен мынау
        өкінішке орай өтінемін рақмет рет сіз сіздің солай тағы тексеріңіз түзетіңіз тырысыңыз үшін дұрыс емес
        екен""",
    "Uzbek": """
        agar ammo bilan biz bizga boshqa boʻldi bo'ldi bo'lmadi boʻlmadi bor bu endi esa hali ham har iltimos
        javob javobi javobingiz kechirasiz kerak keyin koʻring ko'ring marta men muammo nima noto'g'ri
        notoʻgʻri qayta qaytadan qiling qilib rahmat shu siz sizning tekshiring to'g'ri toʻgʻri to'g'rilang
        tuzating uchun urinib urining va xato xatolik yana yaroqsiz yo'q yoʻq""",
    "Azerbaijani": """
        amma bir bu bunu cavab cavabı cavabınız cəhd da də daha deyil doğru düzəldin düzəlt düzgün edin et
        etibarsız hələ həm heç ilə istədiyimiz kimi lazım lakin lütfən mən nə nədir olmadı oldu problem səhv
        səhvdir sizin təəssüf təəssüflə təkrar təşəkkür təşəkkürlər üçün üzr və var xahiş xəta yanlış
        yanlışdır yaxşı yenə yenidən yox yoxlayın""",
    "Georgian": """
        ახლა ან არ არა არაა არასწორი არასწორია აქ ახალი ბოდიში გადახედეთ გაასწორე გაასწორეთ გთხოვ გთხოვთ
        გმადლობთ და ეს ერთხელ ეცადე ეცადეთ თქვენი თუ იყო იქნება კარგი კარგად კიდევ მაგრამ მადლობა მართალი
        მაინც მე მეტი ისევ ის რა რაღაც რომ საჭიროა სამწუხაროდ სცადე სცადეთ სწორად სწორი სწორია შეცდომა
        შეცდომაა პასუხი პასუხია პრობლემა პრობლემაა უნდა ჩვენ ხელახლა ხდება ჯერ""",
    "Armenian": """
        այդ այլ այս այսպես բայց բան գրիր դա դեռ դու դուք եթե եմ ենք ես եք է էր էլ իսկ ինչ ինչ-որ իր խնդիր
        խնդրեմ խնդրում կա կամ կրկին կրկնել կրկնիր համար հետո հիմա ճիշտ մեզ մեկ մենք միայն մեր նա ներեցեք
        ներողություն նոր նորից չէ չի պատասխան պատասխանը պետք ստուգեք սխալ վերջին շնորհակալություն ուղղեք
        ուղղիր փորձեք փորձիր փորձել օգտագործել ոչ անգամ անվավեր և""",
    "Mongolian": """
        алдаа алдаатай асуудал байна байсан баярлалаа бид бол болсонгүй буруу бүх ба биш дахиад дахин дараа
        зас засна зөв зүйл за ийм маань миний надад нэг нь одоо оролдоно оролдоод оролдох өгнө өгөөч та таны
        тийм тул уу уучлаарай үгүй үзнэ үү харамсалтай хариу хариулт хариултыг хүсье шалгана шинэ энэ ч юм""",
    "Malay": """
        adalah aku anda atau awak bagi balik baiki bagaimanapun begitu beliau betul betulkan boleh cuba
        cubalah dah dahulu dalam dengan ia ialah jawapan jika juga kali kalau kesilapan kerana kesalahan ke
        kita lain lagi masalah masih minta mohon nampaknya oleh pada perbaiki perlu salah sahaja saja semak
        semula sesuatu sila sini tak terima tolong tolonglah untuk yang ya""",
    "Welsh": """
        a ac anghywir annilys ar ateb ato beth braidd bod bu chi cywir cywiro da dal dim diolch dros ei eich
        eto er fel fod gan gwall gwallau gwirio gywir gywirwch hon hwn hyd hyn i iawn mae mai methu na nad
        nawr ni nid nodwch o oes ond os gwelwch yn dda problem rhaid rhoi rhowch rhywbeth roedd rydym sy tro
        tri unwaith un wedi wneud y ydy ydyw ymateb yr yw chynnig cynnig ceisiwch ceisio""",
    "Irish": """
        a ach ag agat agus an ar aris arís as ba botún bhí cad ceart ceartaigh chun cén cheart de déan do é
        earráid eile fadhb faoi fhreagra fós freagra ghlac go gur há i iarracht is le leat leis maith maidir
        mícheart mé mo na níl ní níor nua oiread raibh rud sé seo sin slán tá táimid thabhairt tú uair thoil
        bain triail""",
    "Basque": """
        akats akatsa akatsak ala arazo arazoa baina baliogabea baliozkoa bat behar berriro berriz beste beti
        da daiteke dago dena dira du egin egon egokia egia eman emandako erantzun erantzuna eta ez eskerrik
        asko ezin gaizki gehiago hau hobeto hori horrela izan mesedez ni nire okerra ondo oraindik orain saia
        saiatu zaitez ustez zerbait zuen zuzen zuzena zuzendu""",
}
UNSPACED = {
    "Thai": """
        ยัง ไม่ ถูก ถูกต้อง ต้อง กรุณา โปรด ลอง ใหม่ ใหม่อีกครั้ง อีก อีกครั้ง ครั้ง ครับ ค่ะ คะ นะ ขอ ขอโทษ
        ขออภัย ด้วย เสียใจ ผิด ผิดพลาด ข้อผิดพลาด มี มีปัญหา ปัญหา คำตอบ คำ ตอบ นี้ นั้น ที่ เรา ต้องการ ใช่
        ได้ ไม่ได้ ให้ แก้ แก้ไข ตรวจสอบ ตรวจ สอบ ทำ ทำซ้ำ ซ้ำ เขียน ส่ง ของ คุณ เป็น อยู่ แล้ว ก็ และ แต่
        หรือ ว่า จาก เพราะ เลย เท่าไร เท่าไหร่ สัก หน่อย ดู ดี พอ ตรง ตาม กลับ มา ไป อะไร บาง อย่าง บางอย่าง
        ใน ตอน ใช้ ใช้ไม่ได้ รับ ยอมรับ ค่อย ควร จะ กัน ขอบคุณ""",
    "Lao": """
        ຍັງ ບໍ່ ຖືກ ຖືກຕ້ອງ ກະລຸນາ ລອງ ໃໝ່ ອີກ ອີກຄັ້ງ ຄັ້ງ ຂໍ ຂໍໂທດ ຂໍອະໄພ ຜິດ ຜິດພາດ ມີ ບັນຫາ ຄຳຕອບ ນີ້ ນັ້ນ
        ແກ້ໄຂ ໄດ້ ໃຫ້ ຂອງ ທ່ານ""",
    "Khmer": """
        នៅតែ មិន ត្រឹមត្រូវ ទេ សូម ព្យាយាម ម្តងទៀត ម្ដងទៀត ម្តង ទៀត កំហុស មាន បញ្ហា ចម្លើយ នេះ នោះ ខុស កែ
        កែតម្រូវ សុំទោស ឡើងវិញ បាន អ្នក របស់ ត្រូវ""",
    "Burmese": """
        မှန် မမှန် ပါ ဘူး ကျေးဇူးပြု၍ ကျေးဇူးပြုပြီး ထပ် ထပ်မံ ကြိုးစား ကြည့် ပြန် နောက်တစ်ကြိမ် တစ်ကြိမ်
        အမှား မှား ရှိ သည် အဖြေ ဒီ ဤ ပြဿနာ တောင်းပန် ပါသည် ပါတယ် သေး ပြင်""",
}
"""Of scripts that part no words."""
