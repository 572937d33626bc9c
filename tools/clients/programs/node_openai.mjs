// The openai SDK of Node; it reads OPENAI_BASE_URL itself.
import { createRequire } from "node:module";
import { loop, stream } from "./loop.mjs";
const { OpenAI } = createRequire(process.env.NODE_PACKAGES + "/")("openai");

const client = new OpenAI({ apiKey: "unused" });
await loop(async (messages) => {
  if (!stream) return (await client.chat.completions.create({ model: "m", messages })).choices[0].message.content;
  let text = "";
  for await (const event of await client.chat.completions.create({ model: "m", messages, stream: true }))
    text += event.choices[0]?.delta?.content ?? "";
  return text;
});
