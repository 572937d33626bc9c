"""What the tests of more than one package build on: one module a topic."""
