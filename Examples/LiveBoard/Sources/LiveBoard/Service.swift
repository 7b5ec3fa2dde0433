import Foundation

/// The data and rules of the server: projects and their tasks.
actor Service {
  struct Task {
    var id: Int
    var title: String
    var state: String
    var assignee: (id: Int, name: String)?
  }

  static let pageSize = 50
  static let archivePages = 20

  private var tasks: [Task] = [
    Task(id: 1, title: "Buy the domain", state: "done", assignee: (1, "Ada")),
    Task(id: 2, title: "Check all links", state: "in_progress", assignee: (2, "Grace")),
    Task(id: 3, title: "Draw the icon", state: "in_progress", assignee: (3, "Édith")),
    Task(id: 4, title: "Fix the sign-up form", state: "open", assignee: (1, "Ada")),
    Task(id: 5, title: "Write the announcement", state: "open", assignee: nil),
  ]

  /// The tasks of the project, in an envelope.
  func list() -> Data { Service.envelope(tasks.map(json)) }

  /// A page of the archived tasks.
  func archive(page: Int) -> Data {
    let first = 1_000 + (page - 1) * Service.pageSize
    return Service.envelope(
      (first..<first + Service.pageSize).map {
        json(Task(id: $0, title: "Old task \($0 - 999)", state: "done", assignee: nil))
      })
  }

  /// Moves the first task that is not done to its next state, as another user of the API would.
  ///
  /// - Returns: the task; nil if all tasks are done.
  func advance() -> Data? {
    guard let index = tasks.firstIndex(where: { $0.state != "done" }) else { return nil }
    tasks[index].state = tasks[index].state == "open" ? "in_progress" : "done"
    return Data(json(tasks[index]).utf8)
  }

  /// Adds a task.
  func add() -> Data {
    let id = (tasks.map(\.id).max() ?? 0) + 1
    let task = Task(id: id, title: "Answer mail no. \(id)", state: "open", assignee: (2, "Grace"))
    tasks.append(task)
    return Data(json(task).utf8)
  }

  private func json(_ task: Task) -> String {
    let assignee = task.assignee.map { #"{"id":\#($0.id),"name":"\#($0.name)"}"# } ?? "null"
    return
      #"{"id":\#(task.id),"title":"\#(task.title)","state":"\#(task.state)","project":{"id":1,"name":"The new site"},"#
      + #""assignee":\#(assignee)}"#
  }

  private static func envelope(_ tasks: [String]) -> Data {
    Data(#"{"data":{"tasks":[\#(tasks.joined(separator: ","))]}}"#.utf8)
  }
}
