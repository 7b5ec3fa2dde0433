import Syncline
import SynclineCompiler

extension EditedFile.Section {
  /// The declarations with their members, as `DocumentSymbol`s of the protocol.
  var outline: [SyncJSON] { file.tree.declarations.flatMap(\.withNested).compactMap(symbol) }

  private func symbol(_ declaration: DeclarationSyntax) -> SyncJSON? {
    switch declaration {
    case .model(let model):
      let kind: Symbol.Kind =
        switch model.kind {
        case .model: .model
        case .structure: .structure
        case .union: .union
        }
      let members = model.properties.filter { !$0.name.text.isEmpty }.map { property in
        symbol(
          model.kind == .union ? .enumCase : .property, property.name, detail: property.type.text,
          over: range(of: property.tokens), [])
      }
      guard !model.name.text.isEmpty else { return nil }
      return symbol(kind, model.name, detail: kind.word, over: range(of: model.tokens), members)
    case .enumeration(let syntax):
      guard !syntax.name.text.isEmpty else { return nil }
      let cases = syntax.cases.filter { !$0.name.text.isEmpty }.map {
        symbol(.enumCase, $0.name, detail: nil, over: $0.name.range.offsets, [])
      }
      return symbol(.enumeration, syntax.name, detail: "enum", over: range(of: syntax.tokens), cases)
    case .module(let syntax):
      return symbol(.module, syntax.module, detail: "import", over: range(of: syntax.tokens), [])
    case .settings, .unexpected: return nil
    }
  }

  private func symbol(
    _ kind: Symbol.Kind, _ name: NameSyntax, detail: String?, over range: Range<Int>, _ children: [SyncJSON]
  ) -> SyncJSON {
    let place = name.range.offsets
    // The protocol requires that the range contains the name.
    let whole = min(range.lowerBound, place.lowerBound)..<max(range.upperBound, place.upperBound)
    return .object([
      "name": .string(name.text), "detail": detail.map(SyncJSON.string), "kind": SyncJSON(kind.rawValue),
      "range": file.source.range(of: whole, from: line),
      "selectionRange": file.source.range(of: place, from: line),
      "children": children.isEmpty ? nil : .array(children),
    ])
  }

  private func range(of tokens: Range<Int>) -> Range<Int> {
    let all = file.tree.tokens
    guard let first = tokens.first, let last = tokens.last, last < all.count else { return 0..<0 }
    return all[first].range.lowerBound..<max(all[first].range.lowerBound, all[last].range.upperBound)
  }
}
