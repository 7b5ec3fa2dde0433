import Foundation
import Syncline

/// A planner whose server has a single endpoint: its response contains several lists, and it receives edits as
/// commands.
@main
struct SyncEndpoint {
  static func main() async throws {
    // In a real app this would be a remote server. Here it runs in this process.
    let service = try Service()
    let server = try await Server.start(service)
    let phone = try Device(server: server)

    heading("The first pull: without a token, the server sends everything.")
    try await phone.pull()
    print(try await phone.planText())

    try await followOthers(phone, service)
    try await sendEdits(phone, service)
    try await readEverythingAgain(phone, service)
    try await compare(phone, Device(server: server))
  }

  private static func followOthers(_ phone: Device, _ service: Service) async throws {
    heading("Others have edited. The server sends what has changed since the token.")
    let garden = await service.insert(["name": "Garden"], in: "projects")
    let beans: SyncJSON = ["title": "Plant beans", "is_done": false, "project_id": SyncJSON(garden)]
    await service.insert(beans, in: "tasks")
    await service.update(1, ["title": "Buy oat milk"], in: "tasks")
    await service.delete(3, in: "tasks")
    try await phone.pull()
    print(try await phone.planText())
  }

  private static func sendEdits(_ phone: Device, _ service: Service) async throws {
    heading("The user edits. Nothing is sent yet.")
    try await phone.finish(1)
    try await phone.delete(2)
    let trip = try await phone.addProject("Trip")
    try await phone.addTask("Book the train", to: trip)
    try await phone.showPending()

    heading("The edits are sent, and a pull brings what others have done to the same task.")
    await service.update(1, ["title": "Buy oat milk and bread"], in: "tasks")
    try await phone.sync()
    print(try await phone.planText())
  }

  private static func readEverythingAgain(_ phone: Device, _ service: Service) async throws {
    heading("The server no longer knows the token, and sends everything. What is missing was deleted.")
    await service.delete(12, in: "tasks")
    await service.forgetDeletions()
    try await phone.addTask("Pack", to: 13)
    try await phone.pull()
    print(try await phone.planText())

    heading("The new task was not missing: the server did not know it yet. It is sent now.")
    try await phone.sync()
    print("  pending: \(try await phone.container.hasPendingChanges())")
  }

  private static func compare(_ phone: Device, _ tablet: Device) async throws {
    heading("A second device reads everything.")
    try await tablet.pull()
    let text = try await tablet.planText()
    print(text)

    heading("The phone has the same. Nothing is pending, and a pull changes nothing.")
    let isPending = try await phone.container.hasPendingChanges()
    let isServers = try await phone.pull().isUnchanged
    let isSame = try await phone.planText() == text
    print("  equal: \(isSame && isServers && !isPending)")
  }

  private static func heading(_ text: String) {
    print("\n— \(text)\n")
  }
}
