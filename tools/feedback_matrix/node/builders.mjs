// Validators whose schemas are built by calls, with rules for lengths and ranges.
import * as zod4 from "zod";
import * as zod3 from "zod3";
import Joi from "joi";
import * as yup from "yup";
import * as v from "valibot";
import * as s from "superstruct";
import { type } from "arktype";
import FastestValidator from "fastest-validator";
import vine from "@vinejs/vine";

const kindOf = (schema) =>
  schema.enum ? "enum" : schema.anyOf ? "optional" : schema.format === "date" ? "date" : schema.type;
const entries = (schema) =>
  Object.entries(schema.properties).map(([name, inner]) => [name, inner, schema.required.includes(name)]);
const strict = (schema) => schema.additionalProperties === false;
const bracketed = (path) => path.map((p) => (typeof p === "number" ? `[${p}]` : `.${String(p)}`)).join("").replace(/^\./, "");

// zod, both

function zodType(z, schema) {
  const kind = kindOf(schema);
  const limit = (made) => {
    if (schema.minimum !== undefined) made = made.min(schema.minimum);
    if (schema.maximum !== undefined) made = made.max(schema.maximum);
    if (schema.exclusiveMinimum !== undefined) made = made.gt(schema.exclusiveMinimum);
    const [least, most] = [schema.minLength ?? schema.minItems, schema.maxLength ?? schema.maxItems];
    if (least !== undefined) made = made.min(least);
    if (most !== undefined) made = made.max(most);
    return schema.pattern ? made.regex(new RegExp(schema.pattern)) : made;
  };
  if (kind === "object") {
    const made = z.object(
      Object.fromEntries(entries(schema).map(([n, inner, must]) => [n, must ? zodType(z, inner) : zodType(z, inner).optional()])),
    );
    return strict(schema) ? made.strict() : made;
  }
  if (kind === "array") {
    const made = limit(z.array(zodType(z, schema.items)));
    return schema.uniqueItems
      ? made.refine((list) => new Set(list).size === list.length, { message: "Items must be unique" })
      : made;
  }
  if (kind === "optional") return z.string().nullable();
  if (kind === "enum") return z.enum(schema.enum);
  if (kind === "date") return z.iso ? z.iso.date() : z.string().date();
  if (kind === "integer") return limit(z.number().int());
  return kind === "number" ? limit(z.number()) : kind === "boolean" ? z.boolean() : limit(z.string());
}

function checkZod4(schema, document) {
  const result = zodType(zod4.z, schema).safeParse(document);
  if (result.success) return null;
  const error = result.error;
  return {
    texts: {
      message: error.message,
      prettify: zod4.z.prettifyError(error),
      flatten: JSON.stringify(zod4.z.flattenError(error)),
      treeify: JSON.stringify(zod4.z.treeifyError(error), null, 2),
      format: JSON.stringify(zod4.z.formatError(error)),
      issues: JSON.stringify(error.issues),
    },
    errors: error.issues.map((i) => [i.path.join("."), i.message]),
  };
}

function checkZod3(schema, document) {
  const result = zodType(zod3.z, schema).safeParse(document);
  if (result.success) return null;
  const error = result.error;
  return {
    texts: {
      message: error.message,
      flatten: JSON.stringify(error.flatten()),
      format: JSON.stringify(error.format(), null, 2),
      lines: error.issues.map((i) => `${i.path.join(" > ")} - ${i.message}`).join("\n"),
    },
    errors: error.issues.map((i) => [i.path.join("."), i.message]),
  };
}

// joi

function joiType(schema) {
  const kind = kindOf(schema);
  const limit = (made) => {
    const [least, most] = [
      schema.minimum ?? schema.minLength ?? schema.minItems,
      schema.maximum ?? schema.maxLength ?? schema.maxItems,
    ];
    if (least !== undefined) made = made.min(least);
    if (most !== undefined) made = made.max(most);
    if (schema.exclusiveMinimum !== undefined) made = made.greater(schema.exclusiveMinimum);
    return schema.pattern ? made.pattern(new RegExp(schema.pattern)) : made;
  };
  if (kind === "object") {
    const made = Joi.object(
      Object.fromEntries(entries(schema).map(([n, inner, must]) => [n, must ? joiType(inner).required() : joiType(inner)])),
    );
    return strict(schema) ? made : made.unknown(true);
  }
  if (kind === "array") {
    const made = limit(Joi.array().items(joiType(schema.items)));
    return schema.uniqueItems ? made.unique() : made;
  }
  if (kind === "optional") return Joi.string().allow(null);
  if (kind === "enum") return Joi.string().valid(...schema.enum);
  if (kind === "date") return Joi.string().isoDate();
  if (kind === "integer") return limit(Joi.number().integer());
  return kind === "number" ? limit(Joi.number()) : kind === "boolean" ? Joi.boolean() : limit(Joi.string());
}

