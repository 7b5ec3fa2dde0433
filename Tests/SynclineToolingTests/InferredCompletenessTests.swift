import Syncline
import SynclineTooling
import Testing

/// A sync with the proposed schema stores all that the sample has, as it is.
@Suite struct InferredCompletenessTests {
  /// A sample, and a line of the schema that is proposed for it.
  struct Sample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let payload: String
    let line: String
    var values: [[String]]?
  }

  @Test(arguments: [
    Sample(
      testDescription: "rows of several kinds, which have but a name",
      payload: #"[{"id":1,"status":{"id":3,"name":"Open"},"priority":{"id":4,"name":"High"}}]"#,
      line: "priority: Priority?"),
    Sample(
      testDescription: "an identity that names a definition",
      payload: #"""
        [{"id":1,"fields":[{"id":2,"name":"Severity","value":"high"}]},
         {"id":2,"fields":[{"id":2,"name":"Severity","value":"low"}]}]
        """#, line: "struct Field {"),
    Sample(
      testDescription: "such an identity, below keys that are data",
      payload: #"""
        [{"id":1,"fields":{"10":{"id":2,"name":"Severity","value":"high"},"11":{"id":3,"name":"A","value":"a"}}},
         {"id":2,"fields":{"10":{"id":2,"name":"Severity","value":"low"},"11":{"id":3,"name":"A","value":"b"}}}]
        """#, line: "struct Field {"),
    Sample(
      testDescription: "fractions that no type holds",
      payload:
        #"[{"id":1,"x":1.234567890123456789e300,"y":0.1000000000000000055511151231257827021181583404541015625}]"#,
      line: "y: Double?"),
    Sample(
      testDescription: "kinds that have the same identities",
      payload: #"""
        [{"id":1,"author":{"data":{"type":"people","id":"9"}},"lead":{"data":{"type":"images","id":"9"}}}]
        """#, line: "model Lead {"),
    Sample(
      testDescription: "an identity beside a name that is unique here",
      payload: #"[{"gid":"11","name":"Call"},{"gid":"12","name":"Write"}]"#, line: "@PrimaryKey gid: String"),
    Sample(
      testDescription: "an identity of one word",
      payload: #"[{"pageid":11,"title":"Call"},{"pageid":12,"title":"Write"}]"#,
      line: "@PrimaryKey pageid: Int"),
    Sample(
      testDescription: "numbers and strings as identities",
      payload: #"[{"id":1,"name":"A"},{"id":"x2","name":"B"}]"#, line: "  id: String\n",
      values: [["'1'", "'A'"], ["'x2'", "'B'"]]),
    Sample(
      testDescription: "identities that Int does not hold",
      payload: #"[{"id":18446744073709551615},{"id":18446744073709551616}]"#, line: "  id: String\n",
      values: [["'18446744073709551615'"], ["'18446744073709551616'"]]),
    Sample(
      testDescription: "keys of camel case",
      payload: #"[{"id":1,"userId":7,"shortUrl":"https://a.b/c"}]"#, line: "keyStyle: camelCase",
      values: [["1", "7", "'https://a.b/c'"]]),
    Sample(
      testDescription: "an object with the name of a scalar type",
      payload: #"[{"id":1,"made_at":"2024-05-02T10:00:00Z","date":{"day":"a"}}]"#, line: "struct DateRecord {"
    ),
    Sample(
      testDescription: "times that name messages",
      payload: #"[{"ts":"1512085860.000500","n":1},{"ts":"1512085861.000510","n":2}]"#,
      line: "@PrimaryKey ts: String", values: [["'1512085860.000500'", "1"], ["'1512085861.000510'", "2"]]),
    Sample(
      testDescription: "zeros at the end",
      payload: #"[{"id":1,"section":"1.1"},{"id":2,"section":"1.10"}]"#, line: "section: String?",
      values: [["1", "'1.1'"], ["2", "'1.10'"]]),
    Sample(
      testDescription: "numbers that Double does not hold",
      payload: #"[{"id":1,"price":12345678901234567.89},{"id":2,"price":1.5}]"#, line: "price: Decimal?",
      values: [["1", "'12345678901234567.89'"], ["2", "'1.5'"]]),
    Sample(
      testDescription: "keys of other alphabets", payload: #"[{"id":1,"größe":1,"имя":"a","名前":"b"}]"#,
      line: "  имя: String?", values: [["1", "1", "'a'", "'b'"]]),
  ])
  func proposedSchemaStoresAllValuesOfTheSample(_ sample: Sample) async throws {
    let schema = try await InferredSchema(of: sample.payload)
    #expect(schema.text.contains(sample.line), "\(schema.text)")
    #expect(schema.isClean && schema.keepsAllRows, "\(schema.text)")
    if let values = sample.values { #expect(schema.values() == values) }
  }

  /// Users in several roles are of one kind: they have a key that few kinds have, or the same user has both roles.
  @Test(arguments: ["login", "name", "first_name"])
  func rowsInSeveralRolesBecomeOneModel(key: String) async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"id":1,"owner":{"id":1,"\#(key)":"a"},"editor":{"id":2,"\#(key)":"b"}},
         {"id":2,"owner":{"id":2,"\#(key)":"b"},"editor":{"id":1,"\#(key)":"a"}}]
        """#)
    #expect(schema.text.contains("  editor: User?"), "\(schema.text)")
  }

  /// Objects that contain objects of their own kind, under identities that have several values.
  @Test(arguments: [
    #"[{"id":1,"parent":{"id":2,"name":"a","parent":{"id":4,"name":"x","parent":{"id":2,"name":"b"}}}}]"#,
    #"[{"id":9,"file":{"id":1,"folder":{"id":2,"name":"A","folder":{"id":3,"folder":{"id":2,"name":"B"}}}}}]"#,
    #"""
    [{"id":1,"parent":{"id":2,"children":[]},"children":[
      {"id":2,"parent":{"parent":{"id":6,"name":"d","children":[{"id":4,"parent":{"id":5,"name":"c"}}]}}}]}]
    """#,
  ])
  func recursiveObjectsGiveAShortSchema(payload: String) async throws {
    let schema = try await InferredSchema(of: payload)
    #expect(schema.text.utf8.count < 4_000, "\(schema.text)")
  }

  /// The rows of an endpoint are rows wherever they are nested, also if they changed meanwhile.
  @Test func nestedRowsWithChangedValuesKeepEndpointModel() throws {
    let samples = [
      ("User", #"[{"id":7,"name":"Ann","karma":20},{"id":8,"name":"Ben","karma":3}]"#),
      (
        "Post",
        #"[{"id":1,"user":{"id":7,"name":"Ann","karma":10}},{"id":2,"user":{"id":7,"name":"Ann","karma":12}}]"#
      ),
    ]
    let endpoints = try samples.map { name, rows in
      var sample = SampleRows()
      try sample.add(Array(rows.utf8))
      return SampleEndpoint(sample, named: name)
    }
    #expect(SchemaInference(of: endpoints).text.contains("  user: User?\n"))
  }

  /// The nulls of a to-one are not those of a list of the same kind.
  @Test func nullOfToOneIsNotReportedForList() async throws {
    let schema = try await InferredSchema(
      of: #"[{"id":1,"owner":null,"owners":[{"id":5,"login":"a"}]},{"id":2,"owner":{"id":5,"login":"a"}}]"#)
    #expect(!schema.text.contains("null in place of a row"), "\(schema.text)")
  }

  /// What is below `attributes` tells the kinds of rows apart.
  @Test func valuesInAttributesObjectDistinguishModels() async throws {
    let schema = try await InferredSchema(
      of: #"[{"id":1,"attributes":{"title":"a","tags":{"data":[{"id":2,"attributes":{"name":"red"}}]}}}]"#)
    #expect(schema.text.contains("model Tag {"), "\(schema.text)")
  }

  /// An object around rows says what they are, if their own key does not.
  @Test func rowsBelowNodesAreNamedAfterOuterKey() async throws {
    let schema = try await InferredSchema(
      of: #"[{"id":1,"labels":{"nodes":[{"id":3,"name":"a"}],"totalCount":1}}]"#)
    #expect(schema.text.contains("  @RemoteKey(\"labels.nodes\") labels: [Label]\n"), "\(schema.text)")
    #expect(schema.isClean && schema.rows(of: "Label") == 1)
  }

  @Test func objectOfFlagsBecomesMap() async throws {
    let rows = (0..<12).map { row in
      let members = (0..<3).map { #""uid\#(row * 2 + $0)": true"# }.joined(separator: ",")
      return #"{"id":\#(row),"members":{\#(members)}}"#
    }
    let schema = try await InferredSchema(of: "[\(rows.joined(separator: ","))]")
    #expect(schema.text.contains("members: [String: Bool]?"), "\(schema.text)")
    let tokens = try await InferredSchema(
      of: #"[{"id":1,"members":{"pkDGmd4bADvBcWWdqAcA":true,"zzDGmd4bADvBcWWdqAcB":false}}]"#)
    #expect(tokens.text.contains("members: [String: Bool]?"), "\(tokens.text)")
  }

  @Test func uncertainGuessGetsAComment() async throws {
    let dates = try await InferredSchema(of: #"[{"id":1,"at":"05/06/2024"},{"id":2,"at":"07/08/2024"}]"#)
    #expect(dates.text.contains("The month or the day may be first"), "\(dates.text)")
    let nulls = try await InferredSchema(of: #"[{"id":1,"users":[{"id":8,"login":"b"},null]}]"#)
    #expect(nulls.text.contains("// A list with null in place of a row was seen"), "\(nulls.text)")
  }

  /// Small numbers are among the identities of a model that has all of a range.
  @Test func countWithinIdentityRangeIsNoRelationship() throws {
    let users = (0..<100).map { #"{"id":\#(10_000 + $0),"login":"u\#($0)"}"# }.joined(separator: ",")
    let posts = (0..<4).map { #"{"id":\#($0),"views":\#(10_050 + $0)}"# }.joined(separator: ",")
    let endpoints = try [("User", users), ("Post", posts)].map { name, rows in
      var sample = SampleRows()
      try sample.add(Array("[\(rows)]".utf8))
      return SampleEndpoint(sample, named: name)
    }
    let text = SchemaInference(of: endpoints).text
    #expect(text.contains("  views: Int?\n"), "\(text)")
  }

  /// The work grows with the rows, not with their square: it took a minute for a tenth of these.
  @Test func schemaIsInferredFromManyRows() async throws {
    let rows = (0..<20_000).map { #"{"id":\#($0)}"# }.joined(separator: ",")
    let schema = try await InferredSchema(of: "[\(rows)]")
    #expect(schema.rows() == 20_000)
  }

  @Test(arguments: [("a{}[]", 3), ("a.d1[]", 2), ("a.d1[0]", 1), ("a.\"d.3\"", 0)])
  func rowsAreFoundAtAnyPath(path: String, count: Int) throws {
    let payload = Array(#"{"a":{"d1":[{"id":1},{"id":2}],"d2":[{"id":3}],"d.3":[]}}"#.utf8)
    #expect(try SampleRows.rows(in: payload, at: path).count == count)
  }

  @Test(arguments: [
    ("a[", "“a[” is not a path"),
    ("x", "“x” cannot be read from a list: write “[]” before it, to read each element."),
  ])
  func invalidSamplePathIsExplained(path: String, text: String) {
    let mistake = #expect(throws: Mistake.self) {
      try SampleRows.rows(in: Array(#"[{"id":1}]"#.utf8), at: path)
    }
    #expect(mistake?.description.contains(text) == true, "\(mistake?.description ?? "")")
  }
}
