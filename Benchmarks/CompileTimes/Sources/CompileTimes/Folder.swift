import Foundation

/// A folder to measure in.
struct Folder {
  let url: URL

  var path: String { url.path }

  func folder(_ name: String) -> Folder { Folder(url: url.appending(path: name)) }

  func write(_ text: String, to path: String) throws {
    let file = url.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  func empty() throws {
    try? FileManager.default.removeItem(at: url)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// Removes the build products of modules from a scratch folder, so that the next build compiles them again. Files that SwiftPM
  /// writes only when it plans a build are kept.
  func clean(_ modules: [String]) throws {
    let debug = url.appending(path: "debug").resolvingSymlinksInPath()
    for module in modules {
      let folder = debug.appending(path: "\(module).build")
      // The folder does not exist before the first build.
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      for name in names
      where name != "output-file-map.json" && name != "DerivedSources" {
        try FileManager.default.removeItem(at: folder.appending(path: name))
      }
      for suffix in ["swiftmodule", "swiftdoc", "abi.json", "swiftsourceinfo"] {
        try? FileManager.default.removeItem(at: debug.appending(path: "Modules/\(module).\(suffix)"))
      }
    }
  }
}
