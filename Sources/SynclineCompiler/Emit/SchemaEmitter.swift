/// Generates the Swift of a schema: one file for each schema file, and the index.
struct SchemaEmitter {
  let schema: Schema
  let cycles: StructCycles

  func files() -> [GeneratedFile] {
    let files = schema.files.map { tree in
      GeneratedFile(
        name: GeneratedFile.name(forSchema: tree.file.relativePath), source: tree.file.path,
        text: text(for: tree))
    }
    let index = GeneratedFile(
      name: GeneratedFile.indexName(forTarget: schema.target), source: nil, text: index())
    return files + [index]
  }

  private func text(for tree: SyntaxTree) -> String {
    let enums = tree.enums.compactMap { schema.enumeration($0.name.text) }
    let structs = tree.structs.compactMap { schema.structure($0.name.text) }
    let names = TypeNames(schema: schema)
    let values = structs.map {
      ValueEmitter(structure: $0, names: names, indirect: cycles.indirectMembers(of: $0.name))
    }
    let unions = tree.unions.compactMap { schema.union($0.name.text) }
      .map { UnionEmitter(union: $0, names: names) }
    let models = tree.models.compactMap { schema.model($0.name.text) }.map { ModelEmitter($0, of: schema) }
    let properties = models.flatMap { $0.keyed + $0.held } + structs.flatMap(\.properties)
    var modules = Set(properties.flatMap(names.modules))
    modules.formUnion(unions.flatMap(\.union.cases).compactMap { names.module(of: $0.type) })
    // A transform may be declared in any imported target.
    let hasTransforms = properties.contains { $0.transform != nil }
    var printer = CodePrinter()
    FileHeader(
      schema: schema, source: tree, modules: modules,
      ofTransforms: hasTransforms ? Set(schema.imports).subtracting(modules) : []
    ).emit(&printer)
    let interfaces =
      enums.map { enumeration in
        (
          enumeration.range.offsets.lowerBound,
          { EnumEmitter(enumeration: enumeration, access: schema.access.prefix).emit(&$0) }
        )
      }
      + values.map { ($0.structure.range.offsets.lowerBound, $0.emitInterface) }
      + unions.map { ($0.union.range.offsets.lowerBound, $0.emitInterface) }
      + models.map { ($0.model.range.offsets.lowerBound, $0.emitInterface) }
    for (_, emit) in interfaces.sorted(by: { $0.0 < $1.0 }) {
      printer.line()
      emit(&printer)
    }
    guard !models.isEmpty || !values.isEmpty || !unions.isEmpty else { return printer.text }
    printer.line()
    printer.line("// MARK: - Used by the runtime")
    for value in values {
      printer.line()
      value.emitConformance(&printer)
    }
    for union in unions {
      printer.line()
      union.emitConformance(&printer)
    }
    for model in models {
      printer.line()
      model.emitConformance(&printer)
    }
    return printer.text
  }

  private func index() -> String {
    let names = TypeNames(schema: schema)
    let access = schema.access.prefix
    var printer = CodePrinter()
    FileHeader(schema: schema, source: nil).emit(&printer)
    printer.line()
    let models = Code.array(schema.models.map(\.name).sorted().map { .text(names.metatype($0)) })
    let hasImports = !schema.imports.isEmpty
    printer.line(
      "/// The models of \(schema.target)\(hasImports ? ", and the related models of other targets" : "")."
    )
    printer.block("\(access)nonisolated enum \(schema.target)Schema: Syncline.SyncSchema") { printer in
      printer.block("\(access)static var models: [any Syncline.SyncUpdatableModel.Type]") { printer in
        printer.code(hasImports ? .call("Self.related", ["to: " + models]) : models)
      }
    }
    return printer.text
  }
}
