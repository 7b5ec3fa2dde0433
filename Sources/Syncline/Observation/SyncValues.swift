import GRDB

/// An asynchronous sequence of the results of a read: the first one, and a new one after each change.
///
/// ```swift
/// for try await tasks in container.values(of: Task.self, orderBy: [Task.Columns.title]) {
///   print(tasks.map(\.title))
/// }
/// ```
///
/// Each iterator observes the store separately, as long as you keep it. A slow consumer may miss intermediate results; it
/// always gets the latest. If a read fails, the sequence throws, which ends a `for` loop. If you call `next()` of the iterator
/// again, it waits for the next change and reads again.
///
/// ## Topics
///
/// ### Iterating
///
/// - ``SyncValues/makeAsyncIterator()``
/// - ``SyncValues/AsyncIterator``
///
/// ### Comparing results
///
/// - ``SyncValues/differences``
public struct SyncValues<Element: Sendable>: AsyncSequence, Sendable {
  typealias Publish = @Sendable (Result<Element, any Error>) -> Void

  /// Starts to read; throws if nothing can be read.
  let follow: @Sendable (@escaping Publish) throws -> Following

  /// An iterator of the results.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let results: ElementBuffer<Result<Element, any Error>>
    private let following: Following?

    fileprivate init(_ values: SyncValues) { (results, following) = values.results() }

    /// The next result; nil when the task is cancelled, which ends only this call.
    ///
    /// - Throws: the error of the read.
    public mutating func next() async throws -> Element? {
      try await results.next()?.get()
    }

    /// The next result, returned on the caller's actor without leaving it; nil when the task is cancelled, which ends only this
    /// call.
    ///
    /// - Throws: the error of the read.
    @available(macOS 15, iOS 18, *)
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
      try await results.next(isolation: actor)?.get()
    }
  }

  /// Creates an iterator, which observes the store until it is released.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

  /// A buffer of the newest result, and the token that keeps results coming.
  func results() -> (ElementBuffer<Result<Element, any Error>>, Following?) {
    let results = ElementBuffer<Result<Element, any Error>>()
    do {
      return (results, try follow { results.add($0) })
    } catch {
      results.add(.failure(error))
      results.finish()
      return (results, nil)
    }
  }

  func map<Other: Sendable>(_ transform: @escaping @Sendable (Element) -> Other) -> SyncValues<Other> {
    SyncValues<Other> { publish in try follow { publish($0.map(transform)) } }
  }
}
