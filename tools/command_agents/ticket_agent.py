#!/usr/bin/env python3
"""A small agent on the command line: `ticket-agent -p PROMPT` asks a model and writes what it says to ticket.json.

The model answers at TICKET_AGENT_URL. What the agent does is printed as one JSON object a line, as larger agents do.
"""

import json
import os
import sys
import urllib.request
from pathlib import Path

EXAMPLE = {"title": "Leaking tap", "priority": "medium", "steps": ["Turn off the water", "Replace the washer"]}


def main() -> None:
    """Ask, write, tell."""
    prompt = sys.argv[sys.argv.index("-p") + 1]
    print(json.dumps({"type": "started", "folder": str(Path.cwd())}), flush=True)
    messages = [
        {"role": "system", "content": "Answer with one JSON object: title, priority (low, medium, high), steps."},
        {"role": "user", "content": "Write a ticket: the tap in the kitchen leaks."},
        {"role": "assistant", "content": json.dumps(EXAMPLE)},
        {"role": "user", "content": prompt},
    ]
    body = {"model": "smollm2", "messages": messages, "temperature": 0.7, "max_tokens": 128, "seed": len(prompt)}
    url = f"{os.environ['TICKET_AGENT_URL']}/chat/completions"
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=120) as response:
        answer = json.load(response)
    text = answer["choices"][0]["message"]["content"]
    Path("ticket.json").write_text(f"{text}\n", encoding="utf-8")
    print(json.dumps({"type": "wrote", "file": "ticket.json", "usage": answer["usage"]["total_tokens"]}), flush=True)


if __name__ == "__main__":
    main()
