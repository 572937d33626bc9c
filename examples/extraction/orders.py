"""The app reads an order out of an e-mail, and its contract says when a field of it is right."""

from __future__ import annotations

import json
from typing import Any, Literal

from openai import OpenAI
from pydantic import BaseModel

from pytest_planguard import Contract, same_date, same_items, same_text

from ..ticket import MODEL, URL

SYSTEM = (
    'You read an e-mail and answer with a JSON object only: "customer" (string), "day" (string), "urgency" ("low" or '
    '"high") and "items" (a list of objects with "name" and "count").'
)
EXAMPLES = {
    "Hello, Mary Jones here. Please send 2 hammers and 1 saw by 3 March 2026. No hurry.": {
        "customer": "Mary Jones",
        "day": "3 March 2026",
        "urgency": "low",
        "items": [{"name": "hammer", "count": 2}, {"name": "saw", "count": 1}],
    },
    "We need 5 lamps on 9 April 2026, it is urgent! Tom Brown": {
        "customer": "Tom Brown",
        "day": "9 April 2026",
        "urgency": "high",
        "items": [{"name": "lamp", "count": 5}],
    },
}


class Item(BaseModel):
    """One line of an order."""

    name: str
    count: int


class Order(BaseModel):
    """What the warehouse gets."""

    customer: str
    day: str
    urgency: Literal["low", "high"]
    items: list[Item]


ORDER = Contract(
    Order,
    compare={
        "customer": same_text(),
        "day": same_date(),
        "items": same_items(key="name"),
        "items[*].name": same_text(),
    },
)


def read_order(mail: str) -> Order:
    """Return the order in an e-mail. Raises pydantic's ValidationError if the model does not write one."""
    messages: list[Any] = [{"role": "system", "content": SYSTEM}]
    for example, order in EXAMPLES.items():
        messages.append({"role": "user", "content": example})
        messages.append({"role": "assistant", "content": json.dumps(order)})
    messages.append({"role": "user", "content": mail})
    client = OpenAI(base_url=URL, api_key="none-needed", max_retries=0)
    reply = client.chat.completions.create(model=MODEL, messages=messages, max_tokens=160, temperature=0, seed=1)
    return Order.model_validate_json(reply.choices[0].message.content or "")
