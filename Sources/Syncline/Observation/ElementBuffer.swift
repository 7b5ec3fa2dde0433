import Foundation

/// Elements that wait to be taken, in their order. When it is full, a new element is joined to the last one.
///
/// A cancelled task ends its own wait alone: others go on, and nothing that was added is lost.
final class ElementBuffer<Element: Sendable>: @unchecked Sendable {
  private let limit: Int
  private let join: @Sendable (inout Element, Element) -> Bool
  private let lock = NSLock()
  private var elements: [Element] = []
  private var isFinished = false
  private var waits: [Int: CheckedContinuation<Void, Never>] = [:]
  private var lastWait = 0

  /// - Parameters:
  ///   - limit: how many elements are kept apart.
  ///   - join: adds an element to the last one; false where it has to be kept apart. By default it replaces it.
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

  /// Ends the buffer: when the elements are taken, no other will come.
  func finish() { change { isFinished = true } }

  /// Takes the first element, if there is one.
  func takeFirst() -> Element? {
    lock.withLock { elements.isEmpty ? nil : elements.removeFirst() }
  }

  /// Takes the first element, or waits for one.
  ///
  /// - Returns: nil when the task is cancelled, or no other element will come.
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

  /// Changes the buffer, and has all who wait look at it.
  private func change(_ body: () -> Void) {
    let waits = lock.withLock {
      body()
      defer { self.waits = [:] }
      return self.waits
    }
    for wait in waits.values { wait.resume() }
  }

  /// Waits until there is something to look at, or the task is cancelled.
  private func changed(isolation: isolated (any Actor)?) async {
    let number = lock.withLock {
      lastWait += 1
      return lastWait
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { wait in
        let isOver = lock.withLock {
          // A task that was cancelled before has called the handler already.
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
