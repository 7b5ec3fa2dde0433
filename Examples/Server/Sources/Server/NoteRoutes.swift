import Foundation
import Hummingbird
import Syncline

/// The routes that read and write notes.
struct NoteRoutes: Sendable {
  private static let pageLength = 20
  private static let noteLimit = 1 << 20
  private static let importLimit = 64 << 20

  let container: SyncContainer

  func add(to router: Router<BasicRequestContext>) {
    router.get("notes") { request, context in
      let query = request.uri.queryParameters
      let cursor = query["cursor"] == nil ? nil : try query.require("cursor", as: Int.self)
      return try await answer(try await page(after: cursor), to: request, context)
    }
    router.get("notes/:id") { request, context in
      let id = try context.parameters.require("id", as: Int.self)
      return try await answer(try await note(id), to: request, context)
    }
    router.patch("notes/:id") { request, context in
      let id = try context.parameters.require("id", as: Int.self)
      // Without this check, a sync would insert a note with an unknown identity.
      _ = try await note(id)
      var item = try SyncJSON(parsing: try await body(of: request, upTo: NoteRoutes.noteLimit))
      if case .object(var members) = item {
        // The identity is in the path, so an `id` in the body is ignored.
        members["id"] = .number(SyncNumber(id))
        item = .object(members)
      }
      let report = try await container.sync(item: item, as: Note.self)
      // A value that an optional property cannot read is ignored, and is not an error.
      for problem in report.problems { context.logger.warning("\(problem)") }
      return Response(json: try await note(id).data())
    }
    router.post("import") { request, _ in
      // Deletes the notes that are not in the list. If the list is invalid, nothing is written.
      let list = try await body(of: request, upTo: NoteRoutes.importLimit)
      let report = try await container.sync(payload: list, as: Note.self)
      return Response(json: try JSONEncoder().encode(report))
    }
  }

  /// The exported note.
  ///
  /// - Throws: an `HTTPError` with status 404 if the note is not stored.
  private func note(_ id: Int) async throws -> SyncJSON {
    guard let note = try await container.database.read({ db in try Note.fetchOne(db, id: id) }) else {
      throw HTTPError(.notFound, message: "There is no note \(id).")
    }
    return try await container.export(note)
  }

  /// The exported notes of a page, which begins after an identity, and the cursor of the next page; null on
  /// the last page.
  private func page(after cursor: Int?) async throws -> SyncJSON {
    let length = NoteRoutes.pageLength
    // Fetches one more note than the page contains, to find out whether there is a next page.
    let notes = try await container.database.read { db in
      var notes = Note.order(Note.Columns.id).limit(length + 1)
      if let cursor { notes = notes.filter(Note.Columns.id > cursor) }
      return try notes.fetchAll(db)
    }
    var exported: [SyncJSON] = []
    for note in notes.prefix(length) { exported.append(try await container.export(note)) }
    let next = notes.count > length ? SyncJSON.string(String(notes[length - 1].id)) : .null
    return ["notes": .array(exported), "cursor": next]
  }

  private func body(of request: Request, upTo limit: Int) async throws -> [UInt8] {
    Array(try await request.body.collect(upTo: limit).readableBytesView)
  }
}
