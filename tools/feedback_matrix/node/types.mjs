// Validators that decode types: effect, io-ts, runtypes, decoders, class-validator.
import "reflect-metadata";
import { Type } from "@sinclair/typebox";
import { Schema, ParseResult, Either } from "effect";
import * as t from "io-ts";
import reporters from "io-ts-reporters";
import { PathReporter } from "io-ts/lib/PathReporter.js";
import * as rt from "runtypes";
import * as d from "decoders";
import * as cv from "class-validator";
import { plainToInstance, Type as ClassType } from "class-transformer";

const kindOf = (schema) =>
  schema.enum ? "enum" : schema.anyOf ? "optional" : schema.format === "date" ? "date" : schema.type;
const entries = (schema) =>
  Object.entries(schema.properties).map(([name, inner]) => [name, inner, schema.required.includes(name)]);
const strict = (schema) => schema.additionalProperties === false;
const isDate = (text) => /^\d{4}-\d\d-\d\d$/.test(text);
const bracketed = (path) => path.map((p) => (typeof p === "number" ? `[${p}]` : `.${String(p)}`)).join("").replace(/^\./, "");

export function typeOf(schema) {
  const kind = kindOf(schema);
  if (kind === "object") {
    const made = Object.fromEntries(entries(schema).map(([n, inner, must]) => [n, must ? typeOf(inner) : Type.Optional(typeOf(inner))]));
    return Type.Object(made, { additionalProperties: !strict(schema) });
  }
  if (kind === "array") return Type.Array(typeOf(schema.items), { minItems: schema.minItems, maxItems: schema.maxItems, uniqueItems: schema.uniqueItems });
  if (kind === "optional") return Type.Union([Type.String(), Type.Null()]);
  if (kind === "enum") return Type.Union(schema.enum.map((one) => Type.Literal(one)));
  if (kind === "date") return Type.String({ format: "date" });
  if (kind === "boolean") return Type.Boolean();
  const limits = Object.fromEntries(
    ["minimum", "maximum", "exclusiveMinimum", "minLength", "maxLength", "pattern"].filter((n) => n in schema).map((n) => [n, schema[n]]),
  );
  return { integer: Type.Integer, number: Type.Number, string: Type.String }[kind](limits);
}

// effect

function effectType(schema) {
  const kind = kindOf(schema);
  if (kind === "object") {
    return Schema.Struct(
      Object.fromEntries(entries(schema).map(([n, inner, must]) => [n, must ? effectType(inner) : Schema.optional(effectType(inner))])),
    );
  }
  let made = {
    array: () => Schema.Array(effectType(schema.items)),
    optional: () => Schema.NullOr(Schema.String),
    enum: () => Schema.Literal(...schema.enum),
    date: () => Schema.String.pipe(Schema.pattern(/^\d{4}-\d\d-\d\d$/)),
    boolean: () => Schema.Boolean,
    integer: () => Schema.Int,
    number: () => Schema.Number,
    string: () => Schema.String,
  }[kind]();
  if (schema.minimum !== undefined) made = made.pipe(Schema.greaterThanOrEqualTo(schema.minimum));
  if (schema.maximum !== undefined) made = made.pipe(Schema.lessThanOrEqualTo(schema.maximum));
  if (schema.exclusiveMinimum !== undefined) made = made.pipe(Schema.greaterThan(schema.exclusiveMinimum));
  if (schema.minLength !== undefined) made = made.pipe(Schema.minLength(schema.minLength));
  if (schema.maxLength !== undefined) made = made.pipe(Schema.maxLength(schema.maxLength));
  if (schema.minItems !== undefined) made = made.pipe(Schema.minItems(schema.minItems));
  if (schema.maxItems !== undefined) made = made.pipe(Schema.maxItems(schema.maxItems));
  return schema.pattern ? made.pipe(Schema.pattern(new RegExp(schema.pattern))) : made;
}

function checkEffect(schema, document) {
  const decode = Schema.decodeUnknownEither(effectType(schema));
  const result = decode(document, { errors: "all", onExcessProperty: strict(schema) ? "error" : "ignore" });
  if (Either.isRight(result)) return null;
  const issues = ParseResult.ArrayFormatter.formatErrorSync(result.left);
  return {
    texts: {
      tree: ParseResult.TreeFormatter.formatErrorSync(result.left),
      array: JSON.stringify(issues),
      message: result.left.message,
    },
    errors: issues.map((i) => [i.path.join("."), i.message]),
  };
}

// io-ts

