"""Draws phrases about limits a second time: `python -m tools.feedback_matrix.redraw` writes them as JSON.

The first phrases about limits (`SEEN_RULES`) were in view of whoever wrote the grammar of comparison and the readers
after it, the held-out ones among them. So those count no more, and messages of the catalogues that the first draw left
over take their place. The messages are read by their keys; nobody looks at those that are held out.
"""

from __future__ import annotations

import gettext
import json
import random
import re
import subprocess
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from .draw import pool
from .drawn.catalogues import DATA, LANGUAGES, NODE, PYTHON, Catalogue

SEED = 2611221740
"""Orders the catalogues, and splits their messages (see `phrases.redrawn_trials`)."""
SEEN_RULES = ("minimum", "maximum", "above", "min_length", "max_length", "min_items", "max_items")
OUTPUT = Path(".feedback-texts/redrawn.json")
Messages = dict[str, str]


def main() -> None:
    """Write the messages of the drawn catalogues by language and rule."""
    texts = {name: _limits(READERS[name]()) for name in order()}
    OUTPUT.parent.mkdir(exist_ok=True)
    OUTPUT.write_text(json.dumps(texts, ensure_ascii=False), encoding="utf-8")
    for name, languages in texts.items():
        print(f"{name}: {', '.join(f'{language} {len(rules)}' for language, rules in languages.items())}")


def order() -> list[str]:
    """Return the catalogues that can be read and were not drawn first, in the drawn order."""
    names = [one["name"] for one in pool()["catalogue"] if one["name"] in READERS]
    return random.Random(SEED).sample(names, len(names))


def _limits(catalogue: Catalogue) -> Catalogue:
    kept = {
        language: {rule: text for rule, text in rules.items() if rule in SEEN_RULES and "{limit}" in text}
        for language, rules in catalogue.items()
    }
    return {language: rules for language, rules in kept.items() if rules}


def symfony() -> Catalogue:
    """Return the messages of Symfony's validators: the plural of those that count."""
    sources = {
        "minimum": "This value should be {{ limit }} or more.",
        "maximum": "This value should be {{ limit }} or less.",
        "above": "This value should be greater than {{ compared_value }}.",
        "min_length": "This value is too short. It should have {{ limit }} character or more.",
        "max_length": "This value is too long. It should have {{ limit }} character or less.",
        "min_items": "This collection should contain {{ limit }} element or more.",
        "max_items": "This collection should contain {{ limit }} element or less.",
    }

    def read(language: str) -> Messages:
        code = {"zh": "zh_CN"}.get(language, language)
        (path,) = DATA.glob(f"**/validators.{code}.xlf")
        pairs = re.findall(
            r"<source>(.*?)</source>\s*<target[^>]*>(.*?)</target>", path.read_text(encoding="utf-8"), re.S
        )
        said = {source.partition("|")[0]: target.rpartition("|")[2] for source, target in pairs}
        texts = {rule: said[source] for rule, source in sources.items() if source in said}
        return {rule: re.sub(r"\{\{ \w+ \}\}", "{limit}", text) for rule, text in texts.items()}

    return {language: read(language) for language in LANGUAGES}


def hibernate() -> Catalogue:
    """Return the messages of Hibernate Validator, but for limits of lengths: `Size` names both."""
    keys = {"minimum": "Min", "maximum": "Max", "above": "Positive"}

    def read(language: str, archive: zipfile.ZipFile) -> Messages:
        code = {"en": "", "zh": "_zh_CN"}.get(language, f"_{language}")
        raw = archive.read(f"org/hibernate/validator/ValidationMessages{code}.properties").decode("utf-8")
        lines = dict(re.findall(r"^[\w.]*constraints\.(\w+)\.message\s*=\s*(.*)$", raw, re.M))
        texts = {rule: lines[key].encode().decode("unicode_escape") for rule, key in keys.items() if key in lines}
        return {rule: text.replace("{value}", "{limit}") for rule, text in texts.items()}

    path = next(DATA.glob("**/java/hibernate-validator.jar"))
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
        has = [
            x
            for x in LANGUAGES
            if f"org/hibernate/validator/ValidationMessages_{x}.properties" in names or x in ("en", "zh")
        ]
        return {language: read(language, archive) for language in has}


