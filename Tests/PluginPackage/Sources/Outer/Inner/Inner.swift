// The module in the folder of another.
