import Foundation
import Syncline
import SynclineTesting
import Testing

/// Typed columns can be used like GRDB columns in all requests, and bind values as they are stored.
@Suite struct ModelColumnTests {
  private typealias Columns = Kinds.Columns

  /// The same column without a type.
  private func plain(_ column: some ColumnExpression) -> GRDB.Column { GRDB.Column(column.name) }

  private func sql<Row>(_ request: QueryInterfaceRequest<Row>, _ database: Database) throws -> String {
    let statement = try request.makePreparedRequest(database, forSingleResult: false).statement
    return "\(statement.sql) \(statement.arguments)"
  }

  /// The SQL of typed and of untyped conditions.
  private func sql(_ conditions: [(SQLExpression, SQLExpression)]) throws -> [(typed: String, plain: String)]
  {
    try makeStore().database.read { database in
      try conditions.map {
        (try sql(Kinds.filter($0.0), database), try sql(Kinds.filter($0.1), database))
      }
    }
  }

  @Test func typedConditionsEqualUntypedConditions() throws {
    let (text, int, level) = (plain(Columns.text), plain(Columns.int), plain(Columns.level))
    let (some, none): (String?, String?) = ("x", nil)
    let value = "x".databaseValue
    let uuid = UUID()
    let pairs: [(SQLExpression, SQLExpression)] = [
      (Columns.state == .open, plain(Columns.state) == "open"),
      (Columns.state != .inProgress, plain(Columns.state) != "in_progress"),
      ([.open, .done].contains(Columns.state), ["open", "done"].contains(plain(Columns.state))),
      (TaskState.open == Columns.state, "open" == plain(Columns.state)),
      (Columns.level == .high, level == 10), (Columns.level == nil, level == nil),
      (Columns.text == "x", text == "x"), ("x" == Columns.text, "x" == text),
      (Columns.text == some, text == "x"), (Columns.text != none, text != nil),
      (Columns.text == nil, text == nil), (Columns.text === "x", text === "x"),
      (Columns.text == value, text == "x"), (Columns.text < value, text < "x"),
      (Columns.text == Columns.words, text == plain(Columns.words)),
      (Columns.int < 3, int < 3), (Columns.int >= 3, int >= 3), (3 > Columns.int, 3 > int),
      (Columns.int + 1 == Columns.int64, int + 1 == plain(Columns.int64)),
      (Columns.int == SQL("1 + 1").sqlExpression, int == SQL("1 + 1").sqlExpression),
      (Columns.int == Kinds.select(max(Columns.int)), int == Kinds.select(max(int))),
      (Kinds.select(Columns.int).contains(Columns.id), Kinds.select(int).contains(plain(Columns.id))),
      ((1...3).contains(Columns.int), (1...3).contains(int)),
      ([1, 2].contains(Columns.int), [1, 2].contains(int)),
      (Columns.double > 3, plain(Columns.double) > 3), (Columns.bool == true, plain(Columns.bool) == true),
      (!Columns.bool, !plain(Columns.bool)), (Columns.uuid == uuid, plain(Columns.uuid) == uuid),
      (Columns.decimal == Decimal(3), plain(Columns.decimal) == "3"),
      (Columns.words == ["a"], plain(Columns.words) == #"["a"]"#),
      (Columns.data == Data([1]), plain(Columns.data) == Data([1])),
      (
        Columns.text == "x" && Columns.int > 3 || Columns.state == .open,
        text == "x" && int > 3 || plain(Columns.state) == "open"
      ),
      (Columns.text.like("%a"), text.like("%a")), (length(Columns.text) > 3, length(text) > 3),
      ((Columns.text ?? "y") == "x", (text ?? "y") == "x"),
      (Columns.text.uppercased == "X", text.uppercased == "X"),
      (Columns.text.collating(.nocase) == "x", text.collating(.nocase) == "x"),
      (SQL("\(Columns.text) = 1").sqlExpression, SQL("\(text) = 1").sqlExpression),
    ]
    for (typed, plain) in try sql(pairs) { #expect(typed == plain) }
  }

  /// The type checker takes too long for such conditions if it tries GRDB's overloads first. This file would then not compile.
  @Test func conditionsWithManyComparisonsCompile() throws {
    let date = Date(timeIntervalSince1970: 1)
    let label = plain(Columns.text)
    let first = Kinds.filter {
      $0.text == "a" && $0.int > 2 && $0.bool == true
        || $0.level == nil && $0.date > date && $0.state != .open
    }
    let next = Kinds.all().filter {
      !$0.bool && $0.int <= 9 && $0.words == ["w"] && $0.double < 1.5 || $0.uuid != nil
    }
    let whole = Kinds.filter(
      Columns.text == "a" && Columns.int > 2 && Columns.bool == true
        || Columns.level == nil && Columns.date > date
          && Columns.state != .open
    )
    try makeStore().database.read { (database: Database) throws in
      #expect(try sql(first, database) == sql(whole, database))
      let text = try sql(Kinds.filter { $0.text == "a" && $0.int > 2 && $0.int < 5 || !$0.bool }, database)
      #expect(
        text.hasSuffix(
          #"WHERE (("text" = ?) AND ("int" > ?) AND ("int" < ?)) OR (NOT "bool") ["a", 2, 5]"#), "\(text)")
      let wholeNext = Kinds.filter(
        !Columns.bool && Columns.int <= 9 && Columns.words == ["w"] && Columns.double < 1.5
          || Columns.uuid != nil)
      #expect(try sql(next, database) == sql(wholeNext, database))
      let isTrue = Kinds.filter { $0.bool }
      #expect(try sql(isTrue, database) == sql(Kinds.filter(plain(Columns.bool)), database))
      let untyped = Kinds.filter { _ in label == "x" }
      #expect(try sql(untyped, database) == sql(Kinds.filter(label == "x"), database))
    }
  }

  @Test func associationsCanBeFilteredByTypedColumns() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "title": "a", "project": {"id": 5, "name": "P"}}, {"id": 2, "title": "b"}]"#,
      as: Task.self)
    let ids = try await store.database.read { database in
      [
        try Task.joining(required: Task.project.filter { $0.id == 5 && $0.name == "P" && $0.id > 2 })
          .fetchAll(database).map(\.id),
        try Task.joining(required: Task.project.filter { $0.id == 5 && $0.name == "Q" && $0.id > 2 })
          .fetchAll(database).map(\.id),
        try Project.joining(
          required: Project.tasks.filter { $0.title == "a" && $0.id < 2 && $0.project == 5 }
        )
        .fetchAll(database).map(\.id),
      ]
    }
    #expect(ids == [[1], [], [5]])
  }

  @Test func relationshipsAreComparedWithIdentities() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "title": "a", "project": {"id": 5, "name": "P"}}, {"id": 2, "title": "b"}]"#,
      as: Task.self)
    let project: Reference<Project>? = Reference(id: 5)
    let ids = try await store.database.read { database in
      [
        try Task.filter(Task.Columns.project == 5).fetchAll(database).map(\.id),
        try Task.filter(Task.Columns.project == project?.id).fetchAll(database).map(\.id),
        try Task.filter(Task.Columns.project == nil).fetchAll(database).map(\.id),
        try Task.filter(Task.Columns.project != 5).fetchAll(database).map(\.id),
      ]
    }
    #expect(ids == [[1], [1], [2], []])
  }

  @Test func typedRequestsEqualUntypedRequests() throws {
    try makeStore().database.write { (database: Database) throws in
      let (text, int) = (plain(Columns.text), plain(Columns.int))
      let pairs: [(QueryInterfaceRequest<Kinds>, QueryInterfaceRequest<Kinds>)] = [
        (Kinds.order(Columns.text, Columns.int.desc), Kinds.order(text, int.desc)),
        (Kinds.order(Columns.text.ascNullsLast), Kinds.order(text.ascNullsLast)),
        (Kinds.select(Columns.text, max(Columns.int)), Kinds.select(text, max(int))),
        (Kinds.select([Columns.text, Columns.int]), Kinds.select([text, int])),
        (
          Kinds.filter { $0.state == .open }.order(\.text),
          Kinds.filter(plain(Columns.state) == "open").order(text)
        ),
        (
          Kinds.all().group(Columns.text).having(max(Columns.int) > 3),
          Kinds.all().group(text).having(max(int) > 3)
        ),
        (
          Kinds.annotated(with: Columns.int.forKey("n")), Kinds.annotated(with: int.forKey("n"))
        ),
      ]
      for (typed, plain) in pairs { #expect(try sql(typed, database) == sql(plain, database)) }
      let user = TableAlias()
      let typed = Task.joining(required: Task.assignee.aliased(user)).filter(user[User.Columns.name] == "u")
      let plain = Task.joining(required: Task.assignee.aliased(user)).filter(user[GRDB.Column("name")] == "u")
      #expect(try sql(typed, database) == sql(plain, database))
    }
  }

  @Test func rowsAreUpdatedAndReadByColumns() throws {
    try makeStore().database.write { (database: Database) throws in
      try Kinds(id: 1, text: "a", int: 1).insert(database)
      try Kinds.updateAll(
        database, Columns.text.set(to: "b"), Columns.int += 1, Columns.state.set(to: .done),
        Columns.double.set(to: 2),
        Columns.level.set(to: nil), Columns.int64.set(to: Columns.int), Columns.words.set(to: ["w"]))
      let row = try #require(try Row.fetchOne(database, Kinds.all()))
      let (text, int, double): (String?, Int?, Double?) = (
        row[Columns.text], row[Columns.int], row[Columns.double]
      )
      #expect(text == "b" && int == 2 && double == 2)
      let kinds = try #require(try Kinds.fetchOne(database, key: 1))
      #expect(kinds.state == .done && kinds.level == nil && kinds.words == ["w"])
      _ = try Kinds(id: 1, text: "c").upsertAndFetch(
        database, onConflict: ["id"], doUpdate: { excluded in [Columns.text.set(to: excluded[Columns.text])] }
      )
      #expect(try Kinds.fetchOne(database, key: 1)?.text == "c")
      #expect(try Kinds.select(Columns.text, as: String.self).fetchOne(database) == "c")
      #expect(try String.fetchOne(database, Kinds.select(max(Columns.text))) == "c")
    }
  }

  /// GRDB would bind only three digits of the fractional second, and find nothing.
  @Test func datesAreBoundAsTheyAreStored() throws {
    let date = Date(timeIntervalSince1970: 1_700_000_000.123_456)
    let later = date.addingTimeInterval(0.000_002)
    let optional: Date? = date
    try makeStore().database.write { (database: Database) throws in
      try Kinds(id: 1, date: date).insert(database)
      for condition in [
        Columns.date == date, Columns.date == optional, Columns.date < later, Columns.date >= date,
        [date].contains(Columns.date), (date...later).contains(Columns.date),
        (date..<later).contains(Columns.date),
      ] {
        #expect(try Kinds.filter(condition).fetchCount(database) == 1)
      }
      #expect(try Kinds.filter(plain(Columns.date) == date).fetchCount(database) == 0)
      try Kinds.updateAll(database, Columns.date.set(to: later))
      #expect(try Kinds.filter(Columns.date == later).fetchCount(database) == 1)
      try Kinds.updateAll(database, Columns.date.set(to: optional))
      #expect(try Kinds.fetchOne(database, key: 1)?.date == date)
    }
  }
}
