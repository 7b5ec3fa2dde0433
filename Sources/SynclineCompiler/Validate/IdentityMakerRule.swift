/// Reports `@PrimaryKey(madeBy: .server)` where the server cannot assign the identity. A composite identity is rejected earlier.
enum IdentityMakerRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for model in schema.models where model.isIdentityMadeByServer {
      guard let identity = model.identityProperty, let attribute = identity.places[.primaryKey] else {
        continue
      }
      let fixIts = [Diagnostic.FixIt.write(identity.plainPrimaryKey, for: attribute)]
      if !model.isOffline, !model.isIncomplete {
        bag.error(
          .invalidIdentityMaker,
          "rows of “\(model.name)” are not pushed, so the server makes no identities for them: “madeBy: .server” is for models with “@Offline”",
          at: attribute, fixIts: fixIts)
      }
      // Values of other types and optional values cannot be identities, which another rule reports.
      guard case .value(.scalar(let type)) = identity.type, type.canBeIdentity, !identity.isOptional,
        !identity.isIncomplete, ![.int, .string, .uuid].contains(type)
      else { continue }
      bag.error(
        .invalidIdentityMaker,
        "the identity “\(identity.name)” is \(identity.typeText); one that is “madeBy: .server” must be “Int”, “String” or “UUID”",
        at: identity.typeRange, fixIts: fixIts)
    }
  }
}

extension Property {
  /// The attribute `@PrimaryKey` without `madeBy:`.
  fileprivate var plainPrimaryKey: String {
    guard let key = primaryRemoteKey else { return "@PrimaryKey" }
    return "@PrimaryKey(remote: \(key.range.text))"
  }
}
