// Exports the random number generator and the store dumps, which other test targets also use.
@_exported import TestSupport
