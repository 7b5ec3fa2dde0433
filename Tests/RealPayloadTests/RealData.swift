import Foundation

/// Payloads that public services sent. They are read from a folder beside the package, where there is one.
enum RealData {
  static let folder: URL? = {
    let package = URL(fileURLWithPath: #filePath).appending(path: "../../..").standardizedFileURL
    let named = ProcessInfo.processInfo.environment["SYNCLINE_DATA"].map { URL(fileURLWithPath: $0) }
    let folder = named ?? package.appending(path: "../shared/data").standardizedFileURL
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }()

  static let isPresent: Bool = {
    if folder == nil { print("Skipping the tests of real payloads: their folder is absent.") }
    return folder != nil
  }()

  static func payload(_ path: String) throws -> Data {
    guard let folder else { throw CocoaError(.fileNoSuchFile) }
    return try Data(contentsOf: folder.appending(path: path))
  }
}
