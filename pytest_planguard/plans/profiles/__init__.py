"""One small parser per plan format; `table` lists them."""
