"""What a process says that imports the code of one tree, and of no other."""
