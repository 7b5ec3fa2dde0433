import Foundation
import GRDB
import Syncline
import TestSupport

/// What has to hold after a call that was struck.
struct FaultChecks {
  let point: FaultPoint
  let site: Site

  private var workload: Workload { point.workload }
  private var expectation: Expectation { point.expectation }

  // MARK: After the call

  /// The call has done all its work, and reports what it reports without a fault.
  func afterSuccess(_ report: String) -> [String] {
    var problems: [String] = []
    if report != expectation.report {
      problems.append("it reports \(report) instead of \(expectation.report)")
    }
    return problems + stateProblems("done", [expectation.after]) + fileProblems(hasFailed: false)
  }

  /// The call has done nothing, or only its first transactions.
  func afterFailure() -> [String] {
    var allowed = [expectation.before] + expectation.between
    if workload.mayFailWhenDone { allowed.append(expectation.after) }
    // Other bytes may be in transactions that were committed before the one that failed.
    if point.fault.damages, allowed.count > 1 { return fileProblems(hasFailed: true) }
    // Nor can a connection read what it has kept in its memory.
    let problems = point.fault.damages ? [] : stateProblems("failed", allowed)
    return problems + fileProblems(hasFailed: true)
  }

  // MARK: Later

  /// The same call works, and so does opening the store.
  func later(hasFailed: Bool) async -> [String] {
    var problems: [String] = []
    if hasFailed || !workload.refusesToRepeat {
      do { _ = try await workload.call(site) } catch { problems.append("the next call failed: \(error)") }
      problems += stateProblems("done by the next call", [expectation.after])
    }
    do { try site.close() } catch { problems.append("it cannot be closed: \(error)") }
    if !workload.refusesToRepeat {
      problems += reopened { stateProblems("opened again", [expectation.after], of: $0) }
    }
    return problems + fileProblems(hasFailed: false)
  }

  /// After a read of other bytes, nothing is promised about this connection, nor about what a call that has succeeded has stored. A
  /// call that has failed leaves the file as it was.
  func opened(hasFailed: Bool) -> [String] {
    do { try site.close() } catch { return ["it cannot be closed: \(error)"] }
    let isOneTransaction = expectation.between.isEmpty && !workload.mayFailWhenDone
    guard hasFailed, isOneTransaction else {
      // Errors are allowed, but no trap.
      _ = try? site.open()
      do { try site.close() } catch { return ["opened again, it cannot be closed: \(error)"] }
      return []
    }
    return stateProblems("failed", [expectation.before])
  }

  private func reopened(_ check: (Site) -> [String]) -> [String] {
    var site = Site(folder: point.folder, schema: workload.evolved ?? workload.schema)
    site.storage = workload.storage
    do {
      try site.open()
      let problems = check(site)
      try site.close()
      return problems
    } catch {
      return ["it cannot be opened again: \(error)"]
    }
  }

  // MARK: The store

  private func stateProblems(_ name: String, _ allowed: [StoredState], of site: Site? = nil) -> [String] {
    let site = site ?? self.site
    do {
      let state = try site.state()
      var problems = state.foreign == nil ? try site.damage().map { "\(name): \($0)" } : []
      if !allowed.contains(state), let nearest = allowed.last {
        problems.append("\(name), but the store differs: \(state.difference(from: nearest))")
      }
      return problems
    } catch {
      return ["\(name), but the store cannot be read: \(error)"]
    }
  }

  // MARK: The files

  /// What is in the folder that should not be there, and what should be.
  private func fileProblems(hasFailed: Bool) -> [String] {
    do {
      let found = Set(try Scratch.files(in: point.folder))
      let strays = found.subtracting(expectation.files).filter { !isAllowed($0, hasFailed: hasFailed) }
      var problems = strays.isEmpty ? [] : ["files are left: \(strays.sorted().joined(separator: ", "))"]
      if case .movedAside = workload.files { problems += try movedProblems(found) }
      if !hasFailed, case .output(let name) = workload.files, found.contains(name),
        try Data(contentsOf: point.folder.appending(path: name)) != expectation.output
      {
        problems.append("\(name) has other bytes")
      }
      if !hasFailed, case .output(let name) = workload.files, !found.contains(name) {
        problems.append("\(name) is missing")
      }
      return problems
    } catch {
      return ["the files cannot be read: \(error)"]
    }
  }

  private func isAllowed(_ name: String, hasFailed: Bool) -> Bool {
    // A call that makes a store or none removes it again.
    if hasFailed, workload.refusesToRepeat { return false }
    switch name {
    // A store that was read keeps its log when it is closed: a connection that only reads may be the last one.
    case Site.fileName, Site.fileName + "-wal", Site.fileName + "-shm": return true
    // The next connection rolls it back.
    case Site.fileName + "-journal": return hasFailed
    default: break
    }
    switch workload.files {
    case .none: return false
    case .output(let output): return name == output && !hasFailed
    case .movedAside: return name.hasPrefix(Site.fileName + ".unusable-")
    }
  }

  /// A damaged file that is no longer the store has to be among those that were moved.
  private func movedProblems(_ found: Set<String>) throws -> [String] {
    let damaged = try Data(contentsOf: point.template.appending(path: Site.fileName))
    let isThere = try found.contains { name in
      try Data(contentsOf: point.folder.appending(path: name)) == damaged
    }
    return isThere ? [] : ["the damaged file is gone"]
  }
}
