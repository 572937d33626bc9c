// Print what OpenSpec says of each change in a folder, one JSON line a change, in strict mode.
// node tests/plans/openspec/validate.mjs NODE_PREFIX CHANGES
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [prefix, changes] = process.argv.slice(2);
const module = resolve(prefix, "node_modules/@fission-ai/openspec/dist/core/validation/validator.js");
const { Validator } = await import(pathToFileURL(module).href);
const root = resolve(changes, "openspec", "changes");
for (const name of readdirSync(root).sort()) {
  const report = await new Validator(true).validateChangeDeltaSpecs(join(root, name), { projectRoot: resolve(changes) });
  const issues = report.issues
    .filter((issue) => issue.level !== "INFO")
    .map((issue) => [issue.level[0], issue.path, issue.line ?? 0, issue.message.slice(0, 110)]);
  console.log(JSON.stringify([name, report.valid, issues]));
}
