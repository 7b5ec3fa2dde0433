import Foundation
import Testing

extension OutsidePackageTests {
  /// What generated Swift costs its users at compile time.
  @Suite struct TypeCheckingTests {
    private static var countsScopes: Bool {
      #if compiler(>=6.3)
        true
      #else
        false
      #endif
    }

    /// The work of type-checking is counted, which is the same on every machine: an expression that opens more than a
    /// thousand of the solver's scopes, about a tenth of a second, is an error.
    @Test(.enabled(if: countsScopes, "the compiler counts the solver's scopes from Swift 6.3 on"))
    func aHundredModelsCompileWithoutAnythingSlowToTypeCheck() throws {
      let folder = try TemporaryFolder()
      for number in 0..<100 {
        try folder.write(model(number), to: "Schemas/Models/Model\(number).syncline")
      }
      try folder.write(queries, to: "Sources/Models/Queries.swift")
      try folder.write(
        "let sum = [1, 2.5, 3].map { 2 * $0 - 1 }.reduce(0) { $0 + 3 * $1 }",
        to: "Sources/Control/Control.swift")
      try folder.write(mistakes.joined(separator: "\n"), to: "Sources/Mistakes/Mistakes.swift")
      try folder.write(manifest, to: "Package.swift")

      let models = try Shell.swift("build", package: folder.url, "--target", "Models")
      #expect(models.status == 0, "\(models.output)")
      #expect(!models.output.contains("warning:"), "\(models.output)")

      // The compiler must know the option, else nothing would ever be slow.
      let control = try Shell.swift("build", package: folder.url, "--target", "Control")
      #expect(control.status != 0)
      #expect(control.output.contains("unable to type-check this expression"), "\(control.output)")

      // A column is compared with values of its own type: each line that does otherwise is an error, and no other is.
      let wrong = try Shell.swift("build", package: folder.url, "--target", "Mistakes")
      for (index, line) in mistakes.enumerated() {
        let errors = wrong.output.split(separator: "\n").filter {
          $0.contains("Mistakes.swift:\(index + 1):") && $0.contains("error:")
        }
        #expect(errors.isEmpty == !line.hasSuffix("// wrong"), "\(line): \(errors)")
      }
    }

    /// Conditions of up to six comparisons, in each place where GRDB takes one.
    private var queries: String {
      """
      import Foundation
      import Syncline

      private typealias Columns = Model0.Columns

      func whole(_ date: Date) -> QueryInterfaceRequest<Model0> {
        Model0.filter(
          Columns.title == "a" && Columns.ratio > 2 && Columns.isOpen == true
            || Columns.details == nil && Columns.updatedAt > date && Columns.position != 3)
      }

      func closure(_ date: Date) -> QueryInterfaceRequest<Model0> {
        Model0.filter {
          $0.title == "a" && $0.ratio > 2 && $0.isOpen == true
            || $0.details == nil && $0.updatedAt > date && $0.position != 3
        }
      }

      func ofRequest(_ text: String?, _ numbers: [Int]) -> QueryInterfaceRequest<Model0> {
        Model0.all().filter {
          !$0.isOpen && $0.title == text && numbers.contains($0.position) && $0.kind == .second
            && $0.title.like("%a") && $0.next != nil
        }
      }

      func ofModel(_ text: String?) -> QueryInterfaceRequest<Model0> {
        Model0.joining(required: Model0.next.filter { $0.title == text && $0.ratio < 0.5 && $0.position == 1 })
      }

      func ofModels() -> QueryInterfaceRequest<Model1> {
        Model1.including(all: Model1.previous.filter { $0.title == "b" && $0.kind != .last && $0.ratio > 1 })
      }

      func ofPartners() -> QueryInterfaceRequest<Model1> {
        Model1.including(all: Model1.partners.filter { $0.title == "b" && $0.position > 2 && $0.ratio > 1 })
      }
      """
    }

