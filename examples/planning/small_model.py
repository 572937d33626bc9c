"""The steps that a real model answers: SmolLM2-135M-Instruct, asked over HTTP as an app would ask it."""

from __future__ import annotations

import json
from typing import Any

from openai import OpenAI

from pytest_planguard import StepContext

MODEL = "smollm2-135m-instruct-q4_1"
URL = "http://127.0.0.1:18431/v1"  # examples/local_model/server.py; only needed to record again
LIMIT = 96  # tokens of one answer

ANALYSIS_RULES = (
    'You classify a problem. Answer with a JSON object only: "category" ("bug fix" or "feature") and "summary" '
    "(one sentence)."
)
ANALYSES = {
    "the search page shows no results for umlauts": {
        "category": "bug fix",
        "summary": "The search page does not find words with umlauts.",
    },
    "let users sort the list of orders": {
        "category": "feature",
        "summary": "Users want to sort the list of orders by date and price.",
    },
}
RECON_RULES = (
    'You say where to look. Answer with a JSON object only: "files" (a list of 1 to 4 file names) and "facts" '
    "(a list of 1 to 4 different sentences)."
)
RECONS = {
    "The search page does not find words with umlauts.": {
        "files": ["search/index.py", "search/query.py"],
        "facts": ["The index is written in lower case.", "Queries are cut at letters that are not ASCII."],
    },
    "Users want to sort the list of orders by date and price.": {
        "files": ["orders/list.py"],
        "facts": ["The list is sorted by number.", "The database has an index on the date."],
    },
}


def ask_analysis(problem: str, context: StepContext) -> str:
    """Classify the problem."""
    return _complete(_prompt(ANALYSIS_RULES, ANALYSES, problem), context)


def ask_recon(context: StepContext) -> str:
    """Say where to look, from the summary of the analysis."""
    return _complete(_prompt(RECON_RULES, RECONS, json.loads(context.path[0].answer)["summary"]), context)


def _prompt(rules: str, examples: dict[str, Any], task: str) -> list[dict[str, str]]:
    messages = [{"role": "system", "content": rules}]
    for example, answer in examples.items():
        messages.append({"role": "user", "content": f"Problem: {example}"})
        messages.append({"role": "assistant", "content": json.dumps(answer)})
    return [*messages, {"role": "user", "content": f"Problem: {task}"}]


def _complete(messages: list[dict[str, str]], context: StepContext) -> str:
    """One answer. Both channels of feedback stand behind the task; each attempt has a seed of its own."""
    client = OpenAI(base_url=URL, api_key="none-needed", max_retries=0)
    request: list[Any] = context.messages(messages)
    reply = client.chat.completions.create(
        model=MODEL, messages=request, max_tokens=LIMIT, temperature=0.4, seed=context.attempt
    )
    return reply.choices[0].message.content or ""
