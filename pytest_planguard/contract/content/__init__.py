"""What each type of content constraint looks for: one small generator per type, and the table that lists them."""
