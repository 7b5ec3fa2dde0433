import Foundation

/// Elements that wait to be taken, in order. When it is full, a new element is merged into the last one.
///
/// Cancelling a task ends only that task's wait. Others continue, and no element is lost.
final class ElementBuffer<Element: Sendable>: @unchecked Sendable {
  private let limit: Int
  private let join: @Sendable (inout Element, Element) -> Bool
  private let lock = NSLock()
  private var elements: [Element] = []
  private var isFinished = false
  private var waits: [Int: CheckedContinuation<Void, Never>] = [:]
  private var lastWait = 0

  /// - Parameters:
  ///   - limit: how many elements are kept separately.
  ///   - join: merges an element into the last one; false if it must be kept separately. By default it replaces the last.
  init(
    limit: Int = 1,
    join: @escaping @Sendable (inout Element, Element) -> Bool = {
      $0 = $1
      return true
    }
  ) {
    self.limit = limit
    self.join = join
  }

  func add(_ element: Element) {
    change {
      if elements.count < limit || !join(&elements[elements.count - 1], element) { elements.append(element) }
    }
  }

  /// Ends the buffer: no elements will follow those that it has.
  func finish() { change { isFinished = true } }

  func takeFirst() -> Element? {
    lock.withLock { elements.isEmpty ? nil : elements.removeFirst() }
  }

  /// Takes the first element, or waits for one.
  ///
  /// - Returns: nil when the task is cancelled, or when no elements will follow.
  func next(isolation: isolated (any Actor)? = #isolation) async -> Element? {
    while !_Concurrency.Task.isCancelled {
      let (first, isOver) = lock.withLock {
        (elements.isEmpty ? nil : elements.removeFirst(), isFinished)
      }
      if first != nil || isOver { return first }
      await changed(isolation: isolation)
    }
    return nil
  }

  /// Changes the buffer, and resumes all waiting tasks.
  private func change(_ body: () -> Void) {
    let waits = lock.withLock {
      body()
      defer { self.waits = [:] }
      return self.waits
    }
    for wait in waits.values { wait.resume() }
  }

  /// Waits until the buffer changes, or the task is cancelled.
  private func changed(isolation: isolated (any Actor)?) async {
    let number = lock.withLock {
      lastWait += 1
      return lastWait
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { wait in
        let isOver = lock.withLock {
          // If the task was cancelled earlier, the handler has already run.
          guard elements.isEmpty, !isFinished, !_Concurrency.Task.isCancelled else { return true }
          waits[number] = wait
          return false
        }
        if isOver { wait.resume() }
      }
    } onCancel: {
      lock.withLock { waits.removeValue(forKey: number) }?.resume()
    }
  }
}
