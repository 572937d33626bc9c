process.stdout.write(JSON.stringify(JSON.parse((await import("node:fs")).readFileSync(0, "utf8")).map(() => ({}))));
