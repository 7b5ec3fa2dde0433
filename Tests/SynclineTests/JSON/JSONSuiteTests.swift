import Foundation
import Syncline
import Testing

/// The cases of JSONTestSuite, if they are available.
enum JSONSuite {
  static let folder = RealData.folder("jsontestsuite")

  static func cases(_ prefix: String) -> [String] {
    guard let folder, let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
      return []
    }
    return names.filter { $0.hasPrefix(prefix) }.sorted()
  }

  static func data(_ name: String) throws -> Data {
    try RealData.data("jsontestsuite/\(name)")
  }
}

@Suite(.enabled(if: JSONSuite.folder != nil, "the folder jsontestsuite is not present; set SYNCLINE_DATA"))
struct JSONSuiteTests {
  @Test func jsonTestSuiteIsComplete() {
    #expect(JSONSuite.cases("y_").count >= 95)
    #expect(JSONSuite.cases("n_").count >= 187)
    #expect(JSONSuite.cases("i_").count >= 35)
  }

  @Test(arguments: JSONSuite.cases("y_"))
  func validTextIsAccepted(_ name: String) async throws {
    let data = try JSONSuite.data(name)
    let json = try SyncJSON(parsing: data)
    #expect(try SyncJSON(parsing: json.data()) == json)
    let container = try SyncContainer(for: Kinds.self)
    try await container.sync(
      payload: Data(#"[{"id": 1, "json": "#.utf8) + data + Data("}]".utf8), as: Kinds.self)
    #expect(try await container.export(as: Kinds.self)[0]["json"] == json)
  }

  @Test(arguments: JSONSuite.cases("n_"))
  func invalidTextIsRefusedAndNothingIsWritten(_ name: String) async throws {
    let data = try JSONSuite.data(name)
    #expect(throws: SyncError.self) { try SyncJSON(parsing: data) }
    let container = try SyncContainer(for: Kinds.self)
    try await container.sync(payload: #"[{"id": 1}]"#, as: Kinds.self)
    await #expect(throws: SyncError.self) { try await container.sync(payload: data, as: Kinds.self) }
    await #expect(throws: SyncError.self) { try await container.sync(item: data, as: Kinds.self) }
    await #expect(throws: SyncError.self) { try await container.sync(payload: data, at: "a", as: Kinds.self) }
    #expect(try await container.database.read { try Kinds.fetchCount($0) } == 1)
  }

  @Test(arguments: JSONSuite.cases("i_"))
  func implementationDefinedTextDoesNotCrash(_ name: String) async throws {
    let data = try JSONSuite.data(name)
    let json = try? SyncJSON(parsing: data)
    if let json { #expect(try SyncJSON(parsing: json.data()) == json) }
    let container = try SyncContainer(for: Kinds.self)
    let payload =
      Data(#"[{"id": 1, "json": "#.utf8) + data + Data(#", "double": "#.utf8) + data + Data("}]".utf8)
    _ = try? await container.sync(payload: payload, as: Kinds.self)
    _ = try await container.export(as: Kinds.self)
  }
}
