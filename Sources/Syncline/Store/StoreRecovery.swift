import Foundation

/// What became of a store that could not be opened: its files were moved aside, and a new one was made.
public struct StoreRecovery: Sendable, Hashable {
  /// Why the store could not be opened.
  public let reason: String
  /// Where its files are now.
  public let movedFiles: [URL]
}

extension StoreRecovery: CustomStringConvertible {
  public var description: String {
    "The store could not be opened (\(reason)). Its files were moved aside: "
      + movedFiles.map(\.path).joined(separator: ", ")
  }
}
