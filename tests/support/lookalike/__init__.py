"""A loopback look-alike of language model APIs: the suite's only "provider"."""

from .model import Script
from .server import Lookalike, Received

__all__ = ["Lookalike", "Received", "Script"]
