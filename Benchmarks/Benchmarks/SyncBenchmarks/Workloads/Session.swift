import Foundation
import Syncline

/// The work of an app when a project is opened: the list of its hundred tasks (each with an assignee, ten tags and ten watchers),
/// the details of one task, one user, and the export of the project's tasks.
enum Session {
  static let sizes = [1_000, 10_000, 50_000]

  struct Payloads: Sendable {
    let list: Data
    let detail: Data
    let user: Data
  }

  static func register() {
    for size in sizes {
      let name = "8 a session in a store of \(Single.short(size))"
      let project = max(1, size / WorkspaceData.tasksPerProject / 2)
      let filled: @Sendable () async throws -> Store = { try await Filled.workspace(size) }
      // Ten tasks, the detail and the user change between iterations.
      let payloads = Lazy { [false, true].map { Session.payloads(size, project, isChanged: $0) } }
      sharedWorkload(name, .syncline, iterations: 50, prepare: filled) { store, iteration in
        let payload = try payloads.value()[iteration % 2]
        let container = store.container
        try await container.sync(
          payload: payload.list, as: Task.self, parent: project, relationship: \.project)
        try await container.sync(item: payload.detail, as: Task.self)
        try await container.sync(item: payload.user, as: User.self)
        _ = try await container.exportData(as: Task.self, parent: project, relationship: \.project)
      }
      sharedWorkload(name, .handWritten, iterations: 20, prepare: filled) { store, iteration in
        let payload = try payloads.value()[iteration % 2]
        try await HandWritten.sync(tasks: payload.list, project: project, in: store)
        try await HandWritten.sync(task: payload.detail, in: store)
        try await HandWritten.sync(user: payload.user, in: store)
        _ = try await HandWritten.export(project: project, from: store)
      }
    }
  }

  private static func payloads(_ size: Int, _ project: Int, isChanged: Bool) -> Payloads {
    let last = project * WorkspaceData.tasksPerProject
    let tasks = (last - WorkspaceData.tasksPerProject + 1)...last
    let suffix = isChanged ? " (edited)" : ""
    let user = WorkspaceData.user(size / 3).replacingOccurrences(of: "Ünïcode", with: "Ünïcode\(suffix)")
    return Payloads(
      list: WorkspaceData.tasks(tasks, size: size, changedEvery: isChanged ? 10 : nil),
      detail: Data(WorkspaceData.task(last - 5, size: size, titled: suffix).utf8), user: Data(user.utf8))
  }
}
