import Syncline
import SynclineCompiler
import SynclineFiles
import SynclineNaming

/// The schema files in an editor, by target. The text of open files comes from the editor, the text of others from disk.
struct Workspace {
  /// The files of a target, and their analysis.
  struct Target {
    let folder: TargetFolder
    fileprivate(set) var files: [String: EditedFile] = [:]
    /// The analysis; nil if a file has changed since.
    fileprivate var analysis: Analysis?
    /// The symbols of the analysis; nil until they are needed.
    fileprivate var symbols: [Symbol]?
    fileprivate var memory = AnalysisMemory()
    /// The targets that can be imported; nil until a file imports one.
    fileprivate var neighbors: [TargetFolder]?
    /// Whether one of its files has been open. Other targets are read only because they are imported.
    fileprivate(set) var isShown = false

    fileprivate var hasImports: Bool {
      files.values.contains { $0.sections.contains { !$0.file.tree.imports.isEmpty } }
    }

    /// The sections of all files, including the latest edits.
    fileprivate mutating func parsedFiles() -> [ParsedFile] {
      for path in files.keys { files[path]?.settle() }
      return files.sorted { $0.key < $1.key }.flatMap { $0.value.sections.map(\.file) }
    }
  }

  /// The maximum number of files and folders of a target that are visited.
  private static let entryLimit = 20_000

  /// The folders that are open in the editor.
  var roots: [String] = [] {
    didSet { reassign() }
  }
  private(set) var targets: [String: Target] = [:]
  /// The target of each open file.
  private var open: [String: String] = [:]

  func file(at path: String) -> EditedFile? { target(of: path)?.files[path] }

  /// The file at a path, with its latest edits parsed.
  mutating func settledFile(at path: String) -> EditedFile? {
    guard let target = target(of: path)?.folder.path else { return nil }
    targets[target]?.files[path]?.settle()
    return targets[target]?.files[path]
  }

  func target(of path: String) -> Target? {
    if let target = open[path] { return targets[target] }
    return targets.values.first { $0.files[path] != nil }
  }

  var openPaths: some Collection<String> { open.keys }

  /// Sets the text of a file to the text in the editor, which takes precedence over the text on disk.
  mutating func take(_ text: String, at path: String, isFile: Bool) {
    if open[path] == nil {
      let folder = isFile ? TargetFolder.containing(path, below: roots) : TargetFolder(path: path)
      open[path] = folder.path
      if targets[folder.path] == nil {
        targets[folder.path] = Target(folder: folder)
        if isFile { read(folder.path) }
        // Files of a target whose folder overlaps the new one may be part of the new target.
        if targets.keys.contains(where: folder.overlaps) { reassign() }
      }
    }
    guard let target = open[path] else { return }
    targets[target]?.isShown = true
    write(text, at: path, in: target)
  }

  /// Applies changes from the editor to a known file.
  mutating func apply(_ changes: [SyncJSON], at path: String, isFile: Bool) {
    if open[path] == nil, let text = file(at: path)?.text { take(text, at: path, isFile: isFile) }
    guard let target = open[path] else { return }
    for change in changes { targets[target]?.files[path]?.apply(change) }
    forgetAnalyses(of: target)
  }

  /// Replaces the text of a file with the text on disk, or removes the file if it does not exist there.
  mutating func close(_ path: String) {
    guard let target = open.removeValue(forKey: path) else { return }
    guard case .success(let text) = SchemaFile.read(path) else {
      return write(nil, at: path, in: target)
    }
    if targets[target]?.files[path]?.text != text { write(text, at: path, in: target) }
  }

  /// Reads the files on disk again.
  mutating func refresh() {
    for target in targets.keys {
      read(target)
      guard let known = targets[target]?.neighbors, let found = targets[target]?.folder.neighbors(),
        found != known
      else { continue }
      // A target that an import names may have appeared, or may be gone.
      targets[target]?.neighbors = found
      forgetAnalyses(of: target)
    }
    reassign()
  }

  /// Moves open files to the targets that contain them now, and removes targets without files of their own. Files, folders and
  /// manifests may have changed on disk since a file was opened.
  private mutating func reassign() {
    // An untitled document is its own target.
    for (path, target) in open where path != target && open[path] == target {
      let folder = TargetFolder.containing(path, below: roots)
      guard folder.path != target, let text = targets[target]?.files[path]?.text else { continue }
      open[path] = nil
      write(nil, at: path, in: target)
      take(text, at: path, isFile: true)
    }
    for (target, known) in targets where known.isShown && !open.values.contains(target) {
      let isElsewhere = known.files.keys.allSatisfy {
        TargetFolder.containing($0, below: roots).path != target
      }
      guard isElsewhere, !known.files.isEmpty else { continue }
      targets[target] = nil
      forgetAnalyses(of: target)
    }
  }

