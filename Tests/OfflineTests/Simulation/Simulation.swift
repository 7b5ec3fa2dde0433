import Foundation
import TestSupport

@testable import Syncline

/// Clients edit, push and pull while requests and answers get lost. In the end all of them are online.
struct Simulation {
  private let server = SimulatedServer()
  private let clients: [SimulatedClient]
  private let folder = TemporaryFolder()

  private init(_ fault: SimulatedFault?) throws {
    server.fault = fault
    var clients: [SimulatedClient] = []
    for number in 0..<SimulatedStep.clients {
      clients.append(try SimulatedClient(number, server, in: folder, fault))
    }
    self.clients = clients
  }

  /// What went wrong; nil if nothing did.
  static func failure(of steps: [SimulatedStep], _ fault: SimulatedFault? = nil) async -> String? {
    do {
      let simulation = try Simulation(fault)
      let failure = try await simulation.failure(of: steps)
      for client in simulation.clients { try client.close() }
      return failure
    } catch {
      return "\(error)"
    }
  }

  /// The first steps, fewer of them if the failure stays.
  static func shrunk(_ steps: [SimulatedStep], tries: Int = 150) async -> [SimulatedStep] {
    var (steps, tries) = (steps, tries)
    var length = steps.count / 2
    while length > 0 {
      var start = 0
      while start < steps.count, tries > 0 {
        var fewer = steps
        fewer.removeSubrange(start..<min(start + length, steps.count))
        tries -= 1
        if await failure(of: fewer) != nil { steps = fewer } else { start += length }
      }
      length /= 2
    }
    return steps
  }

  private func failure(of steps: [SimulatedStep]) async throws -> String? {
    for client in clients {
      try await client.store.sync(payload: #"[{"id": 1}, {"id": 2}, {"id": 3}]"#, as: Tag.self)
      try await client.pull()
    }
    for step in steps {
      do {
        try await clients[step.client].run(step)
      } catch {
        return "step \(step.number): \(error)"
      }
      if let fault = firstFault { return "step \(step.number): \(fault)" }
    }
    for client in clients { client.goOnline() }
    try await settle()
    return try await faultAtTheEnd()
  }

  private var firstFault: String? { server.faults.first ?? clients.lazy.compactMap(\.faults.first).first }

  private func settle() async throws {
    for round in 0..<12 {
      for client in clients {
        try await client.drain(round % 2 == 0 ? .row : .bare)
        // Links to rows that others have deleted are cleared by a pull; what is refused then is given up.
        if round > 1 { try await client.discard() }
        try await client.pull()
      }
      if firstFault != nil { return }
      if round > 1, try await isSettled() { return }
    }
  }

  private func isSettled() async throws -> Bool {
    let expected = SimulatedLook.rows(server)
    for client in clients {
      if try await client.store.hasPendingChanges() { return false }
      if try SimulatedLook.rows(client.store) != expected { return false }
    }
    return true
  }

  // MARK: The end

  private func faultAtTheEnd() async throws -> String? {
    if let firstFault { return firstFault }
    let expected = SimulatedLook.rows(server)
    for client in clients {
      if try await client.store.hasPendingChanges() { return "client \(client.number) has pending changes" }
      let rows = try SimulatedLook.rows(client.store)
      guard rows != expected else { continue }
      let missing = expected.subtracting(rows).sorted()
      return "client \(client.number) lacks \(missing), has \(rows.subtracting(expected).sorted())"
    }
    return repeatedValue ?? lostTitle ?? lostLink
  }

  /// A value that was applied more often than it was written.
  private var repeatedValue: String? {
    for (value, count) in server.counts.sorted(by: { $0.key < $1.key }) {
      let written = clients.map { $0.editor.counts[value] ?? 0 }.reduce(0, +)
      if count > written { return "\(value) was written \(written) times, and applied \(count) times" }
    }
    return nil
  }

  /// A title that a client gave a task last, and did not give up, but that the server never had.
  private var lostTitle: String? {
    for client in clients {
      for (task, title) in client.editor.titles.sorted(by: { $0.key < $1.key })
      where server.has(.task, task) && !client.discarded.contains("Task \(task)") {
        let place = "Task \(task)"
        let applied = server.applied.filter { $0.place == place && $0.column == "title" }
        let own = applied.lastIndex { $0.client == client.number }
        if title.isBack {
          // It is an edit only if the title between was sent.
          guard let own, applied[own...].allSatisfy({ $0.value != .string(title.value) }) else { continue }
        } else if applied.contains(where: { $0.value == .string(title.value) }) {
          continue
        }
        return "client \(client.number) lost the title \(title.value) of task \(task)"
      }
    }
    return nil
  }

  /// A link that a client set last, and did not give up, but that the server never had.
  private var lostLink: String? {
    for client in clients {
      for (task, project) in client.editor.links.sorted(by: { $0.key < $1.key }) {
        guard let target = project < 0 ? server.made[project] : project, server.has(.task, task),
          server.has(.project, target), !server.links.contains([task, target]),
          client.discarded.isDisjoint(with: ["Task \(task)", "Project \(project)", "Project \(target)"]),
          client.deletedProjects.isDisjoint(with: [project, target])
        else { continue }
        return "client \(client.number) lost the link of task \(task) to project \(target)"
      }
    }
    return nil
  }
}
