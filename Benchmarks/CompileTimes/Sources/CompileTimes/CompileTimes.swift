import Foundation

/// Measures what Syncline adds to a build, and prints it as a table.
@main
struct CompileTimes {
  static func main() {
    do {
      try measure()
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  private static func measure() throws {
    let package = URL(fileURLWithPath: #filePath).appending(path: "../../..").standardizedFileURL
    let syncline = package.appending(path: "../..").standardizedFileURL
    // The folder is kept, so that another run need not build GRDB again.
    let folder = Folder(url: package.appending(path: ".build/measured"))

    var rows: [[String]] = []
    func row(_ what: String, _ cost: Cost, _ note: String = "") {
      rows.append([
        what, String(format: "%.2f s", cost.elapsed), String(format: "%.2f s", cost.processor), note,
      ])
      let times = rows.last?[1...2].joined(separator: ", of processors ") ?? ""
      FileHandle.standardError.write(Data("\(what): \(times)\n".utf8))
    }

    let packages = try PackageMeasurement(syncline: syncline, folder: folder)
    for configuration in ["debug", "release"] {
      for kind in PackageMeasurement.Kind.allCases {
        let cost = try packages.cleanBuild(kind, configuration)
        let note =
          configuration == "release"
          ? String(format: "%.1f MB stripped", Double(try packages.strippedSize(kind)) / 1_000_000) : ""
        row("a clean \(configuration) build: \(kind.name)", cost, note)
      }
    }

    let tool = ToolMeasurement(syncline: syncline, folder: folder)
    row("the plugin's tool, built clean in debug", try tool.cleanBuild(), "to reach: 5 s on 2 cores")
    row("500 models compiled by the debug tool", try tool.run("debug", models: 500), "to reach: 0.5 s")
    row("500 models compiled by the release tool", try tool.run("release", models: 500))

    let models = try ModelMeasurement(syncline: syncline, folder: folder, models: 100)
    let null = try models.nullBuild()
    row("a build with nothing to do", null)
    for kind in ModelMeasurement.Kind.allCases {
      let cost = try models.build(kind)
      let perModel = (cost.elapsed - null.elapsed) / Double(models.count)
      row(
        "\(models.count) \(kind.name) models, debug build", cost,
        String(format: "%.0f ms a model, %d lines", perModel * 1_000, try models.lines(kind)))
    }
    print("| what | elapsed | processors | |\n|---|---|---|---|")
    for row in rows { print("| \(row.joined(separator: " | ")) |") }

    for kind in ModelMeasurement.Kind.allCases {
      print("\nThe slowest to type-check of the \(kind.name) models:\n")
      for warning in try models.slowest(kind) { print("- \(warning)") }
    }
  }
}
