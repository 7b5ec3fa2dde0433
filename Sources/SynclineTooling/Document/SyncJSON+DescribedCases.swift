import Syncline

extension SyncJSON {
  /// The cases of an enum in a JSON Schema: a list of strings or integers, or alternatives with one constant each. Nil if the
  /// schema is not an enum. A single value is not treated as one.
  var describedCases: [SchemaDraft.Declaration.Case]? {
    guard let values = describedValues else { return nil }
    let areTexts = values.allSatisfy { $0.value.string.map { !$0.isEmpty } ?? false }
    let areNumbers = values.allSatisfy { $0.value.int != nil }
    guard areTexts || areNumbers else { return nil }
    var known: Set<String> = []
    var titles: [String: String] = [:]
    var raws: [String] = []
    for (value, title) in values {
      let raw = value.string ?? value.int.map(String.init) ?? ""
      guard known.insert(raw).inserted else { continue }
      titles[raw] = title
      raws.append(raw)
    }
    guard raws.count > 1 else { return nil }
    return SchemaDraft.Declaration.cases(of: raws, titles: titles, areNumbers: areNumbers)
  }

  /// The values except null, with the titles that the document gives them.
  private var describedValues: [(value: SyncJSON, title: String?)]? {
    if let values = self["enum"]?.array, !values.isEmpty {
      let titles = (self["x-enum-varnames"] ?? self["x-enumNames"])?.array ?? []
      let hasTitles = titles.count == values.count
      return zip(values, values.indices).filter { !$0.0.isNull }.map {
        value, index -> (value: SyncJSON, title: String?) in
        (value, hasTitles && value.string == nil ? titles[index].string : nil)
      }
    }
    guard let variants, !variants.isEmpty, self["properties"] == nil else { return nil }
    var found: [(value: SyncJSON, title: String?)] = []
    for variant in variants {
      guard let value = variant.constant else { return nil }
      found.append((value, value.string == nil ? variant["title"]?.string : nil))
    }
    return found
  }
}