def django() -> Catalogue:
    """Return the messages of Django's validators: the plural of those that count."""
    (place,) = (PYTHON / "lib").glob("python3*/site-packages/django/conf/locale")

    def read(language: str) -> Messages:
        code = {"zh": "zh_Hans"}.get(language, language)
        said: gettext.NullTranslations = gettext.NullTranslations()
        if language != "en":
            said = gettext.translation("django", str(place), [code])
        one = "Ensure this value has at {} %(limit_value)d character (it has %(show_value)d)."
        both = "Ensure this value has at {} %(limit_value)d characters (it has %(show_value)d)."
        texts = {
            "minimum": said.gettext("Ensure this value is greater than or equal to %(limit_value)s."),
            "maximum": said.gettext("Ensure this value is less than or equal to %(limit_value)s."),
            "min_length": said.ngettext(one.format("least"), both.format("least"), 9),
            "max_length": said.ngettext(one.format("most"), both.format("most"), 9),
        }
        return {
            rule: re.sub(r"%\(show_value\)\w", "{length}", re.sub(r"%\(limit_value\)\w", "{limit}", text))
            for rule, text in texts.items()
        }

    return {language: read(language) for language in LANGUAGES}


def vee_validate() -> Catalogue:
    """Return the messages of vee-validate."""
    keys = {"minimum": "min_value", "maximum": "max_value", "min_length": "min", "max_length": "max"}

    def read(language: str) -> Messages:
        code = {"zh": "zh_CN"}.get(language, language)
        path = NODE / f"node_modules/@vee-validate/i18n/dist/locale/{code}.json"
        said = json.loads(path.read_text(encoding="utf-8"))["messages"]
        texts = {rule: said[key] for rule, key in keys.items() if key in said}
        return {r: re.sub(r"(?:0:)?\{(?:length|min|max)\}", "{limit}", t) for r, t in texts.items()}

    return {language: read(language) for language in LANGUAGES}


def parsley() -> Catalogue:
    """Return the messages of Parsley's locale files."""
    keys = {"minimum": "min", "maximum": "max", "min_length": "minlength", "max_length": "maxlength"}
    keys |= {"min_items": "mincheck", "max_items": "maxcheck"}

    def read(language: str) -> Messages:
        code = {"zh": "zh_cn"}.get(language, language)
        source = (NODE / f"node_modules/parsleyjs/dist/i18n/{code}.js").read_text(encoding="utf-8")
        said = {key: text for key, _, text in re.findall(r"(\w+):\s*(['\"])(.*?)\2", source)}
        return {rule: said[key].replace("%s", "{limit}") for rule, key in keys.items() if key in said}

    return {language: read(language) for language in LANGUAGES}


def survey() -> Catalogue:
    """Return the messages of survey-core."""
    keys = {
        "minimum": "numericMin",
        "maximum": "numericMax",
        "min_length": "textMinLength",
        "max_length": "textMaxLength",
    }
    script = (
        "const files={en:'english',de:'german',es:'spanish',fr:'french',zh:'simplified-chinese'};"
        "const out={};for(const [l,f] of Object.entries(files))"
        "{const m=await import(process.cwd()+`/node_modules/survey-core/i18n/${f}.js`).catch(()=>({}));"
        "const c=await import(process.cwd()+'/node_modules/survey-core/survey.core.js');"
        "const s=(c.default??c).surveyLocalization;out[l]=s.locales[l==='zh'?'zh-cn':l]}"
        "process.stdout.write(JSON.stringify(out))"
    )
    done = subprocess.run(
        ["node", "--input-type=module", "-e", script], cwd=NODE, capture_output=True, text=True, check=True
    )
    made: Catalogue = {}
    for language, said in json.loads(done.stdout).items():
        texts = {rule: said[key] for rule, key in keys.items() if isinstance(said.get(key), str)}
        made[language] = {r: t.replace("{0}", "{field}").replace("{1}", "{limit}") for r, t in texts.items()}
    return made


READERS: dict[str, Callable[[], Catalogue]] = {
    "symfony-validator": symfony,
    "hibernate-validator": hibernate,
    "django-forms": django,
    "vee-validate": vee_validate,
    "parsley": parsley,
    "survey-core": survey,
}
"""The catalogues left over by the first draw whose messages about limits can be read by key."""


def redrawn() -> Iterator[tuple[str, str, str, str]]:
    """Yield source, language, rule and message of all that was collected; nothing where it was not."""
    texts = json.loads(OUTPUT.read_text(encoding="utf-8")) if OUTPUT.exists() else {}
    for name, languages in sorted(texts.items()):
        for language, rules in languages.items():
            for rule, text in sorted(rules.items()):
                yield name, language, rule, text


if __name__ == "__main__":
    main()
