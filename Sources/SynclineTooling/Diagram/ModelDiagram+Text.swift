extension ModelDiagram {
  /// The diagram as a Mermaid `erDiagram`, which GitHub, GitLab and other code hosts draw.
  package var mermaid: String {
    var lines = ["erDiagram"]
    for box in boxes {
      lines.append("  \(ModelDiagram.mermaidName(box.name)) {")
      // Mermaid only accepts letters, digits and a few signs in types.
      for row in box.rows {
        let type = row.type.filter { $0.isLetter || $0.isNumber || $0 == "_" }
        // These are keywords for keys, and the name of an attribute cannot be quoted.
        let name = ["pk", "fk", "uk"].contains(row.name.lowercased()) ? "_\(row.name)" : row.name
        lines.append("    \(type) \(name)\(row.isKey ? " PK" : "")")
      }
      lines.append("  }")
    }
    for edge in edges {
      let one = edge.isOptional ? "o|" : "||"
      let ends =
        switch edge.kind {
        case .toOne: "}o--\(one)"
        case .oneToOne: "|o--\(one)"
        case .manyToMany: "}o--o{"
        }
      let words = [boxes[edge.from].name, boxes[edge.to].name, edge.label].map(ModelDiagram.mermaidName)
      lines.append("  \(words[0]) \(ends) \(words[1]) : \(words[2])")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The keywords of Mermaid's entity diagrams, in lowercase.
  private static let mermaidWords: Set<String> = [
    "class", "classdef", "end", "erdiagram", "many", "one", "style", "subgraph", "to",
  ]

  /// A name, in quotes if it is a keyword. Mermaid recognizes keywords in any letter case and at any position.
  private static func mermaidName(_ name: String) -> String {
    mermaidWords.contains(name.lowercased()) ? "\"\(name)\"" : name
  }

  package var dot: String {
    let title = title.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    var lines = [
      "digraph \"\(title)\" {", "  rankdir=LR;", "  node [shape=plain, fontname=sans];",
    ]
    for box in boxes {
      let rows = box.rows.map { row in
        "<tr><td align=\"left\">\(row.isKey ? "<b>\(row.name)</b>" : row.name)</td>"
          + "<td align=\"left\">\(XML.escaped(row.type))</td></tr>"
      }
      lines.append(
        "  \"\(box.name)\" [label=<<table border=\"0\" cellborder=\"1\" cellspacing=\"0\">"
          + "<tr><td colspan=\"2\"><b>\(box.name)</b></td></tr>\(rows.joined())</table>>];")
    }
    for edge in edges {
      let one = edge.isOptional ? "teeodot" : "tee"
      let (tail, head) =
        switch edge.kind {
        case .toOne: ("crow", one)
        case .oneToOne: ("tee", one)
        case .manyToMany: ("crow", "crow")
        }
      lines.append(
        "  \"\(boxes[edge.from].name)\" -> \"\(boxes[edge.to].name)\" "
          + "[label=\"\(edge.label)\", dir=both, arrowtail=\(tail), arrowhead=\(head)];")
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }
}
