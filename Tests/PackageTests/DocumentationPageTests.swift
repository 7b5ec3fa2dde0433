import Foundation
import TestRuns
import Testing

/// The page that `syncline docs` writes, in a browser.
@Suite(.enabled(if: TestKind.building.runs)) struct DocumentationPageTests {
  private static let tracker = Shell.package.appending(path: "Examples/Tracker/Schemas/Tracker")

  private func page(of schema: URL, _ folder: TemporaryFolder) throws -> String {
    let made = try Shell.syncline("docs", "--target", "Tracker", schema.path)
    #expect(made.status == 0, "\(made.output)")
    try folder.write(made.output, to: "page.html")
    return folder.url.appending(path: "page.html").absoluteString
  }

  /// The names of the declarations that a search shows.
  private func search(_ words: String, in browser: Browser) throws -> [String] {
    let shown = try browser.evaluate(
      """
      (() => {
        search.value = \"\(words)\"; search.dispatchEvent(new Event("input"));
        return [...document.querySelectorAll(".declaration")].filter(s => s.offsetHeight > 0).map(s => s.id).join()
      })()
      """)
    return (shown as? String ?? "").split(separator: ",").map(String.init)
  }

  @Test func pageReferencesNoExternalResources() throws {
    let folder = try TemporaryFolder()
    _ = try page(of: Shell.package.appending(path: "Schemas/SynclineTests"), folder)
    let text = try String(contentsOf: folder.url.appending(path: "page.html"), encoding: .utf8)
    for word in ["src=", "@import", "url(", "href=\"http"] {
      #expect(!text.contains(word), "\(word)")
    }
  }

  @Test(.enabled(if: Browser.program != nil, "there is no Chromium"))
  func pageLinksAndSearchWork() throws {
    let folder = try TemporaryFolder()
    let url = try page(of: Self.tracker, folder)
    let browser = try Browser()
    try browser.open(url)
    let dead = try browser.evaluate(
      "[...document.querySelectorAll('a')].filter(a => !document.getElementById(a.hash.slice(1))).map(a => a.hash).join()"
    )
    #expect(dead as? String == "")
    let doubled = try browser.evaluate(
      "(() => { const ids = [...document.querySelectorAll('[id]')].map(e => e.id); return ids.length - new Set(ids).size })()"
    )
    #expect(doubled as? Int == 0)
    let all = try search("", in: browser)
    #expect(all.contains("Task") && all.contains("Project") && all.count > 2)
    #expect(try search("no such words", in: browser) == [])
    #expect(try browser.evaluate("document.getElementById('nothing').offsetHeight > 0") as? Bool == true)
    #expect(try search("model project", in: browser).contains("Project"))
    #expect(try search("", in: browser) == all)
    // A box of the diagram leads to its model.
    try browser.evaluate("document.getElementById('model-Task').dispatchEvent(new Event('click'))")
    #expect(try browser.evaluate("location.hash") as? String == "#Task")
    // What is shown as a payload is JSON.
    let payloads = try browser.evaluate(
      "[...document.querySelectorAll('pre')].every(e => typeof JSON.parse(e.textContent) == 'object')")
    #expect(payloads as? Bool == true)
  }

  @Test(.enabled(if: Browser.program != nil, "there is no Chromium"))
  func searchWorksWithNamesThatAreNotASCII() throws {
    let folder = try TemporaryFolder()
    try folder.write("model Größe { id: Int }\nmodel Task { id: Int }\n", to: "S/A.syncline")
    let url = try page(of: folder.url.appending(path: "S"), folder)
    let browser = try Browser()
    try browser.open(url)
    #expect(try search("task", in: browser) == ["Task"])
    #expect(try search("größe", in: browser) == ["Größe"])
  }

  @Test(.enabled(if: Browser.program != nil, "there is no Chromium"))
  func pageSupportsColorSchemesAndScreenWidths() throws {
    let folder = try TemporaryFolder()
    let url = try page(of: Self.tracker, folder)
    let browser = try Browser()
    try browser.open(url)
    for width in [360, 820, 1280] {
      let picture = try browser.screenshot(width: width, height: 900)
      #expect(picture.count > 5_000)
      // Tables scroll by themselves, the page does not.
      let overflow = try browser.evaluate("document.documentElement.scrollWidth - innerWidth")
      #expect(overflow as? Int ?? 1 <= 0, "\(width)")
      if width == 1280, ProcessInfo.processInfo.environment["SYNCLINE_RECORD"] != nil {
        try picture.write(to: Shell.package.appending(path: "Documentation/schema-page.png"))
      }
    }
    func background() throws -> String {
      try browser.evaluate("getComputedStyle(document.body).backgroundColor") as? String ?? ""
    }
    let light = try background()
    try browser.emulate(colorScheme: "dark")
    let dark = try background()
    #expect(light != dark && !dark.isEmpty)
  }
}