function checkJoi(schema, document) {
  const { error } = joiType(schema).validate(document, { abortEarly: false, convert: false });
  if (!error) return null;
  return {
    texts: {
      message: error.message,
      details: JSON.stringify(error.details),
      "details by line": error.details.map((d) => `${d.path.join(".")}: ${d.message} (${d.type})`).join("\n"),
      "messages by line": error.details.map((d) => `- ${d.message}`).join("\n"),
    },
    errors: error.details.map((d) => [d.path.join("."), d.message]),
  };
}

// yup

function yupType(schema) {
  const kind = kindOf(schema);
  const limit = (made) => {
    const [least, most] = [
      schema.minimum ?? schema.minLength ?? schema.minItems,
      schema.maximum ?? schema.maxLength ?? schema.maxItems,
    ];
    if (least !== undefined) made = made.min(least);
    if (most !== undefined) made = made.max(most);
    if (schema.exclusiveMinimum !== undefined) made = made.moreThan(schema.exclusiveMinimum);
    return schema.pattern ? made.matches(new RegExp(schema.pattern)) : made;
  };
  if (kind === "object") {
    const made = yup.object(
      Object.fromEntries(
        entries(schema).map(([n, inner, must]) => [n, must ? (kindOf(inner) === "array" ? yupType(inner).defined() : yupType(inner).required()) : yupType(inner)]),
      ),
    );
    return strict(schema) ? made.noUnknown() : made;
  }
  if (kind === "array") return limit(yup.array().of(yupType(schema.items)));
  if (kind === "optional") return yup.string().nullable();
  if (kind === "enum") return yup.string().oneOf(schema.enum);
  if (kind === "date") return yup.string().matches(/^\d{4}-\d\d-\d\d$/, "${path} must be a date (YYYY-MM-DD)");
  if (kind === "integer") return limit(yup.number().integer());
  return kind === "number" ? limit(yup.number()) : kind === "boolean" ? yup.boolean() : limit(yup.string());
}

async function checkYup(schema, document) {
  try {
    await yupType(schema).strict(true).validate(document, { abortEarly: false, strict: true });
    return null;
  } catch (error) {
    const inner = error.inner.length ? error.inner : [error];
    return {
      texts: {
        errors: error.errors.join("\n"),
        json: JSON.stringify(inner.map(({ path, type, message }) => ({ path, type, message }))),
        "errors list": JSON.stringify(error.errors),
      },
      errors: inner.map((e) => [e.path, e.message]),
    };
  }
}

// valibot

function valibotType(schema) {
  const kind = kindOf(schema);
  const rules = [];
  if (schema.minimum !== undefined) rules.push(v.minValue(schema.minimum));
  if (schema.maximum !== undefined) rules.push(v.maxValue(schema.maximum));
  if (schema.exclusiveMinimum !== undefined) rules.push(v.gtValue(schema.exclusiveMinimum));
  const [least, most] = [schema.minLength ?? schema.minItems, schema.maxLength ?? schema.maxItems];
  if (least !== undefined) rules.push(v.minLength(least));
  if (most !== undefined) rules.push(v.maxLength(most));
  if (schema.pattern) rules.push(v.regex(new RegExp(schema.pattern)));
  if (kind === "object") {
    const made = Object.fromEntries(
      entries(schema).map(([n, inner, must]) => [n, must ? valibotType(inner) : v.optional(valibotType(inner))]),
    );
    return strict(schema) ? v.strictObject(made) : v.object(made);
  }
  if (kind === "array") return v.pipe(v.array(valibotType(schema.items)), ...rules);
  if (kind === "optional") return v.nullable(v.string());
  if (kind === "enum") return v.picklist(schema.enum);
  if (kind === "date") return v.pipe(v.string(), v.isoDate());
  const plain = { integer: v.number(), number: v.number(), boolean: v.boolean(), string: v.string() }[kind];
  return v.pipe(plain, ...(kind === "integer" ? [v.integer()] : []), ...rules);
}

