import Foundation
import Testing

extension OutsidePackageTests {
  /// `syncline new`: a package that works at once.
  @Suite struct NewPackageTests {
    @Test func newPackageRunsAndItsTestPasses() throws {
      let folder = try TemporaryFolder()
      let command = Shell.package.appending(path: ".build/debug/syncline").path
      let made = try Shell.run(
        command, "new", "Errands", "--syncline", Shell.package.path, in: folder.url)
      #expect(made.status == 0 && made.output.contains("Errands/Package.swift"), "\(made.output)")
      let again = try Shell.run(command, "new", "Errands", in: folder.url)
      #expect(again.status == 1 && again.output.contains("already"), "\(again.output)")
      let package = folder.url.appending(path: "Errands")
      let check = try Shell.syncline("format", "--check", package.appending(path: "Schemas").path)
      #expect(check.status == 0, "\(check.output)")
      let payload = package.appending(path: "Payloads/todos.json").path
      let run = try Shell.swift("run", package: package, "Errands", payload)
      #expect(run.status == 0 && run.output.contains("\"title\":\"Write the schema\""), "\(run.output)")
      let test = try Shell.swift("test", package: package)
      #expect(test.status == 0 && test.output.contains("thePayloadIsStored() passed"), "\(test.output)")
      #expect(!(run.output + test.output).contains("warning:"), "\(run.output)\(test.output)")
    }

    @Test(arguments: [
      "Task", "Syncline", "SynclineSchema", "9lives", "my app", "odd-app", "", "../up", "Testing", "class",
      "Any", "self",
    ])
    func invalidPackageNamesAreRefused(_ name: String) throws {
      let folder = try TemporaryFolder()
      let command = Shell.package.appending(path: ".build/debug/syncline").path
      let result = try Shell.run(command, "new", name, in: folder.url)
      #expect(result.status == 64, "\(result.output)")
    }
  }
}
