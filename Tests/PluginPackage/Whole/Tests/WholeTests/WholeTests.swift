// Tests with a schema of their own.
