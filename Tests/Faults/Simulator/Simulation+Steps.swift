import Foundation
import GRDB
import Syncline
import TestSupport

/// The error of a page that cannot be loaded.
struct SimulatedPageError: Error {}

extension Simulation {
  // MARK: Calls at once

  /// Checks that calls that wait for each other run in the order in which they were made.
  func play(atOnce calls: [SimulatedCall]) async throws {
    let (store, shadow) = (try stores.store(), stores.shadow)
    // This actor runs the calls one after the other, each up to the point at which it waits for the store.
    let tasks = calls.map { call in Task { @MainActor in try await call.run(on: store) } }
    for (call, task) in zip(calls, tasks) {
      let found = await outcome { try await task.value }
      let expected = await outcome { try await call.run(on: shadow) }
      try compare(found, expected)
    }
    try settle()
    _ = try await notices.take()
  }

  // MARK: Pages

  /// Pages are not repeated. Doing so may change rows back, if an early page and a late page state different values of a row.
  func play(_ pages: SimulatedStep.Pages) async throws {
    let (store, shadow) = (try stores.store(), stores.shadow)
    let found = await outcome { try await pages.run(on: store) }
    let expected = await outcome { try await pages.run(on: shadow) }
    try compare(found, expected)
    try settle()
    _ = try await notices.take()
  }

  // MARK: Edits

  func play(edit sql: String) async throws {
    let before = tables
    if sql.hasPrefix("INSERT") { hasInsertedBySQL = true }
    let found = try await run(sql, on: stores.store())
    let expected = await run(sql, on: stores.shadow)
    digest.add(expected)
    guard found == expected else {
      throw SimulatedFinding(.outcomes, "\(found)\nwithout faults:\n\(expected)")
    }
    if !found.isEmpty { try checkUnchanged(.errorChanges, after: found) }
    try settle()
    // A write that stores the existing value may or may not cause a notice.
    let noticed = try await notices.take().reduce(into: Set<String>()) { $0.formUnion($1.tables.keys) }
    let models = stores.schema.models.map { $0.databaseTableName }
    let missed = tables.names(besides: before).filter { models.contains($0) && !noticed.contains($0) }
    guard missed.isEmpty else {
      throw SimulatedFinding(.notice, "no notice of \(missed.joined(separator: ", "))")
    }
  }

  /// - Returns: the error; an empty string if there is none.
  private func run(_ sql: String, on store: TextStore) async -> String {
    do { try await store.run(sql) } catch { return "\(error)" }
    return ""
  }

  // MARK: Exports

  /// Syncs the exported body only into the exporting store. In another store, a list with pending links would be read with
  /// other rows, and their order would not be comparable.
  func export(_ name: String) async throws {
    let (body, expected) = (
      try await stores.store().exportData(name), try await stores.shadow.exportData(name)
    )
    guard body == expected else { throw SimulatedFinding(.exported, "\(body)\nwithout faults:\n\(expected)") }
    digest.add(body)
    // A sync that brings a row makes its pending links, an insertion by SQL does not. The exported key makes such a link, so the
    // test is skipped.
    if hasInsertedBySQL, tables.tables["syncline_pending_link"] != nil { return }
    let call = SimulatedCall(model: name, form: .list(nil), payload: try SyncJSON(parsing: body))
    let store = try stores.store()
    let found = await outcome { try await call.run(on: store) }
    guard case .report(let report) = found, report.isUnchanged else {
      throw SimulatedFinding(.exported, "\(body)\n\(found.text)")
    }
    try checkUnchanged(.exported, after: body)
    _ = try await notices.take()
  }
}

extension SimulatedStep.Pages {
  @MainActor
  func run(on store: TextStore) async throws -> SyncReport {
    try await run(store.model(model), on: store.container)
  }

  @MainActor
  private func run<Model: SyncUpdatableModel>(
    _ model: Model.Type, on store: SyncContainer
  ) async throws -> SyncReport {
    let cursor = resumes ? try await store.cursor(for: model) : nil
    let pages = try payloads.enumerated().map { index, payload in
      SyncPage(
        String(decoding: try payload.data(), as: UTF8.self),
        cursor: index == payloads.count - 1 ? nil : "page \(index + 1)")
    }
    let stream = AsyncThrowingStream<SyncPage, any Error> { [failing] continuation in
      for (index, page) in pages.enumerated() {
        if index == failing { return continuation.finish(throwing: SimulatedPageError()) }
        continuation.yield(page)
      }
      continuation.finish()
    }
    return try await store.sync(pages: stream, as: model, startingAt: cursor)
  }
}