    private var mistakes: [String] {
      """
      import Foundation
      @_spi(Generated) import Syncline
      enum State: SyncEnum {
        case open, other(String)
        init(rawValue: String) { self = rawValue == "open" ? .open : .other(rawValue) }
        var rawValue: String { if case .other(let text) = self { text } else { "open" } }
      }
      enum Columns {
        static let title = ModelColumn<String>("title")
        static let count = ModelColumn<Int>("count")
        static let state = ModelColumn<State>("state")
        static let date = ModelColumn<Date>("date")
        static let flag = ModelColumn<Bool>("flag")
        static let project = ModelColumn<Int>("project")
      }
      func check(_ text: String, _ number: Int, _ state: State, _ optional: String?) {
        _ = Columns.title == 3  // wrong
        _ = Columns.title != 3  // wrong
        _ = Columns.title == number  // wrong
        _ = Columns.title == state  // wrong
        _ = Columns.state == "opn"  // wrong
        _ = Columns.state == .opne  // wrong
        _ = Columns.state == text  // wrong
        _ = Columns.count == "3"  // wrong
        _ = Columns.flag == 1  // wrong
        _ = Columns.project == "x"  // wrong
        _ = Columns.title.set(to: 3)  // wrong
        _ = Columns.state.set(to: "opn")  // wrong
        _ = Columns.title == text && Columns.count > number && Columns.state == state
        _ = Columns.title == optional && Columns.title == nil && Columns.title == "x"
        _ = Columns.state == .open && Columns.date < Date() && Columns.flag == true
        _ = [Columns.title.set(to: "x"), Columns.title.set(to: nil), Columns.state.set(to: .open)]
        _ = Columns.title == Columns.state && Columns.count == Columns.count + 1
      }
      """.components(separatedBy: "\n")
    }

    private var manifest: String {
      """
      // swift-tools-version: 6.1
      import PackageDescription

      let limit = [SwiftSetting.unsafeFlags(["-Xfrontend", "-solver-scope-threshold=1000"])]

      let package = Package(
        name: "Slow",
        platforms: [.macOS(.v14)],
        dependencies: [.package(name: "Syncline", path: "\(Shell.package.path)")],
        targets: [
          .target(
            name: "Models", dependencies: [.product(name: "Syncline", package: "Syncline")],
            swiftSettings: limit, plugins: [.plugin(name: "SynclinePlugin", package: "Syncline")]),
          .target(name: "Control", swiftSettings: limit),
          .target(name: "Mistakes", dependencies: [.product(name: "Syncline", package: "Syncline")]),
        ],
        swiftLanguageModes: [.v6]
      )
      """
    }

    /// One of each that the language has in those of a chain, and others that only make many.
    private func model(_ number: Int) -> String {
      guard number < 30 else { return "model Model\(number) { id: Int; title: String }\n" }
      let partner = (number + 15) % 30
      let anchor = number < 15 ? "@Relationship(inverse: \\Model\(partner).partners)" : "@NotExport"
      return """
        enum Kind\(number): String {
          case first, second
          case last = "the_last"
        }

        @UpdatedAt(\\.updatedAt)
        @SoftDelete(\\.deletedAt)
        @Index(\\.title, \\.updatedAt)
        model Model\(number) {
          id: \(["Int", "String", "UUID"][number % 3])
          title: String
          @RemoteKey("description") details: String?
          position: Int = 0
          ratio: Double?
          isOpen: Bool = true
          @RemoteKey("kind.id") kind: Kind\(number) = .first
          kinds: [Kind\(number)]
          labels: [String]
          website: URL?
          price: Decimal = 9.95
          extra: JSON
          @DateFormat("yyyy-MM-dd") day: Date?
          updatedAt: Date
          @NotExport deletedAt: Date?
          \(number < 29 ? "next: Model\(number + 1)?" : "")
          \(number > 0 ? "@NotExport previous: [Model\(number - 1)]" : "")
          \(anchor) partners: [Model\(partner)]
        }

        """
    }
  }
}
