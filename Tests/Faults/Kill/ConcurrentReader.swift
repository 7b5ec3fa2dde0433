import Foundation
import TestSupport

/// Reads an open store repeatedly while another process writes it.
final class ConcurrentReader: @unchecked Sendable {
  let site: Site
  private let store: TextStore
  private let lock = NSLock()
  private var isStopped = false
  private var seen: [StoredState] = []
  private var problems: [String] = []
  private let done = DispatchSemaphore(value: 0)

  init(_ workload: Workload, in folder: URL) throws {
    site = try workload.site(in: folder)
    store = try site.open()
    DispatchQueue.global().async { self.read() }
  }

  private func read() {
    while !lock.withLock({ isStopped }) {
      let result = Result { try CheckedState(store.container.database) }
      lock.withLock {
        switch result {
        case .success(let found):
          problems += found.problems
          if found.state != seen.last { seen.append(found.state) }
        case .failure(let error): problems.append("a reader of another process failed: \(error)")
        }
      }
    }
    done.signal()
  }

  /// Stops reading.
  ///
  /// - Parameter states: the states that may have been read, in order.
  /// - Returns: the problems that were found.
  func stop(expecting states: [StoredState]) -> [String] {
    lock.withLock { isStopped = true }
    done.wait()
    var rest = states[...]
    for state in seen {
      guard let index = rest.firstIndex(of: state) else {
        let text = states.first.map(state.difference) ?? ""
        return problems + ["a reader of another process has seen what was not committed then: \(text)"]
      }
      rest = rest[index...]
    }
    return Array(problems.prefix(3))
  }
}
