/// The sample rows of one endpoint of an API.
package struct SampleEndpoint {
  package let name: String
  package var rows: SampleRows
  /// Whether the rows may be of several models. A union is then proposed for them.
  package var mayBeUnion = true

  /// Whether the rows are resources of JSON:API documents.
  let isResource: Bool
  /// The types of the document's resources, by the names of their models.
  var resourceTypes: [String: String] = [:]

  package init(_ rows: SampleRows = SampleRows(), named name: String, isResource: Bool = false) {
    self.rows = rows
    self.name = name
    self.isResource = isResource
  }
}

extension RowKinds {
  struct Root {
    /// The name of the model, or of the union.
    let name: String
    let rows: [SampleRows.Row]
    let shape = SampleShape()

    init(_ endpoint: SampleEndpoint) {
      name = DraftName.type(endpoint.name)
      rows = endpoint.rows.rows
      for row in rows { shape.add(row.value) }
      shape.settle(isElement: true, isRoot: true)
    }

    /// Splits references to resources of several types into unions.
    func splitReferences(_ types: [String: String]) {
      for key in shape.keys {
        guard let member = shape.members[key], let value = member.row, value.isObject,
          let names = value.members[SampleEndpoint.resourceKey], names.isText, names.count == value.objects,
          names.values.count > 1
        else { continue }
        let references = rows.flatMap { $0.value[key].map { $0.array ?? [$0] } ?? [] }
        let groups = TaggedObjects.groups(of: references, by: SampleEndpoint.resourceKey, tags: types)
        value.split(
          into: SampleUnion("type", groups, isOfResources: true) { _, _ in RowIdentity(source: .path(["id"]))
          })
      }
    }
  }
}
