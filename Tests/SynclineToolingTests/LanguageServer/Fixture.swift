import Foundation

/// The schemas that the compiler's tests are made of, right and wrong.
enum Fixture {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures")

  /// The texts of some, in the order of their names.
  static func texts(every step: Int = 1) throws -> [String] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".syncline") }.sorted()
    return try stride(from: 0, to: names.count, by: step).map { index in
      try String(contentsOf: folder.appending(path: names[index]), encoding: .utf8)
    }
  }
}
