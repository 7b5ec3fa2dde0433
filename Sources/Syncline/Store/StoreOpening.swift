import Foundation
import GRDB

/// Opens a store; where that fails for the file's sake, moves the file aside and makes a new one.
struct StoreOpening {
  let storage: SyncStorage
  let schema: SchemaEvolution

  /// An open store, and what was done to the one that was found.
  typealias Opened = (database: any DatabaseWriter, recovery: StoreRecovery?, evolution: SyncEvolution?)

  func run(recovering: Bool) throws -> Opened {
    guard let path = storage.path else { return try open() }
    // A link stays: what it leads to is moved, and made anew.
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
    // A store that cannot be evolved is left as it is, to the byte; what is done is looked for again when it is done.
    if try fitsAsItIs() { return (try storage.open(), nil, nil) }
    let database = try storage.open()
    return (database, nil, try schema.run(database))
  }

  /// What is wrong with the file itself: it is corrupt, or does not fit the models. Nil for other errors.
  private static func damage(in error: any Error) -> String? {
    switch error {
    case let error as DatabaseError where error.isCorruption: error.description
    case let error as StoreMisfit: error.reason
    default: nil
    }
  }

  private func fitsAsItIs() throws -> Bool {
    do {
      return try storage.look(schema.fits) ?? false
    } catch is DatabaseError {
      // Opening it says what is wrong.
      return false
    }
  }

  /// Opens a store that is not to be written, and so not evolved.
  private func openReader() throws -> any DatabaseWriter {
    let database = try storage.open()
    guard try database.read(schema.fits) else {
      throw StoreMisfit(
        reason: "the store has another schema, and is not to be written: it cannot be evolved")
    }
    return database
  }

  private func recover(
    _ file: String, found: FileIdentity, for reason: String
  ) throws -> Opened {
    guard OpenStores.shared.openPath(of: file) == nil, let lock = ExclusiveFileLock(path: file) else {
      throw SyncError.containerInitialization(
        reason: "\(reason); the file stays: another connection has it open, or it must not be written")
    }
    defer { lock.release() }
    // Another opening may have recovered the store meanwhile.
    guard FileIdentity(path: file) == found else {
      lock.release()
      return try open()
    }
    // Whether a new store can be made is known before anything is moved. What was moved could not be put back: another process
    // may have made a store there meanwhile.
    let new = try NewStore(like: file)
    defer { new.remove() }
    try StoreOpening(storage: .file(new.url), schema: schema).open().database.close()
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
