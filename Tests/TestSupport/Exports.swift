// `Soak` is for all tests; those of the compiler are built without the runtime.
@_exported import TestRuns
