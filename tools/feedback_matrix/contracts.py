"""The contracts that `planguard check` is given, one a document: `-c tools.feedback_matrix.contracts:BOOKING`."""

from __future__ import annotations

from typing import Any

from pytest_planguard import Contract
from tests.retry.reading.wordings.documents import as_model

from .documents import documents


def _contract(name: str) -> Contract:
    document: dict[str, Any] = documents()[name]
    return Contract(as_model(document["schema"]) if document["contract"] == "pydantic" else document["schema"])


BOOKING = _contract("booking")
RECIPE = _contract("recipe")
SHIPMENT = _contract("shipment")
