import Foundation
import PackagePlugin

// The command plugin has a copy of this file.

/// The schema of a target: the schema files among its own, and those in `Schemas/<Target>/`.
struct TargetSchema {
  let target: any Target
  /// The name that the manifest gives the target.
  let name: String
  /// The folder of the target's package.
  let package: URL
  /// Whether the target's Swift is checked in, or is about to be.
  let isCheckedIn: Bool
  private let own: SchemaFolder.Contents
  private let outside: SchemaFolder.Contents

  /// - Parameters:
  ///   - packages: the package and its dependencies. The folders of their targets may be inside the one of this target.
  ///   - isCheckedIn: whether the target's Swift is checked in, where it is known that it will be.
  init(_ target: any Target, among packages: [Package], isCheckedIn: Bool? = nil) {
    self.target = target
    let home = packages.first { $0.targets.contains { $0.id == target.id } }
    package = (home?.directoryURL ?? target.directoryURL).standardizedFileURL
    name = home?.isRoot ?? false ? target.name : TargetSchema.declaredName(of: target, in: package)
    self.isCheckedIn = isCheckedIn ?? TargetSchema.hasManifest(name, in: target)
    outside = SchemaFolder(TargetSchema.outsideFolder(name, in: package).path).contents()
    own = TargetSchema.ownContents(of: target, in: package, among: packages, isCheckedIn: self.isCheckedIn)
  }

  /// The schema files, each once.
  var files: [SchemaPath] { SchemaPath.distinct(own.files + outside.files) }

  /// A sentence for each file or folder that looks like a schema and is not compiled.
  var notes: [String] { own.notes + outside.notes }

  /// The folder of schema files outside of the target's own.
  var outsideFolder: URL { TargetSchema.outsideFolder(name, in: package) }

  /// The module as the manifest names it: importers write this name, whatever alias they give it.
  var module: String {
    name == target.name
      ? (target as? any SourceModuleTarget)?.moduleName ?? name : ModuleName.of(target: name)
  }

  /// The folder of checked-in code.
  var checkedIn: URL { target.directoryURL.appending(path: "Generated") }

  /// What is said of a target whose Swift would be written twice.
  var contradiction: String {
    "\(name) has checked-in code in \(checkedIn.path), and uses SynclinePlugin, which would write it once more: remove the one or the other"
  }

  /// The schemas of the targets that this one depends on, in the order of their names.
  func dependencies(among packages: [Package]) -> [TargetSchema] {
    target.recursiveTargetDependencies.sorted { $0.name < $1.name }
      .filter { $0 is any SourceModuleTarget }
      .map { TargetSchema($0, among: packages) }
  }

  // MARK: Finding files

  /// The schema files of the target's own folder: those that SwiftPM counts among the target's files, so that what
  /// `exclude:` lists and what other targets own is left out.
  ///
  /// A target whose Swift is checked in has no plugin that reads its schema files, and excludes them so that SwiftPM
  /// does not warn of files it cannot handle. There the folder is searched, without the folders of other targets and
  /// of packages in it.
  private static func ownContents(
    of target: any Target, in package: URL, among packages: [Package], isCheckedIn: Bool
  ) -> SchemaFolder.Contents {
    guard let module = target as? any SourceModuleTarget else { return SchemaFolder.Contents() }
    let folder = module.directoryURL.standardizedFileURL.path
    let schemas = package.appending(path: "Schemas").standardizedFileURL.path
    if isCheckedIn {
      let folders = packages.flatMap(\.targets).map(\.directoryURL.standardizedFileURL.path)
      let taken = Set(folders).subtracting([folder])
      return SchemaFolder(folder).contents { path in
        taken.contains(path) || path == schemas
          || FileManager.default.fileExists(atPath: path + "/Package.swift")
      }
    }
    var contents = SchemaFolder.Contents()
    for file in module.sourceFiles.map(\.url.standardizedFileURL.path).sorted() {
      // A target that has the package's own folder has the schemas of all targets in it.
      guard folder.hasPrefix(schemas + "/") || !file.hasPrefix(schemas + "/") else { continue }
      if file.hasSuffix(".\(SchemaPath.fileExtension)") {
        let isBelow = file.hasPrefix(folder + "/")
        contents.files.append(
          isBelow ? SchemaPath(file, named: String(file.dropFirst(folder.count + 1))) : SchemaPath(file))
      }
      if let note = SchemaPath.note(onFile: file) { contents.notes.append(note) }
    }
    return contents
  }

  private static func outsideFolder(_ name: String, in package: URL) -> URL {
    package.appending(path: "Schemas").appending(path: name)
  }

  private static func hasManifest(_ name: String, in target: any Target) -> Bool {
    let manifest = target.directoryURL.appending(path: "Generated/.\(name).syncline-manifest.json")
    return FileManager.default.fileExists(atPath: manifest.path)
  }

  /// The name in the manifest of a package that others depend on. SwiftPM calls a target by the alias that another
  /// package gives its module (`moduleAliases:`) and does not say what it was called before: a name that the manifest does
  /// not have is taken for an alias, and the folder's name for the target's.
  private static func declaredName(of target: any Target, in package: URL) -> String {
    let folder = target.directoryURL.lastPathComponent
    guard folder != target.name,
      let data = FileManager.default.contents(atPath: package.appending(path: "Package.swift").path)
    else { return target.name }
    let manifest = String(decoding: data, as: UTF8.self)
    return !manifest.contains("\"\(target.name)\"") && manifest.contains("\"\(folder)\"")
      ? folder : target.name
  }
}

extension Package {
  /// The package and all packages that it depends on.
  var withDependencies: [Package] {
    var (next, known, packages) = ([self], Set<ID>(), [Package]())
    while let package = next.popLast() {
      guard known.insert(package.id).inserted else { continue }
      packages.append(package)
      next += package.dependencies.map(\.package)
    }
    return packages
  }

  /// Whether it is the one that is built, whose modules nobody gives an alias.
  fileprivate var isRoot: Bool { if case .root = origin { true } else { false } }
}
