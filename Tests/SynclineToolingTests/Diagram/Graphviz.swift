import Foundation

@testable import SynclineTooling

/// Draws graphs by `dot`, to compare with.
enum Graphviz {
  static var isInstalled: Bool { path != nil }

  private static var path: String? {
    ["/usr/bin/dot", "/usr/local/bin/dot", "/opt/homebrew/bin/dot"].first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }

  /// The lines of the edges, self-loops left out.
  static func lines(_ graph: TestGraph) throws -> [[Point]] {
    guard let path else { return [] }
    var text = "digraph{rankdir=LR;nodesep=0.5;ranksep=1.5;node[shape=box,fixedsize=true]\n"
    for (index, size) in graph.sizes.enumerated() {
      text += "n\(index)[width=\(size.width / 72),height=\(size.height / 72)]\n"
    }
    for edge in graph.edges where edge.from != edge.to { text += "n\(edge.from)->n\(edge.to)\n" }
    // A file, for neither pipe to fill up while the other is waited for.
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).dot")
    try (text + "}").write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = ["-Tplain", file.path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap { line($0) }
  }

  /// `edge tail head n x1 y1 … xn yn style color`: a spline of cubic Bézier curves.
  private static func line(_ text: Substring) -> [Point]? {
    let words = text.split(separator: " ")
    guard words.first == "edge", words.count > 4, let count = Int(words[3]) else { return nil }
    let numbers = words.dropFirst(4).prefix(2 * count).compactMap { Double($0) }
    let points = stride(from: 0, to: numbers.count - 1, by: 2).map {
      Point(x: numbers[$0], y: numbers[$0 + 1])
    }
    guard let start = points.first else { return nil }
    var path = EdgePath(start: start)
    for index in stride(from: 1, to: points.count - 2, by: 3) {
      path.pieces.append(.curve(points[index], points[index + 1], points[index + 2]))
    }
    return path.polyline()
  }
}
