import Foundation

/// The replacement of a store that could not be opened: its files were renamed, and a new store was created.
public struct StoreRecovery: Sendable, Hashable {
  /// The reason for which the store could not be opened.
  public let reason: String
  /// The new locations of its files.
  public let movedFiles: [URL]
}

extension StoreRecovery: CustomStringConvertible {
  public var description: String {
    "The store could not be opened (\(reason)). Its files were moved aside: "
      + movedFiles.map(\.path).joined(separator: ", ")
  }
}
