import Foundation
import Syncline

/// The board as a web page, which receives each change as a server-sent event.
struct Page: Sendable {
  private let container: SyncContainer

  init(_ container: SyncContainer) { self.container = container }

  /// Syncs a task that another user of the API has changed.
  func take(_ task: Data) async throws {
    try await container.sync(item: task, as: Task.self)
  }

  /// A task with the values that the page shows.
  private struct Item: Encodable {
    let id: Int
    let title: String
    let state: TaskState
  }

  /// The tasks that are not done, as JSON in one line: now, and after each change.
  var events: AsyncThrowingMapSequence<SyncValues<SyncRows<Task>>, String> {
    container.values(
      of: Task.self, where: Task.Columns.state != .done, orderBy: [Task.Columns.title]
    ).map { tasks in
      let items = tasks.map { Item(id: $0.id, title: $0.title, state: $0.state) }
      return String(decoding: try JSONEncoder().encode(items), as: UTF8.self)
    }
  }

  static let html = """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>The new site</title>
    <style>
      :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
      body { max-width: 34rem; margin: 3rem auto; padding: 0 1rem; }
      h1 { font-size: 1.4rem; }
      ul { list-style: none; padding: 0; }
      li { display: flex; gap: .75rem; padding: .5rem .75rem; border-bottom: 1px solid color-mix(in srgb, currentColor 15%, transparent); }
      li.new { animation: new 1.5s; }
      @keyframes new { from { background: #ffd75e88; } }
      .state { margin-left: auto; opacity: .7; }
      button { font: inherit; padding: .3rem .9rem; }
    </style>
    <h1>The new site</h1>
    <p id="status" role="status">connecting…</p>
    <ul id="tasks"></ul>
    <button id="next">Next state</button>
    <button id="add">Add a task</button>
    <script>
      const list = document.getElementById("tasks"), status = document.getElementById("status");
      const names = { open: "open", in_progress: "in progress" };
      let before = null;
      const events = new EventSource("/events");
      events.onmessage = event => {
        const tasks = JSON.parse(event.data);
        list.replaceChildren(...tasks.map(task => {
          const item = document.createElement("li"), state = document.createElement("span");
          item.textContent = task.title;
          state.textContent = names[task.state] ?? task.state;
          state.className = "state";
          item.append(state);
          if (before && before.get(task.id) !== task.state) item.className = "new";
          return item;
        }));
        before = new Map(tasks.map(task => [task.id, task.state]));
        status.textContent = `${tasks.length} to do`;
      };
      events.onerror = () => { status.textContent = "connecting…"; };
      for (const [id, path] of [["next", "/board/next"], ["add", "/board/add"]])
        document.getElementById(id).onclick = () => fetch(path, { method: "POST" });
    </script>
    """
}
