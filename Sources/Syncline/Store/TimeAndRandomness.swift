import Foundation

/// The source of random numbers and of the time for the syncs and pushes of a container.
///
/// The default takes both from the system. Tests give two containers equal sources, so that the same calls write the same bytes.
/// Identities of new rows, temporary files, waits and measured durations do not use it.
package final class TimeAndRandomness: Sendable {
  private let number: @Sendable () -> UInt64
  private let time: @Sendable () -> Date
  /// The first digits of the keys of pushes, by which a process recognizes its own.
  let process: String
  private let lock = NSLock()
  /// The number of the last moment. The next one is later, even if the clock is set back.
  nonisolated(unsafe) private var last: Int64 = 0

  /// The system's random numbers and clock. All containers of a process share it, so their moments have one order.
  static let system = TimeAndRandomness(random: { .random(in: .min ... .max) }, now: { Date() })

  /// - Parameters:
  ///   - random: returns a random number. Calls may be concurrent.
  ///   - now: returns the time. Calls may be concurrent.
  package init(random: @escaping @Sendable () -> UInt64, now: @escaping @Sendable () -> Date) {
    number = random
    time = now
    process = String(TimeAndRandomness.uuid(random(), random()).uuidString.prefix(8))
  }

  var now: Date { time() }

  /// A random UUID, of version 4.
  func uuid() -> UUID { TimeAndRandomness.uuid(next(), next()) }

  /// A moment that is later than all that were made or stored before.
  func moment() -> SyncMoment {
    let time = Int64(now.timeIntervalSince1970 * 1_000_000)
    return lock.withLock {
      last = max(last + 1, time)
      return SyncMoment(number: last)
    }
  }

  /// Makes all later moments later than one, which may be decoded from anything: half of the range stays for later ones.
  func advance(to moment: SyncMoment) { lock.withLock { last = max(last, min(moment.number, .max / 2)) } }

  private static func uuid(_ first: UInt64, _ second: UInt64) -> UUID {
    var bytes = (first, second)
    return withUnsafeMutableBytes(of: &bytes) { bytes in
      bytes[6] = bytes[6] & 0x0F | 0x40
      bytes[8] = bytes[8] & 0x3F | 0x80
      return UUID(uuid: bytes.load(as: uuid_t.self))
    }
  }
}

extension TimeAndRandomness: RandomNumberGenerator {
  package func next() -> UInt64 { number() }
}
