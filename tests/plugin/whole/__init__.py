"""What a session of pytest prints, whole."""
