/// Reports schema files whose generated files have the same name, ignoring case, or the name of the target's index.
enum FileCollisions {
  static func check(_ files: [SourceFile], target: String, _ bag: inout DiagnosticBag) {
    let index = GeneratedFile.indexName(forTarget: target).lowercased()
    var first: [String: SourceFile] = [:]
    for (position, file) in files.enumerated() {
      // The sections of an edited file follow each other. Paths are compared by bytes, because `==` treats
      // canonically equivalent strings as equal.
      if position > 0, files[position - 1].path.utf8.elementsEqual(file.path.utf8) { continue }
      let name = GeneratedFile.name(forSchema: file.relativePath).lowercased()
      let place = file.range(0..<0)
      if name == index {
        bag.error(
          .collidingFiles,
          "the Swift file of “\(file.path)” would have the name of the target's index file: rename the schema file",
          at: place)
      } else if let other = first[name] {
        bag.error(
          .collidingFiles,
          "the schema files “\(other.path)” and “\(file.path)” would generate the same Swift file: rename one of them",
          at: place)
      } else {
        first[name] = file
      }
    }
  }
}
