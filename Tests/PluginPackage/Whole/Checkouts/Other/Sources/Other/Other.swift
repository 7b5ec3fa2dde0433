// A checkout of another package.
