import Foundation
import Testing

extension OutsidePackageTests {
  /// What generated Swift costs its users at compile time.
  @Suite struct TypeCheckingTests {
    @Test func aHundredModelsCompileWithoutAnythingSlowToTypeCheck() throws {
      let folder = try TemporaryFolder()
      for number in 0..<100 {
        try folder.write(model(number), to: "Schemas/Models/Model\(number).syncline")
      }
      try folder.write("// The plugin writes the models.", to: "Sources/Models/Models.swift")
      try folder.write(
        "let sum = [1, 2.5, 3].map { 2 * $0 - 1 }.reduce(0) { $0 + 3 * $1 }",
        to: "Sources/Control/Control.swift")

      // The compiler counts processor time, not what passes; on a busy machine even that varies. What is slow is so
      // whenever it is compiled, so a place must be slow twice to be reported.
      var slow = try slowPlaces(of: folder, attempt: 1)
      if !slow.isEmpty { slow.formIntersection(try slowPlaces(of: folder, attempt: 2)) }
      #expect(slow.isEmpty)
    }

    /// The places of what takes longer than the limits to type-check. There are no other warnings.
    private func slowPlaces(of folder: TemporaryFolder, attempt: Int) throws -> Set<Substring> {
      try folder.write(manifest(attempt: attempt), to: "Package.swift")
      let models = try Shell.swift("build", package: folder.url, "--target", "Models")
      #expect(models.status == 0, "\(models.output)")
      // A warning stands in the output behind its place, and once more below the line of the source.
      let warnings = models.output.split(separator: "\n").filter {
        $0.contains("warning:") && !$0.contains("`- warning:")
      }
      let others = warnings.filter { !$0.contains("to type-check (limit") }
      #expect(others.isEmpty)

      // The compiler must know the options, else nothing would ever be slow.
      let control = try Shell.swift("build", package: folder.url, "--target", "Control")
      #expect(control.output.contains("to type-check (limit: 1ms)"), "\(control.output)")
      return Set(warnings.map { $0.prefix(upTo: $0.range(of: ": warning:")?.lowerBound ?? $0.endIndex) })
    }

    private func manifest(attempt: Int) -> String {
      // The number of the solver's scopes is the same on every machine: a thousand are about the hundred
      // milliseconds, and an expression that needs more is an error.
      #if compiler(>=6.3)
        let scopes = #", "-Xfrontend", "-solver-scope-threshold=1000""#
      #else
        let scopes = ""
      #endif
      return """
        // swift-tools-version: 6.1
        import PackageDescription

        func limits(_ expression: Int, _ body: Int) -> [SwiftSetting] {
          // The definition makes another attempt compile everything anew.
          [
            .define("ATTEMPT_\(attempt)"),
            .unsafeFlags([
              "-Xfrontend", "-warn-long-expression-type-checking=\\(expression)",
              "-Xfrontend", "-warn-long-function-bodies=\\(body)"\(scopes)
            ]),
          ]
        }

        let package = Package(
          name: "Slow",
          platforms: [.macOS(.v14)],
          dependencies: [.package(name: "Syncline", path: "\(Shell.package.path)")],
          targets: [
            .target(
              name: "Models", dependencies: [.product(name: "Syncline", package: "Syncline")],
              swiftSettings: limits(100, 300), plugins: [.plugin(name: "SynclinePlugin", package: "Syncline")]),
            .target(name: "Control", swiftSettings: limits(1, 1)),
          ],
          swiftLanguageModes: [.v6]
        )
        """
    }

    /// A model of a chain, with one of each that the language has.
    private func model(_ number: Int) -> String {
      let partner = (number + 50) % 100
      let anchor = number < 50 ? "@Relationship(inverse: \\Model\(partner).partners)" : "@NotExport"
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
          \(number < 99 ? "next: Model\(number + 1)?" : "")
          \(number > 0 ? "@NotExport previous: [Model\(number - 1)]" : "")
          \(anchor) partners: [Model\(partner)]
        }

        """
    }
  }
}