const refined = (plain, holds, name) => new t.Type(name, plain.is, (u, c) => {
  const known = plain.validate(u, c);
  return known._tag === "Right" && !holds(known.right) ? t.failure(u, c) : known;
}, t.identity);

function ioType(schema) {
  const kind = kindOf(schema);
  if (kind === "object") {
    const must = Object.fromEntries(entries(schema).filter((e) => e[2]).map(([n, inner]) => [n, ioType(inner)]));
    const rest = Object.fromEntries(entries(schema).filter((e) => !e[2]).map(([n, inner]) => [n, ioType(inner)]));
    return Object.keys(rest).length ? t.intersection([t.type(must), t.partial(rest)]) : t.type(must);
  }
  if (kind === "array") {
    const made = t.array(ioType(schema.items));
    return schema.minItems === undefined ? made : refined(made, (list) => list.length >= schema.minItems, `AtLeast${schema.minItems}`);
  }
  if (kind === "optional") return t.union([t.string, t.null]);
  if (kind === "enum") return t.keyof(Object.fromEntries(schema.enum.map((one) => [one, null])));
  if (kind === "date") return refined(t.string, isDate, "DateString");
  if (kind === "boolean") return t.boolean;
  if (kind === "string") {
    if (schema.pattern) return refined(t.string, (x) => new RegExp(schema.pattern).test(x), `Matches(${schema.pattern})`);
    return schema.minLength === undefined ? t.string : refined(t.string, (x) => x.length >= schema.minLength, `MinLength(${schema.minLength})`);
  }
  if (schema.minimum !== undefined) return refined(t.number, (x) => x >= schema.minimum && x <= (schema.maximum ?? Infinity), `Range(${schema.minimum}, ${schema.maximum ?? "∞"})`);
  return schema.exclusiveMinimum === undefined ? t.number : refined(t.number, (x) => x > 0, "Positive");
}

function checkIo(schema, document) {
  const result = ioType(schema).decode(document);
  if (result._tag === "Right") return null;
  return { texts: { PathReporter: PathReporter.report(result).join("\n"), reporters: reporters.default.report(result).join("\n") } };
}

// runtypes

function runType(schema) {
  const kind = kindOf(schema);
  if (kind === "object") {
    const made = rt.Object(Object.fromEntries(entries(schema).map(([n, inner, must]) => [n, must ? runType(inner) : runType(inner).optional()])));
    return strict(schema) ? made.exact() : made;
  }
  const holds = (made, test, words) => made.withConstraint((x) => test(x) || words);
  if (kind === "array") {
    const made = rt.Array(runType(schema.items));
    return schema.minItems === undefined ? made : holds(made, (x) => x.length >= schema.minItems, `Expected at least ${schema.minItems} items`);
  }
  if (kind === "optional") return rt.Union(rt.String, rt.Null);
  if (kind === "enum") return rt.Union(...schema.enum.map((one) => rt.Literal(one)));
  if (kind === "date") return holds(rt.String, isDate, "Expected a date as YYYY-MM-DD");
  if (kind === "boolean") return rt.Boolean;
  if (kind === "string") {
    if (schema.pattern) return holds(rt.String, (x) => new RegExp(schema.pattern).test(x), `Expected to match ${schema.pattern}`);
    return schema.minLength === undefined ? rt.String : holds(rt.String, (x) => x.length >= schema.minLength, `Expected at least ${schema.minLength} characters`);
  }
  if (schema.minimum !== undefined) return holds(rt.Number, (x) => x >= schema.minimum, `Expected a number of ${schema.minimum} or more`);
  return schema.exclusiveMinimum === undefined ? rt.Number : holds(rt.Number, (x) => x > 0, "Expected a positive number");
}

function checkRuntypes(schema, document) {
  try {
    runType(schema).check(document);
    return null;
  } catch (error) {
    return { texts: { message: error.message, details: JSON.stringify(error.failure?.details ?? error.details ?? error.message) } };
  }
}

// decoders

