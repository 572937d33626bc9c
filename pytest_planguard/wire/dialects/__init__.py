"""One module per dialect: how a provider's bodies become exchanges."""
