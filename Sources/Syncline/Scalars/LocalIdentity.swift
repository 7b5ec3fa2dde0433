import Foundation

// Temporary identities of new rows, if the server creates the identities: `@PrimaryKey(madeBy: .server)`. Generated initializers
// call these. The server's response replaces the returned identity.

extension Int {
  /// A new identity for a row to which the server has not given one yet: a random negative number.
  ///
  /// Programs that read JSON numbers as `Double` represent it exactly.
  public static func syncLocalIdentity() -> Int {
    Int.random(in: Int(clamping: -(Int64(1) << 53))...(-1))
  }
}

extension UUID {
  /// A new identity for a row to which the server has not given one yet: a random UUID.
  public static func syncLocalIdentity() -> UUID { UUID() }
}

extension String {
  /// A new identity for a row to which the server has not given one yet: the text of a random UUID.
  public static func syncLocalIdentity() -> String { UUID().uuidString }
}
