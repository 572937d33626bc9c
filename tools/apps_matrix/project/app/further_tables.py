"""Sentences of the drawn apps alone, by language or tool and rule, and free words. A part of the generated project."""

from __future__ import annotations

LANGUAGES = {
    "portuguese": {
        "min_length": "{place} precisa de pelo menos {bound} caracteres.",
        "max_length": "{place} só pode ter até {bound} caracteres.",
        "min_items": "{place} precisa de pelo menos {bound} itens.",
        "max_items": "{place} só pode ter até {bound} itens.",
        "minimum": "{place} está com {value}, mas não pode ficar abaixo de {bound}.",
        "maximum": "{place} está com {value}, mas não pode passar de {bound}.",
        "enum": "{place} tem de ser um destes valores: {allowed}.",
        "pattern": "{place} não segue o formato pedido.",
        "type": "{place} tem de ser {type}.",
        "missing": "{place} não foi preenchido.",
    },
    "ukrainian": {
        "min_length": "У полі {place} має бути щонайменше {bound} символів.",
        "max_length": "У полі {place} може бути щонайбільше {bound} символів.",
        "min_items": "Список {place} має містити щонайменше {bound} елементів.",
        "max_items": "Список {place} може містити щонайбільше {bound} елементів.",
        "minimum": "{place} має значення {value}, але не може бути менше {bound}.",
        "maximum": "{place} має значення {value}, але не може бути більше {bound}.",
        "enum": "Для {place} можна вибрати лише {allowed}.",
        "pattern": "{place} записано не в тому форматі.",
        "type": "{place} має містити {type}.",
        "missing": "Не вистачає {place}.",
    },
    "finnish": {
        "min_length": "Kentässä {place} pitää olla vähintään {bound} merkkiä.",
        "max_length": "Kentässä {place} saa olla enintään {bound} merkkiä.",
        "min_items": "Luettelossa {place} pitää olla vähintään {bound} kohtaa.",
        "max_items": "Luettelossa {place} saa olla enintään {bound} kohtaa.",
        "minimum": "Kentän {place} arvo on {value}, mutta se ei saa alittaa arvoa {bound}.",
        "maximum": "Kentän {place} arvo on {value}, mutta se ei saa ylittää arvoa {bound}.",
        "enum": "Kentän {place} arvoksi käy vain jokin näistä: {allowed}.",
        "pattern": "Kenttä {place} on väärässä muodossa.",
        "type": "Kentän {place} arvon pitää olla {type}.",
        "missing": "Kenttä {place} puuttuu.",
    },
    "hungarian": {
        "min_length": "{place}: legalább {bound} karakter kell.",
        "max_length": "{place}: legfeljebb {bound} karakter lehet.",
        "min_items": "{place}: legalább {bound} elem kell bele.",
        "max_items": "{place}: legfeljebb {bound} elem fér bele.",
        "minimum": "{place} értéke {value}, de nem lehet kisebb, mint {bound}.",
        "maximum": "{place} értéke {value}, de nem lehet nagyobb, mint {bound}.",
        "enum": "{place} csak ezek egyike lehet: {allowed}.",
        "pattern": "{place} formátuma hibás.",
        "type": "{place} típusa nem jó, ide {type} kell.",
        "missing": "{place} hiányzik.",
    },
    "indonesian": {
        "min_length": "{place} minimal harus {bound} karakter.",
        "max_length": "{place} maksimal {bound} karakter.",
        "min_items": "{place} harus berisi sedikitnya {bound} butir.",
        "max_items": "{place} hanya boleh berisi paling banyak {bound} butir.",
        "minimum": "{place} bernilai {value}, padahal tidak boleh kurang dari {bound}.",
        "maximum": "{place} bernilai {value}, padahal tidak boleh lebih dari {bound}.",
        "enum": "{place} harus salah satu dari {allowed}.",
        "pattern": "Format {place} tidak sesuai.",
        "type": "{place} harus berupa {type}.",
        "missing": "{place} belum diisi.",
    },
    "persian": {
        "min_length": "طول {place} باید دست‌کم {bound} نویسه باشد.",
        "max_length": "طول {place} نباید از {bound} نویسه بیشتر شود.",
        "min_items": "{place} باید دست‌کم {bound} مورد داشته باشد.",
        "max_items": "{place} نباید بیش از {bound} مورد داشته باشد.",
        "minimum": "مقدار {place} برابر {value} است و نباید کمتر از {bound} باشد.",
        "maximum": "مقدار {place} برابر {value} است و نباید بیشتر از {bound} باشد.",
        "enum": "{place} فقط می‌تواند یکی از این‌ها باشد: {allowed}.",
        "pattern": "{place} به شکل درست نوشته نشده است.",
        "type": "{place} باید {type} باشد.",
        "missing": "{place} جا افتاده است.",
    },
}
TOOLS = {
    "changeset": {
        "min_length": '{{"should be at least {bound} character(s)", [validation: :length, kind: :min]}}',
        "max_length": '{{"should be at most {bound} character(s)", [validation: :length, kind: :max]}}',
        "min_items": '{{"should have at least {bound} item(s)", [validation: :length, type: :list]}}',
        "max_items": '{{"should have at most {bound} item(s)", [validation: :length, type: :list]}}',
        "minimum": '{{"must be greater than or equal to {bound}", [validation: :number]}}',
        "maximum": '{{"must be less than or equal to {bound}", [validation: :number]}}',
        "enum": '{{"is invalid", [validation: :inclusion, enum: [{choices}]]}}',
        "pattern": '{{"has invalid format", [validation: :format]}}',
        "type": '{{"is invalid", [type: {type}, validation: :cast]}}',
        "missing": '{{"can\'t be blank", [validation: :required]}}',
    },
    "spec": {
        "min_length": "(>= (count %) {bound})",
        "max_length": "(<= (count %) {bound})",
        "min_items": "(>= (count %) {bound})",
        "max_items": "(<= (count %) {bound})",
        "minimum": "(>= % {bound})",
        "maximum": "(<= % {bound})",
        "enum": "#{{{choices}}}",
        "pattern": "well-formed?",
        "type": "{type}",
        "missing": "(contains? % :{field})",
    },
    "fluent": {
        "min_length": "The length of '{label}' must be at least {bound} characters.",
        "max_length": "The length of '{label}' must be {bound} characters or fewer.",
        "min_items": "'{label}' must hold {bound} elements or more.",
        "max_items": "'{label}' must hold {bound} elements or fewer.",
        "minimum": "'{label}' must be greater than or equal to '{bound}'. You entered {value}.",
        "maximum": "'{label}' must be less than or equal to '{bound}'. You entered {value}.",
        "enum": "'{label}' has a range of values which does not include '{value}'; take one of {allowed}.",
        "pattern": "'{label}' is not in the correct format.",
        "type": "The JSON value could not be converted to {type}.",
        "missing": "'{label}' must not be empty.",
    },
    "marshmallow": {
        "min_length": "Shorter than minimum length {bound}.",
        "max_length": "Longer than maximum length {bound}.",
        "min_items": "Shorter than minimum length {bound}.",
        "max_items": "Longer than maximum length {bound}.",
        "minimum": "Must be greater than or equal to {bound}.",
        "maximum": "Must be less than or equal to {bound}.",
        "enum": "Must be one of: {choices}.",
        "pattern": "String does not match expected pattern.",
        "type": "Not a valid {type}.",
        "missing": "Missing data for required field.",
    },
    "kubectl": {
        "min_length": "Too short: must be at least {bound} bytes",
        "max_length": "Too long: may not be more than {bound} bytes",
        "min_items": "Too few: must have at least {bound} items",
        "max_items": "Too many: must have at most {bound} items",
        "minimum": "Invalid value: {got}: must be greater than or equal to {bound}",
        "maximum": "Invalid value: {got}: must be less than or equal to {bound}",
        "enum": "Unsupported value: {got}: supported values: {choices}",
        "pattern": "Invalid value: {got}: does not match its regular expression",
        "type": "Invalid value: {got}: must be of type {type}",
        "missing": "Required value",
    },
    "bubble": {
        "min_length": "Please lengthen this text to {bound} characters or more.",
        "max_length": "Please shorten this text to {bound} characters or less.",
        "min_items": "Please tick {bound} or more of these.",
        "max_items": "Please tick {bound} or less of these.",
        "minimum": "Value must be {bound} or higher.",
        "maximum": "Value must be {bound} or lower.",
        "enum": "Please select one of these options: {choices}.",
        "pattern": "Please match the requested format.",
        "type": "Please enter {type}.",
        "missing": "Please fill out this field.",
    },
    "jq": {
        "min_length": "{place} | length >= {bound}",
        "max_length": "{place} | length <= {bound}",
        "min_items": "{place} | length >= {bound}",
        "max_items": "{place} | length <= {bound}",
        "minimum": "{place} >= {bound}",
        "maximum": "{place} <= {bound}",
        "enum": "{place} | IN({choices})",
        "pattern": "{place} | test($form)",
        "type": '{place} | type == "{type}"',
        "missing": "{place} != null",
    },
    "wanted": {
        "min_length": "{bound} or more characters",
        "max_length": "no more than {bound} characters",
        "min_items": "{bound} or more of them",
        "max_items": "no more than {bound} of them",
        "minimum": "a number from {bound} up",
        "maximum": "a number up to {bound}",
        "enum": "one word out of {choices}",
        "pattern": "the usual notation",
        "type": "{type}",
        "missing": "some value, it is absent",
    },
    "teacher": {
        "min_length": "too brief, write {bound} letters or more",
        "max_length": "too wordy, {bound} letters will do",
        "min_items": "incomplete, I asked for {bound} or more",
        "max_items": "too much of it, I asked for {bound} or fewer",
        "minimum": "{value} is too low, start from {bound}",
        "maximum": "{value} is too high, stop at {bound}",
        "enum": "{got} was not on the sheet, choose from {choices}",
        "pattern": "check your spelling of {got}",
        "type": "this calls for {type}",
        "missing": "you skipped this one",
    },
}
TYPE_NAMES = ("integer", "number", "string", "array", "object")
TYPES = {
    "portuguese": ("um número inteiro", "um número", "um texto", "uma lista", "um objeto"),
    "ukrainian": ("ціле число", "число", "текст", "список", "об'єкт"),
    "finnish": ("kokonaisluku", "luku", "teksti", "luettelo", "objekti"),
    "hungarian": ("egész szám", "szám", "szöveg", "lista", "objektum"),
    "indonesian": ("bilangan bulat", "angka", "teks", "daftar", "objek"),
    "persian": ("عدد صحیح", "عدد", "متن", "فهرست", "شیء"),
    "changeset": (":integer", ":float", ":string", "{:array, :map}", ":map"),
    "spec": ("int?", "number?", "string?", "vector?", "map?"),
    "fluent": ("System.Int32", "System.Double", "System.String", "System.Collections.Generic.List", "System.Object"),
    "bubble": ("a whole number", "a number", "text", "several choices", "a group"),
    "jq": ("number", "number", "string", "array", "object"),
    "wanted": ("a whole number", "a number", "a text", "a list", "a record"),
    "teacher": ("a whole number", "a number", "words", "a list", "a set of answers"),
}
"""What a table calls the types."""
FREE = """
consignee | whoever gets it all | quem recebe tudo | a címzett | si penerima
carrier | the way it travels | o meio de transporte | a szállítás módja | cara pengirimannya
crates | the load | a carga | a rakomány | muatannya
content | what is packed inside | o que vai dentro | a láda tartalma | isi kotaknya
weight | how heavy it is | quanto aquilo pesa | a láda súlya | beratnya
handling | the care it takes | o cuidado a ter | a bánásmód | cara memperlakukannya
cover | the safety net | a proteção | a biztosítás | asuransinya
premium | what the safety costs | o custo da proteção | a biztosítás ára | biaya asuransinya
remarks | the small print | as letras miúdas | az apró betűs rész | catatan kecilnya
venue | the ground | o campo | a pálya | lapangannya
kickoff | the starting whistle | a hora do apito | a kezdés időpontja | jam mulainya
sides | the pair on the pitch | as equipas em campo | a két csapat | kedua timnya
club | the name on the shirts | quem joga | a csapat neve | nama timnya
goals | the tally | o marcador | a találatok listája | daftar golnya
scorer | the hero of the moment | o autor da proeza | a gólszerző | si pencetak gol
minute | when it went in | o momento da bola na rede | a gól ideje | saat golnya
method | the way it went in | a maneira de marcar | a gól módja | cara mencetaknya
spectators | the crowd | o público | a közönség | jumlah penontonnya
referee | whoever blows the whistle | o homem do apito | a bíró | wasitnya
observer | whoever stays up | quem fica acordado | az észlelő | si pengamat
instrument | the gear | o aparelho | a műszer | alatnya
targets | the programme of the evening | o programa | az éjszaka terve | rencana malam itu
star | the light up there | a luz lá em cima | a csillag | bintangnya
altitude | how far up it stands | a posição no céu | a csillag állása | ketinggiannya
exposures | the pictures | as fotografias | a felvételek sora | foto-fotonya
band | the colour | a cor | a szín | warnanya
seconds | how long the shutter is open | o tempo de abertura | a megvilágítás ideje | lama bukaannya
moon | the glow in the sky | o brilho do céu | az égbolt fénye | cahaya langitnya
dome | the roof | a cúpula | a kupola | atap kubahnya
azimuth | the way the roof faces | a direção da fenda | a kupola iránya | arah kubahnya
min_length | could {} tell us a little more | aqui lê-se muito pouco: {} | {} túl szűkszavú | {} terlalu singkat
max_length | could {} come to the point | isto nunca mais acaba: {} | {} túl hosszúra nyúlt | {} terlalu bertele-tele
min_items | is {} really all there is | aqui há coisas a menos: {} | {} túl szegényes | {} masih terlalu sedikit
max_items | is {} not a bit crowded | aqui há coisas a mais: {} | {} túl zsúfolt | {} sudah terlalu banyak
minimum | is {} not far too small | ninguém vai tão baixo: {} | {} túlságosan alacsony | {} terlalu rendah
maximum | is {} not far too big | ninguém vai tão longe: {} | {} túlságosan magas | {} terlalu tinggi
enum | is {} anything we offer | disto não temos: {} | {} nálunk ismeretlen | {} tidak kami kenal
pattern | does one write {} like that | não é assim que se escreve: {} | {} nem így írandó | {} tidak ditulis begitu
type | is {} not another sort of thing | é de outra espécie: {} | {} egészen másféle legyen | {} seharusnya lain jenis
missing | has {} been forgotten | procurámos em vão: {} | {} teljesen kimaradt | {} lupa ditulis
"""
"""What fields and rules are called in English, Portuguese, Hungarian and Indonesian by who names nothing."""
GRUMBLES = {
    "consignee": ("The warehouse knows its customers by another sort of code.", "Who waits at the far end?"),
    "carrier": ("We keep no stable for such animals.", "By which road does it leave?"),
    "crates": ("The dockers scratch their heads over this load.", "What shall the dockers lift?"),
    "content": ("Customs will want to know what exactly is inside.", "Customs will not read a novel."),
    "weight": ("A feather would tip the scales further.", "Our crane would break under that."),
    "handling": ("May it be thrown about?", "Nobody here was trained to carry it like that."),
    "cover": ("Our lawyer frowns.", "And if the ship sinks?"),
    "premium": ("The accountant asks for a figure, not a feeling.", "That would ruin us, or the insurer."),
    "remarks": ("Nobody on the quay reads so much small print.", "Has the customer nothing to add?"),
    "venue": ("Such a long name does not fit on the ticket.", "Where do the fans go?"),
    "kickoff": ("The stadium clock does not show it like that.", "When do the gates open?"),
    "sides": ("It takes a pair to play.", "Who is on the pitch?"),
    "club": ("One team has no name on its shirts.", "What a strange name on those shirts."),
    "goals": ("The scoreboard is confused.", "Did nobody hit the net?"),
    "scorer": ("Whom do the fans carry on their shoulders?", "What a mouthful of a name."),
    "minute": ("Everybody had gone home by then.", "The ball had not even been placed."),
    "method": ("That is a foul, as far as I know.", "How did it go in?"),
    "spectators": ("There are more people in my kitchen.", "The stands would collapse."),
    "referee": ("The man in black signs with an initial, as they all do.", "Who blows the whistle?"),
    "observer": ("Is that short thing the astronomer's full name?", "Who stays awake?"),
    "instrument": ("Bird watchers may use that, we do not.", "What is bolted to the telescope?"),
    "targets": ("After that one there is nothing to do until dawn.", "What do we point at?"),
    "star": ("Sailors call it that, our catalogue does not.", "Which light is meant?"),
    "altitude": ("It hides behind the trees.", "It cannot be over our heads and beyond."),
    "exposures": ("We need pictures.", "That will not fit on the disk."),
    "band": ("No filter has that colour.", "Through which filter?"),
    "seconds": ("The shutter cannot close before it opens.", "It will be noon before the shutter closes."),
    "moon": ("How bright is the sky, as a figure?", "It is never as dark as that, nor as bright."),
    "dome": ("The roof worries me.", "Do we leave the roof shut?"),
    "azimuth": ("A full turn is a full turn, the roof does not go further.", "Where does the slit look?"),
}
