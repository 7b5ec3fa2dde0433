import ArgumentParser
import Foundation
import SynclineTooling

struct New: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Creates a package with a schema, a payload, a program that syncs it, and a test.",
    discussion: "You can run “swift run” and “swift test” in it without changes.")

  @Option(help: "The path of Syncline's package, relative to the new one.", completion: .directory)
  var syncline: String = "../Syncline"

  @Argument(help: "The name of the package, and of the new folder.")
  var name: String

  func run() throws {
    let package: NewPackage
    do {
      package = try NewPackage(name: name, syncline: syncline)
    } catch let error as Mistake {
      throw ValidationError(error.description)
    }
    guard !FileManager.default.fileExists(atPath: name) else {
      throw SchemaFileError(description: "“\(name)” already exists.")
    }
    for (path, text) in package.files {
      let file = URL(filePath: name).appending(path: path)
      do {
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      } catch {
        throw SchemaFileError(description: "“\(name)” cannot be created: \(error.localizedDescription)")
      }
      try SchemaFiles.write(text, to: file.path)
      print("\(name)/\(path)")
    }
  }
}
