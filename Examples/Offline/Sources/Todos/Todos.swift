import Foundation
import Syncline

/// A to-do list that is edited without a connection, while others edit the same rows. Each edit reaches the
/// server exactly once.
@main
struct Todos {
  static func main() async throws {
    // In a real app this would be a remote server. Here it runs in this process.
    let service = try Service()
    let server = try await Server.start(service)
    let phone = try Device(server: server)

    heading("The phone reads everything.")
    try await phone.pull()
    print(try await phone.listText())

    try await editWithoutConnection(phone)
    try await pullWhatOthersEdited(phone, service)
    try await push(phone, service)
    try await correctWhatIsRejected(phone)
    try await compare(phone, Device(server: server))
  }

  private static func editWithoutConnection(_ phone: Device) async throws {
    heading("The connection is gone. The user goes on.")
    await phone.api.disconnect()
    do {
      try await phone.pull()
    } catch let error as URLError where error.code == .notConnectedToInternet {
      print("  no connection")
    }
    try await phone.edit(1) {
      $0.title = "Buy oat milk"
      $0.note = "two bottles"
    }
    try await phone.label(1, with: phone.addLabel("shop"))
    try await phone.edit(2) { $0.isDone = true }
    try await phone.delete(3)
    let trip = try await phone.addList("Trip")
    let train = try await phone.addTodo("Book the train", to: trip)
    try await phone.label(train, with: 1)
    _ = try await phone.addTodo("", to: trip)
    print(try await phone.listText())

    heading("These edits are pending.")
    try await phone.showPending()
  }

  private static func pullWhatOthersEdited(_ phone: Device, _ service: Service) async throws {
    heading("Others edit the milk, too. A pull brings that, and the phone's edits stay on top.")
    let edits: SyncJSON = [
      "title": "Buy milk and bread", "note": "the blue bottle", "is_done": true, "label_ids": [1, 2],
    ]
    await service.edit(1, edits)
    await phone.api.connect()
    try await phone.pull()
    print(try await phone.listText())
  }

  private static func push(_ phone: Device, _ service: Service) async throws {
    heading("A push: the first answer is lost, others have edited the plumber, a to-do has no title.")
    await service.edit(2, ["note": "he comes at nine"])
    await phone.api.loseNextAnswer()
    try await phone.push()
    print(try await phone.listText())
  }

  private static func correctWhatIsRejected(_ phone: Device) async throws {
    heading("What the server rejects is pending until it is edited, or discarded.")
    try await phone.showPending()
    for change in try await phone.container.pendingChanges(for: Todo.self) where change.state == .rejected {
      try await phone.edit(change.id) { $0.title = "Pack" }
    }
    try await phone.push()
  }

  private static func compare(_ phone: Device, _ tablet: Device) async throws {
    heading("A second device reads everything.")
    try await tablet.pull()
    let text = try await tablet.listText()
    print(text)

    heading("The phone has the same. Nothing is pending, and a pull changes nothing.")
    let isPending = try await phone.container.hasPendingChanges()
    let isServers = try await phone.pull()
    let isSame = try await phone.listText() == text
    print("  equal: \(isSame && isServers && !isPending)")
  }

  private static func heading(_ text: String) {
    print("\n— \(text)\n")
  }
}
