import SynclineCompiler

/// The line differences between two texts.
struct TextDifference {
  /// The number of unchanged lines that are shown before and after a difference.
  private static let context = 3

  /// All lines with their marks in `diff -u`: “-” for a removed line, “+” for an added line, otherwise a blank.
  private var lines: [(mark: Character, text: String)] = []

  init(from old: String, to new: String) {
    let (old, new) = (TextDifference.lines(old), TextDifference.lines(new))
    var removed: Set<Int> = []
    var added: Set<Int> = []
    for change in new.difference(from: old) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): added.insert(offset)
      }
    }
    var next = 0
    for index in 0...old.count {
      if removed.contains(index) {
        lines.append(("-", old[index]))
        continue
      }
      while added.contains(next) {
        lines.append(("+", new[next]))
        next += 1
      }
      guard index < old.count else { break }
      lines.append((" ", old[index]))
      next += 1
    }
  }

  private static func lines(_ text: String) -> [String] {
    var lines = text.withLineFeeds.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  /// The differences in the format of `diff -u`.
  func unified(from old: String, to new: String) -> String {
    var text = "--- \(old)\n+++ \(new)\n"
    for hunk in hunks {
      let before = lines[..<hunk.lowerBound]
      let (oldStart, newStart) = (before.count { $0.mark != "+" } + 1, before.count { $0.mark != "-" } + 1)
      let shown = lines[hunk]
      let (oldCount, newCount) = (shown.count { $0.mark != "+" }, shown.count { $0.mark != "-" })
      text += "@@ -\(oldCount == 0 ? oldStart - 1 : oldStart),\(oldCount) "
      text += "+\(newCount == 0 ? newStart - 1 : newStart),\(newCount) @@\n"
      for line in shown { text += "\(line.mark)\(line.text)\n" }
    }
    return text
  }

  /// The ranges of lines that are shown.
  private var hunks: [Range<Int>] {
    var hunks: [Range<Int>] = []
    for index in lines.indices where lines[index].mark != " " {
      let range =
        max(0, index - TextDifference.context)..<min(lines.count, index + TextDifference.context + 1)
      if let last = hunks.last, range.lowerBound <= last.upperBound {
        hunks[hunks.count - 1] = last.lowerBound..<range.upperBound
      } else {
        hunks.append(range)
      }
    }
    return hunks
  }
}
