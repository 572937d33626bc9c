// The anthropic SDK of Node; it reads ANTHROPIC_BASE_URL itself.
import { createRequire } from "node:module";
import { loop, stream } from "./loop.mjs";
const { Anthropic } = createRequire(process.env.NODE_PACKAGES + "/")("@anthropic-ai/sdk");

const client = new Anthropic({ apiKey: "unused" });
await loop(async (messages) => {
  if (!stream) return (await client.messages.create({ model: "m", max_tokens: 500, messages })).content[0].text;
  return await client.messages.stream({ model: "m", max_tokens: 500, messages }).finalText();
});
