import Foundation
import GRDB

@testable import Syncline

/// An edit of rows by SQL. Each gives its columns values that no other edit gives.
enum SimulatedEdit: String, CaseIterable, Sendable {
  case insertTask, title, votes, titleAndVotes, project, titleBack, deleteTask, insertAndDeleteTask
  case deleteAndInsertTask, replaceTask, addTag, removeTags
  case insertProject, nameOfProject, deleteProject
  case insertPassport, takePassport, numberOfPassport, deletePassport
  case insertStep, textOfStep, moveStep, deleteStep
  case insertSeat, nameOfSeat, deleteSeat
  case insertNote, textOfNote, deleteNote

  /// All of them, the important ones more often.
  static let weighted: [SimulatedEdit] =
    allCases + [
      .insertTask, .title, .title, .title, .title, .titleBack, .titleBack, .project, .project, .insertProject,
      .insertProject, .insertStep, .nameOfProject, .addTag,
    ]
}

/// Makes the edits of a client.
struct SimulatedEditor {
  /// The last title that a client gave a task.
  struct Title {
    let value: String
    /// Whether it is one that the task had before.
    let isBack: Bool
  }

  /// The titles that tasks had before the last edit.
  private var previous: [Int: String] = [:]
  private(set) var titles: [Int: Title] = [:]
  /// The projects that a client linked tasks to.
  private(set) var links: [Int: Int] = [:]
  /// How often each value was written.
  private(set) var counts: [String: Int] = [:]

  /// - Parameters:
  ///   - choice: chooses the rows.
  ///   - number: makes the values.
  ///   - stamp: the seconds since 1970 of the client's clock.
  mutating func edit(_ database: Database, _ edit: SimulatedEdit, _ choice: Int, _ number: Int, _ stamp: Int)
    throws
  {
    let task = try pick(database, "SELECT id FROM Task ORDER BY id", choice)
    let project = try pick(database, "SELECT id FROM Project ORDER BY id", choice / 7)
    let time = "strftime('%Y-%m-%d %H:%M:%f000', \(stamp), 'unixepoch')"
    func run(_ sql: String, _ arguments: StatementArguments = []) throws {
      try database.execute(sql: sql, arguments: arguments)
    }
    /// Inserts a task, or replaces one.
    func insert(_ id: Int, orReplace: Bool = false, project: Int?) throws {
      try run(
        """
        INSERT \(orReplace ? "OR REPLACE " : "")INTO Task (id, title, votes, isExpanded, project, updatedAt)
        VALUES (?, ?, ?, 0, ?, \(time))
        """, [id, "t\(number)", number, project])
    }
    switch edit {
    case .insertTask:
      try insert(number, project: project)
      wrote(title: "t\(number)", of: number, votes: number, project: project)
    case .insertAndDeleteTask:
      try insert(number, project: project)
      try run("DELETE FROM Task WHERE id = ?", [number])
    case .insertProject:
      try run("INSERT INTO Project (id, name) VALUES (?, ?)", [-number, "p\(number)"])
      wrote("name p\(number)")
    case .insertNote:
      try run("INSERT INTO Note (id, text) VALUES (?, ?)", [number, "o\(number)"])
      wrote("text o\(number)")
    case .insertPassport, .takePassport, .numberOfPassport, .deletePassport:
      try editPassport(database, edit, choice, number, project)
    case .textOfNote, .deleteNote:
      guard
        let note = try pick(database, "SELECT id FROM Note WHERE deletedAt IS NULL ORDER BY id", choice)
      else { return }
      if edit == .deleteNote { return try run("DELETE FROM Note WHERE id = ?", [note]) }
      try run("UPDATE Note SET text = ? WHERE id = ?", ["o\(number)", note])
      wrote("text o\(number)")
    case .insertStep, .textOfStep, .moveStep, .deleteStep, .insertSeat, .nameOfSeat, .deleteSeat:
      try editChild(database, edit, choice, number)
    case .nameOfProject, .deleteProject:
      guard let project else { return }
      if edit == .deleteProject { return try run("DELETE FROM Project WHERE id = ?", [project]) }
      try run("UPDATE Project SET name = ? WHERE id = ?", ["p\(number)", project])
      wrote("name p\(number)")
    case .title, .votes, .titleAndVotes, .project, .titleBack, .deleteTask, .deleteAndInsertTask,
      .replaceTask, .addTag, .removeTags:
      guard let task else { return }
      switch edit {
      case .title, .titleAndVotes:
        let sql = "SELECT title FROM Task WHERE id = ?"
        previous[task] = try String.fetchOne(database, sql: sql, arguments: [task])
        let votes = edit == .title ? "votes" : "\(number)"
        try run(
          "UPDATE Task SET title = ?, votes = \(votes), updatedAt = \(time) WHERE id = ?",
          ["t\(number)", task])
        wrote("title t\(number)")
        if edit == .titleAndVotes { wrote("votes \(number)") }
        titles[task] = Title(value: "t\(number)", isBack: false)
      case .votes:
        try run("UPDATE Task SET votes = ?, updatedAt = \(time) WHERE id = ?", [number, task])
        wrote("votes \(number)")
      case .project:
        let target = choice % 5 == 0 ? nil : project
        try run("UPDATE Task SET project = ?, updatedAt = \(time) WHERE id = ?", [target, task])
        links[task] = target
      case .titleBack:
        // Preferably while what was sent is not answered.
        let sent = try Int.fetchAll(
          database, sql: "SELECT key FROM syncline_edit_Task WHERE sentKind = 'update' ORDER BY key"
        ).filter { previous[$0] != nil }
        let task = sent.isEmpty ? task : sent[choice % sent.count]
        guard let title = previous[task] else { return }
        try run("UPDATE Task SET title = ?, updatedAt = \(time) WHERE id = ?", [title, task])
        wrote("title \(title)")
        titles[task] = Title(value: title, isBack: true)
      case .deleteTask:
        try run("DELETE FROM Task WHERE id = ?", [task])
        (titles[task], links[task], previous[task]) = (nil, nil, nil)
      case .deleteAndInsertTask:
        try run("DELETE FROM Task WHERE id = ?", [task])
        try insert(task, project: project)
        wrote(title: "t\(number)", of: task, votes: number, project: project)
      case .replaceTask:
        try insert(task, orReplace: true, project: nil)
        wrote(title: "t\(number)", of: task, votes: number, project: nil)
      case .addTag:
        try run("INSERT OR IGNORE INTO \"Task.tags\" (source, target) VALUES (?, ?)", [task, choice % 3 + 1])
      default: try run("DELETE FROM \"Task.tags\" WHERE source = ?", [task])
      }
    }
  }

