import Foundation

/// The layers of the runtime in order. A layer uses only earlier ones. The sublayers of Sync are listed, too.
let rooms = [
  "Report", "JSON", "Dates", "SQL", "Scalars", "Model", "Payload", "Store", "Sync/Table", "Sync/Links",
  "Sync/Apply", "Sync/Slices", "Sync/Sources", "Sync/Calls", "Export", "Observation",
  "Offline",
]

/// The allowed uses of later layers: the protocol of models names the types that are passed to its functions.
let allowed: Set = [
  "SyncUpdatableModel.swift: SyncPayload", "SyncUpdatableModel.swift: SyncContext",
  "SyncUpdatableModel.swift: SyncExportContext",
]

/// The maximum number of members of one type that other files assign.
let blackboardLimit = 25
/// The maximum number of unlabelled parameters of a function.
let unlabelledLimit = 3
/// The maximum number of files that all depend on each other.
let cycleLimit = (inSync: 12, elsewhere: 16)

/// A use of a later layer's declaration by a file of an earlier layer, which is not allowed.
struct Arrow: Hashable {
  let file: String
  let symbol: String
  let target: String

  var isAllowed: Bool { allowed.contains("\(file.split(separator: "/").last ?? ""): \(symbol)") }
}

func room(of file: String, in sources: String) -> Int? {
  guard file.hasPrefix(sources) else { return nil }
  let path = file.dropFirst(sources.count)
  return rooms.firstIndex { path.hasPrefix($0 + "/") }
}

@main
struct RoomCheck {
  static func main() {
    do {
      exit(try isInOrder() ? 0 : 1)
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  /// Prints what is not in order.
  private static func isInOrder() throws -> Bool {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else {
      throw IndexStore.Failure(description: "usage: Rooms PACKAGE LIBINDEXSTORE")
    }
    let package = URL(fileURLWithPath: arguments[1]).standardizedFileURL.path
    let sources = package + "/Sources/Syncline/"
    let index = try IndexStore(path: package + "/.build/debug/index/store", library: arguments[2])
    let files = index.occurrences(inModule: "Syncline").filter { $0.key.hasPrefix(sources) }
    guard !files.isEmpty else { throw IndexStore.Failure(description: "the index has no file of \(sources)") }
    var findings = strayFiles(files.keys, sources)
    let arrows = arrows(files, sources)
    print("Uses of declarations in later layers: \(arrows.count)")
    findings += arrows
    findings += unlabelled(files, sources)
    findings += blackboards(files)
    findings += Figures(files, sources).findings()
    print(
      findings.isEmpty ? "The layers are in order: \(files.count) files." : findings.joined(separator: "\n"))
    return findings.isEmpty
  }

  /// The files that all layers may use.
  static let shared: Set = ["Exports.swift", "Sorting.swift"]

  /// The files that belong to no layer.
  static func strayFiles(_ files: some Sequence<String>, _ sources: String) -> [String] {
    files.filter { room(of: $0, in: sources) == nil && !shared.contains(URL(filePath: $0).lastPathComponent) }
      .sorted().map { "\($0): is in no layer" }
  }

  /// The uses of declarations in later layers.
  static func arrows(_ files: [String: [IndexStore.Occurrence]], _ sources: String) -> [String] {
    var definitions: [String: String] = [:]
    for (file, occurrences) in files {
      for occurrence in occurrences where occurrence.isDefinition { definitions[occurrence.symbol] = file }
    }
    var found: [Arrow: [Int]] = [:]
    for (file, occurrences) in files {
      guard let own = room(of: file, in: sources) else { continue }
      // The accessors of a property are listed as uses of the property.
      for occurrence in occurrences
      where !occurrence.isDefinition && !occurrence.name.hasPrefix("getter:")
        && !occurrence.name.hasPrefix("setter:")
      {
        guard let target = definitions[occurrence.symbol], let other = room(of: target, in: sources),
          other > own
        else { continue }
        let arrow = Arrow(
          file: String(file.dropFirst(sources.count)), symbol: occurrence.name,
          target: String(target.dropFirst(sources.count)))
        found[arrow, default: []].append(occurrence.line)
      }
    }
    return found.filter { !$0.key.isAllowed }.sorted {
      ($0.key.file, $0.value.min() ?? 0) < ($1.key.file, $1.value.min() ?? 0)
    }
    .map { arrow, lines in
      "\(sources)\(arrow.file):\(lines.min() ?? 0): uses \(arrow.symbol) of \(arrow.target), which is in a later layer"
    }
  }

  /// The functions with too many unlabelled parameters.
  static func unlabelled(_ files: [String: [IndexStore.Occurrence]], _ sources: String) -> [String] {
    files.flatMap { file, occurrences in
      occurrences.filter {
        $0.isDefinition && labels(of: $0.name).filter { $0 == "_" }.count > unlabelledLimit
      }
      .map { "\(file):\($0.line): \($0.name) has more than \(unlabelledLimit) parameters without a label" }
    }
    .sorted()
  }

  private static func labels(of name: String) -> [Substring] {
    guard let open = name.firstIndex(of: "(") else { return [] }
    return name[open...].dropFirst().dropLast().split(separator: ":")
  }

  /// The types of which other files assign too many members.
  static func blackboards(_ files: [String: [IndexStore.Occurrence]]) -> [String] {
    var members: [String: (owner: String, file: String)] = [:]
    var names: [String: String] = [:]
    for (file, occurrences) in files {
      for occurrence in occurrences where occurrence.isDefinition {
        names[occurrence.symbol] = occurrence.name
        if let owner = occurrence.owner { members[occurrence.symbol] = (owner, file) }
      }
    }
    var written: [String: Set<String>] = [:]
    for (file, occurrences) in files {
      for occurrence in occurrences where occurrence.isWrite {
        guard let member = members[occurrence.symbol], member.file != file else { continue }
        written[member.owner, default: []].insert(occurrence.symbol)
      }
    }
    return written.filter { $0.value.count > blackboardLimit }.map { owner, members in
      "\(names[owner] ?? owner): other files assign \(members.count) of its members"
    }
    .sorted()
  }
}
