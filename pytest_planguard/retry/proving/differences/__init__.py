"""How two requests differ, the answers that they quote left aside, and which words that takes away."""
