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
      try folder.write("// The plugin writes the models.", to: "Sources/Models/Models.swift")
      try folder.write(
        "let sum = [1, 2.5, 3].map { 2 * $0 - 1 }.reduce(0) { $0 + 3 * $1 }",
        to: "Sources/Control/Control.swift")
      try folder.write(manifest, to: "Package.swift")

      let models = try Shell.swift("build", package: folder.url, "--target", "Models")
      #expect(models.status == 0, "\(models.output)")
      #expect(!models.output.contains("warning:"), "\(models.output)")

      // The compiler must know the option, else nothing would ever be slow.
      let control = try Shell.swift("build", package: folder.url, "--target", "Control")
      #expect(control.status != 0)
      #expect(control.output.contains("unable to type-check this expression"), "\(control.output)")
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
