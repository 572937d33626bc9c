// Runs the drawn validators of node over jobs: [{schema, document}] on the standard input, one result each on the output.
// A result is {validator: {texts, errors}}, without the validators that accept the document.
import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import tv4 from "tv4";
import { validate as schemaUtils } from "schema-utils";
import { Validator as Cfworker } from "@cfworker/json-schema";
import validateJs from "validate.js";
import t from "tcomb-validation";
import Schema, { string, number, boolean, array } from "computed-types";
import { s } from "@sapphire/shapeshift";
import nopePackage from "nope-validator";
import { make } from "simple-body-validator";

const Nope = nopePackage.default ?? nopePackage;
const DATE = /^\d{4}-\d\d-\d\d$/;
const kindOf = (schema) => (schema.enum ? "enum" : schema.format === "date" ? "date" : schema.type);
const entries = (schema) => Object.entries(schema.properties).map(([name, inner]) => [name, inner, schema.required.includes(name)]);
const least = (schema) => schema.minLength ?? schema.minItems;
const most = (schema) => schema.maxLength ?? schema.maxItems;
const bracketed = (path) => path.map((p) => (typeof p === "number" || /^\d+$/.test(p) ? `[${p}]` : `.${p}`)).join("").replace(/^\./, "");
const lines = (errors) => ({ lines: errors.map(([path, message]) => `${path}: ${message}`).join("\n") });

tv4.addFormat("date", (text) => (DATE.test(text) ? null : "must be a date"));

function checkTv4(schema, document) {
  const old = JSON.parse(JSON.stringify(schema).replace(/"exclusiveMinimum":([\d.]+)/g, '"minimum":$1,"exclusiveMinimum":true'));
  const { errors } = tv4.validateMultiple(document, old, false, true);
  if (!errors.length) return null;
  return {
    texts: { lines: errors.map((e) => `${e.dataPath}: ${e.message}`).join("\n"), json: JSON.stringify(errors.map(({ code, message, dataPath, schemaPath }) => ({ code, message, dataPath, schemaPath }))) },
    errors: errors.map((e) => [e.dataPath || "/", e.message]),
  };
}

function checkSchemaUtils(schema, document) {
  try {
    schemaUtils(schema, document, { name: "Answer", baseDataPath: "answer" });
    return null;
  } catch (error) {
    if (error.name !== "ValidationError") throw error;
    return { texts: { message: error.message } };
  }
}

function checkCfworker(schema, document) {
  const { valid, errors } = new Cfworker(schema, "2020-12", false).validate(document);
  if (valid) return null;
  const leaves = errors.filter((e) => !["properties", "items"].includes(e.keyword));
  return { texts: { json: JSON.stringify(errors), lines: errors.map((e) => `${e.instanceLocation} ${e.error}`).join("\n") }, errors: leaves.map((e) => [e.instanceLocation, e.error]) };
}

// validate.js checks flat values, so it is asked about each value by itself, and the app names the place.

function constraintOf(schema, required) {
  const kind = kindOf(schema);
  const made = required ? { presence: { allowEmpty: true } } : {};
  if (kind === "enum") return { ...made, inclusion: schema.enum };
  if (kind === "date") return { ...made, format: DATE };
  if (schema.pattern) return { ...made, format: new RegExp(schema.pattern) };
  if (kind === "boolean") return { ...made, type: "boolean" };
  if (kind === "integer" || kind === "number") {
    const limits = { strict: true, noStrings: true, onlyInteger: kind === "integer" };
    if (schema.minimum !== undefined) limits.greaterThanOrEqualTo = schema.minimum;
    if (schema.exclusiveMinimum !== undefined) limits.greaterThan = schema.exclusiveMinimum;
    if (schema.maximum !== undefined) limits.lessThanOrEqualTo = schema.maximum;
    return { ...made, numericality: limits };
  }
  const length = Object.fromEntries(Object.entries({ minimum: least(schema), maximum: most(schema) }).filter((e) => e[1] !== undefined));
  return Object.keys(length).length ? { ...made, length } : made;
}

function* values(schema, value, path = []) {
  if (schema.type === "object") for (const [name, inner, must] of entries(schema)) yield* values({ ...inner, must }, value?.[name], [...path, name]);
  else yield [schema, value, path];
  if (schema.type === "array" && Array.isArray(value)) for (const [at, one] of value.entries()) yield* values({ ...schema.items, must: true }, one, [...path, at]);
}

function checkValidateJs(schema, document) {
  const errors = [];
  for (const [inner, value, path] of values(schema, document)) {
    const name = [...path].reverse().find((step) => typeof step === "string");
    const said = validateJs({ [name]: value }, { [name]: constraintOf(inner, inner.must) });
    for (const message of said?.[name] ?? []) errors.push([bracketed(path), message]);
  }
  return errors.length ? { texts: { ...lines(errors), json: JSON.stringify(Object.fromEntries(errors.map(([p, m]) => [p, [m]]))) }, errors } : null;
}

// tcomb

