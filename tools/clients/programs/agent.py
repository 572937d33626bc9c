"""Asks for a ticket until it is valid, by the standard library alone: `agent.py [json|stream] [blind] [anthropic]`."""

import json
import os
import sys
import urllib.request

STREAM, BLIND, ANTHROPIC = ("stream" in sys.argv, "blind" in sys.argv, "anthropic" in sys.argv)


def ask(messages):
    """The text of one answer, in either dialect."""
    body = {"model": "m", "messages": messages, **({"max_tokens": 500} if ANTHROPIC else {})}
    path = "/v1/messages" if ANTHROPIC else "/chat/completions"
    base = os.environ["ANTHROPIC_BASE_URL" if ANTHROPIC else "OPENAI_BASE_URL"]
    sent = json.dumps(body | ({"stream": True} if STREAM else {})).encode()
    headers = {"content-type": "application/json", "authorization": "Bearer unused", "x-api-key": "unused"}
    text = urllib.request.urlopen(urllib.request.Request(base + path, sent, headers)).read().decode()
    if STREAM:
        events = [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: {")]
        return "".join(piece(event) for event in events)
    answer = json.loads(text)
    return answer["content"][0]["text"] if ANTHROPIC else answer["choices"][0]["message"]["content"]


def piece(event):
    """What one event of a stream adds."""
    if ANTHROPIC:
        return event.get("delta", {}).get("text", "")
    return event["choices"][0]["delta"].get("content") or ""


def errors(text):
    """What is wrong with an answer, a line each."""
    value, wrong = json.loads(text), []
    if value["priority"] not in ("low", "medium", "high"):
        wrong.append("priority: Input should be 'low', 'medium' or 'high'")
    if not value["steps"]:
        wrong.append("steps: List should have at least 1 item")
    return "\n".join(wrong)


messages = [{"role": "user", "content": "Write a ticket for the printer. Answer with JSON only."}]
for _ in range(3):
    answer = ask(messages)
    wrong = errors(answer)
    if not wrong:
        break
    again = "Try again." if BLIND else "That is not valid:\n" + wrong
    messages += [{"role": "assistant", "content": answer}, {"role": "user", "content": again}]
print(answer)
