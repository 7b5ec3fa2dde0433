import Foundation
import GRDB
import Syncline
import TestSupport

/// Checks the store and its files after a call with a fault.
struct FaultChecks {
  let point: FaultPoint
  let site: Site

  private var workload: Workload { point.workload }
  private var expectation: Expectation { point.expectation }

  // MARK: After the call

  /// Checks that a successful call has done all its work, and has the same report as without a fault.
  func afterSuccess(_ report: String) -> [String] {
    var problems: [String] = []
    if report != expectation.report {
      problems.append("it reports \(report) instead of \(expectation.report)")
    }
    return problems + stateProblems("done", [expectation.after]) + fileProblems(hasFailed: false)
  }

  /// Checks that a failed call has done nothing, or only its first transactions.
  func afterFailure() -> [String] {
    if workload.hasUnknownSteps { return fileProblems(hasFailed: true) + damage() }
    var allowed = [expectation.before] + expectation.between
    if workload.mayFailWhenDone || workload.mayBeCancelledWhenDone && point.fault.event == .cancel {
      allowed.append(expectation.after)
    }
    // Wrong bytes may be in transactions that were committed before the failing one.
    if point.fault.damages, allowed.count > 1 { return fileProblems(hasFailed: true) }
    // The connection may also have wrong bytes in its cache.
    let problems = point.fault.damages ? [] : stateProblems("failed", allowed)
    return problems + fileProblems(hasFailed: true)
  }

  // MARK: Later

  /// Checks that repeating the call and opening the store succeed.
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

  /// Checks the store after it is opened again. After a read of wrong bytes, neither this connection nor the data that a
  /// successful call has stored can be trusted. A failed call must leave the file unchanged.
  func opened(hasFailed: Bool) -> [String] {
    do { try site.close() } catch { return ["it cannot be closed: \(error)"] }
    let isOneTransaction =
      expectation.between.isEmpty && !workload.mayFailWhenDone && !workload.hasUnknownSteps
    guard hasFailed, isOneTransaction else {
      // Errors are allowed, traps are not.
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

  private func damage() -> [String] {
    do { return point.fault.damages ? [] : try site.damage() } catch {
      return ["failed, and cannot be read: \(error)"]
    }
  }

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

  /// Unexpected files in the folder, and missing ones.
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
    // A failed call that creates a store must remove it.
    if hasFailed, workload.refusesToRepeat { return false }
    switch name {
    // A store that was read keeps its log when it is closed, because a read-only connection may be the last one.
    case Site.fileName, Site.fileName + "-wal", Site.fileName + "-shm": return true
    // The next connection rolls the journal back.
    case Site.fileName + "-journal": return hasFailed
    default: break
    }
    switch workload.files {
    case .none: return false
    case .output(let output): return name == output && !hasFailed
    case .movedAside: return name.hasPrefix(Site.fileName + ".unusable-")
    }
  }

  /// Checks that a damaged file that was replaced is among the moved files.
  private func movedProblems(_ found: Set<String>) throws -> [String] {
    let damaged = try Data(contentsOf: point.template.appending(path: Site.fileName))
    let isThere = try found.contains { name in
      try Data(contentsOf: point.folder.appending(path: name)) == damaged
    }
    return isThere ? [] : ["the damaged file is gone"]
  }
}
