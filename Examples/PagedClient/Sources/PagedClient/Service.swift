import Foundation

/// The data and rules of the server: issues and users.
actor Service {
  /// The reasons for which a request fails.
  enum Fault {
    case busy
    case broken
  }

  private struct Issue {
    let id: Int
    let title: String
    var state = "open"
    /// The revisions in which the issue was created, and last changed.
    let made: Int
    var changed: Int
  }

  private struct User {
    let id: Int
    let login: String
    var name: String
  }

  private var issues = (1...25).map { Issue(id: $0, title: "Issue \($0)", made: 0, changed: 0) }
  private var users = [
    User(id: 1, login: "ada", name: "Ada"), User(id: 2, login: "grace", name: "Grace"),
    User(id: 3, login: "edith", name: "Edith"),
  ]
  private var deleted: [(id: Int, revision: Int)] = []
  private var revision = 0
  /// The oldest revision since which the server knows all changes.
  private var oldest = 0
  /// The pages whose first request fails.
  private var faults: [Int: Fault] = [2: .busy, 3: .broken]

  // MARK: Requests

  /// The token for the current state of the issues.
  var token: String { String(revision) }

  func fault(ofPage page: Int) -> Fault? { faults.removeValue(forKey: page) }

  func page(_ page: Int, length: Int) -> (body: Data, count: Int) {
    let rows = issues.dropFirst((page - 1) * length).prefix(length)
    return (Data(list(rows).utf8), (issues.count + length - 1) / length)
  }

  /// The changes since a token; nil if the server does not know them.
  func changes(since token: String) -> Data? {
    guard let since = Int(token), oldest <= since, since <= revision else { return nil }
    let created = issues.filter { $0.made > since }
    let updated = issues.filter { $0.made <= since && $0.changed > since }
    let gone = deleted.filter { $0.revision > since }.map { String($0.id) }.joined(separator: ",")
    let lists = #""created":\#(list(created)),"updated":\#(list(updated)),"deleted":[\#(gone)]"#
    return Data(#"{\#(lists),"token":"\#(revision)"}"#.utf8)
  }

  func allUsers() -> Data {
    let rows = users.map { #"{"id":\#($0.id),"login":"\#($0.login)","name":"\#($0.name)"}"# }
    return Data("[\(rows.joined(separator: ","))]".utf8)
  }

  // MARK: Changes by others

  /// Closes an issue, deletes some, and creates one for each title.
  func change(closing closed: Int, deleting gone: Set<Int>, making titles: [String] = []) {
    revision += 1
    for index in issues.indices where issues[index].id == closed {
      issues[index].state = "closed"
      issues[index].changed = revision
    }
    issues.removeAll { gone.contains($0.id) }
    deleted += gone.sorted().map { (id: $0, revision: revision) }
    for title in titles {
      let id = (issues.map(\.id).max() ?? 0) + 1
      issues.append(Issue(id: id, title: title, made: revision, changed: revision))
    }
  }

  /// Discards the history of changes.
  func forgetChanges() { oldest = revision }

  func rename(_ login: String, to name: String) {
    for index in users.indices where users[index].login == login { users[index].name = name }
  }

  // MARK: JSON

  private func list(_ issues: some Sequence<Issue>) -> String {
    "[\(issues.map(json).joined(separator: ","))]"
  }

  private func json(_ issue: Issue) -> String {
    let author = users[issue.id % users.count]
    return
      #"{"id":\#(issue.id),"title":"\#(issue.title)","state":"\#(issue.state)","#
      + #""updated_at":"2024-05-0\#(issue.changed + 1)T08:00:00Z","#
      + #""author":{"id":\#(author.id),"login":"\#(author.login)"}}"#
  }
}
