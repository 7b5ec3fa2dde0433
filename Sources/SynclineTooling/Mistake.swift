/// Thrown if the input of a command cannot be used: its arguments, its documents or its payloads.
package struct Mistake: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
