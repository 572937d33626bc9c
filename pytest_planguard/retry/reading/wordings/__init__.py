"""How validators and frameworks word errors: each module turns a text into entries and knows nothing else."""
