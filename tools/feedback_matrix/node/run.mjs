// Runs the validators of node over jobs: [{schema, document}] on the standard input, one result each on the output.
// A result is {validator: {texts, errors}}, without the validators that accept the document.
import { readFileSync } from "node:fs";
import * as schemas from "./schemas.mjs";
import * as builders from "./builders.mjs";
import * as types from "./types.mjs";

const checks = { ...schemas.checks, ...builders.checks, ...types.checks };
const jobs = JSON.parse(readFileSync(0, "utf8"));
const out = [];
for (const job of jobs) {
  const found = {};
  for (const [name, check] of Object.entries(checks)) {
    try {
      const result = await check(job.schema, job.document);
      if (result) found[name] = { texts: result.texts, errors: result.errors ?? [] };
    } catch (error) {
      process.stderr.write(`${name}: ${error.message?.slice(0, 200)}\n`);
    }
  }
  out.push(found);
}
process.stdout.write(JSON.stringify(out));
