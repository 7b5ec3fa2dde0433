import Foundation
import GRDB

/// Opens a store; where that fails for the file's sake, moves the file aside and makes a new one.
struct StoreOpening {
  let storage: SyncStorage
  let catalog: ModelCatalog

  func run(recovering: Bool) throws -> (any DatabaseWriter, StoreRecovery?) {
    let found = storage.path.flatMap(FileIdentity.init(path:))
    do {
      return (try open(), nil)
    } catch {
      guard recovering, let reason = StoreOpening.damage(in: error), let path = storage.path, let found else {
        throw error
      }
      do {
        return try recover(path, found: found, for: reason)
      } catch let failure as CocoaError {
        throw SyncError.containerInitialization(
          reason: "\(reason); its files could not be moved aside: \(failure.localizedDescription)")
      }
    }
  }

  private func open() throws -> any DatabaseWriter {
    let database = try storage.open()
    try database.write { try TableCreation(catalog: catalog).run($0) }
    return database
  }

  /// What is wrong with the file itself: it is corrupt, or does not fit the models. Nil for other errors.
  private static func damage(in error: any Error) -> String? {
    switch error {
    case let error as DatabaseError where error.isCorruption: error.description
    case let error as StoreMisfit: error.reason
    default: nil
    }
  }

  private func recover(
    _ path: String, found: FileIdentity, for reason: String
  ) throws -> (any DatabaseWriter, StoreRecovery?) {
    // A link stays: what it leads to is moved, and made anew.
    let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    guard OpenStores.shared.openPath(of: file) == nil, let lock = ExclusiveFileLock(path: file) else {
      throw SyncError.containerInitialization(
        reason: "\(reason); the file stays: another connection has it open, or it must not be written")
    }
    defer { lock.release() }
    // Another opening may have recovered the store meanwhile.
    guard FileIdentity(path: path) == found else { return (try open(), nil) }
    let files = try MovedFiles(of: file)
    do {
      return (try open(), StoreRecovery(reason: reason, movedFiles: files.targets))
    } catch {
      try files.moveBack()
      throw error
    }
  }
}
