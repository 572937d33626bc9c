"""Subjects of the drawn apps alone: no rule was written in view of them. A part of the generated project."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from .subjects import Subject


class Drug(BaseModel):
    """One of several."""

    drug: str = Field(min_length=4, max_length=40)
    dose: float = Field(ge=1, le=500)
    intake: Literal["morning", "noon", "evening", "night"]


class Prescription(BaseModel):
    """Plain fields, a list of objects, and a list of texts that may be left out."""

    patient: str = Field(pattern=r"^P-\d{6}$")
    diagnosis: str = Field(min_length=6, max_length=80)
    drugs: list[Drug] = Field(min_length=2, max_length=5)
    weeks: int = Field(ge=1, le=26)
    cautions: list[Annotated[str, Field(min_length=8, max_length=90)]] = Field(default=[], max_length=3)


class Hall(BaseModel):
    """Within a concert."""

    city: str = Field(min_length=3, max_length=20)
    seats: int = Field(ge=50, le=900)


class Act(BaseModel):
    """One of several, with several texts of its own."""

    band: str = Field(min_length=3, max_length=24)
    instruments: list[Annotated[str, Field(min_length=3, max_length=20)]] = Field(min_length=2, max_length=6)


class Concert(BaseModel):
    """An object in an object, and lists in lists."""

    motto: str = Field(min_length=5, max_length=48)
    genre: Literal["jazz", "folk", "opera", "metal"]
    hall: Hall
    acts: list[Act] = Field(min_length=2, max_length=7)
    doors: str = Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")


class Container(BaseModel):
    """One of several, with several numbers of its own."""

    image: str = Field(pattern=r"^[a-z]+/[a-z]+:\d+\.\d+$")
    memory: int = Field(ge=64, le=4096)
    ports: list[Annotated[int, Field(ge=1024, le=49151)]] = Field(min_length=1, max_length=4)


class Rollout(BaseModel):
    """Within a deployment."""

    pause: int = Field(default=10, ge=0, le=300)


class Deployment(BaseModel):
    """Lists of numbers in a list of objects, and an object that may be left out."""

    service: str = Field(pattern=r"^[a-z][a-z-]+$", max_length=32)
    region: Literal["eu-north", "eu-west", "us-east"]
    replicas: int = Field(ge=2, le=12)
    containers: list[Container] = Field(min_length=1, max_length=5)
    rollout: Rollout = Rollout()


def _drug(drug: str, dose: float, intake: str) -> dict[str, Any]:
    return {"drug": drug, "dose": dose, "intake": intake}


def _container(image: str, memory: int, *ports: int) -> dict[str, Any]:
    return {"image": image, "memory": memory, "ports": [*ports]}


SUBJECTS = {
    "prescription": Subject(
        Prescription,
        "Write the prescription for the lady with hay fever, as JSON.",
        {
            "patient": "P-204611",
            "diagnosis": "Hay fever with a cough",
            "drugs": [
                _drug("Cetirizine", 12.5, "evening"),
                _drug("Mometasone", 50, "morning"),
                _drug("Salbutamol", 200, "noon"),
            ],
            "weeks": 6,
            "cautions": ["No driving at night"],
        },
        {
            "first": {("patient",): "Mrs Lund"},
            "middle": {("drugs", 1, "dose"): 4000},
            "last": {("cautions",): ["No driving at night", "No alcohol", "Keep it cool", "Shake it well"]},
            "several": {("diagnosis",): "flu", ("drugs", 0, "intake"): "bedtime", ("weeks",): 0},
            "item": {("drugs", 2, "drug"): ...},
        },
    ),
    "concert": Subject(
        Concert,
        "Announce the evening with the three fiddlers in JSON.",
        {
            "motto": "Night of the strings",
            "genre": "folk",
            "hall": {"city": "Bergen", "seats": 420},
            "acts": [
                {"band": "Slåtter", "instruments": ["fiddle", "double bass"]},
                {"band": "Old Ways", "instruments": ["fiddle", "harp", "flute"]},
                {"band": "Trio Nord", "instruments": ["fiddle", "cello", "zither"]},
            ],
            "doors": "19:30",
        },
        {
            "first": {("motto",): "A long, long night of strings, bows, and those who love to hear them"},
            "middle": {("hall", "seats"): 12000},
            "last": {("doors",): "half past seven"},
            "several": {("genre",): "techno", ("hall", "city"): ..., ("acts", 1, "instruments"): ["harp"]},
            "item": {("acts", 2, "band"): "TN"},
        },
    ),
    "deployment": Subject(
        Deployment,
        "Describe as JSON how the ticket shop is to be deployed.",
        {
            "service": "ticket-shop",
            "region": "eu-north",
            "replicas": 3,
            "containers": [
                _container("shop/web:1.4", 512, 8080, 8443),
                _container("shop/cart:2.0", 256, 9000, 9001),
                _container("shop/mail:1.1", 128, 2525),
            ],
            "rollout": {"pause": 30},
        },
        {
            "first": {("service",): "Ticket Shop!"},
            "middle": {("replicas",): "three"},
            "last": {("rollout", "pause"): -45},
            "several": {("region",): "mars", ("containers", 0, "memory"): 16, ("containers", 2, "image"): "shop mail"},
            "item": {("containers", 1, "ports", 0): 80},
        },
    ),
}
