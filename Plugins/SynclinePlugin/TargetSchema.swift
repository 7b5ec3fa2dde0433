import Foundation
import PackagePlugin

// Both plugins have this file.

/// The schema of a target: the schema files in its own folder and in `Schemas/<Target>/`.
struct TargetSchema {
  let target: any Target
  /// The folder of the target's package.
  let package: URL

  /// The folders that are searched.
  var folders: [URL] {
    let own = (target as? any SourceModuleTarget)?.directoryURL
    return [own, package.appending(path: "Schemas").appending(path: target.name)].compactMap { $0 }
  }

  var files: [SchemaPath] {
    SchemaPath.distinct(folders.flatMap { SchemaFolder($0.path).schemaFiles() })
  }

  var module: String { (target as? any SourceModuleTarget)?.moduleName ?? target.name }

  /// The folder of checked-in code.
  var checkedIn: URL { target.directoryURL.appending(path: "Generated") }

  /// Whether the target has checked-in code.
  var isCheckedIn: Bool {
    FileManager.default.fileExists(
      atPath: checkedIn.appending(path: ".\(target.name).syncline-manifest.json").path)
  }

  /// The schemas of the targets that this one depends on, in the order of their names.
  var dependencies: [TargetSchema] {
    target.recursiveTargetDependencies.sorted { $0.name < $1.name }.map {
      TargetSchema(target: $0, package: TargetSchema.packageDirectory(of: $0) ?? package)
    }
  }

  /// The package of a target of another package: the nearest folder above it with a manifest.
  private static func packageDirectory(of target: any Target) -> URL? {
    var folder = target.directoryURL
    while folder.pathComponents.count > 1 {
      if FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path) {
        return folder
      }
      folder.deleteLastPathComponent()
    }
    return nil
  }
}
