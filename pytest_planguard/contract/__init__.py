"""Contracts: findings, failure kinds, schemas, constraints, verdicts, and feedback."""

from .contract import Contract as Contract
