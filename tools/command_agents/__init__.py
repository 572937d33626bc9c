"""Tapes of a command-line agent that asks a real model on this machine."""
