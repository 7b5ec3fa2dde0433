// The store of a schema in text, which most of these tests use.
@_exported import TestSupport
