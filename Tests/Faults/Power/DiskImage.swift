import Foundation
import TestSupport

/// The files that a disk may contain after a power loss.
struct DiskImage: Sendable {
  /// The changes without a sync that survive a power loss.
  enum Kind: Int, CaseIterable, Sendable {
    case nothing
    /// All of them, as after a crash of the process only.
    case everything
    /// The changes before a point in time.
    case prefix
    /// For each file, the changes before a separate point in time.
    case prefixes
    /// Random sectors.
    case sectors, otherSectors
    /// Random sectors. The others contain random bytes, as if they were being written during the power loss.
    case noise, otherNoise

    var isNoisy: Bool { self == .noise || self == .otherNoise }
  }

  let files: [String: Data]

  private static let sectorSize = 512

  init(files: [String: Data]) { self.files = files }

  init(_ kind: Kind, of disk: VirtualDisk, using random: inout SeededGenerator) {
    let moment = Int.random(in: DiskImage.moments(of: disk), using: &random)
    var files: [String: Data] = [:]
    for (name, entry) in disk.names.sorted(by: { $0.key < $1.key }) {
      let reached: [Int?] = [entry.certain] + entry.pending.map(\.change)
      let index: Int? =
        switch kind {
        case .nothing: entry.certain
        case .everything: entry.current
        case .prefix: reached[entry.pending.count { $0.event < moment }]
        case .prefixes, .sectors, .otherSectors, .noise, .otherNoise: random.pick(reached)
        }
      guard let index else { continue }
      files[name] = DiskImage.bytes(kind, of: disk.contents[index], before: moment, using: &random)
      // The index of a log is shared memory in a file, which is never synced.
      if kind.isNoisy, name.hasSuffix("-wal") {
        files["\(name.dropLast(4))-shm"] = DiskImage.noise(32_768, using: &random)
      }
    }
    self.files = files
  }

  /// The range of moments between which changes are uncertain.
  private static func moments(of disk: VirtualDisk) -> ClosedRange<Int> {
    let events =
      disk.contents.flatMap { $0.pending.map(\.event) }
      + disk.names.values.flatMap { $0.pending.map(\.event) }
    return (events.min() ?? disk.events)...disk.events
  }

  private static func bytes(
    _ kind: Kind, of contents: VirtualDisk.Contents, before moment: Int, using random: inout SeededGenerator
  ) -> Data {
    var bytes = contents.certain
    switch kind {
    case .nothing: break
    case .everything: bytes = contents.current
    case .prefix:
      for pending in contents.pending where pending.event < moment { bytes.apply(pending.change) }
    case .prefixes:
      let count = Int.random(in: 0...contents.pending.count, using: &random)
      for pending in contents.pending.prefix(count) { bytes.apply(pending.change) }
    case .sectors, .otherSectors, .noise, .otherNoise:
      // The share is large or small. If every second change were lost, no commit with several pages would survive.
      let share = random.pick([10, 50, 90, 98])
      for pending in contents.pending {
        switch pending.change {
        case .write(let offset, let written):
          for sector in sectors(of: offset..<offset + written.count) {
            let arrives = random.chance(share)
            guard arrives || kind.isNoisy else { continue }
            let new =
              arrives
              ? written[sector.lowerBound - offset..<sector.upperBound - offset]
              : noise(sector.count, using: &random)
            bytes.replace(at: sector.lowerBound, with: new)
          }
        default: if random.chance(share) { bytes.apply(pending.change) }
        }
      }
    }
    return bytes
  }

  /// Splits a range at the boundaries of sectors.
  private static func sectors(of range: Range<Int>) -> [Range<Int>] {
    guard !range.isEmpty else { return [] }
    return (range.lowerBound / sectorSize...(range.upperBound - 1) / sectorSize).map {
      ($0 * sectorSize..<($0 + 1) * sectorSize).clamped(to: range)
    }
  }

  private static func noise(_ count: Int, using random: inout SeededGenerator) -> Data {
    var bytes = Data()
    while bytes.count < count { withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) } }
    return bytes.prefix(count)
  }

  /// A hash of the files. `Data` hashes only its first bytes.
  var digest: Int {
    var hasher = Hasher()
    for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
      hasher.combine(name)
      hasher.combine(bytes.count)
      bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
    return hasher.finalize()
  }

  /// Replaces the contents of a folder with these files.
  func write(to folder: URL) throws {
    if FileManager.default.fileExists(atPath: folder.path) { try FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, bytes) in files { try bytes.write(to: folder.appending(path: name)) }
  }
}