function tcombType(schema) {
  const kind = kindOf(schema);
  if (kind === "object") return t.struct(Object.fromEntries(entries(schema).map(([n, inner, must]) => [n, must ? tcombType(inner) : t.maybe(tcombType(inner))])), "Answer");
  if (kind === "enum") return t.enums.of(schema.enum, "Choice");
  if (kind === "boolean") return t.Boolean;
  if (kind === "array") {
    const made = t.list(tcombType(schema.items));
    if (least(schema) === undefined && most(schema) === undefined) return made;
    return t.refinement(made, (x) => x.length >= (least(schema) ?? 0) && x.length <= (most(schema) ?? Infinity), [least(schema) && `AtLeast${least(schema)}`, most(schema) && `AtMost${most(schema)}`].filter(Boolean).join("And"));
  }
  if (kind === "date") return t.refinement(t.String, (x) => DATE.test(x), "IsoDate");
  if (schema.pattern) return t.refinement(t.String, (x) => new RegExp(schema.pattern).test(x), `Matching(${schema.pattern})`);
  if (kind === "string") {
    let made = t.String;
    if (schema.minLength !== undefined) made = t.refinement(made, (x) => x.length >= schema.minLength, `MinLength(${schema.minLength})`);
    return schema.maxLength === undefined ? made : t.refinement(made, (x) => x.length <= schema.maxLength, `MaxLength(${schema.maxLength})`);
  }
  let made = kind === "integer" ? t.Integer : t.Number;
  if (schema.minimum !== undefined) made = t.refinement(made, (x) => x >= schema.minimum, `AtLeast(${schema.minimum})`);
  if (schema.exclusiveMinimum !== undefined) made = t.refinement(made, (x) => x > schema.exclusiveMinimum, `Above(${schema.exclusiveMinimum})`);
  return schema.maximum === undefined ? made : t.refinement(made, (x) => x <= schema.maximum, `AtMost(${schema.maximum})`);
}

function checkTcomb(schema, document) {
  const result = t.validate(document, tcombType(schema), { strict: schema.additionalProperties === false });
  if (result.isValid()) return null;
  return { texts: { first: result.firstError().message, messages: result.errors.map((e) => e.message).join("\n") }, errors: result.errors.map((e) => [bracketed(e.path), e.message]) };
}

// computed-types

function computedType(schema) {
  const kind = kindOf(schema);
  if (kind === "object") return Object.fromEntries(entries(schema).map(([n, inner, must]) => [n, must ? computedLeaf(inner) : computedLeaf(inner).optional()]));
  return computedLeaf(schema);
}

function computedLeaf(schema) {
  const kind = kindOf(schema);
  if (kind === "object") return Schema(computedType(schema), { strict: schema.additionalProperties === false });
  if (kind === "enum") return Schema.either(...schema.enum);
  if (kind === "boolean") return boolean;
  if (kind === "date") return string.regexp(DATE);
  if (schema.pattern) return string.regexp(new RegExp(schema.pattern));
  let made = kind === "array" ? array.of(computedLeaf(schema.items)) : kind === "string" ? string : kind === "integer" ? number.integer() : number;
  if (least(schema) !== undefined) made = made.min(least(schema));
  if (most(schema) !== undefined) made = made.max(most(schema));
  if (schema.minimum !== undefined) made = made.gte(schema.minimum);
  if (schema.exclusiveMinimum !== undefined) made = made.gt(schema.exclusiveMinimum);
  return schema.maximum === undefined ? made : made.lte(schema.maximum);
}

function checkComputed(schema, document) {
  const check = Schema(computedType(schema), { strict: schema.additionalProperties === false });
  const [error] = check.destruct()(document);
  if (!error) return null;
  const errors = (error.errors ?? []).map((e) => [bracketed(e.path ?? []), e.error?.message ?? e.message]);
  return { texts: { message: error.message }, errors };
}

// shapeshift

function shapeType(schema) {
  const kind = kindOf(schema);
  if (kind === "object") {
    const made = s.object(Object.fromEntries(entries(schema).map(([n, inner, must]) => [n, must ? shapeType(inner) : shapeType(inner).optional()])));
    return schema.additionalProperties === false ? made.strict() : made.ignore();
  }
  if (kind === "enum") return s.enum(schema.enum);
  if (kind === "boolean") return s.boolean();
  if (kind === "date") return s.string().regex(DATE);
  let made = kind === "array" ? s.array(shapeType(schema.items)) : kind === "string" ? s.string() : s.number();
  if (kind === "integer") made = made.int();
  if (schema.pattern) made = made.regex(new RegExp(schema.pattern));
  if (least(schema) !== undefined) made = made.lengthGreaterThanOrEqual(least(schema));
  if (most(schema) !== undefined) made = made.lengthLessThanOrEqual(most(schema));
  if (schema.minimum !== undefined) made = made.greaterThanOrEqual(schema.minimum);
  if (schema.exclusiveMinimum !== undefined) made = made.greaterThan(schema.exclusiveMinimum);
  return schema.maximum === undefined ? made : made.lessThanOrEqual(schema.maximum);
}

