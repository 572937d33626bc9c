// Messages of the drawn catalogues of npm, as JSON: {catalogue: {language: {rule: template}}}.
// A template has {field}, {limit}, {values}, {value}; one that begins with ^ is reported at the object around the field.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const require = createRequire(process.cwd() + "/");
const root = process.cwd() + "/node_modules/";
const out = {};
const put = (name, language, rules) => {
  const kept = Object.entries(rules).filter(([, text]) => typeof text === "string" && text.trim() && !text.includes("undefined"));
  (out[name] ??= {})[language] = Object.fromEntries(kept);
};
const attempt = async (name, work) => {
  try {
    await work();
  } catch (error) {
    process.stderr.write(`${name}: ${error.message}\n`);
  }
};
const filled = (text, given) => text?.replace(/\{\{-? ?(\w+)(, \w+)?\}\}/g, (_, key) => given[key] ?? "undefined");

await attempt("zod-i18n-map", async () => {
  for (const [language, folder] of Object.entries({ en: "en", de: "de", es: "es", fr: "fr", zh: "zh-CN" })) {
    const { errors: e, types: t, validations: v } = JSON.parse(readFileSync(`${root}zod-i18n-map/locales/${folder}/zod.json`, "utf8"));
    const limit = { minimum: "{limit}", maximum: "{limit}" };
    const kind = (name) => filled(e.invalid_type, { expected: t?.[name] ?? name, received: t?.string ?? "string" });
    put("zod-i18n-map", language, {
      missing: e.invalid_type_received_undefined,
      integer: kind("integer"), number: kind("number"), boolean: kind("boolean"),
      enum: filled(e.invalid_enum_value, { options: "{values}", received: "{value}" }),
      pattern: e.invalid_string.regex,
      date: filled(e.invalid_string.datetime, { validation: v?.date ?? v?.datetime ?? "date" }),
      minimum: filled(e.too_small.number.inclusive, limit), above: filled(e.too_small.number.not_inclusive, limit),
      maximum: filled(e.too_big.number.inclusive, limit),
      min_length: filled(e.too_small.string.inclusive, limit), max_length: filled(e.too_big.string.inclusive, limit),
      min_items: filled(e.too_small.array.inclusive, limit), max_items: filled(e.too_big.array.inclusive, limit),
    });
  }
});

await attempt("form-validation", async () => {
  for (const [language, file] of Object.entries({ en: "en_US", de: "de_DE", es: "es_ES", fr: "fr_FR", zh: "zh_CN" })) {
    const read = require(`${root}@form-validation/locales/lib/cjs/${file}.js`);
    const m = read[file] ?? read.default ?? Object.values(read)[0];
    const limit = (text) => text?.replace("%s", "{limit}");
    put("form-validation", language, {
      missing: m.notEmpty?.default, integer: m.integer?.default, number: m.numeric?.default,
      pattern: m.regexp?.default, date: m.date?.default,
      minimum: limit(m.greaterThan?.default), above: limit(m.greaterThan?.notInclusive), maximum: limit(m.lessThan?.default),
      min_length: limit(m.stringLength?.more), max_length: limit(m.stringLength?.less),
      min_items: limit(m.choice?.less), max_items: limit(m.choice?.more),
    });
  }
});

