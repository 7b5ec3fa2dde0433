import Foundation

/// Payloads of public services, and test suites of others. They are read from a folder next to the package, or from the folder in
/// `SYNCLINE_DATA`, if it exists.
package enum RealData {
  private static let root: URL = {
    if let named = ProcessInfo.processInfo.environment["SYNCLINE_DATA"] { return URL(filePath: named) }
    let package = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
    return package.appending(path: "../shared/data").standardizedFileURL
  }()

  /// One of the folders, if it exists.
  package static func folder(_ name: String) -> URL? {
    let folder = root.appending(path: name)
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }

  /// The bytes of a file in one of the folders.
  package static func data(_ path: String) throws -> Data { try Data(contentsOf: root.appending(path: path)) }
}
