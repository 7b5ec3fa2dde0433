import Foundation

/// The time of a kind of call as a function of the number of rows in the table.
struct Curve {
  static let sizes: [(rows: Int, label: String)] = [
    (1_000, "1k"), (10_000, "10k"), (100_000, "100k"), (1_000_000, "1M"),
  ]

  let name: String
  /// The time in microseconds, by the number of rows.
  let points: [Int: Double]
}

extension Measurements {
  var curves: [Curve] {
    ["first sync", "unchanged", "1 % changed", "export", "100 children", "one item"].map { name in
      var points: [Int: Double] = [:]
      for size in Curve.sizes {
        points[size.rows] = results["curve: \(name), \(size.label)"]?["Syncline"]?.median
      }
      return Curve(name: name, points: points)
    }
  }

  /// The curves as an SVG plot with logarithmic axes.
  var plot: String {
    let (width, height) = (760.0, 460.0)
    let (left, right, top, bottom) = (70.0, 130.0, 20.0, 50.0)
    let colors = ["#1f77b4", "#2ca02c", "#ff7f0e", "#9467bd", "#d62728", "#17becf"]
    let decades = 2.0...7.0
    func x(_ rows: Int) -> Double { left + (log10(Double(rows)) - 3) / 3 * (width - left - right) }
    func y(_ microseconds: Double) -> Double {
      height - bottom
        - (log10(microseconds) - decades.lowerBound) / (decades.upperBound - decades.lowerBound)
        * (height - top - bottom)
    }
    func text(_ x: Double, _ y: Double, _ text: String, _ more: String = "") -> String {
      "<text x=\"\(Int(x))\" y=\"\(Int(y))\" \(more)>\(text)</text>"
    }
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Int(width)) \(Int(height))\""
        + " font-family=\"sans-serif\" font-size=\"13\">",
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>",
    ]
    for decade in stride(from: decades.lowerBound, through: decades.upperBound, by: 1) {
      let at = y(pow(10, decade))
      lines.append(
        "<line x1=\"\(Int(left))\" x2=\"\(Int(width - right))\" y1=\"\(Int(at))\" y2=\"\(Int(at))\" stroke=\"#ddd\"/>"
      )
      lines.append(text(left - 8, at + 4, Format.time(pow(10, decade)), "text-anchor=\"end\""))
    }
    for size in Curve.sizes {
      lines.append(text(x(size.rows), height - bottom + 20, size.label, "text-anchor=\"middle\""))
    }
    lines.append(text((left + width - right) / 2, height - 8, "rows in the table", "text-anchor=\"middle\""))
    var labels: [Double] = []
    for (curve, color) in zip(curves, colors) {
      let points = curve.points.sorted { $0.key < $1.key }.map { (x($0.key), y($0.value)) }
      guard let last = points.last else { continue }
      let path = points.map { "\(Int($0.0)),\(Int($0.1))" }.joined(separator: " ")
      lines.append("<polyline points=\"\(path)\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"2\"/>")
      for point in points {
        lines.append("<circle cx=\"\(Int(point.0))\" cy=\"\(Int(point.1))\" r=\"3\" fill=\"\(color)\"/>")
      }
      // Move labels apart.
      var at = last.1 + 4
      while labels.contains(where: { abs($0 - at) < 15 }) { at += 5 }
      labels.append(at)
      lines.append(text(last.0 + 8, at, curve.name, "fill=\"\(color)\""))
    }
    return (lines + ["</svg>", ""]).joined(separator: "\n")
  }
}
