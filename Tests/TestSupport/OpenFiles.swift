import Foundation

/// The process's open file descriptors of a store's files; empty if the system does not list them.
package func openFiles(of file: URL) -> [String] {
  let folder = "/proc/self/fd"
  let path = file.resolvingSymlinksInPath().path
  return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap {
    try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
  }.filter { $0.hasPrefix(path) }
}
