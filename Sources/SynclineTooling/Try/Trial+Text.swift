import Syncline
import SynclineCompiler

extension Trial {
  package var text: String {
    let (keys, properties) = (report.unreadKeys?.keys ?? [], report.unreadKeys?.properties ?? [])
    var parts = [
      readText, section("not read", keys.map(\.description)),
      section("missing", properties.map(\.description)), mergedText, problemText, storedText,
    ].compactMap(\.self)
    if let failure {
      let isObject = failure.contains("must be a list of objects, not an object")
      let hint = isObject ? "\n“--item” reads it as one row, “--at” names a list in it." : ""
      parts.insert("rejected: \(DiagnosticText.escaped(failure))\(hint)", at: 0)
    } else if let refusal {
      parts.insert(
        "rejected: \(DiagnosticText.escaped(refusal))\nWith “invalidRows: .skip” the result is:", at: 0)
    }
    return parts.joined(separator: "\n\n") + "\n"
  }

  private var readText: String? {
    guard !readings.isEmpty else { return nil }
    var rows = [["read", "into", "type", "rows"]]
    for reading in readings {
      rows.append([reading.key, "\(reading.model).\(reading.property)", reading.type, String(reading.rows)])
    }
    return TextTable.text(rows)
  }

  private var mergedText: String? {
    let merged = report.models.filter { $0.value.merged > 0 }.sorted { $0.key < $1.key }
    guard !merged.isEmpty else { return nil }
    return section(
      "merged",
      merged.flatMap { model, counts in
        let objects = counts.merged == 1 ? "1 object differs" : "\(counts.merged) objects differ"
        return [
          "\(model): \(objects) in a value from another object with the same identity; later values are stored"
        ] + [storedRowsText(of: model)].compactMap(\.self)
      } + (report.unreadKeys?.merged ?? []).prefix(5).map(\.description))
  }

  /// The number of rows that the objects of a model resulted in, as text.
  private func storedRowsText(of model: String) -> String? {
    guard let objects = report.unreadKeys?.rows[model],
      let table = tables.first(where: { $0.model == model }),
      table.rows < objects
    else { return nil }
    return "\(model): \(objects) objects were merged into \(table.rows) row\(table.rows == 1 ? "" : "s")"
  }

  private var problemText: String? {
    guard !report.problems.isEmpty else { return nil }
    let more = report.problemCount - report.problems.count
    return section(
      "problems", report.problems.map(\.description) + (more > 0 ? ["and \(more) more"] : []))
  }

  private var storedText: String? {
    let waiting = report.waiting.map(\.description)
    let tables = tables.map { table in
      let more = table.rows - table.values.count
      return "\(table.model): \(table.rows) row\(table.rows == 1 ? "" : "s")\n"
        + TextTable.text([table.columns] + table.values) + (more > 0 ? "\n  … \(more) more" : "")
    }
    let parts = tables + [section("waiting", waiting)].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: "\n\n")
  }

  /// - Returns: nil without lines.
  private func section(_ title: String, _ lines: [String]) -> String? {
    if lines.isEmpty { return nil }
    return ([title] + lines.map { "  " + DiagnosticText.escaped($0) }).joined(separator: "\n")
  }
}

enum TextTable {
  static func text(_ rows: [[String]], cellLimit: Int = 32) -> String {
    let rows = rows.map { $0.map { cell($0, limit: cellLimit) } }
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in
      rows.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
      let line = "  " + cells.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }

  private static func cell(_ text: String, limit: Int) -> String {
    let line = DiagnosticText.escaped(text.split(whereSeparator: \.isNewline).joined(separator: "↵"))
    return line.count > limit ? line.prefix(limit - 1) + "…" : line
  }
}
