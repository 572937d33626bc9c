"""Recorded answers read by the providers' own SDKs, beside planguard's reading."""
