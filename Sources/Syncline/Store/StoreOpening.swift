import Foundation
import GRDB

/// Opens a store. If the file is corrupt or does not fit the models, can move it aside and create a new one.
struct StoreOpening {
  let storage: SyncStorage
  let schema: SchemaEvolution

  /// An open store, how it was recovered, and how it was evolved.
  typealias Opened = (database: any DatabaseWriter, recovery: StoreRecovery?, evolution: SyncEvolution?)

  func run(recovering: Bool) throws -> Opened {
    guard let path = storage.path else { return try open() }
    // A symbolic link stays: its target is moved and recreated.
    let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let found = FileIdentity(path: path)
    do {
      return try OpenStores.shared.opening(file) { try open() }
    } catch {
      guard recovering, !storage.isReadOnly, let reason = StoreOpening.damage(in: error), let found else {
        throw error
      }
      do {
        return try OpenStores.shared.recovering(file) { try recover(file, found: found, for: reason) }
      } catch let failure as CocoaError {
        throw SyncError.containerInitialization(
          reason: "\(reason); its files could not be moved aside: \(failure.localizedDescription)")
      }
    }
  }

  private func open() throws -> Opened {
    guard !storage.isReadOnly else { return (try openReader(), nil, nil) }
    // Look first, without writing: a store that cannot be evolved stays the same to the byte. The evolution checks again.
    if try fitsAsItIs() { return (try storage.open(schema.durability), nil, nil) }
    if case .database(let writer) = storage { return (writer, nil, try schema.run(writer)) }
    var evolution: SyncEvolution?
    let database = try storage.open(schema.durability) { evolution = try schema.run(on: $0) }
    return (database, nil, evolution)
  }

  /// Why the file is corrupt or does not fit the models; nil for other errors.
  private static func damage(in error: any Error) -> String? {
    switch error {
    case let error as DatabaseError where error.isCorruption: error.description
    case let error as StoreMisfit: error.reason
    default: nil
    }
  }

  private func fitsAsItIs() throws -> Bool {
    do {
      return try storage.look { try schema.fits($0) } ?? false
    } catch is DatabaseError {
      // Opening the store throws the error.
      return false
    }
  }

  /// Opens a store read-only. It cannot be evolved.
  private func openReader() throws -> any DatabaseWriter {
    let database = try storage.open(schema.durability)
    guard try database.snapshot({ try schema.fits($0, forWriting: false) }) else {
      throw StoreMisfit(
        reason: "the store has another schema, and cannot be evolved because it was opened read-only")
    }
    return database
  }

  private func recover(
    _ file: String, found: FileIdentity, for reason: String
  ) throws -> Opened {
    guard OpenStores.shared.openPath(of: file) == nil, let lock = ExclusiveFileLock(path: file) else {
      throw SyncError.containerInitialization(
        reason: "\(reason); the file was not replaced: another connection has it open, or it is not writable")
    }
    defer { lock.release() }
    // Another opening may have recovered the store meanwhile.
    guard FileIdentity(path: file) == found else {
      lock.release()
      return try open()
    }
    // Make sure that a new store can be created before the old one is moved. It could not be moved back: another process may have
    // created a store there meanwhile.
    let new = try NewStore(like: file)
    defer { new.remove() }
    let database = try StoreOpening(storage: .file(new.url), schema: schema).open().database
    do {
      // Only the file itself gets its name. Closing would copy the log into it as well, but without an error if that fails.
      try database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    } catch {
      // Before its files are removed.
      try? database.close()
      throw error
    }
    try database.close()
    let recovery = StoreRecovery(reason: reason, movedFiles: try MovedFiles(of: file).targets)
    new.put(at: file)
    do {
      return (try open().database, recovery, nil)
    } catch {
      let failure = (error as? StoreMisfit)?.reason ?? "\(error)"
      throw SyncError.containerInitialization(reason: "\(failure). \(recovery)")
    }
  }
}
