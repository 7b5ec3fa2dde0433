import Foundation
import TestRuns
import Testing

/// The code of the documentation's articles.
@Suite(.enabled(if: TestKind.building.runs)) struct ArticleTests {
  @Test(arguments: [
    "Sources/Syncline/Syncline.docc/Evolution.md", "Sources/Syncline/Syncline.docc/Operating.md",
    "Sources/Syncline/Syncline.docc/Payloads.md", "Sources/Syncline/Syncline.docc/Reading.md",
    "Sources/Syncline/Syncline.docc/HandwrittenModels.md", "Sources/Syncline/Syncline.docc/Storage.md",
    "Documentation/Scaling.md",
  ])
  func theCodeOfTheArticlesTypeChecks(article: String) throws {
    let functions = try CodeBlock.functions(
      of: Shell.package.appending(path: article), in: "Reader",
      taking: "_ container: SyncContainer, _ url: URL, _ file: URL, _ versions: URL")
    #expect(!functions.isEmpty)
    let folder = try TemporaryFolder()
    let prelude = """
      import Foundation
      import Logging
      import Syncline
      import SynclineTesting
      @testable import SynclineTests

      typealias Task = SynclineTests.Task
      typealias Article = SynclineTests.Task
      typealias AppSchema = SynclineTestsSchema

      let folder = URL(fileURLWithPath: "/stores")

      final class Reader {
        var configuration = SyncConfiguration()
      }

      // As swift-service-lifecycle declares it.
      extension AsyncSequence where Self: Sendable, Element: Sendable {
        func cancelOnGracefulShutdown() -> Self { self }
      }

      """
    try folder.write(prelude + functions.joined(separator: "\n"), to: "Article.swift")
    let result = try Shell.typeCheck([folder.url.appending(path: "Article.swift").path], in: folder.url)
    #expect(result.status == 0, "\(result.output)")
  }
}
