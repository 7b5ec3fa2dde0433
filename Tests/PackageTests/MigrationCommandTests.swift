import Foundation
import TestRuns
import Testing

/// The arguments of the commands that read another store's models or file.
@Suite(.enabled(if: TestKind.building.runs)) struct MigrationCommandTests {
  private let folder: TemporaryFolder
  private var path: String { folder.url.path }

  init() throws { folder = try TemporaryFolder() }

  @Test func aFolderOfSwiftFilesIsSearched() throws {
    try folder.write("@Model class Trip { var id: Int; var kind: Kind }\n", to: "App/Models/Trip.swift")
    try folder.write("enum Kind: String { case short, long }\n", to: "App/Kind.swift")
    try folder.write("@Model class Hidden { var id: Int }\n", to: "App/.build/Hidden.swift")
    try folder.write("@Model class Text { var id: Int }\n", to: "App/Text.txt")
    let result = try Shell.syncline("migrate-swiftsync", path + "/App")
    #expect(result.status == 0)
    #expect(
      result.output == """
        model Trip {
          id: Int
          kind: Kind
        }

        enum Kind: String {
          case short
          case long
        }

        """)
  }

  @Test func aFileThatIsGivenTwiceIsReadOnce() throws {
    try folder.write("@Model class Trip { var id: Int }\n", to: "App/Trip.swift")
    let result = try Shell.syncline("migrate-swiftsync", path + "/App", path + "/App/Trip.swift")
    #expect(result.output == "model Trip {\n  id: Int\n}\n")
  }

  @Test func attributesMayHaveTheirModule() throws {
    try folder.write(
      "@SwiftData.Model final class Trip { @SwiftData.Attribute(.unique) var code: Int }\n", to: "A.swift")
    let result = try Shell.syncline("migrate-swiftsync", path)
    #expect(result.output.contains("model Trip {\n  @PrimaryKey code: Int"), "\(result.output)")
  }

  @Test func aFolderWithoutSwiftFilesIsAnError() throws {
    let result = try Shell.syncline("migrate-swiftsync", path)
    #expect(result.status == 1)
    #expect(result.output == "Error: There is no Swift file in \(path).\n")
  }

  @Test func importCopyNeedsANewStoreFile() throws {
    try folder.write("", to: "old.sqlite")
    let old = path + "/old.sqlite"
    #expect(try Shell.syncline("import", "--copy", old).output.contains("Pass the file of the new store"))
    #expect(try Shell.syncline("import", old, old).output.contains("Pass “--copy” to copy the rows"))
    let existing = try Shell.syncline("import", "--copy", old, old)
    #expect(existing.status == 1)
    #expect(existing.output == "Error: “\(old)” exists already: the rows are copied into a new file.\n")
  }
}
