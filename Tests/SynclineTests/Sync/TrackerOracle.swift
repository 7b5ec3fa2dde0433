import Syncline

/// A minimal implementation of the contract for projects, tasks and tags: the rows and links after a sync whose payload contains
/// each row and each child once.
struct TrackerOracle {
  var projects: [Int: String] = [:]
  var tags: [Int: String] = [:]
  var tasks: [Int: (title: String, project: Int?, waitingProject: Int?)] = [:]
  var links: Set<[Int]> = []
  var waitingLinks: Set<[Int]> = []
  /// The missing tasks in the lists of projects, with their projects.
  var waitingTasks: [Int: Set<Int>] = [:]

  enum Reference: Sendable { case absent, null, key(Int) }

  struct TaskRow: Sendable {
    let id: Int
    let title: String
    var project = Reference.absent
    /// The keys of tags; nil if absent.
    var tags: [Int]?

    var json: SyncJSON {
      var object: SyncJSONObject = SyncJSONObject([
        ("id", .number(SyncNumber(id))), ("title", .string(title)),
      ])
      switch project {
      case .absent: break
      case .null: object["project_id"] = .null
      case .key(let key): object["project_id"] = .number(SyncNumber(key))
      }
      if let tags { object["tag_ids"] = .array(tags.map { .number(SyncNumber($0)) }) }
      return .object(object)
    }
  }

  struct ProjectRow: Sendable {
    let id: Int
    let name: String
    var tasks: [Int]?

    var json: SyncJSON {
      var object = SyncJSONObject([("id", .number(SyncNumber(id))), ("name", .string(name))])
      if let tasks { object["task_ids"] = .array(tasks.map { .number(SyncNumber($0)) }) }
      return .object(object)
    }
  }

  mutating func sync(_ rows: [TaskRow]) {
    var decidedProjects: Set<Int> = []
    for row in rows {
      let isNew = tasks[row.id] == nil
      var task = tasks[row.id] ?? (row.title, nil, nil)
      task.title = row.title
      switch row.project {
      case .absent: break
      case .null:
        decidedProjects.insert(row.id)
        task.project = nil
        task.waitingProject = nil
      case .key(let key):
        decidedProjects.insert(row.id)
        task.waitingProject = nil
        if projects[key] != nil { task.project = key } else { task.waitingProject = key }
      }
      tasks[row.id] = task
      if isNew { arrive(task: row.id, isDecided: decidedProjects.contains(row.id)) }
      guard let listed = row.tags else { continue }
      links = links.filter { $0[0] != row.id }
      waitingLinks = waitingLinks.filter { $0[0] != row.id }
      for tag in listed {
        if tags[tag] != nil { links.insert([row.id, tag]) } else { waitingLinks.insert([row.id, tag]) }
      }
    }
    for id in Set(tasks.keys).subtracting(rows.map(\.id)) {
      tasks[id] = nil
      links = links.filter { $0[0] != id }
      waitingLinks = waitingLinks.filter { $0[0] != id }
    }
  }

  /// Applies the pending list entries of a new task, unless the task states its project itself.
  private mutating func arrive(task id: Int, isDecided: Bool) {
    for (project, waiting) in waitingTasks where waiting.contains(id) {
      waitingTasks[project]?.remove(id)
      if !isDecided { tasks[id]?.project = project }
    }
  }

  mutating func sync(_ rows: [ProjectRow]) {
    var arrived: [Int] = []
    for row in rows {
      if projects[row.id] == nil { arrived.append(row.id) }
      projects[row.id] = row.name
    }
    let listed = Set(rows.flatMap { $0.tasks ?? [] })
    for row in rows {
      guard let list = row.tasks else { continue }
      waitingTasks[row.id] = []
      for (id, task) in tasks where task.project == row.id && !listed.contains(id) {
        tasks[id]?.project = nil
      }
      for id in list {
        // A list contains the row, so other pending entries for it are removed.
        for project in waitingTasks.keys { waitingTasks[project]?.remove(id) }
        tasks[id]?.waitingProject = nil
        if tasks[id] != nil {
          tasks[id]?.project = row.id
        } else {
          waitingTasks[row.id, default: []].insert(id)
        }
      }
    }
    for (id, task) in tasks {
      guard let waiting = task.waitingProject, arrived.contains(waiting) else { continue }
      tasks[id]?.waitingProject = nil
      // If the row's own list is in the payload, it is complete.
      let isLeftOut = rows.contains { $0.id == waiting && $0.tasks != nil }
      if !listed.contains(id), !isLeftOut { tasks[id]?.project = waiting }
    }
    for id in Set(projects.keys).subtracting(rows.map(\.id)) {
      projects[id] = nil
      waitingTasks[id] = nil
      for (task, row) in tasks where row.project == id { tasks[task]?.project = nil }
    }
  }

  mutating func sync(tags rows: [Int: String]) {
    for (id, _) in rows where tags[id] == nil {
      for link in waitingLinks where link[1] == id {
        waitingLinks.remove(link)
        links.insert(link)
      }
    }
    links = links.filter { rows[$0[1]] != nil }
    tags = rows
  }

  // MARK: The expected rows

  var taskRows: [[SyncJSON]] {
    tasks.sorted { $0.key < $1.key }.map { id, task in
      [
        number(id), .string(task.title), task.project.map(number) ?? .null,
        .array(links.filter { $0[0] == id }.map { $0[1] }.sorted().map(number)),
      ]
    }
  }

  var projectRows: [[SyncJSON]] {
    projects.sorted { $0.key < $1.key }.map { id, name in
      [
        number(id), .string(name),
        .array(tasks.filter { $0.value.project == id }.map(\.key).sorted().map(number)),
      ]
    }
  }

  var tagRows: [[SyncJSON]] {
    tags.sorted { $0.key < $1.key }.map { id, name in
      [number(id), .string(name), .array(links.filter { $0[1] == id }.map { $0[0] }.sorted().map(number))]
    }
  }

  private func number(_ value: Int) -> SyncJSON { .number(SyncNumber(value)) }
}
