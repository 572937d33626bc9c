"""Choose the contract that judges each answer."""
