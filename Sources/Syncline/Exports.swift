// Models are records of GRDB: what reads or writes them needs its names too, and generated code counts on them.
@_exported import GRDB
// What the steps of an evolution are given.
@_exported import SynclineSchema
