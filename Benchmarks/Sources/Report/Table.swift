import Foundation

/// Tables in Markdown.
struct Table {
  let header: [String]
  var rows: [[String]] = []

  var markdown: String {
    let lines = [header] + rows
    let widths = header.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    func line(_ cells: [String]) -> String {
      let padded = cells.enumerated().map { column, cell in
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        return column == 0 ? cell + padding : padding + cell
      }
      return "| " + padded.joined(separator: " | ") + " |"
    }
    let rule = widths.enumerated().map { column, width in
      column == 0 ? String(repeating: "-", count: width) : String(repeating: "-", count: width - 1) + ":"
    }
    return ([line(header), line(rule)] + rows.map(line)).joined(separator: "\n")
  }
}

extension Measurements {
  /// The competitors in addition to the floor: the best implementations without Syncline.
  private static let competitors = [
    "hand-written", "manual GRDB", "careful developer", "SQL expert", "Python",
  ]

  /// The contestants of each workload, and their ratios.
  var workloadTable: Table {
    var table = Table(
      header: ["workload", "Syncline", "p95", "p99", "floor", "× floor", "strongest competitor", "× faster"]
        + Measurements.competitors + ["rows written", "WAL", "peak memory", "peak, hand-written"])
    for workload in workloads {
      guard let contestants = results[workload], let syncline = contestants["Syncline"] else { continue }
      let floor: Double? = contestants["floor"]?.median
      let competitors = Measurements.competitors.map { (name: $0, time: contestants[$0]?.median) }
      let strongest = competitors.min { $0.time ?? .infinity < $1.time ?? .infinity }
        .flatMap { competitor in competitor.time.map { (name: competitor.name, time: $0) } }
      var row: [String] = [workload, Format.time(syncline.median)]
      row.append(Format.time(syncline.percentile(95)))
      row.append(Format.time(syncline.percentile(99)))
      row.append(floor.map(Format.time) ?? "–")
      row.append(floor.map { Format.ratio(syncline.median / $0) } ?? "–")
      row.append(strongest?.name ?? "–")
      row.append(strongest.map { Format.ratio($0.time / syncline.median) } ?? "–")
      row += competitors.map { $0.time.map(Format.time) ?? "–" }
      row.append(syncline.rowsWritten.map(Format.count) ?? "–")
      row.append(syncline.logBytes.map(Format.bytes) ?? "–")
      row.append(syncline.peakMemory.map(Format.bytes) ?? "–")
      row.append(contestants["hand-written"]?.peakMemory.map(Format.bytes) ?? "–")
      table.rows.append(row)
    }
    return table
  }

  /// The points of the curves.
  var curveTable: Table {
    var table = Table(header: ["rows"] + curves.map(\.name))
    for size in Curve.sizes {
      table.rows.append(
        [size.label] + curves.map { curve in curve.points[size.rows].map(Format.time) ?? "–" })
    }
    return table
  }
}

/// Formats numbers with three significant digits, which is the precision of the measurements.
enum Format {
  static func time(_ microseconds: Double) -> String {
    microseconds >= 1_000_000
      ? "\(digits(microseconds / 1_000_000)) s"
      : microseconds >= 1_000 ? "\(digits(microseconds / 1_000)) ms" : "\(digits(microseconds)) µs"
  }

  static func ratio(_ value: Double) -> String { String(format: value < 10 ? "%.2f" : "%.1f", value) }

  static func count(_ value: UInt64) -> String { String(Int(rounded(Double(value)))) }

  static func bytes(_ count: UInt64) -> String {
    let value = Double(count)
    return value >= 1_000_000
      ? "\(digits(value / 1_000_000)) MB" : value >= 1_000 ? "\(digits(value / 1_000)) kB" : "\(Int(value)) B"
  }

  private static func rounded(_ value: Double) -> Double {
    guard value >= 1_000 else { return value.rounded() }
    let unit = pow(10, floor(log10(value)) - 2)
    return (value / unit).rounded(.down) * unit
  }

  private static func digits(_ value: Double) -> String {
    value >= 100 ? String(Int(value.rounded())) : String(format: value >= 10 ? "%.1f" : "%.2f", value)
  }
}
