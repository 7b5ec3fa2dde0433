import Foundation
import SynclineTooling
import TestRuns
import Testing

@testable import SynclineCompiler

/// `syncline format`: one form, with all comments, that says the same.
@Suite struct FormatTests {
  private func formatted(_ text: String) -> String? {
    ParsedFile(SourceFile(path: "Schema.syncline", text: text)).formatted
  }

  /// What a text says: its Swift, or its diagnostics.
  private func meaning(_ text: String) -> [String] {
    let file = SourceFile(path: "Schema.syncline", text: text)
    let output = CompilerPipeline.compile(CompilerInput(target: "Sample", files: [file]))
    return output.files.map(\.text) + output.diagnostics.map { "\($0.code) \($0.message)" }.sorted()
  }

  /// The comments of a text, in their order.
  private func comments(_ text: String) -> [String] {
    let tree = ParsedFile(SourceFile(path: "Schema.syncline", text: text)).tree
    return tree.trivia.filter { [.lineComment, .documentation, .blockComment].contains($0.kind) }.map {
      piece in
      let comment = tree.file.text(piece.range)
      return piece.kind == .blockComment ? comment : comment.trimmingCharacters(in: .whitespaces)
    }
  }

  /// - Returns: whether it could be formatted.
  @discardableResult
  private func check(_ text: String) -> Bool {
    guard let once = formatted(text) else { return false }
    let shown = Comment(rawValue: text.debugDescription)
    #expect(formatted(once) == once, shown)
    #expect(meaning(once) == meaning(text), shown)
    #expect(comments(once) == comments(text), shown)
    #expect(!once.split(separator: "\n").contains { $0.last == " " }, shown)
    return true
  }

  private var texts: [String] { Fixture.all.flatMap { $0.files.map(\.text) } }

  @Test func formattingIsIdempotentAndKeepsTheMeaning() {
    #expect(texts.count { check($0) } > 60)
  }

  @Test func lineEndingsAreKeptAndDoNotChangeTheForm() {
    for text in texts where formatted(text) != nil && !text.contains("\"\"\"") && !text.contains("/*") {
      guard let form = formatted(text) else { continue }
      #expect(formatted(text.replacing("\n", with: "\r\n")) == form.replacing("\n", with: "\r\n"))
      #expect(formatted(text.replacing("\n", with: "\r")) == form)
      #expect(formatted("\u{FEFF}" + text) == form)
      // Only some of the lines: a file in its form stays, and another takes the first line's ending.
      let mixed = form.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        .joined(separator: "\r\n")
      #expect(formatted(mixed) == mixed)
    }
    #expect(
      formatted("// a\u{2028}b\r\nmodel A {\r\n id: Int\r\n}\r\n")?.hasSuffix(" id: Int\r\n}\r\n") == true)
    #expect(
      formatted("model A {\r\n id: Int /* a\r\nb */\n}\n") == "model A {\r\n  id: Int /* a\r\nb */\r\n}\r\n")
  }

  /// Without the semicolon, the comment would be the documentation of `b`.
  @Test func documentationBeforeASemicolonStaysThere() {
    check("model A {\n  id: Int\n  /// about b\n  ; b: Int\n}\n")
  }

  @Test(arguments: Soak.seeds(0, count: 80))
  func formattingMutatedFilesKeepsTheMeaning(seed: Int) {
    var mutation = Mutation(generator: SeededGenerator(seed: UInt64(5_000 + seed)))
    for text in texts {
      for _ in 0..<3 { check(mutation.mutated(text)) }
    }
  }

  /// Blanks, line ends and comments between any two tokens.
  @Test(arguments: Soak.seeds(0, count: 80))
  func formattingKeepsTheMeaningForAnySpacing(seed: Int) {
    var mutation = Mutation(generator: SeededGenerator(seed: UInt64(7_000 + seed)))
    for text in texts where formatted(text) != nil { check(mutation.spaced(text)) }
  }

  @Test func unparsableTextIsNotFormatted() {
    for text in ["model A {", "model { id: Int }", "x", "model A { id: Int }\n}", "\"", "/*"] {
      #expect(formatted(text) == nil)
    }
    // What is wrong otherwise can be formatted.
    #expect(formatted("model  A{name:Sring}") == "model A { name: Sring }\n")
  }

  @Test func formatterProducesTheStandardForm() {
    #expect(
      formatted(
        """


        import   Base
        import Other
        // A comment of the settings.
        schema{access:public}
        /// A task.
        @ParentScoped( \\.project )@Index(\\.title,\\ .project)
        model   Task{

              id:Int   // its number


          @RemoteKey( "state.id" )   state  :  State=.open
            @DateFormat("yyyy")
              day:Date?;title:String = "a  b"
          tags:[ Tag ] ; counts : [String:Int]=[:]
          project : Project /* the one
             that owns it */
          limit: Int = - 5
          // The last.

        }
        enum State:String{case open;case done,closed="x"}; model Project { id: Int; tasks: [Task] }
        model Tag { id: Int }
        model Empty {
        }
        model Long { id: Int; first: String; second: String; third: String; fourth: String; fifth: String? }
        """) == """
          import Base
          import Other
          // A comment of the settings.
          schema { access: public }

          /// A task.
          @ParentScoped(\\.project) @Index(\\.title, \\.project)
          model Task {
            id: Int  // its number

            @RemoteKey("state.id") state: State = .open
            @DateFormat("yyyy")
            day: Date?
            title: String = "a  b"
            tags: [Tag]
            counts: [String: Int] = [:]
            project: Project /* the one
               that owns it */
            limit: Int = -5
            // The last.
          }

          enum State: String { case open; case done, closed = "x" }
          model Project { id: Int; tasks: [Task] }
          model Tag { id: Int }
          model Empty {}

          model Long {
            id: Int
            first: String
            second: String
            third: String
            fourth: String
            fifth: String?
          }

          """)
  }
}
