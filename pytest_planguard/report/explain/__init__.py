"""The catalogue of explanations as text, as a page of the documentation, and as help of a SARIF rule."""
