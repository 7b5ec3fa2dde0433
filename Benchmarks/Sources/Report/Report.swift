import Foundation

/// Writes the results of the benchmarks as tables and a plot: `Report <samples> <documentation>`.
@main
struct Report {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst().map { URL(fileURLWithPath: $0) }
    guard arguments.count == 2 else {
      print("usage: Report <folder of samples> <folder of the documentation>")
      exit(2)
    }
    let measurements = try Measurements(folder: arguments[0])
    let table = measurements.workloadTable.markdown
    print(table)
    let folder = arguments[1]
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let text = """
      # Measurements

      Written by `make bench`, in one run of one binary. Times are medians; `× floor` is Syncline's time divided by
      the floor's, and `× faster` the time of the strongest competitor divided by Syncline's. Performance.md describes what is
      measured.

      \(table)

      ## Curves

      ![The time of a call by the rows of the table](curves.svg)

      \(measurements.curveTable.markdown)

      """
    try text.write(to: folder.appending(path: "Measurements.md"), atomically: true, encoding: .utf8)
    try measurements.plot.write(to: folder.appending(path: "curves.svg"), atomically: true, encoding: .utf8)
  }
}
