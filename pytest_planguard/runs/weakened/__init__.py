"""Find what a pull request makes the gate accept that its base refuses."""
