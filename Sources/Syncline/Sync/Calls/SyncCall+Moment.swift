import Foundation
import GRDB

/// Payloads that arrive in another order than they were asked for.
extension SyncCall {
  /// The part of the model's rows that the payload is about, as text, if the call says when it was asked for; nil if an item has
  /// no identity.
  func sliceName() throws -> String? {
    guard arguments.requestedAt != nil else { return nil }
    let parent = arguments.scope.map { "\(table.properties[$0.position].name)=\($0.parent)" } ?? ""
    let response = bytes.response?.name ?? ""
    switch kind {
    case .list, .document(isItem: false), .union(_, isItem: false): return "list \(parent) \(response)"
    case .page, .end: return "list \(parent) "
    case .changes: return "changes \(parent) \(response)"
    case .item, .document, .union:
      var steps = arguments.path.steps
      if case .document = kind { steps.append(.member(Array("data".utf8))) }
      let data = bytes.withUnsafeBytes { Data($0) }
      return try container.identity(ofItem: data, at: steps, in: table).map { "item \(parent) \($0)" }
    }
  }
}

extension SyncContainer {
  /// The identity of the row that an item has; nil if it has none, or is no object.
  func identity(ofItem payload: Data, at steps: [PathStep] = [], in table: SyncTable) throws -> SyncIdentity?
  {
    do {
      let style = configuration.ofCall(about: table).style
      let object = try SyncPayload(SyncJSON(parsing: payload), keyStyle: style).object
      guard case .found(let value) = object.value.follow(steps), value.isObject else { return nil }
      return object.identity(of: value, in: table)
    } catch is JSONError {
      return nil
    } catch SyncError.invalidPayload {
      return nil
    }
  }
}
