"""The parts of a case while its test runs: guards, the endpoint for children, commands and the played cassette."""
