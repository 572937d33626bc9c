"""What an answer must be: findings, failure kinds, schema, constraints, contracts, verdicts, feedback."""

from .contract import Contract as Contract
