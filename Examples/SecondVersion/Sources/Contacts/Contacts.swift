import FirstVersion
import Foundation
import SecondVersion
import Syncline

/// Shows how the second version of an app migrates a store of the first version.
@main struct Contacts {
  static func main() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "contacts-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "contacts.sqlite")
    try await runFirstVersion(file)

    let planned = try SyncContainer.evolution(for: SecondVersionSchema.self, storage: .file(file))
    print("Without a step:\n\(planned)\n")

    let container = try SyncContainer(
      for: SecondVersionSchema.self, storage: .file(file), configuration: configuration)
    if let evolution = container.evolution { print("Done:\n\(evolution)\n") }
    for person in try await container.export(as: SecondVersion.Person.self) { print(person) }
  }

  static func runFirstVersion(_ file: URL) async throws {
    let container = try SyncContainer(for: FirstVersionSchema.self, storage: .file(file))
    let payload = """
      [
        {"id": 1, "name": "Ada Lovelace", "company": {"id": 7, "title": "Engines"}},
        {"id": 2, "name": "Plato", "note": "a cave", "company_id": 8}
      ]
      """
    try await container.sync(payload: payload, as: FirstVersion.Person.self)
  }

  /// Fills the columns of new required properties before the store is migrated.
  static var configuration: SyncConfiguration {
    var configuration = SyncConfiguration()
    configuration.beforeEvolution = { database, schema in
      guard let person = schema.model("Person"), person.property("name") != nil else { return }
      try database.execute(
        sql: """
          ALTER TABLE "Person" ADD COLUMN "firstName" TEXT;
          ALTER TABLE "Person" ADD COLUMN "lastName" TEXT;
          UPDATE "Person" SET
            "firstName" = substr("name", 1, instr("name" || ' ', ' ') - 1),
            "lastName" = substr("name", instr("name" || ' ', ' ') + 1);
          """)
    }
    return configuration
  }
}
