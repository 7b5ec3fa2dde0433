// The module that is all of the package.
