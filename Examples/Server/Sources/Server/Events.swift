import Hummingbird
import ServiceLifecycle
import Syncline

/// Adds `GET /events`: the titles of the first notes as server-sent events, now and after each change.
func addEvents(of container: SyncContainer, to router: Router<BasicRequestContext>) {
  router.get("events") { request, _ in
    Response(
      status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
      body: ResponseBody { writer in
        let notes = container.values(of: Note.self, orderBy: [Note.Columns.title], limit: 50)
        // The loop ends when the server stops, or when the client disconnects.
        try await request.body.consumeWithCancellationOnInboundClose { _ in
          for try await notes in notes.cancelOnGracefulShutdown() {
            try await writer.write(ByteBuffer(string: event(notes)))
          }
        }
        try await writer.finish(nil)
      })
  }
}

private func event(_ notes: SyncRows<Note>) throws -> String {
  let titles = SyncJSON.array(notes.map { ["id": .number(SyncNumber($0.id)), "title": .string($0.title)] })
  return "data: \(String(decoding: try titles.data(), as: UTF8.self))\n\n"
}
