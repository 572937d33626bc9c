"""Subjects of the drawn apps alone: no rule was written in view of them. A part of the generated project."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from .subjects import Subject


class Crate(BaseModel):
    """One of several."""

    content: str = Field(min_length=4, max_length=40)
    weight: float = Field(ge=2, le=900)
    handling: Literal["plain", "fragile", "upright", "chilled"]


class Cover(BaseModel):
    """Within a shipment."""

    premium: int = Field(ge=10, le=5000)


class Shipment(BaseModel):
    """A list of objects, an object, and a list of texts that may be left out."""

    consignee: str = Field(pattern=r"^[A-Z]{3}-\d{4}$")
    carrier: Literal["rail", "road", "sea", "air"]
    crates: list[Crate] = Field(min_length=1, max_length=6)
    cover: Cover
    remarks: list[Annotated[str, Field(min_length=6, max_length=70)]] = Field(default=[], max_length=2)


class Goal(BaseModel):
    """One of several."""

    scorer: str = Field(min_length=3, max_length=30)
    minute: int = Field(ge=1, le=120)
    method: Literal["foot", "head", "penalty"]


class Side(BaseModel):
    """One of two, with several of its own."""

    club: str = Field(min_length=3, max_length=24)
    goals: list[Goal] = Field(min_length=1, max_length=9)


class Match(BaseModel):
    """Plain fields around lists of objects in a list of objects."""

    venue: str = Field(min_length=4, max_length=36)
    kickoff: str = Field(pattern=r"^([01]\d|2[0-3])h[0-5]\d$")
    sides: list[Side] = Field(min_length=2, max_length=2)
    spectators: int = Field(ge=100, le=90000)
    referee: str = Field(pattern=r"^[A-Z]\. [A-Z][a-z]+$")


class Exposure(BaseModel):
    """One of several, with several numbers of its own."""

    band: Literal["red", "green", "blue", "infrared"]
    seconds: list[Annotated[float, Field(ge=1, le=1800)]] = Field(min_length=1, max_length=8)


class Target(BaseModel):
    """One of several, with several objects of its own."""

    star: str = Field(pattern=r"^HD \d{1,6}$")
    altitude: int = Field(ge=15, le=90)
    exposures: list[Exposure] = Field(min_length=1, max_length=4)


class Dome(BaseModel):
    """Within a night."""

    azimuth: int = Field(default=0, ge=0, le=359)


class Night(BaseModel):
    """Numbers three lists deep, and an object that may be left out."""

    observer: str = Field(min_length=5, max_length=32)
    instrument: Literal["camera", "spectrograph", "photometer"]
    targets: list[Target] = Field(min_length=2, max_length=6)
    moon: float = Field(ge=0, le=60)
    dome: Dome = Dome()


def _crate(content: str, weight: float, handling: str) -> dict[str, Any]:
    return {"content": content, "weight": weight, "handling": handling}


def _side(club: str, *goals: tuple[str, int, str]) -> dict[str, Any]:
    return {"club": club, "goals": [{"scorer": s, "minute": m, "method": how} for s, m, how in goals]}


def _target(star: str, altitude: int, **bands: list[float]) -> dict[str, Any]:
    exposures = [{"band": band, "seconds": seconds} for band, seconds in bands.items()]
    return {"star": star, "altitude": altitude, "exposures": exposures}


_PLAN = [
    _target("HD 48915", 41, red=[30, 45.5], blue=[90]),
    _target("HD 34085", 52, green=[12, 12, 20]),
    _target("HD 172167", 67, infrared=[240, 300, 15], red=[60]),
]
SUBJECTS = {
    "shipment": Subject(
        Shipment,
        "Write the waybill for the tea merchant's order, as JSON.",
        {
            "consignee": "TEA-4410",
            "carrier": "sea",
            "crates": [
                _crate("Green tea", 120.5, "plain"),
                _crate("Porcelain cups", 64, "fragile"),
                _crate("Ginger syrup", 310, "upright"),
            ],
            "cover": {"premium": 240},
            "remarks": ["Ring at the back gate"],
        },
        {
            "first": {("consignee",): "Harbour Tea & Sons"},
            "middle": {("crates", 1, "weight"): 0.4},
            "last": {("remarks",): ["Ring at the back gate", "Mind the dog", "Not on Sundays"]},
            "several": {("carrier",): "camel", ("crates", 0, "content"): "tea", ("cover", "premium"): "lots"},
            "item": {("crates", 2, "handling"): ...},
        },
    ),
    "match": Subject(
        Match,
        "Put the derby into JSON, with whoever scored.",
        {
            "venue": "Old Quay Ground",
            "kickoff": "15h30",
            "sides": [
                _side("Quay Rovers", ("Moss", 12, "head"), ("Adeyemi", 77, "foot"), ("Moss", 88, "penalty")),
                _side("Hill Town", ("Ferrer", 5, "foot"), ("Lindqvist", 61, "foot")),
            ],
            "spectators": 8420,
            "referee": "K. Brandt",
        },
        {
            "first": {("venue",): "The old ground beside the quay, behind the fish market"},
            "middle": {("sides", 0, "goals", 1, "minute"): 177},
            "last": {("referee",): "same as last week"},
            "several": {("kickoff",): "after lunch", ("sides", 1, "club"): ..., ("spectators",): 12},
            "item": {("sides", 1, "goals", 0, "method"): "elbow"},
        },
    ),
    "night": Subject(
        Night,
        "Plan the night at the observatory as JSON.",
        {"observer": "Ida Raman", "instrument": "camera", "targets": _PLAN, "moon": 12.5, "dome": {"azimuth": 184}},
        {
            "first": {("observer",): "Ida"},
            "middle": {("targets",): _PLAN[:1]},
            "last": {("dome", "azimuth"): 512},
            "several": {("instrument",): "binoculars", ("targets", 0, "star"): "Sirius", ("moon",): "half"},
            "item": {("targets", 2, "exposures", 0, "seconds", 1): -20},
        },
    ),
}
