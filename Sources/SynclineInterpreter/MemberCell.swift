@_spi(Generated) import Syncline

/// Reads and writes the value of one member of a struct.
protocol MemberCell: Sendable {
  func read(_ members: inout SyncMemberReader) throws -> (any SyncScalar)?
  func write(_ value: (any SyncScalar)?, to members: inout SyncMemberWriter)
}

struct ValueMemberCell<Value: SyncScalar>: MemberCell {
  let index: Int
  let isOptional: Bool
  let fallback: Value?

  func read(_ members: inout SyncMemberReader) throws -> (any SyncScalar)? {
    isOptional
      ? members.value(Value.self, index, default: fallback)
      : try members.required(Value.self, index, default: fallback)
  }

  func write(_ value: (any SyncScalar)?, to members: inout SyncMemberWriter) {
    members.write(value as? Value, index)
  }
}
