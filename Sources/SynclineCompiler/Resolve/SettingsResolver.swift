import SynclineNaming

/// Reads the settings of a target.
enum SettingsResolver {
  static func settings(of trees: [SyntaxTree], _ bag: inout DiagnosticBag) -> Schema.Settings {
    let all = trees.flatMap(\.settings)
    for extra in all.dropFirst() {
      bag.error(.invalidSettings, "a target can have only one “schema” block", at: extra.range)
    }
    var settings = Schema.Settings()
    var seen: Set<String> = []
    for entry in all.first?.entries ?? [] {
      guard seen.insert(entry.name.text).inserted else {
        bag.error(.invalidSettings, "“\(entry.name.text)” is set twice", at: entry.name.range)
        continue
      }
      guard let setting = Schema.Setting(rawValue: entry.name.text) else {
        let names = Schema.Setting.allCases.map(\.rawValue)
        bag.error(
          .invalidSettings,
          "unknown setting “\(entry.name.text)”" + Vocabulary(names).didYouMean(entry.name.text),
          at: entry.name.range)
        continue
      }
      if setting == .null {
        settings.nulls = NullWordResolver.setting(entry.value, &bag)
        continue
      }
      guard case .word(let word) = entry.value.value, setting.set(word, in: &settings) else {
        let values = setting.values
        bag.error(
          .invalidSettings,
          "“\(setting.rawValue)” must be \(values.count > 1 ? "one of " : "")\(values.joined(separator: ", "))",
          at: entry.value.range)
        continue
      }
    }
    return settings
  }
}

extension Schema {
  /// The settings by name, shared by the resolver and by completion.
  package enum Setting: String, Sendable, CaseIterable {
    case access, imports, keyStyle, null

    /// The accepted values; for a list, an example.
    package var values: [String] {
      switch self {
      case .access: Access.allCases.map(\.rawValue)
      case .imports: ["explicit", "implicit"]
      case .keyStyle: KeyStyle.allCases.map(\.rawValue)
      case .null: ["[\"\"]"]
      }
    }

    /// Applies a value.
    ///
    /// - Returns: whether the value is valid for the setting.
    fileprivate func set(_ value: String, in settings: inout Settings) -> Bool {
      guard values.contains(value) else { return false }
      switch self {
      case .access: settings.access = Access(rawValue: value) ?? settings.access
      case .imports: settings.hasExplicitImports = value == "explicit"
      case .keyStyle: settings.keyStyle = KeyStyle(rawValue: value) ?? settings.keyStyle
      // The value is a list, not a word.
      case .null: return false
      }
      return true
    }
  }
}
