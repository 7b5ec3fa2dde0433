import Foundation
import TestRuns
import Testing

/// The documentation's site, in a browser.
@Suite(.enabled(if: TestKind.building.runs)) struct SiteTests {
  private static let hasCompiler = (try? Shell.run("bash", "-c", "command -v docc").status) == 0

  @Test(.enabled(if: hasCompiler && Browser.program != nil, "there is no docc, or no Chromium"))
  func linksOfTheFirstSitePagesAreValid() throws {
    let folder = try TemporaryFolder()
    let site = folder.url.appending(path: "site").path
    let made = try Shell.run("bash", "-c", "'\(Shell.package.path)/.ci/documentation' '\(site)' 2>&1")
    #expect(made.status == 0, "\(made.output)")

    let server = Process()
    let log = Pipe()
    server.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    server.arguments = [
      "python3", "-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory", site, "0",
    ]
    server.standardOutput = log
    server.standardError = FileHandle.nullDevice
    try server.run()
    defer { server.terminate() }
    let line = String(decoding: log.fileHandleForReading.availableData, as: UTF8.self)
    let port = try #require(line.firstMatch(of: /port (\d+)/)?.1, "\(line)")

    let browser = try Browser()
    func open(_ path: String) throws -> [String] {
      try browser.open("http://127.0.0.1:\(port)\(path)")
      try browser.wait(until: "document.querySelector('h1') !== null")
      let title = try browser.evaluate("document.querySelector('h1').textContent.trim()") as? String ?? ""
      #expect(!title.isEmpty && !title.contains("can’t be found"), "\(path)")
      let links = try browser.evaluate(
        "[...document.querySelectorAll('main a[href]')].map(a => a.pathname).join(' ')")
      return (links as? String ?? "").split(separator: " ").map(String.init)
    }
    let links = Set(try open("/documentation/syncline")).filter { $0.hasPrefix("/documentation/syncline/") }
    for article in [
      "gettingstarted", "schemalanguage", "payloads", "reading", "evolution", "operating", "questions",
    ] {
      #expect(links.contains("/documentation/syncline/\(article)"), "\(article)")
    }
    for link in links.sorted().prefix(25) { _ = try open(link) }
    let answers = Set(try open("/documentation/syncline/questions")).filter {
      $0.hasPrefix("/documentation/")
    }
    #expect(answers.count > 15)
    for link in answers.subtracting(links).sorted() { _ = try open(link) }
  }
}
