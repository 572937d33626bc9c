"""Tables that the layers above fill: named values that extensions may add to, and explanations of words."""
