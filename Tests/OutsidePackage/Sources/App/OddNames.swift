import Syncline
import __lives
import my_app
import odd_app

/// Targets whose names are no identifiers, and models that are called by words of Swift.
enum OddNames {
  static func run() async throws {
    // The schema alone: what it relates to in other targets is in it.
    let things = try SyncContainer(for: my_appSchema.self)
    try await things.sync(
      payload: """
        [{"id": 1, "odd": {"id": 2, "path": {"id": 3, "next": {"id": 4, "owner": {"id": 5}}}},
          "ninths": [{"id": 6}]}]
        """, as: Thing.self)
    print(try await things.export(as: Thing.self).map(\.description).joined())

    let words = try SyncContainer(for: odd_appSchema.self)
    let row = #"{"id": 1, "String": "s", "values": "v", "var": 1, "throws": 2, "await": 3, "self_": 4}"#
    try await words.sync(
      payload: """
        [{"id": 7, "one": {"id": 8}, "many": [{"id": 9, "parent": {"id": 10}}], "state": "await", "states": [6]}]
        """, as: odd_app.any.self)
    try await words.sync(payload: "[\(row)]", as: odd_app.Words.self)
    print(try await words.export(as: odd_app.any.self).map(\.description).joined())
    print(try await words.export(as: odd_app.Words.self).map(\.description).joined())
    print("lives", __livesSchema.models.count, odd_appSchema.models.count)
  }
}
