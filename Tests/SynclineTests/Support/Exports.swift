// The generator of random numbers and the dumps of stores, which other test targets use too.
@_exported import TestSupport
