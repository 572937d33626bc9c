"""Modules that mirror one source system word for word."""
