import SynclineCompiler
import SynclineFiles
import SynclineNaming

/// The schema files in the editor, by target. An open file has the editor's text, any other file the text on disk.
struct Workspace {
  /// The files of a target, and their analysis.
  struct Target {
    let folder: TargetFolder
    fileprivate(set) var files: [String: ParsedFile] = [:]
    /// The analysis; nil if a file has changed since.
    fileprivate var analysis: Analysis?
    /// The symbols of the analysis; nil until they are needed.
    fileprivate var symbols: [Symbol]?
    fileprivate var memory = AnalysisMemory()
    /// The targets that can be imported; nil until a file imports one.
    fileprivate var neighbors: [TargetFolder]?
    /// Whether one of its files has been open. Other targets are only read because they are imported.
    fileprivate(set) var isShown = false

    fileprivate var hasImports: Bool { files.values.contains { !$0.tree.imports.isEmpty } }
  }

  /// The maximum number of files and folders of a target that are visited.
  private static let entryLimit = 20_000

  /// The folders that are open in the editor.
  var roots: [String] = []
  private(set) var targets: [String: Target] = [:]
  /// The target of each open file.
  private var open: [String: String] = [:]

  // MARK: Files

  /// The current version of the file at a path.
  func file(at path: String) -> ParsedFile? { target(of: path)?.files[path] }

  /// The target that contains a file.
  func target(of path: String) -> Target? {
    if let target = open[path] { return targets[target] }
    return targets.values.first { $0.files[path] != nil }
  }

  /// The paths of the open files.
  var openPaths: some Collection<String> { open.keys }

  /// Sets the text of a file from the editor, which replaces the text on disk.
  mutating func take(_ text: String, at path: String, isFile: Bool) {
    if open[path] == nil {
      let folder = isFile ? TargetFolder.containing(path, below: roots) : TargetFolder(path: path)
      if targets[folder.path] == nil {
        targets[folder.path] = Target(folder: folder)
        if isFile { read(folder.path) }
      }
      open[path] = folder.path
    }
    guard let target = open[path] else { return }
    targets[target]?.isShown = true
    write(ParsedFile(source(path, in: target, text)), at: path, in: target)
  }

  /// Returns a file to its text on disk, if it exists there.
  mutating func close(_ path: String) {
    guard let target = open.removeValue(forKey: path) else { return }
    guard case .success(let text) = SchemaFile.read(path) else {
      return write(nil, at: path, in: target)
    }
    if targets[target]?.files[path]?.source.text != text {
      write(ParsedFile(source(path, in: target, text)), at: path, in: target)
    }
  }

  /// Reads the files on disk again.
  mutating func refresh() {
    for target in targets.keys {
      read(target)
      targets[target]?.neighbors = nil
    }
  }

  private mutating func write(_ file: ParsedFile?, at path: String, in target: String) {
    targets[target]?.files[path] = file
    for other in targets.keys where other == target || targets[other]?.hasImports ?? false {
      targets[other]?.analysis = nil
      targets[other]?.symbols = nil
    }
  }

  /// Reads a target, unless it has been read.
  mutating func load(_ folder: TargetFolder) {
    guard targets[folder.path] == nil else { return }
    targets[folder.path] = Target(folder: folder)
    read(folder.path)
  }

  /// Replaces the text of a file.
  mutating func replace(_ source: SourceFile, _ text: String) {
    guard let target = target(of: source.path)?.folder.path else { return }
    write(ParsedFile(self.source(source.path, in: target, text)), at: source.path, in: target)
  }

  /// Reads the files of a target from disk, except for open ones.
  private mutating func read(_ target: String) {
    let stored = SchemaFolder(target).schemaFiles(lookingAt: Workspace.entryLimit).map(\.path)
    for gone in Set(targets[target]?.files.keys.map(\.self) ?? []).subtracting(stored)
    where open[gone] == nil {
      write(nil, at: gone, in: target)
    }
    for path in stored where open[path] == nil {
      guard case .success(let text) = SchemaFile.read(path) else { continue }
      if targets[target]?.files[path]?.source.text == text { continue }
      write(ParsedFile(source(path, in: target, text)), at: path, in: target)
    }
  }

  private func source(_ path: String, in target: String, _ text: String) -> SourceFile {
    let isBelow = path.hasPrefix(target + "/")
    return SourceFile(
      path: path, relativePath: isBelow ? String(path.dropFirst(target.count + 1)) : nil, text: text)
  }

  // MARK: Analyses

  /// The current analysis of a target.
  mutating func analysis(in path: String) -> Analysis {
    if let analysis = targets[path]?.analysis { return analysis }
    let (modules, otherPackages) = modules(for: path)
    // Removed during the change, so that it is not copied.
    var memory = targets[path]?.memory ?? AnalysisMemory()
    targets[path]?.memory = AnalysisMemory()
    let analysis = CompilerPipeline.analyse(
      target: ModuleName.of(target: targets[path]?.folder.name ?? ""),
      files: targets[path].map { Array($0.files.values) } ?? [], modules: modules,
      otherPackages: otherPackages, &memory)
    targets[path]?.memory = memory
    targets[path]?.analysis = analysis
    return analysis
  }

  /// Each symbol of a target, with its declaration and all uses.
  mutating func symbols(in path: String) -> [Symbol] {
    if let symbols = targets[path]?.symbols { return symbols }
    let symbols = analysis(in: path).symbols
    targets[path]?.symbols = symbols
    return symbols
  }

  /// The files of the targets that a target may import, and which of these targets are in other packages.
  private mutating func modules(for path: String) -> ([String: [ParsedFile]], Set<String>) {
    guard let target = targets[path], target.hasImports else { return ([:], []) }
    let neighbors = target.neighbors ?? target.folder.neighbors()
    targets[path]?.neighbors = neighbors
    var modules: [String: [ParsedFile]] = [:]
    var otherPackages: Set<String> = []
    for neighbor in neighbors {
      let name = ModuleName.of(target: neighbor.name)
      guard modules[name] == nil else { continue }
      load(neighbor)
      let files = targets[neighbor.path].map { Array($0.files.values) } ?? []
      guard !files.isEmpty else { continue }
      modules[name] = files
      if neighbor.package != target.folder.package { otherPackages.insert(name) }
    }
    return (modules, otherPackages)
  }

  /// Analyses the targets of which a file has been open.
  mutating func shownAnalyses() -> [(target: Target, analysis: Analysis)] {
    targets.keys.sorted().compactMap { path in
      guard let target = targets[path], target.isShown else { return nil }
      return (target, analysis(in: path))
    }
  }
}
