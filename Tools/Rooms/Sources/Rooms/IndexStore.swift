import CIndexStore
import Foundation

/// Reads the index that the compiler writes during a build: the symbols that a file declares, and those that it uses.
struct IndexStore {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// An occurrence of a symbol in a file.
  struct Occurrence {
    /// The mangled name of the symbol, which is unique in the module.
    let symbol: String
    let name: String
    let line: Int
    let kind: Kind
    let isDefinition: Bool
    let isWrite: Bool
    /// Whether the compiler synthesized it, so that it does not occur in the source.
    let isImplicit: Bool
    /// The symbol of which it is a member, where it is defined; for an accessor, its property.
    let owner: String?
  }

  /// The kinds of symbols that are distinguished, with their numbers in the index.
  enum Kind {
    case `protocol`, instanceProperty, other

    fileprivate init(_ number: CInt) {
      switch number {
      case 8: self = .protocol
      case 19: self = .instanceProperty
      default: self = .other
      }
    }
  }

  private let library: Library
  private let store: index_object
  private let path: String

  init(path: String, library path2: String) throws {
    self.path = path
    library = try Library(path: path2)
    guard let store = library.openStore(path, nil) else {
      throw Failure(description: "there is no index at \(path): build the package first")
    }
    self.store = store
  }

  /// The occurrences in each source file of a module that exists.
  func occurrences(inModule module: String) -> [String: [Occurrence]] {
    var records: [String: (record: String, written: Date)] = [:]
    for unit in names(of: store) {
      guard let reader = library.openUnit(store, unit, nil) else { continue }
      defer { library.disposeUnit(reader) }
      let file = text(library.mainFile(reader))
      guard text(library.moduleName(reader)) == module, FileManager.default.fileExists(atPath: file) else {
        continue
      }
      // A build with other options, or of another copy of the package, may have left older units of the file.
      let written = dateOfUnit(unit)
      if let known = records[file], known.written > written { continue }
      visit(library.dependencies, reader) { dependency in
        let isRecord = library.dependencyKind(dependency) == 2
        if isRecord, text(library.dependencyPath(dependency)) == file {
          records[file] = (text(library.dependencyName(dependency)), written)
        }
      }
    }
    var result: [String: [Occurrence]] = [:]
    for (file, unit) in records {
      guard let reader = library.openRecord(store, unit.record, nil) else { continue }
      defer { library.disposeRecord(reader) }
      visit(library.occurrences, reader) { result[file, default: []].append(occurrence($0)) }
    }
    return result
  }

  private func dateOfUnit(_ unit: String) -> Date {
    let file = URL(fileURLWithPath: path).appendingPathComponent("v5/units/\(unit)")
    let date = try? file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
    return date ?? .distantPast
  }

  private func occurrence(_ object: index_object) -> Occurrence {
    let roles = library.roles(object)
    var (line, column): (UInt32, UInt32) = (0, 0)
    library.place(object, &line, &column)
    let symbol = library.symbol(object)
    var owner: String?
    visit(library.relations, object) { relation in
      if library.relationRoles(relation) & (1 << 9) != 0 {
        owner = library.relationSymbol(relation).map { text(library.symbolID($0)) }
      }
    }
    return Occurrence(
      symbol: symbol.map { text(library.symbolID($0)) } ?? "",
      name: symbol.map { text(library.name($0)) } ?? "",
      line: Int(line), kind: symbol.map { Kind(library.symbolKind($0)) } ?? .other,
      isDefinition: roles & 2 != 0, isWrite: roles & 16 != 0, isImplicit: roles & (1 << 8) != 0, owner: owner)
  }

  private func names(of store: index_object) -> [String] {
    let names = Box<[String]>([])
    withExtendedLifetime(names) {
      _ = library.units(store, 1, Unmanaged.passUnretained(names).toOpaque()) { context, name in
        guard let context else { return false }
        let text = String(
          decoding: UnsafeRawBufferPointer(start: name.data, count: name.length), as: UTF8.self)
        Unmanaged<Box<[String]>>.fromOpaque(context).takeUnretainedValue().value.append(text)
        return true
      }
    }
    return names.value
  }

  private func visit(_ apply: index_apply, _ object: index_object, _ body: (index_object) -> Void) {
    withoutActuallyEscaping(body) { body in
      let visitor = Box(body)
      withExtendedLifetime(visitor) {
        _ = apply(object, Unmanaged.passUnretained(visitor).toOpaque()) { context, part in
          guard let context, let part else { return false }
          Unmanaged<Box<(index_object) -> Void>>.fromOpaque(context).takeUnretainedValue().value(part)
          return true
        }
      }
    }
  }

  private func text(_ string: index_string) -> String {
    String(decoding: UnsafeRawBufferPointer(start: string.data, count: string.length), as: UTF8.self)
  }
}

private final class Box<Value> {
  var value: Value
  init(_ value: Value) { self.value = value }
}

/// The functions of libIndexStore.
private struct Library {
  let openStore: index_open
  let units: index_apply_names
  let openUnit: index_open_named
  let disposeUnit: index_dispose
  let mainFile, moduleName: index_text
  let dependencies: index_apply
  let dependencyKind: index_number
  let dependencyPath, dependencyName: index_text
  let openRecord: index_open_named
  let disposeRecord: index_dispose
  let occurrences: index_apply
  let roles: index_roles
  let place: index_place
  let symbol: index_part
  let relations: index_apply
  let relationRoles: index_roles
  let relationSymbol: index_part
  let name, symbolID: index_text
  let symbolKind: index_number

  init(path: String) throws {
    guard let handle = dlopen(path, RTLD_NOW) else {
      throw IndexStore.Failure(description: "\(path) cannot be loaded")
    }
    func find<Function>(_ name: String) throws -> Function {
      guard let address = dlsym(handle, "indexstore_" + name) else {
        throw IndexStore.Failure(description: "\(path) has no indexstore_\(name)")
      }
      return unsafeBitCast(address, to: Function.self)
    }
    openStore = try find("store_create")
    units = try find("store_units_apply_f")
    openUnit = try find("unit_reader_create")
    disposeUnit = try find("unit_reader_dispose")
    mainFile = try find("unit_reader_get_main_file")
    moduleName = try find("unit_reader_get_module_name")
    dependencies = try find("unit_reader_dependencies_apply_f")
    dependencyKind = try find("unit_dependency_get_kind")
    dependencyPath = try find("unit_dependency_get_filepath")
    dependencyName = try find("unit_dependency_get_name")
    openRecord = try find("record_reader_create")
    disposeRecord = try find("record_reader_dispose")
    occurrences = try find("record_reader_occurrences_apply_f")
    roles = try find("occurrence_get_roles")
    place = try find("occurrence_get_line_col")
    symbol = try find("occurrence_get_symbol")
    relations = try find("occurrence_relations_apply_f")
    relationRoles = try find("symbol_relation_get_roles")
    relationSymbol = try find("symbol_relation_get_symbol")
    name = try find("symbol_get_name")
    symbolID = try find("symbol_get_usr")
    symbolKind = try find("symbol_get_kind")
  }
}
