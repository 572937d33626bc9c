// Print what Task Master's validate-dependencies reports, one JSON line for each FILE TAG: node task_master.mjs NODE_PREFIX FILE TAG …
import { mkdirSync, mkdtempSync, copyFileSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [prefix, ...asked] = process.argv.slice(2);
const dist = resolve(prefix, "node_modules/task-master-ai/dist");
const name = readdirSync(dist).find((file) => file.startsWith("dependency-manager-"));
const exported = Object.values(await import(pathToFileURL(join(dist, name)).href));
// The build shortens the names, so the command is known by its first message.
const validate = exported.find((one) => typeof one === "function" && /`Checking for invalid dependencies/.test(String(one)));
const print = console.log;
let lines = [];
console.log = (...words) => lines.push(words.join(" "));
process.exit = () => { throw new Error("refused"); };
for (let at = 0; at < asked.length; at += 2) {
  const projectRoot = mkdtempSync(join(tmpdir(), "task-master-"));
  const path = join(projectRoot, ".taskmaster/tasks/tasks.json");
  mkdirSync(join(projectRoot, ".taskmaster/tasks"), { recursive: true });
  copyFileSync(asked[at], path);
  lines = [];
  try {
    await validate(path, { context: { projectRoot, tag: asked[at + 1] } });
  } catch (error) {
    lines.push(`[REFUSED] Task : ${error.message}`);
  }
  const found = [...lines.join("\n").matchAll(/\[(SELF|CIRCULAR|MISSING|REFUSED)\] Task (\S*):/g)];
  print(JSON.stringify([asked[at], asked[at + 1], found.map(([, kind, task]) => [kind, task])]));
}
