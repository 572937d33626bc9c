"""Cases from cassettes: each recording is one case, with all its exchanges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import CassetteError
from ..model.first_request import first_request
from ..model.prompt import prompt_digest
from ..model.raw_case import RawCase, RawRun, ReadProblem
from ..store.file_kind import is_cassette

if TYPE_CHECKING:
    from .source import Source


def is_cassette_file(source: Source) -> bool:
    """Return whether a file is a cassette, whatever its name."""
    return is_cassette(source.path)


def read_cassette_case(source: Source) -> RawRun:
    """Read a cassette as one case; one that cannot be read is a problem of the run."""
    from ...replay.files.reader import read_cassette

    try:
        exchanges = read_cassette(source.path).exchanges
    except CassetteError as error:
        return RawRun(problems=(ReadProblem(source.name, str(error).removeprefix(f"{source.name}: ")),))
    models = {exchange.model for exchange in exchanges if exchange.model}
    return RawRun(
        (
            RawCase(
                source.key,
                source.name,
                exchanges=tuple(exchanges),
                model=", ".join(sorted(models)) or None,
                variant=source.variant,
                prompt=prompt_digest(exchanges),
                asked=first_request(exchanges),
            ),
        )
    )
