import Foundation

/// Payloads that public services sent, and suites of others. They are read from a folder beside the package, or from the
/// one that `SYNCLINE_DATA` names, where there is one.
package enum RealData {
  private static let root: URL = {
    if let named = ProcessInfo.processInfo.environment["SYNCLINE_DATA"] { return URL(filePath: named) }
    let package = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
    return package.appending(path: "../shared/data").standardizedFileURL
  }()

  /// One of the folders, if it is there.
  package static func folder(_ name: String) -> URL? {
    let folder = root.appending(path: name)
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }

  /// The bytes of a file in one of the folders.
  package static func data(_ path: String) throws -> Data { try Data(contentsOf: root.appending(path: path)) }
}
