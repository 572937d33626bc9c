"""The module of a user that holds the contract of reviews, as text."""

CONTRACT = """
from typing import Any
from pydantic import BaseModel
from pytest_planguard import Contract, count, min_length, one_of


class Review(BaseModel):
    summary: str
    recommendation: str
    risks: list[str]


RULES = [
    min_length("summary", 100),
    one_of("recommendation", "approve", "reject", "revise", "escalate"),
    count("risks", 3),
]
REVIEW = Contract(Review, constraints=RULES)
"""
