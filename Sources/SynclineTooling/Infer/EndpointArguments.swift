import Foundation

/// The endpoints that the arguments of `syncline infer` name.
package struct EndpointArguments {
  /// The files of one model.
  package struct Endpoint {
    package let name: String
    /// The name of the model's type, under which the arguments with its name are found.
    fileprivate let type: String
    package fileprivate(set) var files: [String]
    /// The path of the rows in each file.
    package fileprivate(set) var path: String?
  }

  package private(set) var endpoints: [Endpoint] = []

  /// - Parameters:
  ///   - files: paths of files, or `users.json=User` for a file with the name of its model.
  ///   - name: the name of the model of the files without one.
  ///   - paths: paths of the rows, or `User=data.users` for the files of one model.
  ///   - isFile: whether there is a file at a path.
  package init(
    _ files: [String], named name: String?, at paths: [String], isFile: (String) -> Bool
  ) throws(Mistake) {
    let parts = files.map { EndpointArguments.parts(of: $0, isFile: isFile) }
    let unnamed = parts.first { $0.name == nil }?.file
    if let name, unnamed == nil {
      throw Mistake("“--as \(name)” has no effect: each file names its model.")
    }
    let common = name ?? unnamed.map(EndpointArguments.name(of:)) ?? "Row"
    for part in parts { add(part.file, named: part.name ?? common) }
    for path in paths { try add(path) }
  }

  private mutating func add(_ file: String, named name: String) {
    let type = DraftName.type(name)
    if let known = endpoints.firstIndex(where: { $0.type == type }) {
      endpoints[known].files.append(file)
    } else {
      endpoints.append(Endpoint(name: name, type: type, files: [file]))
    }
  }

  /// Sets the path of one endpoint, or of all endpoints without one.
  private mutating func add(_ path: String) throws(Mistake) {
    let parts = path.split(separator: "=", maxSplits: 1).map(String.init)
    let type = DraftName.type(parts.first ?? "")
    let named = parts.count == 2 ? endpoints.firstIndex { $0.type == type } : nil
    if let index = named {
      endpoints[index].path = parts[1]
      return
    }
    let open = endpoints.indices.filter { endpoints[$0].path == nil }
    guard !open.isEmpty else {
      throw Mistake(
        "“--at \(path)” matches no file: each has a path already. “--at User=data.users” sets the path of one model."
      )
    }
    for index in open { endpoints[index].path = path }
  }

  /// The file, and the name after the last “=” of an argument that is not itself the path of a file.
  private static func parts(
    of argument: String, isFile: (String) -> Bool
  ) -> (file: String, name: String?) {
    guard let sign = argument.lastIndex(of: "="), sign != argument.startIndex, !isFile(argument) else {
      return (argument, nil)
    }
    let name = String(argument[argument.index(after: sign)...])
    let isName =
      name.first?.isLetter ?? false && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    return isName ? (String(argument[..<sign]), name) : (argument, nil)
  }

  /// The name of the model, derived from the name of the file: `OpenIssue` for `open-issues.json`, `Row` for standard input.
  package static func name(of file: String) -> String {
    let name = URL(filePath: file).deletingPathExtension().lastPathComponent
    return file == "-" || name.isEmpty ? "Row" : DraftName.type(name, isList: true)
  }
}
