import Foundation
import Testing

extension OutsidePackageTests {
  /// The example that shows its tasks in a terminal and on a page.
  @Suite struct LiveBoardTests {
    private func build() throws -> URL {
      let result = try Shell.swift("build", package: Shell.package.appending(path: "Examples/LiveBoard"))
      #expect(result.status == 0 && !result.output.contains("warning:"), "\(result.output)")
      return Shell.buildFolder.appending(path: "debug/LiveBoard")
    }

    @Test func theTerminalShowsLoadsChangesAndFailures() throws {
      let folder = try TemporaryFolder()
      let store = folder.url.appending(path: "board.sqlite").path
      let program = try build()
      let terminal = try PseudoTerminal(program, store)
      try terminal.wait(for: "2 open, 2 in progress, 1 done · loaded")
      try terminal.wait(for: "○ Write the announcement       open         –")
      // Users and tasks are two lists, and come when they come.
      try terminal.wait(for: "◐ Draw the icon                in progress  Édith")
      #expect(!terminal.screen.contains("Buy the domain"))

      // A slow answer is not waited for.
      try terminal.press("s")
      try terminal.wait(for: "1 done · loading…")
      try terminal.press("c")
      try terminal.wait(for: "1 done · loaded")
      // A failure is shown beside the tasks that are stored.
      try terminal.press("e")
      try terminal.wait(for: "· failed: the server answered 503")
      #expect(terminal.screen.contains("Fix the sign-up form"))
      try terminal.press("r")
      try terminal.wait(for: "1 done · loaded")

      // Others change tasks.
      try terminal.press("n")
      // What is sent meanwhile joins what is being sent.
      try terminal.wait(for: "2 open, 1 in progress, 2 done · loaded")
      try terminal.wait(forNothing: "Check all links")
      try terminal.press("a")
      try terminal.wait(for: "Answer mail no. 6")

      // A load of many pages says how far it is. Changes that come together are one drawing, so only the last is waited for.
      try terminal.press("i")
      try terminal.wait(for: "archive ████████████████████ 100 %")
      try terminal.wait(for: "1002 done")
      try terminal.press("q")
      #expect(terminal.end() == 0)

      // The store has what was shown; the server has begun anew.
      let again = try PseudoTerminal(program, store)
      try again.wait(for: "3 open, 2 in progress, 1001 done · loaded")
      try again.wait(for: "Answer mail no. 6")
      try again.press("\u{3}")
      #expect(again.end() == 0)
    }

    @Test(.enabled(if: Browser.program != nil, "there is no Chromium"))
    func webPageShowsEachChange() throws {
      let terminal = try PseudoTerminal(try build())
      try terminal.wait(for: "1 done · loaded")
      let address = try #require(terminal.screen.firstMatch(of: #/http://127\.0\.0\.1:\d+//#)).output
      let browser = try Browser()
      try browser.open(String(address))
      try browser.wait(until: "document.body.innerText.includes('4 to do')")
      #expect(
        try browser.evaluate(
          "[...document.querySelectorAll('li')].map(row => row.innerText.replace(/\\s+/g, ' ')).join()")
          as? String
          == "Check all links in progress,Draw the icon in progress,Fix the sign-up form open,Write the announcement open"
      )

      // What is done at the terminal is on the page, and the other way round.
      try terminal.press("a")
      try browser.wait(until: "document.body.innerText.includes('Answer mail no. 6')")
      #expect(try browser.evaluate("document.querySelectorAll('li.new').length") as? Int == 1)
      try browser.evaluate("document.getElementById('next').click()")
      try browser.wait(until: "!document.body.innerText.includes('Check all links')")
      try terminal.wait(for: "3 open, 1 in progress, 2 done · loaded")
      try keep(browser.screenshot(width: 640, height: 480))

      // A second page, and the first one closed: the program goes on.
      try browser.open(String(address) + "?again")
      try browser.wait(until: "document.body.innerText.includes('4 to do')")
      try terminal.press("n")
      try browser.wait(until: "document.body.innerText.includes('3 to do')")
      try terminal.press("q")
      #expect(terminal.end() == 0)
    }

    /// The documentation has a picture of the page; `SYNCLINE_RECORD=1` takes it anew.
    private func keep(_ picture: Data) throws {
      #expect(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]) && picture.count > 5_000)
      let file = Shell.package.appending(path: "Sources/Syncline/Syncline.docc/Resources/live-board.png")
      if ProcessInfo.processInfo.environment["SYNCLINE_RECORD"] == "1" { try picture.write(to: file) }
      #expect(FileManager.default.fileExists(atPath: file.path))
    }
  }
}