await attempt("keycloakify", async () => {
  for (const [language, file] of Object.entries({ en: "en", de: "de", es: "es", fr: "fr", zh: "zh-CN" })) {
    const source = readFileSync(`${root}keycloakify/src/login/i18n/messages_defaultSet/${file}.ts`, "utf8");
    const m = Object.fromEntries([...source.matchAll(/"(error-[\w-]+)":\s*"([^"]*)"/g)].map((hit) => [hit[1], hit[2]]));
    const limit = (text) => text?.replace("{0}", "{field}").replace("{1}", "{limit}").replace("{2}", "{limit}");
    put("keycloakify", language, {
      missing: m["error-user-attribute-required"], integer: m["error-invalid-number"], number: m["error-invalid-number"],
      pattern: m["error-pattern-no-match"], date: m["error-invalid-date"],
      minimum: limit(m["error-number-out-of-range-too-small"]), maximum: limit(m["error-number-out-of-range-too-big"]),
      min_length: limit(m["error-invalid-length-too-short"]), max_length: limit(m["error-invalid-length-too-long"]),
    });
  }
});

await attempt("ajv-i18n", async () => {
  const localize = require("ajv-i18n");
  for (const language of ["de", "es", "fr", "zh"]) {
    const say = (keyword, params) => {
      const errors = [{ keyword, params }];
      localize[language](errors);
      return errors[0].message?.replace("7777", "{limit}");
    };
    const type = (name) => say("type", { type: name });
    put("ajv-i18n", language, {
      missing: `^${say("required", { missingProperty: "{field}" })}`, integer: type("integer"), number: type("number"), boolean: type("boolean"),
      enum: say("enum", { allowedValues: [] }), pattern: say("pattern", { pattern: "{pattern}" }), date: say("format", { format: "date" }),
      minimum: say("minimum", { comparison: ">=", limit: 7777 }), above: say("exclusiveMinimum", { comparison: ">", limit: 7777 }),
      maximum: say("maximum", { comparison: "<=", limit: 7777 }),
      min_length: say("minLength", { limit: 7777 }), max_length: say("maxLength", { limit: 7777 }),
      min_items: say("minItems", { limit: 7777 }), max_items: say("maxItems", { limit: 7777 }),
    });
  }
});

await attempt("json-editor", async () => {
  const source = readFileSync(`${root}@json-editor/json-editor/src/defaults.js`, "utf8");
  const m = Object.fromEntries([...source.matchAll(/^ {2}(error_\w+): (?:'([^\n]*)'|"([^\n]*)"),?$/gm)].map((hit) => [hit[1], hit[2] ?? hit[3]]));
  const limit = (text) => text?.replace("{{0}}", "{limit}");
  const type = (name) => m.error_type?.replace("{{0}}", name);
  put("json-editor", "en", {
    missing: `^${m.error_required?.replace("{{0}}", "{field}")}`, extra: `^${m.error_additional_properties?.replace("{{0}}", "{field}")}`,
    integer: type("integer"), number: type("number"), boolean: type("boolean"),
    enum: m.error_enum, pattern: m.error_pattern?.replace("{{0}}", "{pattern}"),
    minimum: limit(m.error_minimum_incl), above: limit(m.error_minimum_excl), maximum: limit(m.error_maximum_incl),
    min_length: limit(m.error_minLength), max_length: limit(m.error_maxLength), min_items: limit(m.error_minItems), max_items: limit(m.error_maxItems),
  });
});

await attempt("yup-locales", async () => {
  const all = require("yup-locales");
  const params = (text, given) => (typeof text === "function" ? undefined : text?.replace(/\$\{(\w+)\}/g, (_, key) => given[key] ?? "undefined"));
  for (const language of ["en", "de", "es", "fr", "zh"]) {
    const m = all[language];
    const given = { path: "{field}", min: "{limit}", max: "{limit}", more: "{limit}", values: "{values}", regex: "{pattern}" };
    const kind = (type) => {
      const made = typeof m.mixed.notType === "function" ? m.mixed.notType({ path: "{field}", type, value: "{value}", originalValue: "{value}" }) : m.mixed.notType?.replace("${type}", type);
      return made?.replace("${path}", "{field}");
    };
    put("yup-locales", language, {
      missing: params(m.mixed.required, given), enum: params(m.mixed.oneOf, given), pattern: params(m.string.matches, given),
      integer: kind("number"), number: kind("number"), boolean: kind("boolean"), date: kind("date"),
      minimum: params(m.number.min, given), maximum: params(m.number.max, given), above: params(m.number.moreThan, given),
      min_length: params(m.string.min, given), max_length: params(m.string.max, given),
      min_items: params(m.array.min, given), max_items: params(m.array.max, given),
    });
  }
});

await attempt("jquery-validation", async () => {
  for (const language of ["de", "es", "fr", "zh"]) {
    const read = {};
    const jquery = { extend: (_, given) => Object.assign(read, given), validator: { messages: {}, format: (text) => text } };
    const source = readFileSync(`${root}jquery-validation/dist/localization/messages_${language}.js`, "utf8");
    new Function("jQuery", "define", "module", "$", source)(jquery, undefined, undefined, jquery);
    const limit = (text) => text?.replace("{0}", "{limit}");
    put("jquery-validation", language, {
      missing: read.required, integer: read.digits, number: read.number, date: read.dateISO ?? read.date, pattern: read.pattern,
      minimum: limit(read.min), maximum: limit(read.max), min_length: limit(read.minlength), max_length: limit(read.maxlength),
    });
  }
});

await attempt("formkit", async () => {
  const all = await import(pathToFileURL(`${root}@formkit/i18n/dist/index.mjs`));
  for (const language of ["en", "de", "es", "fr", "zh"]) {
    const m = all[language].validation;
    const say = (rule, args, value) => {
      const made = typeof m[rule] === "function" ? m[rule]({ name: "{field}", args, node: { value } }) : m[rule];
      return made?.replace("7777", "{limit}");
    };
    put("formkit", language, {
      missing: say("required", [], ""), integer: say("number", [], "x"), number: say("number", [], "x"),
      pattern: say("matches", [], "x"), date: say("date_format", ["YYYY-MM-DD"], "x"), enum: say("is", [], "x")?.replace(/$/, ""),
      minimum: say("min", [7777], 1), maximum: say("max", [7777], 1),
      min_length: say("length", [7777, Infinity], "x"), max_length: say("length", [0, 7777], "x"),
      min_items: say("min", [7777], []), max_items: say("max", [7777], []),
    });
  }
});

process.stdout.write(JSON.stringify(out));
