import Foundation
import Syncline
import TestSupport

/// A server with offset-based pages, whose rows change between requests.
actor PagedServer {
  struct Down: Error {}

  private(set) var rows: [Int]
  private let pageSize: Int
  /// The events that occur before the page of an offset is returned.
  private var events: [Int: @Sendable (inout [Int]) throws -> Void] = [:]
  /// The requested cursors.
  private(set) var asked: [String?] = []

  init(_ rows: some Sequence<Int>, pageSize: Int = 10) {
    self.rows = Array(rows)
    self.pageSize = pageSize
  }

  /// Adds an event before a page is returned.
  func before(offset: Int, _ event: @escaping @Sendable (inout [Int]) throws -> Void) {
    events[offset] = event
  }

  func change(_ body: @Sendable (inout [Int]) -> Void) { body(&rows) }

  func page(_ cursor: String?) throws -> SyncPage {
    asked.append(cursor)
    let offset = cursor.flatMap(Int.init) ?? 0
    if let event = events.removeValue(forKey: offset) { try event(&rows) }
    let page = rows.dropFirst(offset).prefix(pageSize)
    let next = offset + pageSize
    return SyncPage(PagedServer.payload(page), cursor: next < rows.count ? String(next) : nil)
  }

  nonisolated func pages(from cursor: String? = nil) -> SyncPages {
    SyncPages(startingAt: cursor) { try await self.page($0) }
  }

  /// A payload of tags with the given identities.
  static func payload(_ rows: some Sequence<Int>) -> String {
    "[" + rows.map { #"{"id": \#($0), "name": "tag \#($0)"}"# }.joined(separator: ", ") + "]"
  }
}

extension SyncContainer {
  /// The identities of the stored tags.
  func tags() throws -> [Int] { try database.read { try Tag.fetchAll($0).map(\.id).sorted() } }
}
