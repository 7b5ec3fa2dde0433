import Foundation
import Syncline
import SynclineTesting

/// The schemas and payloads of workloads.
enum Payloads {
  /// The number of rows in a list. A debug build takes ten times as long for each row.
  static let rowCount: Int = {
    #if DEBUG
      150
    #else
      1_000
    #endif
  }()

  /// Values of all kinds, a to-one, and links in a join table.
  static let schema = #"""
    model Article {
      id: Int
      title: String
      @RemoteKey("description") details: String?
      @RemoteKey("state.id") state: String
      createdAt: Date
      isPublished: Bool
      score: Double
    }

    model Document {
      id: String
      title: String
      folder: Folder?
    }

    model Folder {
      id: Int
      @Relationship(inverse: \Document.folder) documents: [Document]
    }

    model Issue {
      id: Int
      title: String
      @Relationship(inverse: \Label.issues) labels: [Label]
    }

    model Label {
      id: Int
      issues: [Issue]
    }
    """#

  /// A JSON array with an object for each number.
  static func list(_ numbers: Range<Int>, _ object: (Int) -> String) -> String {
    "[\(numbers.map(object).joined(separator: ","))]"
  }

  /// Rows without relationships. Every second one has details with escapes, so that both SQLite and the reader must copy them.
  static func articles(_ numbers: Range<Int>, titled title: String) -> String {
    list(numbers) { id in
      let details = id % 2 == 0 ? "details that need memory" : #"\"escaped\" details that need memory"#
      return #"""
        {"id":\#(id),"title":"\#(title) \#(id)","description":"\#(details)","state":{"id":"open"},\#
        "created_at":"2024-03-11T10:15:30Z","is_published":true,"score":0.5}
        """#
    }
  }

  /// Rows with string identities. Every fourth contains its folder as a nested row, the others refer to missing folders.
  static func documents(_ numbers: Range<Int>, titled title: String) -> String {
    list(numbers) { id in
      let folder = id % 4 == 0 ? #""folder":{"id":\#(id % 10)}"# : #""folder_id":\#(100 + id % 50)"#
      return #"{"id":"a-document-\#(id)","title":"the \"\#(title)\" title of \#(id)",\#(folder)}"#
    }
  }

  /// Rows with nested rows that are linked through a join table. Every tenth row depends on the version.
  static func issues(_ numbers: Range<Int>, version: Int = 0) -> String {
    list(numbers) { id in
      let own = id % 10 == 0 ? version : 0
      let labels = #"{"id":\#(id % 7 + own)},{"id":\#(id % 7 + 20)}"#
      return #"{"id":\#(id),"title":"title \#(own)","labels":[\#(labels)]}"#
    }
  }

  /// Rows with the lists of the rows that refer to them, some of which are missing.
  static func labels(_ numbers: Range<Int>) -> String {
    list(numbers) { #"{"id":\#($0),"issue_ids":[\#($0),\#($0 + 7),\#($0 + 9_000)]}"# }
  }
}

extension SyncReport {
  /// The report as text, without the duration.
  func text() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try SyncJSON(parsing: encoder.encode(self)).removing("duration").description
  }
}
