"""The words of a retry that come and go with a finding, and their meaning."""
