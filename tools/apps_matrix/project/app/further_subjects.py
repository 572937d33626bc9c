"""Subjects of the drawn apps alone: no rule was written in view of them. A part of the generated project."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from .subjects import Subject


class Line(BaseModel):
    """One of several."""

    sku: str = Field(pattern=r"^[A-Z]{2}-\d{3}$")
    quantity: int = Field(ge=1, le=99)
    unit: Literal["piece", "box", "kilogram"]


class Invoice(BaseModel):
    """Plain fields and a list of objects."""

    customer: str = Field(min_length=4, max_length=50)
    lines: list[Line] = Field(min_length=2, max_length=8)
    discount: int = Field(ge=0, le=40)
    due: str = Field(pattern=r"^\d{4}-\d{2}-\d{2}$")


class Address(BaseModel):
    """Within a profile."""

    street: str = Field(min_length=5, max_length=60)
    country: Literal["NO", "SE", "DK", "FI"]


class Profile(BaseModel):
    """An object in an object, and a list of texts."""

    nickname: str = Field(min_length=3, max_length=16)
    address: Address
    age: int = Field(ge=18, le=110)
    hobbies: list[Annotated[str, Field(min_length=4, max_length=30)]] = Field(min_length=2, max_length=5)


class Question(BaseModel):
    """One of several, with several texts of its own."""

    text: str = Field(min_length=12, max_length=160)
    options: list[Annotated[str, Field(min_length=1, max_length=25)]] = Field(min_length=3, max_length=5)
    points: int = Field(ge=2, le=10)


class Quiz(BaseModel):
    """Lists in lists."""

    topic: str = Field(min_length=5, max_length=60)
    level: Literal["easy", "moderate", "hard"]
    questions: list[Question] = Field(min_length=2, max_length=9)
    minutes: int = Field(ge=5, le=45)


SUBJECTS = {
    "invoice": Subject(
        Invoice,
        "Turn the order of Nordlys AS into an invoice, as JSON.",
        {
            "customer": "Nordlys AS",
            "lines": [
                {"sku": "AB-101", "quantity": 12, "unit": "box"},
                {"sku": "CD-202", "quantity": 31, "unit": "piece"},
                {"sku": "EF-303", "quantity": 5, "unit": "kilogram"},
            ],
            "discount": 10,
            "due": "2025-03-31",
        },
        {
            "first": {("customer",): "N"},
            "middle": {("discount",): 75},
            "last": {("due",): "end of March"},
            "several": {("customer",): "N", ("lines", 0, "unit"): "crate", ("discount",): 75},
            "item": {("lines", 1, "quantity"): 640},
        },
    ),
    "profile": Subject(
        Profile,
        "Describe a member of the chess club in JSON.",
        {
            "nickname": "rook",
            "address": {"street": "Havnegata 14", "country": "NO"},
            "age": 37,
            "hobbies": ["chess", "sailing", "baking"],
        },
        {
            "first": {("nickname",): "r"},
            "middle": {("address", "country"): "Norway"},
            "last": {("hobbies",): ["chess"]},
            "several": {("nickname",): "r", ("address", "street"): ..., ("age",): 12},
            "item": {("hobbies", 2): "go"},
        },
    ),
    "quiz": Subject(
        Quiz,
        "Make a quiz about rivers, as JSON.",
        {
            "topic": "Rivers of Europe",
            "level": "easy",
            "questions": [
                {"text": "Which river runs through Vienna?", "options": ["Danube", "Elbe", "Rhine"], "points": 3},
                {"text": "Where does the Rhine begin?", "options": ["Italy", "Switzerland", "Austria"], "points": 4},
                {"text": "How long is the Loire, in km?", "options": ["606", "1006", "2006"], "points": 6},
            ],
            "minutes": 20,
        },
        {
            "first": {("topic",): "Ri"},
            "middle": {("questions", 1, "points"): 55},
            "last": {("minutes",): 240},
            "several": {("level",): "so-so", ("questions", 2, "points"): ..., ("minutes",): 240},
            "item": {("questions", 2, "options"): ["606"]},
        },
    ),
}
