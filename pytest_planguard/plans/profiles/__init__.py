"""One small parser per plan format; `formats` lists them."""