  private mutating func wrote(_ label: String) { counts[label, default: 0] += 1 }

  private mutating func wrote(title: String, of task: Int, votes: Int, project: Int?) {
    wrote("title \(title)")
    wrote("votes \(votes)")
    titles[task] = Title(value: title, isBack: false)
    links[task] = project
  }

  private func pick(_ database: Database, _ sql: String, _ choice: Int) throws -> Int? {
    let rows = try Int.fetchAll(database, sql: sql)
    return rows.isEmpty ? nil : rows[choice % rows.count]
  }

  /// Passports have one project each, and no two the same.
  private mutating func editPassport(
    _ database: Database, _ edit: SimulatedEdit, _ choice: Int, _ number: Int, _ project: Int?
  ) throws {
    let passports = try String.fetchAll(database, sql: "SELECT id FROM Passport ORDER BY id")
    let passport = passports.isEmpty ? nil : passports[choice % passports.count]
    // The partner goes with `OR REPLACE`; else its link is cleared.
    let replaces = choice % 3 == 0
    let own = edit == .takePassport ? passport : nil
    func free() throws {
      guard !replaces else { return }
      try database.execute(
        sql: "UPDATE Passport SET project = NULL WHERE project = ? AND id IS NOT ?",
        arguments: [project, own])
    }
    let clause = replaces ? "OR REPLACE " : ""
    if edit == .insertPassport {
      try free()
      try database.execute(
        sql: "INSERT \(clause)INTO Passport (id, number, project) VALUES (?, ?, ?)",
        arguments: ["q\(number)", "n\(number)", project])
      return wrote("number n\(number)")
    }
    guard let passport else { return }
    switch edit {
    case .takePassport:
      try free()
      try database.execute(
        sql: "UPDATE \(clause)Passport SET project = ? WHERE id = ?", arguments: [project, passport])
    case .numberOfPassport:
      try database.execute(
        sql: "UPDATE Passport SET number = ? WHERE id = ?", arguments: ["n\(number)", passport])
      wrote("number n\(number)")
    default: try database.execute(sql: "DELETE FROM Passport WHERE id = ?", arguments: [passport])
    }
  }

  /// Edits rows that require a task.
  private mutating func editChild(
    _ database: Database, _ edit: SimulatedEdit, _ choice: Int, _ number: Int
  ) throws {
    let task = try pick(database, "SELECT id FROM Task ORDER BY id", choice)
    let owner = try pick(database, "SELECT id FROM Task WHERE id <= 4 ORDER BY id", choice)
    let steps = try UUID.fetchAll(database, sql: "SELECT id FROM Step ORDER BY id")
    let step = steps.isEmpty ? nil : steps[choice / 3 % steps.count]
    let seat = try pick(database, "SELECT rowid FROM Seat ORDER BY task, id", choice)
    func run(_ sql: String, _ arguments: StatementArguments) throws {
      try database.execute(sql: sql, arguments: arguments)
    }
    switch edit {
    case .insertStep:
      guard let task else { return }
      try run(
        "INSERT INTO Step (id, text, task) VALUES (?, ?, ?)", [simulatedUUID(number), "s\(number)", task])
      wrote("text s\(number)")
    case .textOfStep:
      guard let step else { return }
      try run("UPDATE Step SET text = ? WHERE id = ?", ["s\(number)", step])
      wrote("text s\(number)")
    case .moveStep:
      guard let step, let task else { return }
      try run("UPDATE Step SET task = ? WHERE id = ?", [task, step])
    case .deleteStep:
      guard let step else { return }
      try run("DELETE FROM Step WHERE id = ?", [step])
    case .insertSeat:
      guard let owner else { return }
      try run("INSERT INTO Seat (id, name, task) VALUES (?, ?, ?)", [number, "e\(number)", owner])
      wrote("name e\(number)")
    case .nameOfSeat:
      guard let seat else { return }
      try run("UPDATE Seat SET name = ? WHERE rowid = ?", ["e\(number)", seat])
      wrote("name e\(number)")
    default:
      guard let seat else { return }
      try run("DELETE FROM Seat WHERE rowid = ?", [seat])
    }
  }
}
