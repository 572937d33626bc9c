"""Sentences of the drawn apps alone, by language or tool and rule, and free words. A part of the generated project."""

from __future__ import annotations

LANGUAGES = {
    "italian": {
        "min_length": "{place}: servono almeno {bound} caratteri.",
        "max_length": "{place}: al massimo {bound} caratteri.",
        "min_items": "{place}: servono almeno {bound} voci.",
        "max_items": "{place}: al massimo {bound} voci.",
        "minimum": "{place} vale {value}, ma non deve scendere sotto {bound}.",
        "maximum": "{place} vale {value}, ma non deve superare {bound}.",
        "enum": "{place}: si può scegliere solo tra {allowed}.",
        "pattern": "{place} non è scritto come previsto.",
        "type": "{place} deve essere {type}.",
        "missing": "{place} non c'è.",
    },
    "dutch": {
        "min_length": "{place} moet minstens {bound} tekens lang zijn.",
        "max_length": "{place} mag hoogstens {bound} tekens lang zijn.",
        "min_items": "{place} heeft minstens {bound} onderdelen nodig.",
        "max_items": "{place} mag hoogstens {bound} onderdelen hebben.",
        "minimum": "{place} is {value}, maar mag niet kleiner zijn dan {bound}.",
        "maximum": "{place} is {value}, maar mag niet groter zijn dan {bound}.",
        "enum": "{place} kan alleen {allowed} zijn.",
        "pattern": "{place} heeft niet de juiste vorm.",
        "type": "{place} moet {type} zijn.",
        "missing": "{place} ontbreekt.",
    },
    "vietnamese": {
        "min_length": "{place} phải có ít nhất {bound} ký tự.",
        "max_length": "{place} chỉ được có tối đa {bound} ký tự.",
        "min_items": "{place} phải có ít nhất {bound} mục.",
        "max_items": "{place} chỉ được có tối đa {bound} mục.",
        "minimum": "{place} đang là {value}, không được nhỏ hơn {bound}.",
        "maximum": "{place} đang là {value}, không được lớn hơn {bound}.",
        "enum": "{place} chỉ nhận một trong các giá trị {allowed}.",
        "pattern": "{place} không đúng định dạng.",
        "type": "{place} phải là {type}.",
        "missing": "Thiếu {place}.",
    },
    "greek": {
        "min_length": "Το `{place}` χρειάζεται τουλάχιστον {bound} χαρακτήρες.",
        "max_length": "Το `{place}` χωράει το πολύ {bound} χαρακτήρες.",
        "min_items": "Το `{place}` χρειάζεται τουλάχιστον {bound} στοιχεία.",
        "max_items": "Το `{place}` χωράει το πολύ {bound} στοιχεία.",
        "minimum": "Το `{place}` είναι {value}, όμως δεν πρέπει να είναι κάτω από {bound}.",
        "maximum": "Το `{place}` είναι {value}, όμως δεν πρέπει να είναι πάνω από {bound}.",
        "enum": "Το `{place}` δέχεται μόνο {allowed}.",
        "pattern": "Το `{place}` δεν έχει τη σωστή μορφή.",
        "type": "Το `{place}` πρέπει να είναι {type}.",
        "missing": "Λείπει το `{place}`.",
    },
    "arabic": {
        "min_length": "يجب ألا يقل طول {place} عن {bound} من الأحرف.",
        "max_length": "يجب ألا يزيد طول {place} على {bound} من الأحرف.",
        "min_items": "يجب ألا يقل عدد عناصر {place} عن {bound}.",
        "max_items": "يجب ألا يزيد عدد عناصر {place} على {bound}.",
        "minimum": "قيمة {place} هي {value} ويجب ألا تقل عن {bound}.",
        "maximum": "قيمة {place} هي {value} ويجب ألا تزيد على {bound}.",
        "enum": "قيمة {place} يجب أن تكون واحدة من {allowed}.",
        "pattern": "صيغة {place} غير صحيحة.",
        "type": "يجب أن يكون {place} من نوع {type}.",
        "missing": "الحقل {place} مفقود.",
    },
    "hebrew": {
        "min_length": "השדה {place} חייב להכיל לפחות {bound} תווים.",
        "max_length": "השדה {place} יכול להכיל לכל היותר {bound} תווים.",
        "min_items": "ברשימה {place} דרושים לפחות {bound} פריטים.",
        "max_items": "ברשימה {place} מותרים לכל היותר {bound} פריטים.",
        "minimum": "הערך של {place} הוא {value}, אך אסור לו לרדת מתחת ל-{bound}.",
        "maximum": "הערך של {place} הוא {value}, אך אסור לו לעלות מעל {bound}.",
        "enum": "הערך של {place} חייב להיות אחד מאלה: {allowed}.",
        "pattern": "השדה {place} אינו כתוב בצורה הנכונה.",
        "type": "השדה {place} חייב להיות {type}.",
        "missing": "השדה {place} חסר.",
    },
    "hindi": {
        "min_length": "{place} में कम से कम {bound} अक्षर होने चाहिए।",
        "max_length": "{place} में अधिक से अधिक {bound} अक्षर हो सकते हैं।",
        "min_items": "{place} में कम से कम {bound} प्रविष्टियाँ होनी चाहिए।",
        "max_items": "{place} में अधिक से अधिक {bound} प्रविष्टियाँ हो सकती हैं।",
        "minimum": "{place} का मान {value} है, यह {bound} से कम नहीं होना चाहिए।",
        "maximum": "{place} का मान {value} है, यह {bound} से अधिक नहीं होना चाहिए।",
        "enum": "{place} इनमें से एक होना चाहिए: {allowed}।",
        "pattern": "{place} का प्रारूप सही नहीं है।",
        "type": "{place} {type} होना चाहिए।",
        "missing": "{place} नहीं दिया गया है।",
    },
    "thai": {
        "min_length": "{place} ต้องมีอย่างน้อย {bound} ตัวอักษร",
        "max_length": "{place} ต้องมีไม่เกิน {bound} ตัวอักษร",
        "min_items": "{place} ต้องมีอย่างน้อย {bound} รายการ",
        "max_items": "{place} ต้องมีไม่เกิน {bound} รายการ",
        "minimum": "{place} มีค่า {value} แต่ต้องไม่น้อยกว่า {bound}",
        "maximum": "{place} มีค่า {value} แต่ต้องไม่มากกว่า {bound}",
        "enum": "{place} ต้องเป็นค่าใดค่าหนึ่งใน {allowed}",
        "pattern": "{place} มีรูปแบบไม่ถูกต้อง",
        "type": "{place} ต้องเป็น{type}",
        "missing": "ไม่พบ {place}",
    },
}
TOOLS = {
    "go": {
        "min_length": "failed on the 'min' tag (param {bound})",
        "max_length": "failed on the 'max' tag (param {bound})",
        "min_items": "failed on the 'min' tag (param {bound})",
        "max_items": "failed on the 'max' tag (param {bound})",
        "minimum": "failed on the 'gte' tag (param {bound}, value {value})",
        "maximum": "failed on the 'lte' tag (param {bound}, value {value})",
        "enum": "failed on the 'oneof' tag (param {allowed})",
        "pattern": "failed on the 'regexp' tag",
        "type": "failed: cannot unmarshal {got} into Go value of type {type}",
        "missing": "failed on the 'required' tag",
    },
    "zod": {
        "min_length": "Too small: expected string to have >={bound} characters",
        "max_length": "Too big: expected string to have <={bound} characters",
        "min_items": "Too small: expected array to have >={bound} items",
        "max_items": "Too big: expected array to have <={bound} items",
        "minimum": "Too small: expected number to be >={bound}",
        "maximum": "Too big: expected number to be <={bound}",
        "enum": "Invalid option: expected one of {allowed}",
        "pattern": "Invalid string: must match the pattern",
        "type": "Invalid input: expected {type}, received {got}",
        "missing": "Invalid input: expected a value, received undefined",
    },
    "ajv": {
        "min_length": "must NOT have fewer than {bound} characters",
        "max_length": "must NOT have more than {bound} characters",
        "min_items": "must NOT have fewer than {bound} items",
        "max_items": "must NOT have more than {bound} items",
        "minimum": "must be >= {bound}",
        "maximum": "must be <= {bound}",
        "enum": "must be equal to one of the allowed values",
        "pattern": "must match pattern",
        "type": "must be {type}",
        "missing": "must have required property '{field}'",
    },
    "laravel": {
        "min_length": "The {place} field must be at least {bound} characters.",
        "max_length": "The {place} field must not be greater than {bound} characters.",
        "min_items": "The {place} field must have at least {bound} items.",
        "max_items": "The {place} field must not have more than {bound} items.",
        "minimum": "The {place} field must be at least {bound}.",
        "maximum": "The {place} field must not be greater than {bound}.",
        "enum": "The selected {place} is invalid.",
        "pattern": "The {place} field format is invalid.",
        "type": "The {place} field must be of type {type}.",
        "missing": "The {place} field is required.",
    },
    "sql": {
        "min_length": "CHECK (char_length({field}) >= {bound})",
        "max_length": "CHECK (char_length({field}) <= {bound})",
        "min_items": "CHECK (cardinality({field}) >= {bound})",
        "max_items": "CHECK (cardinality({field}) <= {bound})",
        "minimum": "CHECK ({field} >= {bound}), failing value {value}",
        "maximum": "CHECK ({field} <= {bound}), failing value {value}",
        "enum": "CHECK ({field} IN ({allowed})), failing value {value}",
        "pattern": "CHECK (is_well_formed({field})), failing value {value}",
        "type": 'invalid input syntax for type {type}: "{value}"',
        "missing": 'null value in column "{field}" violates NOT NULL',
    },
    "xsd": {
        "min_length": "cvc-minLength-valid: '{value}' is not facet-valid with respect to minLength '{bound}'",
        "max_length": "cvc-maxLength-valid: '{value}' is not facet-valid with respect to maxLength '{bound}'",
        "min_items": "cvc-particle: fewer elements than minOccurs '{bound}'",
        "max_items": "cvc-particle: more elements than maxOccurs '{bound}'",
        "minimum": "cvc-minInclusive-valid: '{value}' is not facet-valid with respect to minInclusive '{bound}'",
        "maximum": "cvc-maxInclusive-valid: '{value}' is not facet-valid with respect to maxInclusive '{bound}'",
        "enum": "cvc-enumeration-valid: '{value}' is not facet-valid with respect to enumeration [{allowed}]",
        "pattern": "cvc-pattern-valid: '{value}' is not facet-valid with respect to its pattern",
        "type": "cvc-datatype-valid.1.2.1: '{value}' is not a valid value for '{type}'",
        "missing": "cvc-complex-type.2.4.b: the content is not complete, this element is expected",
    },
    "assertion": {
        "min_length": "assert len({place}) >= {bound}",
        "max_length": "assert len({place}) <= {bound}",
        "min_items": "assert len({place}) >= {bound}",
        "max_items": "assert len({place}) <= {bound}",
        "minimum": "assert {place} >= {bound}\nE    +  where it is {value}",
        "maximum": "assert {place} <= {bound}\nE    +  where it is {value}",
        "enum": "assert {place} in ({allowed})\nE    +  where it is {got}",
        "pattern": "assert PATTERN.fullmatch({place})\nE    +  where it is {got}",
        "type": "assert is_{type}({place})\nE    +  where it is {got}",
        "missing": "KeyError: {place}",
    },
    "expected": {
        "min_length": "{bound} characters or more",
        "max_length": "{bound} characters or fewer",
        "min_items": "{bound} elements or more",
        "max_items": "{bound} elements or fewer",
        "minimum": ">= {bound}",
        "maximum": "<= {bound}",
        "enum": "any of {allowed}",
        "pattern": "a match of its regular expression",
        "type": "{type}",
        "missing": "something, for it is mandatory",
    },
    "letter": {
        "min_length": "is rather brief, we print nothing under {bound} letters",
        "max_length": "runs on, {bound} letters are all that fit",
        "min_items": "holds too little, {bound} are the least we take",
        "max_items": "is overfull, {bound} are the most we take",
        "minimum": "says {value}, and we cannot go under {bound}",
        "maximum": "says {value}, and we cannot go over {bound}",
        "enum": "says {got}, and all we have is {allowed}",
        "pattern": "says {got}, which is not how we write such things",
        "type": "ought to be {type}",
        "missing": "was left out",
    },
}
TYPE_NAMES = ("integer", "number", "string", "array", "object")
TYPES = {
    "italian": ("un numero intero", "un numero", "un testo", "un elenco", "un oggetto"),
    "dutch": ("een geheel getal", "een getal", "tekst", "een lijst", "een object"),
    "vietnamese": ("số nguyên", "số", "chuỗi ký tự", "danh sách", "đối tượng"),
    "greek": ("ακέραιος αριθμός", "αριθμός", "κείμενο", "λίστα", "αντικείμενο"),
    "arabic": ("عدد صحيح", "عدد", "نص", "قائمة", "كائن"),
    "hebrew": ("מספר שלם", "מספר", "טקסט", "רשימה", "אובייקט"),
    "hindi": ("पूर्णांक", "संख्या", "पाठ", "सूची", "ऑब्जेक्ट"),
    "thai": ("จำนวนเต็ม", "ตัวเลข", "ข้อความ", "รายการ", "ออบเจ็กต์"),
    "go": ("int", "float64", "string", "slice", "struct"),
    "zod": ("int", "number", "string", "array", "object"),
    "sql": ("integer", "double precision", "text", "array", "json"),
    "letter": ("a whole number", "a number", "some text", "a list", "a group of entries"),
}
"""What a table calls the types."""
FREE = """
patient | whoever lies in bed | chi è malato | de zieke | τον άρρωστο
diagnosis | what the doctor found | ciò che ha visto il medico | het ziektebeeld | το εύρημα του γιατρού
drugs | the contents of the cabinet | l'armadietto | het medicijnkastje | το φαρμακείο
drug | what is to be swallowed | ciò che si inghiotte | het middel | το σκεύασμα
dose | how much is swallowed | quanto se ne inghiotte | de hoeveelheid | την ποσότητα
intake | the time of day | il momento della giornata | het dagdeel | την ώρα λήψης
weeks | how long the cure goes on | la durata della cura | de duur van de kuur | τη διάρκεια
cautions | what to be careful about | le raccomandazioni | de waarschuwingen | τις προφυλάξεις
motto | the slogan on the poster | la frase sul manifesto | de leus | το σύνθημα
genre | the sort of music | il tipo di musica | de muzieksoort | το είδος της μουσικής
hall | the building | l'edificio | het gebouw | το κτίριο
city | where guests travel to | il luogo | de plaats | τον τόπο
seats | the room for guests | la capienza | de ruimte voor gasten | τη χωρητικότητα
acts | the bill of the evening | la scaletta | het programma | το πρόγραμμα
band | who is on stage | chi suona | de groep op het podium | εκείνους που παίζουν
instruments | what they play on | ciò che si suona | het speelgerei | τα όργανα
doors | when guests are let in | l'ora di apertura | het aanvangsuur | την ώρα εισόδου
service | what the whole is called | come si chiama il tutto | de naam van het geheel | το όνομα του συνόλου
region | where on the map it runs | la zona sulla mappa | het gebied op de kaart | την περιοχή
replicas | the copies of it | le copie | de kopieën | τα αντίγραφα
containers | the boxes inside | le scatole | de dozen | τα κουτιά
image | what a box is made from | di che cosa è fatta la scatola | de herkomst van de doos | την προέλευση του κουτιού
memory | the space for a box | lo spazio per la scatola | de ruimte voor de doos | τον χώρο του κουτιού
ports | the entrances of a box | gli ingressi | de ingangen | τις εισόδους
rollout | the way it goes live | la messa in onda | de ingebruikname | την πρεμιέρα
pause | the rest in between | la sosta | de rust tussendoor | το διάλειμμα
min_length | that tells us next to nothing | dice troppo poco | dat zegt bijna niets | δεν λέει σχεδόν τίποτα
max_length | that goes on and on | non finisce più | daar komt geen eind aan | δεν τελειώνει ποτέ
min_items | that looks rather empty | c'è troppo poco dentro | daar zit te weinig in | έχει μέσα πολύ λίγα
max_items | that bursts at the seams | c'è dentro troppa roba | dat puilt uit | ξεχειλίζει
minimum | nobody goes as low | si resta troppo in basso | dat ligt veel te laag | πέφτει πολύ χαμηλά
maximum | nobody goes as high | si va troppo in alto | dat ligt veel te hoog | ανεβαίνει πολύ ψηλά
enum | we offer no such thing | da noi non esiste | zoiets kennen wij niet | τέτοιο πράγμα δεν έχουμε
pattern | we spell that another way | non si scrive così | zo schrijven wij dat niet | δεν γράφεται έτσι
type | that is of another sort | è tutt'altra cosa | dat is van een andere soort | είναι κάτι εντελώς άλλο
missing | we looked for it in vain | non si vede da nessuna parte | dat is nergens te vinden | δεν φαίνεται πουθενά
"""
"""What fields and rules are called in English, Italian, Dutch and Greek by who names nothing."""
BANTER = {
    "patient": ("The ward keeps its people under another sort of tag.", "Who is ill, then?"),
    "diagnosis": ("The insurer will want to hear more about the illness.", "Doctors used to find something."),
    "drugs": ("The cabinet is in a strange state.", "What does the pharmacist hand over?"),
    "drug": ("The pharmacist stares at an empty label.", "Nobody can pronounce what stands on the label."),
    "dose": ("That would knock out a horse.", "A drop in the ocean will not help her."),
    "intake": ("The nurse does not come around at such an hour.", "When does the nurse come around?"),
    "weeks": ("No cure is over before it starts.", "Surely she may stop taking it some day."),
    "cautions": ("Who reads a leaflet like that to the end?", "Is there nothing to beware of?"),
    "motto": ("The poster is not wide enough for this headline.", "The poster has no headline."),
    "genre": ("Our regulars do not dance to that.", "What will it sound like?"),
    "hall": ("The building is a puzzle to us.", "Under which roof?"),
    "city": ("The bus driver asks where to go.", "That place is on none of our maps."),
    "seats": ("The fire brigade would never let in such a crowd.", "Shall everybody stand outside?"),
    "acts": ("The bill of the evening looks odd.", "Somebody has to go on stage."),
    "band": ("The announcer can hardly read that out as a name.", "Whom shall the announcer announce?"),
    "instruments": ("They cannot play the whole piece on that alone.", "The stage would collapse under all that."),
    "doors": ("The porter does not know when to turn the key.", "Will anybody open up?"),
    "service": ("Our name plates are written in another manner.", "What do we put on the name plate?"),
    "region": ("We have no data centre over there.", "In which corner of the world?"),
    "replicas": ("The scheduler counts, it does not read.", "How many of it shall we start?"),
    "containers": ("What is shipped here is a riddle.", "There is nothing to ship."),
    "image": ("The registry cannot make out what to pull.", "What shall the registry pull?"),
    "memory": ("It will choke as soon as it starts.", "It would eat up the whole machine."),
    "ports": ("Only the administrator may listen down there.", "Nothing listens that far up."),
    "rollout": ("How it goes live is unclear to us.", "Does it go live at all?"),
    "pause": ("We have no machine for travelling in time.", "By then everybody is asleep."),
}
