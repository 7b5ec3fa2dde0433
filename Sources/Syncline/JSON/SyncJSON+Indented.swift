extension SyncJSON {
  /// The value as indented JSON over several lines, for people to read.
  public var indented: String {
    lines().joined(separator: "\n")
  }

  /// The lines of the value. Empty containers stay on one line.
  private func lines(depth: Int = 0) -> [String] {
    let members: [(label: String, value: SyncJSON)]
    let brackets: (String, String)
    switch self {
    case .array(let elements) where !elements.isEmpty && depth < JSONScanner.depthLimit:
      members = elements.map { ("", $0) }
      brackets = ("[", "]")
    case .object(let object) where !object.isEmpty && depth < JSONScanner.depthLimit:
      members = object.map { (SyncJSON.string($0.key).description + ": ", $0.value) }
      brackets = ("{", "}")
    default: return [description]
    }
    var result = [brackets.0]
    for (index, member) in members.enumerated() {
      var lines = member.value.lines(depth: depth + 1)
      lines[0] = member.label + lines[0]
      if index < members.count - 1 { lines[lines.count - 1] += "," }
      result += lines.map { "  " + $0 }
    }
    return result + [brackets.1]
  }
}
