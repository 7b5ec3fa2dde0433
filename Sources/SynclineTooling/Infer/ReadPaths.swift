import SynclineCompiler
import SynclineNaming

struct ReadPaths {
  private var paths: Set<String> = []
  /// The paths of the objects, lists and maps that contain their values.
  private var outerPaths: Set<String> = []

  init(of model: Model, _ style: KeyStyle) {
    for key in model.properties.flatMap({ $0.keys(in: style) }) {
      let path = RemotePath.unquoted(key)
      paths.insert(path)
      for end in path.indices where ".[{".contains(path[end]) { outerPaths.insert(String(path[..<end])) }
    }
  }

  /// Whether the model reads a path, a path that contains it, or a path inside it.
  func overlap(_ path: String) -> Bool {
    let path = RemotePath.unquoted(path)
    return paths.contains(path) || outerPaths.contains(path)
      || path.indices.contains { path[$0] == "." && paths.contains(String(path[..<$0])) }
  }
}
