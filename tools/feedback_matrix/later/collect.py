"""Collects what the sources of the later draw say: `python -m tools.feedback_matrix.later.collect`.

The validators are those of the pool's left-over ones that read a JSON Schema, or one that is easily made of it; the
catalogues are those whose messages about limits were drawn before (`redraw.py`), with their other messages. The output
has the form of `tools.feedback_matrix.collect`. Nothing of the texts is printed.
"""

from __future__ import annotations

import gettext
import json
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from ..collect import _accepts_good, _jobs, _of_catalogue
from ..documents import documents
from ..drawn.catalogues import DATA, LANGUAGES, NODE, PYTHON, ROOT, Catalogue
from . import SEED

PLACE = ROOT / ".venv-later-node"
OUTPUT = Path(".feedback-texts/later.json")
VALIDATORS = (
    *("is-my-json-valid", "jsen", "schemasafe", "revalidator", "json-schema-library", "better-ajv-errors"),
    *("async-validator", "valibot"),
)
Texts = dict[str, dict[str, dict[str, dict[str, object]]]]


def main() -> None:
    """Ask the sources, in the drawn order, and write what they say."""
    texts = {**_catalogues(), **_validators()}
    names = random.Random(SEED).sample(sorted(texts), len(texts))
    OUTPUT.parent.mkdir(exist_ok=True)
    OUTPUT.write_text(json.dumps({name: texts[name] for name in names}, ensure_ascii=False), encoding="utf-8")
    for name in names:
        sizes = {language: sum(map(len, said.values())) for language, said in texts[name].items()}
        print(f"{name}: {', '.join(f'{language} {size}' for language, size in sizes.items())}")


def _catalogues() -> Texts:
    read = {name: reader() for name, reader in READERS.items()}
    return {
        name: {language: _of_catalogue(said, language) for language in said if said[language]}
        for name, said in read.items()
    }


def symfony() -> Catalogue:
    """Return Symfony's messages that name no limit."""
    sources = {
        "missing": "This field is missing.",
        "extra": "This field was not expected.",
        "enum": "The value you selected is not a valid choice.",
        "date": "This value is not a valid date.",
        "boolean": "This value should be of type {{ type }}.",
    }

    def read(language: str) -> dict[str, str]:
        code = {"zh": "zh_CN"}.get(language, language)
        (path,) = DATA.glob(f"**/validators.{code}.xlf")
        text = path.read_text(encoding="utf-8")
        said = dict(re.findall(r"<source>(.*?)</source>\s*<target[^>]*>(.*?)</target>", text, re.S))
        texts = {rule: said[source] for rule, source in sources.items() if source in said}
        if "boolean" in texts:
            texts |= {rule: texts["boolean"].replace("{{ type }}", rule) for rule in ("integer", "number", "boolean")}
        return texts

    return {language: read(language) for language in LANGUAGES}


def django() -> Catalogue:
    """Return the messages of Django's form fields that name no limit."""
    (place,) = (PYTHON / "lib").glob("python3*/site-packages/django/conf/locale")
    sources = {
        "missing": "This field is required.",
        "integer": "Enter a whole number.",
        "number": "Enter a number.",
        "date": "Enter a valid date.",
        "enum": "Select a valid choice. %(value)s is not one of the available choices.",
    }

    def read(language: str) -> dict[str, str]:
        code = {"zh": "zh_Hans"}.get(language, language)
        said = gettext.NullTranslations() if language == "en" else gettext.translation("django", str(place), [code])
        return {rule: said.gettext(source).replace("%(value)s", "{value}") for rule, source in sources.items()}

    return {language: read(language) for language in LANGUAGES}


def vee_validate() -> Catalogue:
    """Return vee-validate's messages that name no limit."""
    keys = {"missing": "required", "integer": "integer", "number": "numeric", "enum": "oneOf", "pattern": "regex"}

    def read(language: str) -> dict[str, str]:
        code = {"zh": "zh_CN"}.get(language, language)
        path = NODE / f"node_modules/@vee-validate/i18n/dist/locale/{code}.json"
        said = json.loads(path.read_text(encoding="utf-8"))["messages"]
        return {rule: said[key] for rule, key in keys.items() if key in said}

    return {language: read(language) for language in LANGUAGES}


def parsley() -> Catalogue:
    """Return Parsley's messages that name no limit."""
    keys = {"missing": "required", "integer": "integer", "number": "number", "pattern": "pattern", "date": "dateiso"}

    def read(language: str) -> dict[str, str]:
        code = {"zh": "zh_cn"}.get(language, language)
        source = (NODE / f"node_modules/parsleyjs/dist/i18n/{code}.js").read_text(encoding="utf-8")
        said = {key: text for key, _, text in re.findall(r"(\w+):\s*(['\"])(.*?)\2", source)}
        return {rule: said[key] for rule, key in keys.items() if key in said}

    return {language: read(language) for language in LANGUAGES}


READERS: dict[str, Callable[[], Catalogue]] = {
    "symfony-validator": symfony,
    "django-forms": django,
    "vee-validate": vee_validate,
    "parsley": parsley,
}


def _validators() -> Texts:
    jobs = list(_jobs())
    given = json.dumps([{"schema": documents()[name]["schema"], "document": answer} for name, _, answer in jobs])
    shutil.copy(Path(__file__).with_name("validators.mjs"), PLACE)
    command = ["node", "validators.mjs"]
    done = subprocess.run(command, cwd=PLACE, input=given, capture_output=True, text=True, check=True)
    sys.stderr.write(done.stderr)
    texts: Texts = {}
    for (document, name, _), said in zip(jobs, json.loads(done.stdout), strict=True):
        for validator, languages in said.items():
            for language, one in languages.items():
                texts.setdefault(validator, {}).setdefault(language, {}).setdefault(document, {})[name] = one
    kept = {
        name: {language: said for language, said in languages.items() if _accepts_good(name, said)}
        for name, languages in texts.items()
        if name in VALIDATORS
    }
    return {name: languages for name, languages in kept.items() if languages}


if __name__ == "__main__":
    main()
