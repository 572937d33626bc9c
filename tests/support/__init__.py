"""Support for the tests of more than one package, one module for each topic."""
