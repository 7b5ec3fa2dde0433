import Syncline
import TestSupport

/// Takes steps, arguments, rows and keys out of a sequence for as long as it differs in the same way.
struct SpecShrinking {
  let program: SpecProgram
  let schema: SpecSchema

  func shrunk(
    _ sequence: SpecSequence, _ difference: SpecDifference
  ) async throws -> (SpecSequence, SpecDifference) {
    var found = (sequence, difference)
    var isSmaller = true
    while isSmaller {
      isSmaller = false
      var calls = found.0.withoutExpectations.json
      var position = 0
      while position < calls.paths.count {
        let path = calls.paths[position]
        guard let smaller = calls.smaller(at: path),
          let differs = try await differing(SpecSequence(json: smaller), like: difference)
        else {
          position += 1
          continue
        }
        (found, calls, isSmaller) = (differs, smaller, true)
      }
    }
    return found
  }

  private func differing(
    _ calls: SpecSequence, like difference: SpecDifference
  ) async throws -> (SpecSequence, SpecDifference)? {
    do {
      let sequence = try program.expecting(calls)
      let found = try await SpecDifference.first(in: sequence, schema)
      return found.flatMap { $0.isLike(difference) ? (sequence, $0) : nil }
    } catch is UnreadableSequence {
      // With less it has no sense any more.
      return nil
    }
  }
}

extension SyncJSON {
  /// A sequence with less at a path: without a step, an argument or a part of a payload. Nil where there is nothing less.
  fileprivate func smaller(at path: JSONPath) -> SyncJSON? {
    // A JSON value may be written as nil, too.
    let nothing: SyncJSON? = .none
    if path == [.member("skip")] { return self["skip"]?.bool == true ? replacing(path, by: false) : nothing }
    guard path.first == .member("steps"), path.count > 1 else { return nothing }
    guard path.count > 2, case .member(let argument) = path[2] else { return without(path) }
    switch argument {
    case "payload": return path.count > 3 ? without(path) : nothing
    case "operations", "children", "parent": return path.count == 3 ? without(path) : nothing
    case "deletionPolicy": return self[path]?.string == "none" ? nothing : replacing(path, by: "none")
    default: return nothing
    }
  }

  private func without(_ path: JSONPath) -> SyncJSON? { replacing(path, by: .none) }
}
