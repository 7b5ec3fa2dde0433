import Syncline
import TestSupport

/// Makes the calls that lead to a failure fewer and smaller, for as long as the failure stays.
struct Shrinking {
  /// Whether the last of the calls fails in the same way after the others.
  let fails: ([Call]) async throws -> Bool
  /// Whether only members may go that no object needs: then the payload goes on saying one thing only.
  let keepsSense: Bool
  private var tries = 2_000

  init(keepsSense: Bool, fails: @escaping ([Call]) async throws -> Bool) {
    self.keepsSense = keepsSense
    self.fails = fails
  }

  mutating func shrunk(_ calls: [Call]) async throws -> [Call] {
    var calls = calls
    var size = Int.max
    // What is gone may make more needless.
    while size > calls.map(\.description.count).reduce(0, +), tries > 0 {
      size = calls.map(\.description.count).reduce(0, +)
      calls = try await withFewerCalls(calls)
      for index in calls.indices.reversed() { try await shrink(&calls, at: index) }
    }
    return calls
  }

  private mutating func withFewerCalls(_ calls: [Call]) async throws -> [Call] {
    var calls = calls
    var length = calls.count / 2
    while length > 0 {
      var start = 0
      while start + length < calls.count {
        var fewer = calls
        fewer.removeSubrange(start..<start + length)
        if try await stays(fewer) { calls = fewer } else { start += length }
      }
      length /= 2
    }
    return calls
  }

  private mutating func shrink(_ calls: inout [Call], at index: Int) async throws {
    if case .bytes(let bytes) = calls[index].payload, let json = try? SyncJSON(parsing: bytes) {
      try await change(&calls, at: index) { $0.payload = .json(json) }
    }
    if case .collection = calls[index].form {
      try await change(&calls, at: index) { $0.form = .collection(DeletionPolicy.none) }
    }
    try await change(&calls, at: index) { $0.operations = .all }
    try await change(&calls, at: index) { $0.requiresRows = false }
    try await change(&calls, at: index) { $0.childPolicy = nil }
    try await change(&calls, at: index) { $0.slice = nil }
    guard case .json(var json) = calls[index].payload else { return }
    var position = 1
    while position < json.paths.count, tries > 0 {
      if keepsSense, !isOptional(json.paths[position], in: calls[index]) {
        position += 1
        continue
      }
      let smaller = json.replacing(json.paths[position], by: nil)
      if try await change(&calls, at: index, { $0.payload = .json(smaller) }) {
        json = smaller
      } else {
        position += 1
      }
    }
  }

  private func isOptional(_ path: JSONPath, in call: Call) -> Bool {
    switch path.last {
    case .member(let key): return !Shape.requiredKeys.contains(key)
    // A row that is not there must not be missing.
    case .element:
      if case .collection(.some(.none)) = call.form { return path.count == 1 } else { return false }
    case nil: return false
    }
  }

  @discardableResult
  private mutating func change(
    _ calls: inout [Call], at index: Int, _ body: (inout Call) -> Void
  ) async throws -> Bool {
    var changed = calls
    body(&changed[index])
    guard changed[index].description != calls[index].description, try await stays(changed) else {
      return false
    }
    calls = changed
    return true
  }

  private mutating func stays(_ calls: [Call]) async throws -> Bool {
    guard tries > 0, !calls.isEmpty else { return false }
    tries -= 1
    return try await fails(calls)
  }
}
