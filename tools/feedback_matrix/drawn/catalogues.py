"""Messages of the drawn catalogues of Python, Go and Perl, and how the apps of each ecosystem print a message.

A catalogue is {language: {rule: template}}. A template has {field}, {limit}, {values}, {value}, {pattern}; one that
begins with ^ is reported at the object around the field.
"""

from __future__ import annotations

import gettext
import json
import re
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
PYTHON = ROOT / ".venv-drawn"
NODE = ROOT / ".venv-drawn-node"
DATA = ROOT / ".venv-drawn-data"
Catalogue = dict[str, dict[str, str]]
LANGUAGES = ("en", "de", "es", "fr", "zh")


def of_npm() -> dict[str, Catalogue]:
    """Return the catalogues of npm packages."""
    script = Path(__file__).with_name("catalogues.mjs")
    done = subprocess.run(["node", str(script)], cwd=NODE, capture_output=True, text=True, check=True)
    read: dict[str, Catalogue] = json.loads(done.stdout)
    return read


def wtforms() -> Catalogue:
    """Return the messages of WTForms' validators and fields."""
    return _gettext("wtforms/locale", "wtforms", lambda t: {
        "missing": t.gettext("This field is required."),
        "integer": t.gettext("Not a valid integer value."),
        "number": t.gettext("Not a valid float value."),
        "date": t.gettext("Not a valid date value."),
        "enum": t.gettext("Invalid value, must be one of: %(values)s."),
        "pattern": t.gettext("Invalid input."),
        "minimum": t.gettext("Number must be at least %(min)s."),
        "maximum": t.gettext("Number must be at most %(max)s."),
        "min_length": t.ngettext(*_both("Field must be at least %(min)d character{} long."), 9),
        "max_length": t.ngettext(*_both("Field cannot be longer than %(max)d character{}."), 9),
    })  # fmt: skip


def formencode() -> Catalogue:
    """Return the messages of FormEncode's validators."""
    return _gettext("formencode/i18n", "FormEncode", lambda t: {
        "missing": t.gettext("Please enter a value"),
        "integer": t.gettext("Please enter an integer value"),
        "number": t.gettext("Please enter a number"),
        "enum": t.gettext("Value must be one of: %(items)s (not %(value)r)"),
        "pattern": t.gettext("Invalid value"),
        "date": t.gettext("Please enter the date in the form %(format)s").replace("%(format)s", "yyyy-mm-dd"),
        "minimum": t.gettext("Please enter a number that is %(min)s or greater"),
        "maximum": t.gettext("Please enter a number that is %(max)s or smaller"),
        "min_length": t.gettext("Enter a value at least %(min)i characters long"),
        "max_length": t.gettext("Enter a value not more than %(max)i characters long"),
    })  # fmt: skip


def _both(text: str) -> tuple[str, str]:
    return text.format(""), text.format("s")


def _gettext(folder: str, domain: str, say: Callable[[gettext.NullTranslations], dict[str, str]]) -> Catalogue:
    """Return the messages in each language that the package has, with its placeholders in our form."""
    (place,) = (PYTHON / "lib").glob(f"python3*/site-packages/{folder}")
    english = say(gettext.NullTranslations())
    made = {"en": _placed(english)}
    for language in LANGUAGES[1:]:
        code = next((c for c in (language, "zh_CN") if (place / c / "LC_MESSAGES" / f"{domain}.mo").exists()), None)
        if code:
            said = say(gettext.translation(domain, str(place), [code]))
            made[language] = _placed({rule: text for rule, text in said.items() if text != english[rule]})
    return made


def _placed(texts: Mapping[str, str]) -> dict[str, str]:
    names = {"min": "limit", "max": "limit", "values": "values", "items": "values", "value": "value"}

    def ours(match: re.Match[str]) -> str:
        return f"{{{names[match[1]]}}}"

    return {rule: re.sub(r"%\((\w+)\)[a-z]", ours, text) for rule, text in texts.items()}


GO_RULES = {
    "minimum": "gte-number",
    "maximum": "lte-number",
    "above": "gt-number",
    "min_length": "min-string",
    "max_length": "max-string",
    "min_items": "min-items",
    "max_items": "max-items",
}