function* shapeLeaves(error, path = []) {
  if (Array.isArray(error.errors)) for (const [step, inner] of error.errors.map((e) => (Array.isArray(e) ? e : [null, e]))) yield* shapeLeaves(inner, step === null ? path : [...path, step]);
  else yield [path, error];
}

function checkShapeshift(schema, document) {
  const result = shapeType(schema).run(document);
  if (result.isOk()) return null;
  const errors = [...shapeLeaves(result.error)].map(([path, e]) => [bracketed(path), `${e.message}${e.expected ? `: ${e.expected}` : ""}`]);
  return { texts: { inspect: inspect(result.error, { depth: 8, colors: false }).replace(/^ +at .*\n?/gm, "").trim() }, errors };
}

// nope

function nopeType(schema, required) {
  const kind = kindOf(schema);
  const must = (made) => (required && made.required ? made.required() : made);
  if (kind === "object") return Nope.object().shape(Object.fromEntries(entries(schema).map(([n, inner, needed]) => [n, nopeType(inner, needed)])));
  if (kind === "array") {
    let made = Nope.array().of(nopeType(schema.items, true));
    if (least(schema) !== undefined) made = made.minLength(least(schema));
    return must(most(schema) === undefined ? made : made.maxLength(most(schema)));
  }
  if (kind === "enum") return must(Nope.string().oneOf(schema.enum));
  if (kind === "boolean") return must(Nope.boolean());
  if (kind === "date") return must(Nope.string().regex(DATE));
  if (schema.pattern) return must(Nope.string().regex(new RegExp(schema.pattern)));
  let made = kind === "string" ? Nope.string() : Nope.number();
  if (kind === "integer") made = made.integer();
  if (schema.minLength !== undefined) made = made.min ? made.atLeast(schema.minLength) : made;
  if (schema.maxLength !== undefined) made = made.atMost(schema.maxLength);
  if (schema.minimum !== undefined) made = made.atLeast(schema.minimum);
  if (schema.exclusiveMinimum !== undefined) made = made.greaterThan(schema.exclusiveMinimum);
  if (schema.maximum !== undefined) made = made.atMost(schema.maximum);
  return must(made);
}

function* messages(tree, path = []) {
  if (typeof tree === "string") yield [bracketed(path), tree];
  else for (const [key, inner] of Object.entries(tree ?? {})) yield* messages(inner, [...path, key]);
}

function checkNope(schema, document) {
  const tree = nopeType(schema, true).validate(document);
  if (!tree) return null;
  return { texts: { json: JSON.stringify(tree), indented: JSON.stringify(tree, null, 2) }, errors: [...messages(tree)] };
}

// simple-body-validator

function* bodyRules(schema, path = []) {
  for (const [name, inner, must] of entries(schema)) yield* bodyRule(inner, [...path, name], must);
}

function* bodyRule(schema, path, must) {
  const kind = kindOf(schema);
  const types = { integer: "integer", number: "numeric", boolean: "boolean", array: "array", object: "object", string: "string", date: "date" };
  const rules = [must ? "required" : "sometimes"];
  if (types[kind]) rules.push(types[kind]);
  if (kind === "enum") rules.push(`in:${schema.enum.join(",")}`);
  if (kind === "integer" || kind === "number") rules.push("strict");
  const [low, high] = [schema.minimum ?? least(schema), schema.maximum ?? most(schema)];
  if (low !== undefined) rules.push(`min:${low}`);
  if (schema.exclusiveMinimum !== undefined) rules.push(`gt:${schema.exclusiveMinimum}`);
  if (high !== undefined) rules.push(`max:${high}`);
  yield [path.join("."), rules.filter((r) => r !== "strict")];
  if (kind === "object") yield* bodyRules(schema, path);
  if (kind === "array") yield* bodyRule(schema.items, [...path, "*"], true);
}

function checkBody(schema, document) {
  const validator = make(document, Object.fromEntries(bodyRules(schema))).stopOnFirstFailure?.(false) ?? make(document, Object.fromEntries(bodyRules(schema)));
  if (validator.validate()) return null;
  const all = validator.errors().all();
  const errors = Object.entries(all).flatMap(([path, said]) => [said].flat().map((m) => [path, typeof m === "string" ? m : m.message]));
  return { texts: { json: JSON.stringify(all), ...lines(errors) }, errors };
}

const checks = {
  tv4: checkTv4, "schema-utils": checkSchemaUtils, cfworker: checkCfworker, "validate.js": checkValidateJs, "tcomb-validation": checkTcomb,
  "computed-types": checkComputed, shapeshift: checkShapeshift, "nope-validator": checkNope, "simple-body-validator": checkBody,
};
const out = [];
for (const job of JSON.parse(readFileSync(0, "utf8"))) {
  const found = {};
  for (const [name, check] of Object.entries(checks)) {
    try {
      const result = check(job.schema, job.document);
      if (result) found[name] = { texts: result.texts, errors: result.errors ?? [] };
    } catch (error) {
      process.stderr.write(`${name}: ${String(error.message ?? error).split("\n")[0].slice(0, 150)}\n`);
    }
  }
  out.push(found);
}
process.stdout.write(JSON.stringify(out));
