"""What commands print, whole."""
