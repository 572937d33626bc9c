"""What `openspec validate --strict` says of changes written here, each with one defect injected."""
