"""The neutral plan: what every format is read into and what every rule looks at."""
