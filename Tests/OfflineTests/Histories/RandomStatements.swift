import TestSupport

/// Statements of every kind that edits the rows of these tests' models. Some of them fail.
struct RandomStatements {
  private var random: SeededGenerator
  private var count = 0

  init(_ random: SeededGenerator) { self.random = random }

  mutating func next() -> String {
    count += 1
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<4: return task()
    case 4: return project()
    case 5, 6: return passport()
    case 7: return step()
    case 8: return seat()
    case 9: return note()
    case 10: return links()
    default: return move()
    }
  }

  // MARK: Parts

  private mutating func number(_ most: Int) -> Int { Int.random(in: 1...most, using: &random) }

  private mutating func orClause() -> String {
    random.pick(["", "", "", "OR REPLACE ", "OR REPLACE ", "OR IGNORE ", "OR FAIL ", "OR ABORT "])
  }

  private mutating func projectOrNone() -> String { random.chance(25) ? "NULL" : "\(number(5))" }

  static func uuid(_ number: Int) -> String { "x'0000000000004000800000000000000\(number)'" }

  /// A condition that some rows fulfil.
  private mutating func some(_ most: Int) -> String {
    switch number(4) {
    case 1: return "id IN (\(number(most)), \(number(most)))"
    case 2: return "id >= \(number(most))"
    default: return "id = \(number(most))"
    }
  }

  // MARK: Models

  private mutating func task() -> String {
    let (clause, id, other, project) = (orClause(), number(7), number(7), projectOrNone())
    let columns = "INTO Task (id, title, votes, isExpanded, project) VALUES"
    switch number(13) {
    case 1: return "INSERT \(clause)\(columns) (\(id), 't\(count)', 0, 0, \(project))"
    case 2:
      return """
        INSERT \(clause)\(columns)
        (\(id), 't\(count)', 1, 0, NULL), (\(other), 'u\(count)', 2, 0, \(project))
        """
    case 3:
      return """
        INSERT \(columns) (\(id), 't\(count)', 0, 0, \(project)), (\(other), 'u\(count)', 2, 0, NULL)
        ON CONFLICT (id) DO UPDATE SET title = excluded.title, votes = votes + 1
        """
    case 4: return "INSERT \(columns) (\(id), 't\(count)', 0, 0, NULL) ON CONFLICT DO NOTHING"
    case 5: return "INSERT INTO Task (title, votes, isExpanded) VALUES ('t\(count)', 0, 0)"
    case 6: return "DELETE FROM Task WHERE \(some(7))"
    case 7: return "UPDATE Task SET votes = votes + 1, title = title || '!' WHERE \(some(7))"
    case 8: return "UPDATE Task SET project = \(project) WHERE \(some(7))"
    case 9:
      return """
        UPDATE Task SET details = '{"b": \(count)}', due = '2026-05-01 00:00:00.000' WHERE \(some(7))
        """
    // Some are edited back.
    case 10: return "UPDATE Task SET title = 'task ' || id, votes = 0, details = NULL WHERE \(some(7))"
    case 11: return "DELETE FROM Task WHERE id = \(id); INSERT \(columns) (\(id), 'task \(id)', 0, 0, NULL)"
    default:
      return "UPDATE Task SET title = 't\(count)', updatedAt = '2030-01-01 00:00:00.000' WHERE \(some(7))"
    }
  }

  private mutating func project() -> String {
    let (clause, id) = (orClause(), number(5))
    switch number(6) {
    case 1: return "INSERT \(clause)INTO Project (id, name) VALUES (\(id), 'p\(count)')"
    case 2: return "INSERT INTO Project (name) VALUES ('p\(count)')"
    case 3: return "DELETE FROM Project WHERE id = \(id)"
    case 4: return "UPDATE Project SET name = 'project ' || id WHERE \(some(5))"
    case 5: return "REPLACE INTO Project SELECT id, name || '+' FROM Project WHERE \(some(5))"
    default: return "UPDATE Project SET name = 'p\(count)' WHERE \(some(5))"
    }
  }

  private mutating func passport() -> String {
    let (clause, project) = (orClause(), projectOrNone())
    let (id, other) = (random.pick(["a", "b", "c", "d"]), random.pick(["a", "b", "c", "d"]))
    let insert = "INTO Passport (id, number, project) VALUES ('\(id)', 'n\(count)', \(project))"
    switch number(9) {
    case 1: return "INSERT \(clause)\(insert)"
    case 2: return "INSERT OR REPLACE \(insert)"
    case 3: return "INSERT \(insert) ON CONFLICT (id) DO UPDATE SET project = excluded.project"
    case 4: return "INSERT \(insert) ON CONFLICT (project) DO UPDATE SET number = excluded.number"
    case 5: return "DELETE FROM Passport WHERE id = '\(id)'"
    case 6: return "UPDATE OR REPLACE Passport SET project = \(project) WHERE id = '\(id)'"
    case 7: return "UPDATE \(clause)Passport SET id = '\(other)' WHERE id = '\(id)'"
    case 8:
      return """
        UPDATE Passport SET project = NULL WHERE id = '\(id)';
        UPDATE \(clause)Passport SET project = 1 WHERE id = '\(other)'
        """
    default:
      return "UPDATE \(clause)Passport SET number = 'n\(count)', project = \(project) WHERE id = '\(id)'"
    }
  }

  private mutating func step() -> String {
    let (clause, task) = (orClause(), number(7))
    let (id, other) = (RandomStatements.uuid(number(6)), RandomStatements.uuid(number(6)))
    switch number(6) {
    case 1: return "INSERT \(clause)INTO Step (id, text, task) VALUES (\(id), 's\(count)', \(task))"
    case 2: return "DELETE FROM Step WHERE id IN (\(id), \(other))"
    case 3: return "UPDATE Step SET task = \(task) WHERE id = \(id)"
    case 4: return "UPDATE \(clause)Step SET id = \(other) WHERE id = \(id)"
    case 5: return "UPDATE Step SET text = text || '!' WHERE task <= \(task)"
    default: return "UPDATE Step SET text = 's\(count)' WHERE id = \(id)"
    }
  }

  private mutating func seat() -> String {
    let (clause, task, other, id) = (orClause(), number(4), number(4), number(3))
    switch number(6) {
    case 1: return "INSERT \(clause)INTO Seat (id, name, task) VALUES (\(id), 'e\(count)', \(task))"
    case 2: return "DELETE FROM Seat WHERE id = \(id)"
    case 3: return "UPDATE \(clause)Seat SET task = \(task) WHERE id = \(id) AND task = \(other)"
    case 4: return "UPDATE \(clause)Seat SET id = \(number(3)) WHERE id = \(id) AND task = \(task)"
    case 5: return "INSERT \(clause)INTO Seat (id, task) SELECT id, \(task) FROM Seat WHERE task = \(other)"
    default: return "UPDATE Seat SET name = 'e\(count)' WHERE task = \(task)"
    }
  }

  private mutating func note() -> String {
    let (clause, id) = (orClause(), number(5))
    switch number(6) {
    case 1: return "INSERT \(clause)INTO Note (id, text) VALUES (\(id), 'o\(count)')"
    case 2: return "INSERT INTO Note (text) VALUES ('o\(count)'), ('o\(count)+')"
    case 3: return "DELETE FROM Note WHERE id = \(id)"
    case 4: return "UPDATE Note SET deletedAt = '2026-03-01 00:00:00.000' WHERE \(some(5))"
    case 5: return "UPDATE Note SET text = 'note ' || id, deletedAt = NULL WHERE \(some(5))"
    default: return "UPDATE Note SET text = 'o\(count)' WHERE \(some(5))"
    }
  }

  private mutating func links() -> String {
    let (clause, task, other, tag) = (orClause(), number(7), number(7), number(3))
    switch number(6) {
    case 1, 2: return "INSERT \(clause)INTO \"Task.tags\" (source, target) VALUES (\(task), \(tag))"
    case 3: return "DELETE FROM \"Task.tags\" WHERE source = \(task)"
    case 4: return "DELETE FROM \"Task.tags\" WHERE target = \(tag)"
    case 5: return "UPDATE \(clause)\"Task.tags\" SET target = \(tag) WHERE source = \(task)"
    default: return "UPDATE \(clause)\"Task.tags\" SET source = \(other) WHERE source = \(task)"
    }
  }

  /// Gives a row another identity, and what refers to it.
  private mutating func move() -> String {
    let (clause, id, other) = (orClause(), number(7), number(7))
    if random.chance(30) {
      return """
        UPDATE Task SET project = \(other) WHERE project = \(id);
        UPDATE \(clause)Passport SET project = \(other) WHERE project = \(id);
        UPDATE \(clause)Project SET id = \(other) WHERE id = \(id)
        """
    }
    let children = """
      UPDATE \(clause)"Task.tags" SET source = \(other) WHERE source = \(id);
      UPDATE Step SET task = \(other) WHERE task = \(id);
      UPDATE \(clause)Seat SET task = \(other) WHERE task = \(id)
      """
    let row = "UPDATE \(clause)Task SET id = \(other) WHERE id = \(id)"
    return random.chance(50) ? children + "; " + row : row + "; " + children
  }
}