  /// Sets the text of a file; nil removes the file.
  private mutating func write(_ text: String?, at path: String, in target: String) {
    if let text, targets[target]?.files[path] != nil {
      targets[target]?.files[path]?.replace(with: text)
    } else {
      targets[target]?.files[path] = text.map { text in
        let isBelow = path.hasPrefix(target + "/")
        return EditedFile(
          path: path, relativePath: isBelow ? String(path.dropFirst(target.count + 1)) : nil, text: text)
      }
    }
    forgetAnalyses(of: target)
  }

  private mutating func forgetAnalyses(of target: String) {
    for other in targets.keys where other == target || targets[other]?.hasImports ?? false {
      targets[other]?.analysis = nil
      targets[other]?.symbols = nil
    }
  }

  mutating func load(_ folder: TargetFolder) {
    guard targets[folder.path] == nil else { return }
    targets[folder.path] = Target(folder: folder)
    read(folder.path)
  }

  /// Replaces ranges of a file, which must not overlap.
  mutating func replace(_ edits: [(range: SourceRange, text: String)], at path: String) {
    guard let target = target(of: path)?.folder.path, let file = settledFile(at: path) else { return }
    let changes = edits.compactMap { edit in
      file.offsets(of: edit.range).map { (offsets: $0, text: edit.text) }
    }
    for change in changes.sorted(by: { $0.offsets.lowerBound > $1.offsets.lowerBound }) {
      targets[target]?.files[path]?.replace(change.offsets, with: change.text)
    }
    forgetAnalyses(of: target)
  }

  /// Reads the files of a target from disk, except for open ones.
  private mutating func read(_ target: String) {
    let stored = SchemaPath.distinct(SchemaFolder(target).schemaFiles(lookingAt: Workspace.entryLimit))
      .map(\.path)
    for gone in Set(targets[target]?.files.keys.map(\.self) ?? []).subtracting(stored)
    where open[gone] == nil {
      write(nil, at: gone, in: target)
    }
    for path in stored where open[path] == nil {
      guard case .success(let text) = SchemaFile.read(path) else { continue }
      if targets[target]?.files[path]?.text == text { continue }
      write(text, at: path, in: target)
    }
  }

  mutating func analysis(in path: String) -> Analysis {
    if let analysis = targets[path]?.analysis { return analysis }
    let (modules, otherPackages) = modules(for: path)
    // The cache is taken out of the dictionary during the change, so that it is not copied.
    var memory = targets[path]?.memory ?? AnalysisMemory()
    targets[path]?.memory = AnalysisMemory()
    let analysis = CompilerPipeline.analyse(
      target: ModuleName.of(target: targets[path]?.folder.name ?? ""),
      files: targets[path]?.parsedFiles() ?? [], modules: modules,
      otherPackages: otherPackages, &memory)
    targets[path]?.memory = memory
    targets[path]?.analysis = analysis
    return analysis
  }

  mutating func symbols(in path: String) -> [Symbol] {
    if let symbols = targets[path]?.symbols { return symbols }
    let symbols = analysis(in: path).symbols
    targets[path]?.symbols = symbols
    return symbols
  }

  /// The files of the targets that a target may import, and the names of those in other packages.
  private mutating func modules(for path: String) -> ([String: [ParsedFile]], Set<String>) {
    _ = targets[path]?.parsedFiles()
    guard let target = targets[path], target.hasImports else { return ([:], []) }
    let neighbors = target.neighbors ?? target.folder.neighbors()
    targets[path]?.neighbors = neighbors
    var modules: [String: [ParsedFile]] = [:]
    var otherPackages: Set<String> = []
    for neighbor in neighbors {
      let name = ModuleName.of(target: neighbor.name)
      guard modules[name] == nil else { continue }
      load(neighbor)
      let files = targets[neighbor.path]?.parsedFiles() ?? []
      guard !files.isEmpty else { continue }
      modules[name] = files
      if neighbor.package != target.folder.package { otherPackages.insert(name) }
    }
    return (modules, otherPackages)
  }

  /// Analyses the targets with a file that has been open.
  mutating func shownAnalyses() -> [(target: Target, analysis: Analysis)] {
    targets.keys.sorted().compactMap { path in
      guard targets[path]?.isShown ?? false else { return nil }
      let analysis = analysis(in: path)
      return targets[path].map { ($0, analysis) }
    }
  }
}
