import GRDB

/// The results of a read that follows the store: the first, and another after each change.
///
/// Each iteration reads by itself, and follows for as long as it is kept. A result that is not taken before the next one
/// comes is left out; the last never is.
///
/// A read that fails throws, which ends a `for` loop. An iterator that is asked again waits for the next change, which is
/// read again.
public struct SyncValues<Element: Sendable>: AsyncSequence, Sendable {
  typealias Publish = @Sendable (Result<Element, any Error>) -> Void

  /// Begins to read; throws where nothing can be read.
  let follow: @Sendable (@escaping Publish) throws -> Following

  /// An iteration.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let results: ElementBuffer<Result<Element, any Error>>
    private let following: Following?

    fileprivate init(_ values: SyncValues) { (results, following) = values.results() }

    /// The next result; nil when the task is cancelled, which ends this call alone.
    ///
    /// - Throws: what the read has thrown.
    public mutating func next() async throws -> Element? {
      try await results.next()?.get()
    }

    /// The next result, given on the caller's actor without leaving it; nil when the task is cancelled, which ends this
    /// call alone.
    ///
    /// - Throws: what the read has thrown.
    @available(macOS 15, iOS 18, *)
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
      try await results.next(isolation: actor)?.get()
    }
  }

  /// Begins to follow the store.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

  /// A buffer of the newest result, and what keeps results coming.
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
