extension SyncReport: CustomStringConvertible {
  /// A table with a line for each model, without the empty columns, and the problems below it.
  public var description: String {
    let rows = models.sorted { $0.key < $1.key } + (models.count > 1 ? [("all", totals)] : [])
    let fields = Counts.fields.filter { field in
      field.name == "inserted" || field.name == "updated" || field.name == "unchanged"
        || rows.contains { $0.value[keyPath: field.field] > 0 }
    }
    let header = ["model"] + fields.map(\.name)
    let lines =
      [header] + rows.map { name, counts in [name] + fields.map { String(counts[keyPath: $0.field]) } }
    let widths = header.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    var text = lines.map { line in
      line.enumerated().map { column, cell in
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        return column == 0 ? cell + padding : padding + cell
      }
      .joined(separator: "  ")
    }
    .joined(separator: "\n")
    text += "\n" + String(Int((duration * 1_000_000).rounded())) + " µs"
    if waitingCount > 0 {
      text += ", \(waitingCount) pending link\(waitingCount == 1 ? "" : "s")"
    }
    if problemCount > 0 {
      text += ", \(problemCount) problem\(problemCount == 1 ? "" : "s"):"
      for problem in problems.prefix(20) { text += "\n  \(problem)" }
      if problemCount > 20 { text += "\n  … and \(problemCount - 20) more" }
    }
    for property in unreadKeys?.properties ?? [] where property.suggestion != nil { text += "\n\(property)" }
    return text
  }
}
