/// Schema files whose Swift would be written to one file, letter case ignored; the index of the target is one of them.
enum FileCollisions {
  static func check(_ files: [SourceFile], target: String, _ bag: inout DiagnosticBag) {
    let index = GeneratedFile.indexName(forTarget: target).lowercased()
    var first: [String: SourceFile] = [:]
    for file in files {
      let name = GeneratedFile.name(forSchema: file.relativePath).lowercased()
      let place = SourceRange(file: file, offsets: 0..<0)
      if name == index {
        bag.error(
          .collidingFiles,
          "the schema file “\(file.path)” gives the Swift file of the target's schema: rename it", at: place)
      } else if let other = first[name] {
        bag.error(
          .collidingFiles,
          "the schema files “\(other.path)” and “\(file.path)” give one Swift file: rename one of them",
          at: place)
      } else {
        first[name] = file
      }
    }
  }
}
