/// The sample rows of one endpoint of an API.
package struct SampleEndpoint {
  /// The name of the model of the rows.
  package let name: String
  package var rows: SampleRows
  /// Whether the rows may be of several models. A union is then proposed for them.
  package var mayBeUnion = true

  /// Whether the rows are resources of JSON:API documents.
  let isResource: Bool

  package init(_ rows: SampleRows = SampleRows(), named name: String, isResource: Bool = false) {
    self.rows = rows
    self.name = name
    self.isResource = isResource
  }
}

extension RowKinds {
  /// The values of an endpoint's rows.
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
  }
}
