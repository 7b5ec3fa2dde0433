import Syncline
import SynclineCompiler
import SynclineInterpreter
import SynclineNaming

/// A self-contained page about a schema. It contains the diagram, and for each model its keys, properties, columns,
/// relationships, the sources of its values, and an example payload.
package struct DocumentationPage {
  private let schema: Schema
  private let modules: [String: Schema]
  private let style: KeyStyle

  package init(_ schema: Schema, importing modules: [String: Schema] = [:], keys: KeyStyle? = nil) {
    self.schema = schema
    self.modules = modules
    style = keys ?? schema.keyStyle
  }

  /// The page as HTML.
  package var text: String {
    let title = XML.escaped(schema.target)
    var sections = (schema.models + schema.structs).map { (name: $0.name, text: model($0)) }
    sections += schema.unions.map { ($0.name, union($0)) } + schema.enums.map { ($0.name, enumeration($0)) }
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(title)</title>
      <style>
      \(PageStyle.css)
      </style>
      </head>
      <body>
      <nav aria-label="Declarations">
      <h1>\(title)</h1>
      <input id="search" type="search" placeholder="Search" aria-label="Search names, keys and types" autocomplete="off">
      <ul>
      \(sections.map { "<li><a href=\"#\($0.name)\">\($0.name)</a></li>" }.joined(separator: "\n"))
      </ul>
      </nav>
      <main>
      <section id="diagram" class="diagram">
      \(SVGDiagram.text(ModelDiagram(schema, titled: schema.target)))</section>
      \(sections.map(\.text).joined(separator: "\n"))
      <p id="nothing" hidden>No results.</p>
      </main>
      <script>
      \(PageStyle.script)
      </script>
      </body>
      </html>

      """
  }

  private func section(
    _ name: String, kind: String, documentation: [String], _ content: [String]
  ) -> String {
    let lines = documentation.isEmpty ? [] : ["<p>\(XML.escaped(documentation.joined(separator: " ")))</p>"]
    return
      (["<section id=\"\(name)\" class=\"declaration\">", "<h2>\(name) <small>\(kind)</small></h2>"] + lines
      + content + ["</section>"]).joined(separator: "\n")
  }

  private func table(_ head: [String], _ rows: [String]) -> [String] {
    ["<div class=\"scroll\"><table>", "<tr>\(head.map { "<th>\($0)</th>" }.joined())</tr>"] + rows
      + ["</table></div>"]
  }

  private func model(_ model: Model) -> String {
    let shown = model.properties.filter { property in
      !property.isComposite && property.orderedList == nil
        && property.unionPart.map { $0.caseName != nil } ?? true
    }
    let head =
      model.isStruct
      ? ["JSON", "Swift", "Type", "Read from"] : ["JSON", "Swift", "Type", "Column", "Read from"]
    let rows = shown.map { property in
      "<tr>" + cells(of: property, in: model).map { "<td>\($0)</td>" }.joined() + "</tr>"
    }
    var content = facts(of: model) + table(head, rows)
    if !model.isStruct {
      let example = ExamplePayload(schema: schema, modules: modules, style: style).row(of: model)
      content.append("<details><summary>A payload</summary>")
      content.append("<pre><code>\(XML.escaped(example.indented))</code></pre></details>")
    }
    return section(
      model.name, kind: model.isStruct ? "struct" : "model", documentation: model.documentation, content)
  }

  private func facts(of model: Model) -> [String] {
    var facts: [String] = []
    func name(_ position: Int) -> String { "<code>\(model.properties[position].name)</code>" }
    if model.identityParts.count > 1 {
      let names = model.identityParts.map { name($0.position) }
      facts.append("\(names.joined(separator: " and ")) identify a row.")
    }
    if let owner = model.identifyingOwner {
      facts.append("Each \(name(owner.position)) has at most one row.")
    }
    if model.isSingleton { facts.append("There is at most one row.") }
    if let scope = model.parentScope { facts.append("Identities are unique only within \(name(scope)).") }
    if let stamp = model.updatedAt {
      facts.append("An object whose \(name(stamp)) is not newer than the stored one does not change the row.")
    }
    if let mark = model.softDelete {
      facts.append("Rows that are missing from a list are kept, with the time of the sync in \(name(mark)).")
    }
    if !model.deletionMarks.isEmpty {
      let marks = model.deletionMarks.map { "<code>\(XML.escaped($0.text))</code>" }
      facts.append("Rows with \(marks.joined(separator: " or ")) in a payload are deleted.")
    }
    if model.isOneOrMany, !model.isStruct { facts.append("A single object is read as a list of one row.") }
    return facts.map { "<p>\($0)</p>" }
  }

  private func union(_ union: Union) -> String {
    let rows = union.cases.map {
      "<tr><td><code>\(XML.escaped($0.tag))</code></td><td><code>\($0.name)</code></td><td>\(link($0.type))</td></tr>"
    }
    return section(
      union.name, kind: "union on <code>\(XML.escaped(union.key.value))</code>",
      documentation: union.documentation, table(["JSON", "Swift", "Type"], rows))
  }

  private func enumeration(_ enumeration: Enumeration) -> String {
    let rows = enumeration.cases.map { entry in
      let raw = entry.json.string ?? entry.json.description
      return "<tr><td><code>\(XML.escaped(raw))</code></td><td><code>\(entry.name)</code></td>"
        + "<td>\(XML.escaped(entry.documentation.joined(separator: " ")))</td></tr>"
    }
    return section(
      enumeration.name, kind: "enum of \(enumeration.rawType.rawValue)",
      documentation: enumeration.documentation,
      ["<p>Other values are stored unchanged.</p>"] + table(["JSON", "Swift", ""], rows))
  }

  private func cells(of property: Property, in model: Model) -> [String] {
    let keys = property.keys(in: style)
    let isIdentity =
      property.name == model.identityProperty?.name
      || model.identityParts.contains { model.properties[$0.position].name == property.name }
    let name = "<code>\(property.schemaName)</code>"
    let documentation =
      property.documentation.isEmpty
      ? "" : "<p>\(XML.escaped(property.documentation.joined(separator: " ")))</p>"
    var cells = [
      keys.map { "<code>\(XML.escaped($0))</code>" }.joined(separator: " "),
      (isIdentity ? "<b>\(name)</b>" : name) + documentation, type(of: property),
    ]
    if !model.isStruct { cells.append(property.isStored ? "<code>\(property.name)</code>" : "") }
    cells.append(XML.escaped(PropertyNotes.all(on: property).joined(separator: " ")))
    return cells
  }

  private func type(of property: Property) -> String {
    let text = XML.escaped(property.typeText)
    guard let name = property.unionPart?.union ?? property.target ?? property.valueType?.declaredName else {
      return "<code>\(text)</code>"
    }
    // The name is last: a map's type begins with that of its keys.
    guard let range = text.range(of: name, options: .backwards) else { return link(name) }
    return text.replacingCharacters(in: range, with: link(name))
  }

  private func link(_ name: String) -> String {
    schema.declares(name) ? "<a href=\"#\(name)\">\(name)</a>" : name
  }
}
