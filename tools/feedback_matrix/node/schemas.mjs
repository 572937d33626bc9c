// Validators that take a JSON Schema as it is.
import Ajv from "ajv";
import addFormats from "ajv-formats";
import jsonschema from "jsonschema";
import ZSchema from "z-schema";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { FormatRegistry } from "@sinclair/typebox";
import { typeOf } from "./types.mjs";

const ajv = new Ajv({ allErrors: true, strict: false });
addFormats(ajv);
FormatRegistry.Set("date", (text) => /^\d{4}-\d\d-\d\d$/.test(text));

function checkAjv(schema, document) {
  if (ajv.validate(schema, document)) return null;
  const errors = ajv.errors;
  return {
    texts: {
      errors: JSON.stringify(errors),
      "errors indented": JSON.stringify(errors, null, 2),
      errorsText: ajv.errorsText(errors),
      "errorsText by line": ajv.errorsText(errors, { separator: "\n", dataVar: "response" }),
      "path and message": errors.map((e) => `${e.instancePath || "/"} ${e.message}`).join("\n"),
      "with params": errors.map((e) => `${e.instancePath}: ${e.message} ${JSON.stringify(e.params)}`).join("\n"),
    },
    errors: errors.map((e) => [e.instancePath, e.message]),
  };
}

function checkJsonschema(schema, document) {
  const errors = new jsonschema.Validator().validate(document, schema).errors;
  if (!errors.length) return null;
  return {
    texts: {
      stack: errors.map((e) => e.stack).join("\n"),
      toString: errors.map(String).join(""),
      "property and message": errors.map((e) => `${e.property} ${e.message}`).join("; "),
    },
    errors: errors.map((e) => [e.property, e.message]),
  };
}

// z-schema reads draft 4, where an exclusive limit is a flag.
const draft4 = (schema) =>
  JSON.parse(JSON.stringify(schema).replace(/"exclusiveMinimum":([\d.]+)/g, '"minimum":$1,"exclusiveMinimum":true'));

function checkZSchema(newer, document) {
  const schema = draft4(newer);
  const make = ZSchema.create ? () => ZSchema.create({ breakOnFirstError: false }) : () => new ZSchema({ breakOnFirstError: false });
  const checker = make();
  let errors;
  if (checker.validateSafe) {
    const result = checker.validateSafe(document, schema);
    if (result.valid) return null;
    errors = result.err?.details ?? result.errors;
  } else {
    if (checker.validate(document, schema)) return null;
    errors = checker.getLastErrors();
  }
  return {
    texts: {
      json: JSON.stringify(errors.map(({ code, params, message, path }) => ({ code, params, message, path }))),
      lines: errors.map((e) => `${e.code} at ${e.path}: ${e.message}`).join("\n"),
    },
    errors: errors.map((e) => [e.path, e.message]),
  };
}

function checkTypebox(schema, document) {
  const errors = [...TypeCompiler.Compile(typeOf(schema)).Errors(document)];
  if (!errors.length) return null;
  return {
    texts: {
      json: JSON.stringify(errors.map(({ path, value, message }) => ({ path, value, message }))),
      first: `${errors[0].message} at ${errors[0].path}`,
    },
    errors: errors.map((e) => [e.path, e.message]),
  };
}

export const checks = { ajv: checkAjv, "jsonschema (node)": checkJsonschema, "z-schema": checkZSchema, typebox: checkTypebox };
