// Runs the validators of the later draw over jobs: [{schema, document}] on the standard input, one result each on the
// output: {validator: {language: {texts, errors}}}, without the validators that accept the document.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const require = createRequire(process.cwd() + "/");
const DATE = /^\d{4}-\d\d-\d\d$/;
const bracketed = (path) => path.map((p) => (typeof p === "number" || /^\d+$/.test(p) ? `[${p}]` : `.${p}`)).join("").replace(/^\./, "");
const kindOf = (schema) => (schema.enum ? "enum" : schema.format === "date" ? "date" : schema.type);
const required = (schema, name) => schema.required?.includes(name);
const lines = (errors) => errors.map(([path, message]) => `${path}: ${message}`).join("\n");
const checks = {};

const isMyJsonValid = require("is-my-json-valid");
checks["is-my-json-valid"] = (schema, document) => {
  const validate = isMyJsonValid(schema, { greedy: true, verbose: true, formats: { date: DATE } });
  if (validate(document)) return null;
  return { texts: { json: JSON.stringify(validate.errors.map(({ field, message }) => ({ field, message }))) }, errors: validate.errors.map((e) => [e.field, e.message]) };
};

const jsen = require("jsen");
checks.jsen = (schema, document) => {
  const validate = jsen(schema, { greedy: true, formats: { date: DATE } });
  if (validate(document)) return null;
  const errors = validate.errors.map((e) => [e.path || "/", e.keyword]);
  return { texts: { lines: lines(errors), json: JSON.stringify(validate.errors) }, errors };
};

const { validator: schemasafe } = require("@exodus/schemasafe");
checks.schemasafe = (schema, document) => {
  const validate = schemasafe(schema, { includeErrors: true, allErrors: true, mode: "default", formats: { date: DATE } });
  if (validate(document)) return null;
  return { texts: { json: JSON.stringify(validate.errors) }, errors: [] };
};

const revalidator = require("revalidator");
const old = (schema, needed) => {
  const made = { ...schema, required: needed };
  if (schema.exclusiveMinimum !== undefined) Object.assign(made, { minimum: undefined, exclusiveMinimum: schema.exclusiveMinimum });
  if (schema.properties) made.properties = Object.fromEntries(Object.entries(schema.properties).map(([k, v]) => [k, old(v, Boolean(required(schema, k)))]));
  if (schema.items) made.items = old(schema.items, false);
  return made;
};
checks.revalidator = (schema, document) => {
  const { valid, errors } = revalidator.validate(document, old(schema, true));
  if (valid) return null;
  return { texts: { json: JSON.stringify(errors) }, errors: errors.map((e) => [e.property, e.message]) };
};

const { compileSchema } = await import(require.resolve("json-schema-library"));
checks["json-schema-library"] = (schema, document) => {
  const { valid, errors } = compileSchema(schema).validate(document);
  if (valid) return null;
  return { texts: { messages: errors.map((e) => e.message).join("\n") }, errors: errors.map((e) => [e.data.pointer, e.message]) };
};

const Ajv = require("ajv").default ?? require("ajv");
const ajv = new Ajv({ allErrors: true, formats: { date: DATE } });
const { betterAjvErrors } = require("@apideck/better-ajv-errors");
checks["better-ajv-errors"] = (schema, document) => {
  const validate = ajv.compile(schema);
  if (validate(document)) return null;
  const errors = betterAjvErrors({ schema, data: document, errors: validate.errors });
  return { texts: { messages: errors.map((e) => e.message).join("\n"), json: JSON.stringify(errors.map(({ message, path, suggestion }) => ({ message, path, suggestion }))) }, errors: errors.map((e) => [e.path, e.message]) };
};

const AsyncValidator = require("async-validator").default;
AsyncValidator.warning = () => {};
const ruleOf = (schema, needed) => {
  const kind = kindOf(schema);
  const made = { required: Boolean(needed) };
  if (kind === "object") return { ...made, type: "object", fields: Object.fromEntries(Object.entries(schema.properties).map(([k, v]) => [k, ruleOf(v, required(schema, k))])) };
  if (kind === "array") return { ...made, type: "array", min: schema.minItems, max: schema.maxItems, defaultField: ruleOf(schema.items, true) };
  if (kind === "enum") return { ...made, type: "enum", enum: schema.enum };
  if (kind === "date") return { ...made, type: "string", pattern: DATE };
  if (kind === "string") return { ...made, type: "string", min: schema.minLength, max: schema.maxLength, ...(schema.pattern ? { pattern: new RegExp(schema.pattern) } : {}) };
  return { ...made, type: kind, min: schema.minimum ?? schema.exclusiveMinimum, max: schema.maximum };
};
checks["async-validator"] = async (schema, document) => {
  try {
    await new AsyncValidator(ruleOf(schema, true).fields).validate(document, { suppressWarning: true });
    return null;
  } catch (error) {
    if (!error.errors) throw error;
    return { texts: { messages: error.errors.map((e) => e.message).join("\n"), json: JSON.stringify(error.fields) }, errors: error.errors.map((e) => [e.field, e.message]) };
  }
};

const v = await import("valibot");
const LANGUAGES = { de: "de", es: "es", fr: "fr", zh: "zh-CN" };
for (const code of Object.values(LANGUAGES)) {
  try {
    await import(`@valibot/i18n/${code}`);
  } catch {
    process.stderr.write(`valibot: no messages in ${code}\n`);
  }
}
const built = (schema) => {
  const kind = kindOf(schema);
  const has = (value, action) => (value === undefined ? [] : [action(value)]);
  if (kind === "object") return v.strictObject(Object.fromEntries(Object.entries(schema.properties).map(([k, s]) => [k, required(schema, k) ? built(s) : v.optional(built(s))])));
  if (kind === "array") return v.pipe(v.array(built(schema.items)), ...has(schema.minItems, v.minLength), ...has(schema.maxItems, v.maxLength));
  if (kind === "enum") return v.picklist(schema.enum);
  if (kind === "date") return v.pipe(v.string(), v.isoDate());
  if (kind === "string") return v.pipe(v.string(), ...has(schema.minLength, v.minLength), ...has(schema.maxLength, v.maxLength), ...has(schema.pattern, (p) => v.regex(new RegExp(p))));
  if (kind === "boolean") return v.boolean();
  return v.pipe(v.number(), ...(kind === "integer" ? [v.integer()] : []), ...has(schema.minimum, v.minValue), ...has(schema.exclusiveMinimum, v.gtValue ?? v.minValue), ...has(schema.maximum, v.maxValue));
};
const inLanguage = (schema, document, lang) => {
  const { success, issues } = v.safeParse(built(schema), document, { lang });
  if (success) return null;
  const flat = issues.map((i) => [bracketed((i.path ?? []).map((p) => p.key)), i.message]);
  return { texts: { flat: JSON.stringify(v.flatten(issues)) }, errors: flat };
};

const jobs = JSON.parse(readFileSync(0, "utf8"));
const failed = new Set();
const results = [];
for (const { schema, document } of jobs) {
  const said = {};
  for (const [name, check] of Object.entries(checks)) {
    try {
      const one = await check(schema, document);
      if (one) said[name] = { en: one };
    } catch (error) {
      failed.add(`${name}: ${error.message.slice(0, 200)}`);
    }
  }
  for (const [language, code] of Object.entries({ en: "en", ...LANGUAGES })) {
    const one = inLanguage(schema, document, code);
    if (one) (said.valibot ??= {})[language] = one;
  }
  results.push(said);
}
process.stderr.write([...failed].join("\n"));
process.stdout.write(JSON.stringify(results));
