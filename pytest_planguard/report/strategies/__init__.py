"""Three and more runs side by side, in every form."""
