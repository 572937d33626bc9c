"""Two runs compared: cases paired, judged by one contract, classified, counted and tested."""
