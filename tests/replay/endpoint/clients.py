"""Programs of other languages that ask a model until its answer is valid, or blindly again; and what they are told."""

PYTHON = """
import json, os, sys, urllib.request

def ask(messages, stream):
    body = json.dumps({"model": "m", "messages": messages, **({"stream": True} if stream else {})}).encode()
    url = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
    headers = {"content-type": "application/json", "authorization": "Bearer sk-not-a-key"}
    text = urllib.request.urlopen(urllib.request.Request(url, body, headers)).read().decode()
    if not stream:
        return json.loads(text)["choices"][0]["message"]["content"]
    events = [line[6:] for line in text.splitlines() if line.startswith("data: {")]
    return "".join(json.loads(e)["choices"][0]["delta"].get("content") or "" for e in events)

def errors(text):
    value = json.loads(text)
    said = []
    if value["priority"] not in ("low", "medium", "high"):
        said.append("priority: Input should be 'low', 'medium' or 'high'")
    if not value["steps"]:
        said.append("steps: List should have at least 1 item")
    return "\\n".join(said)

stream, blind = "stream" in sys.argv, "blind" in sys.argv
messages = [{"role": "user", "content": "a ticket for the printer"}]
for attempt in range(3):
    answer = ask(messages, stream)
    wrong = errors(answer)
    if not wrong:
        break
    said = "Try again." if blind else "That is not valid:\\n" + wrong
    messages += [{"role": "assistant", "content": answer}, {"role": "user", "content": said}]
print(answer)
"""
