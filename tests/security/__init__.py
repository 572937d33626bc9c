"""What an attacker tried: secrets, bombs, files that lead elsewhere, and code that should not run."""
