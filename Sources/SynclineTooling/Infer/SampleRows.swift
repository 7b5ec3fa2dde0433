import Syncline

/// The rows of sample payloads.
package enum SampleRows {
  /// Thrown if a sample has no member at the path.
  package struct Mistake: Error, CustomStringConvertible {
    package let description: String
  }

  /// Returns the rows in sample data: the elements of a list, an object, the members of an object at a path that ends in
  /// `{}`, or one row per line.
  ///
  /// - Parameter path: the path of the rows, as member names separated by dots.
  package static func rows(in bytes: [UInt8], at path: String? = nil) throws -> [SyncJSON] {
    let values = try values(in: bytes)
    return try values.flatMap { try rows(in: $0, at: path) }
  }

  private static func values(in bytes: [UInt8]) throws -> [SyncJSON] {
    do {
      return [try SyncJSON(parsing: bytes)]
    } catch {
      let lines = bytes.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") })
        .filter { line in line.contains { $0 != UInt8(ascii: " ") } }
      guard lines.count > 1, let rows = try? lines.map({ try SyncJSON(parsing: Array($0)) }) else {
        throw error
      }
      return rows
    }
  }

  private static func rows(in json: SyncJSON, at path: String?) throws -> [SyncJSON] {
    var places = [json]
    for step in (path ?? "").split(separator: ".").map(String.init) {
      let name = String(step.prefix { $0 != "[" && $0 != "{" })
      if !name.isEmpty {
        let found = places.compactMap { $0[name] }
        guard !found.isEmpty else {
          let keys = places.lazy.compactMap(\.object).first?.keys.prefix(10).joined(separator: ", ") ?? ""
          throw Mistake(
            description: "“\(name)” is no member" + (keys.isEmpty ? "." : "; there are: \(keys)."))
        }
        places = found
      }
      if step.hasSuffix("{}") { places = places.flatMap { $0.object.map { $0.map(\.value) } ?? [] } }
      if step.hasSuffix("[]") { places = places.flatMap { $0.array ?? [] } }
    }
    return places.flatMap { place in place.array ?? [place] }
  }
}

extension SampleRows {
  /// The name of a row's model, from the name of its file: `OpenIssue` for `open-issues.json`.
  package static func rowName(of file: String) -> String { DraftName.type(file, isList: true) }
}
