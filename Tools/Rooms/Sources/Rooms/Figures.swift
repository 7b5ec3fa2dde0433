import Foundation

/// Measures dependencies between the files of the runtime, and the number of stored properties of its types.
struct Figures {
  private let files: [String: [IndexStore.Occurrence]]
  private let sources: String

  init(_ files: [String: [IndexStore.Occurrence]], _ sources: String) {
    self.files = files
    self.sources = sources
  }

  /// Prints the figures.
  ///
  /// - Returns: the figures that exceed their limits.
  func findings() -> [String] {
    var findings: [String] = []
    for (name, limit, isCounted) in [
      ("Sync", cycleLimit.inSync, { isOfSync($0) }), ("the rest", cycleLimit.elsewhere, { !isOfSync($0) }),
    ] {
      let cycle = Graph(uses(among: isCounted)).largestCycle()
      print("The largest cycle of files in \(name): \(cycle.count)")
      if cycle.count > limit {
        findings.append("\(cycle.count) files depend on each other: \(cycle.joined(separator: ", "))")
      }
    }
    for (name, isCounted) in [("Sync", { isOfSync($0) }), ("the rest", { !isOfSync($0) })] {
      let types = storedProperties().filter { isCounted($0.file) }
      let largest = types.prefix(4).map { "\($0.name) \($0.count)" }.joined(separator: ", ")
      print("Stored properties of the largest types of \(name): \(largest)")
    }
    return findings
  }

  private func isOfSync(_ file: String) -> Bool { file.hasPrefix(sources + "Sync/") }

  private func name(of file: String) -> String { String(file.dropFirst(sources.count)) }

  /// The files that use declarations of other files, except for allowed uses against the order of the layers.
  private func uses(among isCounted: (String) -> Bool) -> [String: Set<String>] {
    var definitions: [String: String] = [:]
    for (file, occurrences) in files where isCounted(file) {
      for occurrence in occurrences where occurrence.isDefinition { definitions[occurrence.symbol] = file }
    }
    var uses: [String: Set<String>] = [:]
    for (file, occurrences) in files where isCounted(file) {
      for occurrence in occurrences where !occurrence.isDefinition {
        guard let target = definitions[occurrence.symbol], target != file else { continue }
        let arrow = Arrow(file: name(of: file), symbol: occurrence.name, target: name(of: target))
        if !arrow.isAllowed { uses[arrow.file, default: []].insert(arrow.target) }
      }
    }
    return uses
  }

  /// The types by the number of their stored properties, the largest first.
  private func storedProperties() -> [(name: String, file: String, count: Int)] {
    var types: [String: (name: String, file: String)] = [:]
    var computed: Set<String> = []
    for (file, occurrences) in files {
      for occurrence in occurrences where occurrence.isDefinition {
        if occurrence.kind != .protocol { types[occurrence.symbol] = (occurrence.name, file) }
        // The compiler synthesizes the accessors of stored properties.
        if let property = occurrence.owner, occurrence.name.hasPrefix("getter:"), !occurrence.isImplicit {
          computed.insert(property)
        }
      }
    }
    var stored: [String: Set<String>] = [:]
    for occurrence in files.values.joined() {
      guard occurrence.isDefinition, occurrence.kind == .instanceProperty, let owner = occurrence.owner,
        !computed.contains(occurrence.symbol)
      else { continue }
      stored[owner, default: []].insert(occurrence.symbol)
    }
    return stored.compactMap { owner, names in types[owner].map { ($0.name, $0.file, names.count) } }
      .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
  }
}

/// A dependency graph of files.
private struct Graph {
  private let uses: [String: Set<String>]
  private var order: [String: Int] = [:]
  /// For each file, the lowest number of a file on the stack (``open``) that is reachable from it: Tarjan's low-link.
  private var lowest: [String: Int] = [:]
  private var open: [String] = []
  private var largest: [String] = []

  init(_ uses: [String: Set<String>]) { self.uses = uses }

  /// The largest set of files that all depend on each other, found by Tarjan's algorithm.
  func largestCycle() -> [String] {
    var graph = self
    for file in uses.keys.sorted() where graph.order[file] == nil { graph.visit(file) }
    return graph.largest.sorted()
  }

  private mutating func visit(_ file: String) {
    let number = order.count
    order[file] = number
    lowest[file] = number
    open.append(file)
    for target in uses[file, default: []].sorted() {
      if order[target] == nil { visit(target) }
      // No open file is reachable from a closed one.
      guard let reached = lowest[target], open.contains(target) else { continue }
      lowest[file] = min(lowest[file] ?? number, reached)
    }
    guard lowest[file] == number, let start = open.firstIndex(of: file) else { return }
    if open.count - start > max(largest.count, 1) { largest = Array(open[start...]) }
    open.removeSubrange(start...)
  }
}
