import SynclineCompiler
import SynclineFiles
import SynclineNaming

/// The schema files that an editor works on, target by target: those that are open as they are typed, the others as
/// they are stored.
struct Workspace {
  /// The files of a target, and what is known of them.
  struct Target {
    let folder: TargetFolder
    fileprivate(set) var files: [String: ParsedFile] = [:]
    /// nil where a file has changed since.
    fileprivate var analysis: Analysis?
    /// Those of the analysis, once they were asked for.
    fileprivate var symbols: [Symbol]?
    fileprivate var memory = AnalysisMemory()
    /// The targets that may be imported, once one is.
    fileprivate var neighbors: [TargetFolder]?
    /// Whether a file of it was open: others are read for what imports them.
    fileprivate(set) var isShown = false

    fileprivate var hasImports: Bool { files.values.contains { !$0.tree.imports.isEmpty } }
  }

  /// How many files and folders of a target are looked at.
  private static let entryLimit = 20_000

  /// The folders that the editor has open.
  var roots: [String] = []
  private(set) var targets: [String: Target] = [:]
  /// The target of each file that is open.
  private var open: [String: String] = [:]

  // MARK: Files

  /// The file at a path, as it is now.
  func file(at path: String) -> ParsedFile? { target(of: path)?.files[path] }

  /// The target that a file is of.
  func target(of path: String) -> Target? {
    if let target = open[path] { return targets[target] }
    return targets.values.first { $0.files[path] != nil }
  }

  /// The paths of the files that are open.
  var openPaths: some Collection<String> { open.keys }

  /// Takes the text of a file from the editor, from now on.
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

  /// Takes the stored text of a file again, if it is stored.
  mutating func close(_ path: String) {
    guard let target = open.removeValue(forKey: path) else { return }
    guard case .success(let text) = SchemaFile.read(path) else {
      return write(nil, at: path, in: target)
    }
    if targets[target]?.files[path]?.source.text != text {
      write(ParsedFile(source(path, in: target, text)), at: path, in: target)
    }
  }

  /// Reads again what is stored.
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

  /// Reads a target, unless it was.
  mutating func load(_ folder: TargetFolder) {
    guard targets[folder.path] == nil else { return }
    targets[folder.path] = Target(folder: folder)
    read(folder.path)
  }

  /// Writes another text in place of one.
  mutating func replace(_ source: SourceFile, _ text: String) {
    guard let target = target(of: source.path)?.folder.path else { return }
    write(ParsedFile(self.source(source.path, in: target, text)), at: source.path, in: target)
  }

  /// Reads the stored files of a target, but for those that are open.
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

  /// All that is known of a target.
  mutating func analysis(in path: String) -> Analysis {
    if let analysis = targets[path]?.analysis { return analysis }
    let (modules, otherPackages) = modules(for: path)
    // Taken out while it is changed, so that it is not copied.
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

  /// Each name of a target, with its declaration and all its uses.
  mutating func symbols(in path: String) -> [Symbol] {
    if let symbols = targets[path]?.symbols { return symbols }
    let symbols = analysis(in: path).symbols
    targets[path]?.symbols = symbols
    return symbols
  }

  /// The files of the targets that one may import, and those of them that are of other packages.
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

  /// Analyses the targets of which a file was open.
  mutating func shownAnalyses() -> [(target: Target, analysis: Analysis)] {
    targets.keys.sorted().compactMap { path in
      guard let target = targets[path], target.isShown else { return nil }
      return (target, analysis(in: path))
    }
  }
}