function decoder(schema) {
  const kind = kindOf(schema);
  if (kind === "object") {
    const made = Object.fromEntries(entries(schema).map(([n, inner, must]) => [n, must ? decoder(inner) : d.optional(decoder(inner))]));
    return strict(schema) ? d.exact(made) : d.object(made);
  }
  if (kind === "array") {
    const made = d.array(decoder(schema.items));
    return schema.minItems === undefined ? made : made.refine((x) => x.length >= schema.minItems, `Must have at least ${schema.minItems} items`);
  }
  if (kind === "optional") return d.nullable(d.string);
  if (kind === "enum") return d.oneOf(schema.enum);
  if (kind === "date") return d.regex(/^\d{4}-\d\d-\d\d$/, "Must be a date");
  if (kind === "boolean") return d.boolean;
  if (kind === "string") {
    if (schema.pattern) return d.regex(new RegExp(schema.pattern), `Must match ${schema.pattern}`);
    return schema.minLength === undefined ? d.string : d.string.refine((x) => x.length >= schema.minLength, `Must be at least ${schema.minLength} characters`);
  }
  let made = kind === "integer" ? d.integer : d.number;
  if (schema.minimum !== undefined) made = made.refine((x) => x >= schema.minimum, `Number must be ${schema.minimum} or more`);
  if (schema.maximum !== undefined) made = made.refine((x) => x <= schema.maximum, `Number must be ${schema.maximum} or less`);
  return schema.exclusiveMinimum === undefined ? made : made.refine((x) => x > 0, "Number must be positive");
}

function checkDecoders(schema, document) {
  const result = decoder(schema).decode(document);
  if (result.ok) return null;
  return { texts: { inline: d.formatInline(result.error), short: d.formatShort(result.error) } };
}

// class-validator

const classes = new Map();

function classOf(schema) {
  const key = JSON.stringify(schema);
  if (!classes.has(key)) {
    const made = class {};
    for (const [name, inner, must] of entries(schema)) decorate(made.prototype, name, inner, must);
    classes.set(key, made);
  }
  return classes.get(key);
}

function decorate(target, name, schema, must) {
  const put = (rule) => rule(target, name);
  if (!must) put(cv.IsOptional());
  const kind = kindOf(schema);
  if (kind === "array") {
    put(cv.IsArray());
    if (schema.minItems !== undefined) put(cv.ArrayMinSize(schema.minItems));
    if (schema.maxItems !== undefined) put(cv.ArrayMaxSize(schema.maxItems));
    if (schema.uniqueItems) put(cv.ArrayUnique());
    return kindOf(schema.items) === "object" ? nested(put, schema.items, true) : rules(put, schema.items, { each: true });
  }
  return kind === "object" ? (must && put(cv.IsDefined()), nested(put, schema, false)) : rules(put, schema, {});
}

function nested(put, schema, each) {
  put(cv.ValidateNested({ each }));
  put(ClassType(() => classOf(schema)));
}

function rules(put, schema, each) {
  const kind = kindOf(schema);
  if (kind === "enum") return put(cv.IsIn(schema.enum, each));
  if (kind === "date") return put(cv.IsISO8601({ strict: true }, each));
  const plain = { string: () => cv.IsString(each), optional: () => cv.IsString(each), boolean: () => cv.IsBoolean(each), integer: () => cv.IsInt(each), number: () => cv.IsNumber({}, each), array: () => cv.IsArray(each) };
  put(plain[kind]());
  if (schema.minimum !== undefined) put(cv.Min(schema.minimum, each));
  if (schema.maximum !== undefined) put(cv.Max(schema.maximum, each));
  if (schema.exclusiveMinimum !== undefined) put(cv.IsPositive(each));
  if (schema.minLength !== undefined) put(cv.MinLength(schema.minLength, each));
  if (schema.maxLength !== undefined) put(cv.MaxLength(schema.maxLength, each));
  if (schema.pattern) put(cv.Matches(new RegExp(schema.pattern), each));
}

function checkClasses(schema, document) {
  const errors = cv.validateSync(plainToInstance(classOf(schema), document), {
    whitelist: strict(schema),
    forbidNonWhitelisted: strict(schema),
    validationError: { target: false },
  });
  if (!errors.length) return null;
  const flat = (list, path) => list.flatMap((e) => [
    ...Object.values(e.constraints ?? {}).map((message) => [[...path, e.property].join("."), message]),
    ...flat(e.children ?? [], [...path, e.property]),
  ]);
  return {
    texts: {
      json: JSON.stringify(errors),
      toString: errors.map((e) => e.toString()).join(""),
      "nest messages": JSON.stringify(flat(errors, []).map(([path, message]) => {
        const above = path.split(".").slice(0, -1).join(".");
        return above ? `${above}.${message}` : message;
      })),
    },
    errors: flat(errors, []),
  };
}

export const checks = {
  effect: checkEffect,
  "io-ts": checkIo,
  runtypes: checkRuntypes,
  decoders: checkDecoders,
  "class-validator": checkClasses,
};
