import Foundation
import PackagePlugin

// The command plugin contains a copy of this file.

/// The schema files of a target: those in its own folder, and those in `Schemas/<Target>/`.
struct TargetSchema {
  let target: any Target
  /// The name of the target in the manifest.
  let name: String
  /// The folder of the target's package.
  let package: URL
  /// Whether the target's Swift is checked in, or will be.
  let isCheckedIn: Bool
  /// The folder of schema files outside the target's folder.
  let outsideFolder: URL
  /// The schema files without duplicates.
  let files: [SchemaPath]
  /// A message for each file or folder that looks like a schema but is not compiled.
  let notes: [String]

  /// - Parameters:
  ///   - packages: the package and its dependencies. Folders of their targets may be inside the folder of this target.
  ///   - isCheckedIn: whether the target's Swift will be checked in; nil if this is found out from its folder.
  init(_ target: any Target, among packages: [Package], isCheckedIn: Bool? = nil) {
    self.target = target
    let home = packages.first { $0.targets.contains { $0.id == target.id } }
    package = (home?.directoryURL ?? target.directoryURL).standardizedFileURL
    name = home?.isRoot ?? false ? target.name : TargetSchema.declaredName(of: target, in: package)
    let manifest = target.directoryURL.appending(path: "Generated/.\(name).syncline-manifest.json").path
    self.isCheckedIn = isCheckedIn ?? FileManager.default.fileExists(atPath: manifest)
    outsideFolder = package.appending(path: "Schemas").appending(path: name)
    let outside = SchemaFolder(outsideFolder.path).contents()
    let own = TargetSchema.ownContents(
      of: target, in: package, among: packages, isCheckedIn: self.isCheckedIn)
    files = SchemaPath.distinct(own.files + outside.files)
    notes = own.notes + outside.notes
  }

  /// The module name in the manifest. Schemas import the target by this name, even if the module has an alias.
  var module: String {
    name == target.name
      ? (target as? any SourceModuleTarget)?.moduleName ?? name : ModuleName.of(target: name)
  }

  /// The folder for checked-in code.
  var checkedIn: URL { target.directoryURL.appending(path: "Generated") }

  /// The error message for a target with a plugin and checked-in code, so that its Swift would exist twice.
  var contradiction: String {
    "\(name) has checked-in code in \(checkedIn.path), and uses SynclinePlugin, which would generate it again: remove one of the two"
  }

  /// The schemas of the targets that this one depends on, sorted by name.
  func dependencies(among packages: [Package]) -> [TargetSchema] {
    target.recursiveTargetDependencies.sorted { $0.name < $1.name }
      .filter { $0 is any SourceModuleTarget }
      .map { TargetSchema($0, among: packages) }
  }

  // MARK: Finding files

  /// The schema files in the target's own folder: those that SwiftPM lists among the target's files. This excludes the files in
  /// `exclude:` and those of other targets.
  ///
  /// A target with checked-in Swift has no plugin that handles its schema files. It lists them in `exclude:`, so that SwiftPM
  /// does not warn about unhandled files. Therefore its folder is searched, except the folders of other targets and packages
  /// inside it.
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
      // If the target's folder is the package's folder, it also contains the schemas of all other targets.
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

  /// The name of a target in the manifest of its package. If another package gives the module an alias (`moduleAliases:`),
  /// SwiftPM names the target by the alias, and does not provide the original name. Therefore a name that is not in the manifest
  /// is treated as an alias, and the folder's name as the name of the target.
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

  /// Whether it is the root package, whose modules cannot have aliases.
  fileprivate var isRoot: Bool { if case .root = origin { true } else { false } }
}
