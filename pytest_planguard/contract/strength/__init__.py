"""How strong a contract is: mutants of good answers, those it accepts, and the constraints that would reject them."""
