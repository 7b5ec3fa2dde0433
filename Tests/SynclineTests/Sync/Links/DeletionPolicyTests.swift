import Syncline
import SynclineTesting
import Testing

/// The deletion policy of a call.
@Suite struct DeletionPolicyTests {
  private func container() async throws -> SyncContainer {
    try await SyncContainer.inMemory(SynclineTestsSchema.self) {
      try await $0.sync(
        payload: #"[{"id": 1, "name": "P", "tasks": [{"id": 1, "title": "A"}, {"id": 2, "title": "B"}]}]"#,
        as: Project.self)
    }
  }

  @Test func policyNoneKeepsMissingRows() async throws {
    let container = try await container()
    try await container.sync(payload: #"[{"id": 1}]"#, as: Task.self, deletionPolicy: .none)
    #expect(try container.rows(of: Task.self).count == 2)
    try await container.sync(
      payload: #"[{"id": 1}]"#, as: Task.self, parent: 1, relationship: \.project, deletionPolicy: .none)
    #expect(try container.rows(of: Task.self).count == 2)
  }

  @Test func nilPolicyDeletesMissingRowsByDefault() async throws {
    let container = try await container()
    let policy: DeletionPolicy? = nil
    try await container.sync(payload: #"[{"id": 1}]"#, as: Task.self, deletionPolicy: policy)
    #expect(try container.rows(of: Task.self).count == 1)
  }

  /// The last list of a row is decisive. For a nested list, the policy of its position applies.
  @Test func childPolicyAppliesToTheDecisiveList() async throws {
    for (row, tasks) in [
      (#"{"id": 1, "tasks": [{"id": 1, "project": {"id": 1, "task_ids": [1]}}]}"#, [1, 2] as [SyncJSON]),
      (#"{"id": 1, "task_ids": [1]}, {"id": 1, "tasks": [{"id": 1}]}"#, [1]),
    ] {
      let container = try await container()
      let payload = "[\(row)]"
      try await container.sync(
        payload: payload, as: Project.self, children: [.policy(\.tasks, .hardDeleteMissing)])
      #expect(try container.rows(of: Task.self).map { $0["id"] } == tasks, "\(row)")
    }
  }

  @Test func nilLiteralIsAcceptedAsDeletionPolicy() async throws {
    let container = try await container()
    try await container.sync(
      payload: #"[{"id": 2}]"#, as: Task.self, parent: 1, relationship: \.project, deletionPolicy: nil)
    #expect(try container.rows(of: Task.self).map { $0["id"] } == [2])
  }
}
