// Exports `Soak` to all tests. The compiler's tests import it directly, because they are built without the runtime.
@_exported import TestRuns