function checkValibot(schema, document) {
  const result = v.safeParse(valibotType(schema), document);
  if (result.success) return null;
  const issues = result.issues;
  return {
    texts: {
      flatten: JSON.stringify(v.flatten(issues), null, 2),
      "dot path": issues.map((i) => `${v.getDotPath(i)}: ${i.message}`).join("\n"),
      summarize: v.summarize ? v.summarize(issues) : issues.map((i) => `× ${i.message}\n  → at ${v.getDotPath(i)}`).join("\n"),
      issues: JSON.stringify(issues.map(({ kind, type, expected, received, message, path }) => ({ kind, type, expected, received, message, path: path?.map((p) => p.key) }))),
    },
    errors: issues.map((i) => [v.getDotPath(i) ?? "", i.message]),
  };
}

// superstruct

function superstructType(schema) {
  const kind = kindOf(schema);
  const sized = (made) => {
    const least = schema.minLength ?? schema.minItems;
    const most = schema.maxLength ?? schema.maxItems;
    return least === undefined && most === undefined ? made : s.size(made, least ?? 0, most ?? Infinity);
  };
  const limit = (made) => {
    if (schema.minimum !== undefined) made = s.min(made, schema.minimum);
    if (schema.exclusiveMinimum !== undefined) made = s.min(made, schema.exclusiveMinimum, { exclusive: true });
    return schema.maximum === undefined ? made : s.max(made, schema.maximum);
  };
  if (kind === "object") {
    const made = Object.fromEntries(
      entries(schema).map(([n, inner, must]) => [n, must ? superstructType(inner) : s.optional(superstructType(inner))]),
    );
    return strict(schema) ? s.object(made) : s.type(made);
  }
  if (kind === "array") return sized(s.array(superstructType(schema.items)));
  if (kind === "optional") return s.nullable(s.string());
  if (kind === "enum") return s.enums(schema.enum);
  if (kind === "date") return s.pattern(s.string(), /^\d{4}-\d\d-\d\d$/);
  if (kind === "integer") return limit(s.integer());
  if (kind === "number") return limit(s.number());
  if (kind === "boolean") return s.boolean();
  return schema.pattern ? s.pattern(s.string(), new RegExp(schema.pattern)) : sized(s.string());
}

function checkSuperstruct(schema, document) {
  const [error] = s.validate(document, superstructType(schema));
  if (!error) return null;
  const failures = [...error.failures()];
  return {
    texts: {
      message: error.message,
      failures: failures.map((f) => f.message).join("\n"),
      json: JSON.stringify(failures.map(({ key, type, refinement, message, path }) => ({ key, type, refinement, message, path }))),
    },
    errors: failures.map((f) => [bracketed(f.path), f.message]),
  };
}

// arktype

function arkType(schema) {
  const kind = kindOf(schema);
  if (kind === "object") {
    const made = Object.fromEntries(entries(schema).map(([n, inner, must]) => [must ? n : `${n}?`, arkType(inner)]));
    return type(strict(schema) ? { ...made, "+": "reject" } : made);
  }
  if (kind === "array") {
    let made = arkType(schema.items).array();
    if (schema.minItems !== undefined) made = made.atLeastLength(schema.minItems);
    return schema.maxItems === undefined ? made : made.atMostLength(schema.maxItems);
  }
  if (kind === "optional") return type("string | null");
  if (kind === "enum") return type.enumerated(...schema.enum);
  if (kind === "date") return type("string.date.iso");
  if (kind === "boolean") return type("boolean");
  let made = type({ integer: "number.integer", number: "number", string: "string" }[kind]);
  if (schema.minimum !== undefined) made = made.atLeast(schema.minimum);
  if (schema.maximum !== undefined) made = made.atMost(schema.maximum);
  if (schema.exclusiveMinimum !== undefined) made = made.moreThan(schema.exclusiveMinimum);
  if (schema.minLength !== undefined) made = made.atLeastLength(schema.minLength);
  if (schema.maxLength !== undefined) made = made.atMostLength(schema.maxLength);
  return schema.pattern ? made.matching(new RegExp(schema.pattern)) : made;
}

