"""Where a failure comes from: finding codes mapped to the number of steps to go back."""
