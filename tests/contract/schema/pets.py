"""Two models that a field tells apart: the branches of a discriminated union."""

from typing import Literal

from pydantic import BaseModel


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]
    tricks: list[str]
