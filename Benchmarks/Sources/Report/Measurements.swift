import Foundation
import Histogram

/// The results of the benchmarks, by workload and contestant.
struct Measurements {
  struct Result {
    /// The time of the whole call in nanoseconds.
    var wholeCall = Histogram<UInt>()
    /// The time that the work itself reports, in nanoseconds; nil if it reports none.
    var ownTime: Histogram<UInt>?
    var rowsWritten: UInt64?
    var logBytes: UInt64?
    var peakMemory: UInt64?

    /// The median in microseconds.
    var median: Double { percentile(50) }

    /// A percentile in microseconds.
    func percentile(_ percent: Double) -> Double {
      Double((ownTime ?? wholeCall).valueAtPercentile(percent)) / 1_000
    }
  }

  private(set) var results: [String: [String: Result]] = [:]

  /// Reads the exported histograms of the benchmark command: one file for each contestant and metric.
  init(folder: URL) throws {
    for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
      try read(file)
    }
  }

  private mutating func read(_ file: URL) throws {
    let ending = ".histogram.json"
    guard file.lastPathComponent.hasSuffix(ending) else { return }
    // Current_run.SyncBenchmarks.1_first_sync_·_Syncline.wallClock
    let parts = file.lastPathComponent.dropLast(ending.count)
      .split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let dot = parts[2].lastIndex(of: ".") else { return }
    let metric = parts[2][dot...].dropFirst()
    let name = parts[2][..<dot].replacing("_", with: " ").split(separator: " · ")
    guard name.count == 2 else { return }
    let histogram = try JSONDecoder().decode(Histogram<UInt>.self, from: Data(contentsOf: file))
    let middle = histogram.valueAtPercentile(50)
    var result = results[String(name[0])]?[String(name[1])] ?? Result()
    switch metric {
    case "wallClock": result.wholeCall = histogram
    case "own_time": result.ownTime = histogram
    case "rows_written": result.rowsWritten = middle
    case "WAL_bytes": result.logBytes = middle
    case "peak_memory": result.peakMemory = histogram.max
    default: return
    }
    results[String(name[0]), default: [:]][String(name[1])] = result
  }

  /// The workloads by number, without the points of curves.
  var workloads: [String] {
    results.keys.filter { !$0.hasPrefix("curve: ") }.sorted { left, right in
      let (first, second) = (number(left), number(right))
      return first == second
        ? left.replacing("1M", with: "1000k").compare(
          right.replacing("1M", with: "1000k"), options: .numeric) == .orderedAscending
        : first < second
    }
  }

  private func number(_ workload: String) -> Int {
    Int(workload.prefix { $0.isNumber }) ?? .max
  }
}