def go_playground() -> Catalogue:
    """Return the messages of the translations that the Go package registers."""
    folder = DATA / "usr/share/gocode/src/github.com/go-playground/validator/v10/translations"
    return {name: _go((folder / name / f"{name}.go").read_text(encoding="utf-8")) for name in ("en", "es", "fr", "zh")}


def _go(source: str) -> dict[str, str]:
    added = dict(re.findall(r'ut\.Add\("([\w-]+)", "([^"]*)"', source))
    plurals = dict(re.findall(r'AddCardinal\("([\w-]+)", "([^"]*)", locales\.PluralRuleOther', source))
    made = {}
    for rule, key in GO_RULES.items():
        if key not in added:  # one language registers "max-items" twice and "min-items" never
            continue
        unit = next((text for name, text in plurals.items() if name.startswith(key)), "{0}")
        made[rule] = added[key].replace("{1}", unit.replace("{0}", "{limit}")).replace("{0}", "{field}")
    tags = dict(re.findall(r'tag:\s+"(\w+)",\s+translation:\s+"([^"]*)"', source))
    made |= {"missing": tags["required"].replace("{0}", "{field}"), "number": tags["numeric"].replace("{0}", "{field}")}
    made |= {"integer": made["number"]}
    return made | ({"enum": tags["oneof"].format("{field}", "{values}")} if "oneof" in tags else {})


def govalidator() -> Catalogue:
    """Return the messages of Go's govalidator: one sentence with the rule as its tag is written (written down here)."""
    failed = "{field}: {value} does not validate as "
    return {"en": {
        "missing": "{field}: non zero value required",
        "integer": failed + "int", "number": failed + "float", "date": failed + "rfc3339",
        "enum": failed + "in({bars})", "pattern": failed + "matches({pattern})",
        "minimum": failed + "range({least}|{most})", "maximum": failed + "range({least}|{most})",
        "min_length": failed + "stringlength({least}|{most})", "max_length": failed + "stringlength({least}|{most})",
    }}  # fmt: skip


def html_formhandler() -> Catalogue:
    """Return the messages of Perl's HTML::FormHandler: those of its source in English, translated by its lexicons."""
    keys = {
        "missing": "[_1] field is required",
        "integer": "Value must be an integer",
        "number": "Value must be a number",
        "enum": "'[_1]' is not a valid value",
        "minimum": "Value must be greater than or equal to [_1]",
        "maximum": "Value must be less than or equal to [_1]",
        "min_length": "Field must be at least [quant,_1,character]. You entered [_2]",
        "max_length": "Field should not exceed [quant,_1,character]. You entered [_2]",
    }
    made: Catalogue = {"en": {rule: _lexicon(rule, text) for rule, text in keys.items()}}
    for language, name in {"de": "de_de", "es": "es_es"}.items():
        lexicon = DATA / f"usr/share/perl5/HTML/FormHandler/I18N/{name}.pm"
        source = lexicon.read_text(encoding="utf-8", errors="replace")
        pairs = dict(re.findall(r"""['"](.+?)['"]\s*=>\s*['"](.+?)['"],?\s*$""", source, flags=re.MULTILINE))
        made[language] = {rule: _lexicon(rule, pairs[text]) for rule, text in keys.items() if text in pairs}
    return made


def _lexicon(rule: str, text: str) -> str:
    """Fill Perl's placeholders: `[quant,_1,character]` is "{limit} characters"."""
    plain = re.sub(r"\[quant,_1,(\w+)(?:,(\w+))?[^]]*\]", lambda m: f"{{limit}} {m[2] or m[1] + 's'}", text)
    first = {"missing": "{field}", "enum": "{value}"}.get(rule, "{limit}")
    return plain.replace("[_1]", first).replace("[_2]", "{length}").replace("\\'", "'")


def catalogues() -> dict[str, Catalogue]:
    """Return all drawn catalogues by name."""
    ours: dict[str, Callable[[], Catalogue]] = {
        "wtforms": wtforms,
        "formencode": formencode,
        "go-playground-validator": go_playground,
        "govalidator": govalidator,
        "html-formhandler": html_formhandler,
    }
    return {**of_npm(), **{name: read() for name, read in ours.items()}}


def fill(template: str, given: Mapping[str, Any]) -> str:
    """Fill a template; only what stands in it in our form is replaced, braces of a pattern stay."""
    return re.sub(r"\{(\w+)\}", lambda match: str(given.get(match[1], match[0])), template)
