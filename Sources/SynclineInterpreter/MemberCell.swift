@_spi(Generated) import Syncline

/// Reads and writes the value of one member of a struct.
struct MemberCell: Sendable {
  let read: @Sendable (inout SyncMemberReader) throws -> (any SyncScalar)?
  let write: @Sendable ((any SyncScalar)?, inout SyncMemberWriter) -> Void
}
