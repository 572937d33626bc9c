// The loop that the Node programs share: ask(messages) until the answer is valid.
export const stream = process.argv.includes("stream");
const blind = process.argv.includes("blind");

function errors(text) {
  const value = JSON.parse(text);
  const wrong = [];
  if (!["low", "medium", "high"].includes(value.priority)) wrong.push("priority: Input should be 'low', 'medium' or 'high'");
  if (!value.steps.length) wrong.push("steps: List should have at least 1 item");
  return wrong.join("\n");
}

export async function loop(ask) {
  const messages = [{ role: "user", content: "Write a ticket for the printer. Answer with JSON only." }];
  let answer = "";
  for (let attempt = 0; attempt < 3; attempt++) {
    answer = await ask(messages);
    const wrong = errors(answer);
    if (!wrong) break;
    const again = blind ? "Try again." : "That is not valid:\n" + wrong;
    messages.push({ role: "assistant", content: answer }, { role: "user", content: again });
  }
  console.log(answer);
}
