import SynclineNaming

/// Checks models whose rows are JSON arrays: each property must specify its index.
enum RowListRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for model in schema.models where model.isOfLists && !model.isIncomplete && !model.isBelowInvalid {
      check(model, &bag)
    }
  }

  private static func check(_ model: Model, _ bag: inout DiagnosticBag) {
    for (position, property) in model.properties.enumerated()
    where property.isRead && !isLinkToOwner(property, at: position, in: model) {
      guard property.hasExplicitKeys else {
        report(property.name, of: model, at: property.range, &bag)
        continue
      }
      for key in property.explicitKeys {
        // `RemoteKeyRule` reports a path that is not valid.
        let path = try? RemotePath(RemotePath.rooted(key.value, below: model.prefix(of: position)))
        let isElsewhere =
          if case .member? = path?.steps.first { true } else { key.value == RemotePath.itself }
        if isElsewhere { report(key.value, of: model, at: key.range, &bag) }
      }
    }
    for mark in model.deletionMarks {
      let path = try? RemotePath(mark.key.value)
      if case .member? = path?.steps.first { report(mark.key.value, of: model, at: mark.key.range, &bag) }
    }
  }

  private static func report(
    _ name: String, of model: Model, at range: SourceRange, _ bag: inout DiagnosticBag
  ) {
    bag.error(
      .noPlaceInRow,
      "rows of “\(model.name)” are arrays, because a path begins with an index: “\(name)” must begin with one too, as in @RemoteKey(\"[0]\")",
      at: range)
  }

  /// Whether the enclosing object provides the property: a to-one to the row whose list contains this row.
  private static func isLinkToOwner(_ property: Property, at position: Int, in model: Model) -> Bool {
    guard case .toOne = property.type, !property.hasExplicitKeys else { return false }
    let isUnknown = property.relationship?.isIncomplete ?? false
    return position == model.parentScope || property.relationship?.inverse != nil || isUnknown
  }
}

extension Property {
  /// Whether the property has its own keys in a payload.
  fileprivate var isRead: Bool {
    !isTransient && !isPosition && !isLocal && !isComposite && !isIncomplete && type != .invalid
      && orderedList == nil
      && typeKeys.isEmpty
  }
}