function checkArktype(schema, document) {
  const out = arkType(schema)(document);
  if (!(out instanceof type.errors)) return null;
  return {
    texts: {
      summary: out.summary,
      json: JSON.stringify([...out].map((e) => ({ path: e.path, code: e.code, message: e.message }))),
      byPath: JSON.stringify(Object.fromEntries([...out].map((e) => [e.propString ?? e.path.join("."), e.problem]))),
    },
    errors: [...out].map((e) => [[...e.path].join("."), e.problem]),
  };
}

// fastest-validator

function fastestType(schema, must = true) {
  const kind = kindOf(schema);
  const limits = {
    min: schema.minimum ?? schema.minLength ?? schema.minItems,
    max: schema.maximum ?? schema.maxLength ?? schema.maxItems,
  };
  if (kind === "object") {
    const props = Object.fromEntries(entries(schema).map(([n, inner, needed]) => [n, fastestType(inner, needed)]));
    return { type: "object", props, strict: strict(schema) ? "error" : false, optional: !must };
  }
  if (kind === "array") return { type: "array", items: fastestType(schema.items), ...limits, unique: schema.uniqueItems, optional: !must };
  if (kind === "optional") return { type: "string", nullable: true, optional: true };
  if (kind === "enum") return { type: "enum", values: schema.enum, optional: !must };
  if (kind === "date") return { type: "string", pattern: /^\d{4}-\d\d-\d\d$/, optional: !must };
  if (kind === "integer") return { type: "number", integer: true, ...limits, optional: !must };
  if (kind === "number") return { type: "number", ...limits, positive: schema.exclusiveMinimum === 0, optional: !must };
  return { type: kind, ...limits, pattern: schema.pattern ? new RegExp(schema.pattern) : undefined, optional: !must };
}

function checkFastest(schema, document) {
  const shape = fastestType(schema);
  const check = new FastestValidator().compile({ $$strict: shape.strict, ...shape.props });
  const errors = check(structuredClone(document));
  if (errors === true) return null;
  return {
    texts: {
      json: JSON.stringify(errors),
      messages: errors.map((e) => e.message).join("\n"),
    },
    errors: errors.map((e) => [e.field, e.message]),
  };
}

// vine

function vineType(schema) {
  const kind = kindOf(schema);
  const sized = (made) => {
    const least = schema.minLength ?? schema.minItems;
    const most = schema.maxLength ?? schema.maxItems;
    if (least !== undefined) made = made.minLength(least);
    return most === undefined ? made : made.maxLength(most);
  };
  if (kind === "object") {
    return vine.object(Object.fromEntries(entries(schema).map(([n, inner, must]) => [n, must ? vineType(inner) : vineType(inner).optional()])));
  }
  if (kind === "array") {
    const made = sized(vine.array(vineType(schema.items)));
    return schema.uniqueItems ? made.distinct() : made;
  }
  if (kind === "optional") return vine.string().nullable();
  if (kind === "enum") return vine.enum(schema.enum);
  if (kind === "date") return vine.date({ formats: ["YYYY-MM-DD"] });
  if (kind === "boolean") return vine.boolean();
  if (kind === "string") return schema.pattern ? vine.string().regex(new RegExp(schema.pattern)) : sized(vine.string());
  let made = vine.number();
  if (schema.minimum !== undefined) made = made.min(schema.minimum);
  if (schema.maximum !== undefined) made = made.max(schema.maximum);
  if (schema.exclusiveMinimum === 0) made = made.positive();
  return made;
}

async function checkVine(schema, document) {
  try {
    await vine.validate({ schema: vineType(schema), data: structuredClone(document) });
    return null;
  } catch (error) {
    if (!error.messages) throw error;
    return {
      texts: { messages: JSON.stringify(error.messages), indented: JSON.stringify({ errors: error.messages }, null, 2) },
      errors: error.messages.map((m) => [m.field, m.message]),
    };
  }
}

export const checks = {
  zod: checkZod4,
  "zod 3": checkZod3,
  joi: checkJoi,
  yup: checkYup,
  valibot: checkValibot,
  superstruct: checkSuperstruct,
  arktype: checkArktype,
  "fastest-validator": checkFastest,
  vine: checkVine,
};
