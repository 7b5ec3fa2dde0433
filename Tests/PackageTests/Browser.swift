import Foundation

/// A page in Chromium without a window, driven over its debugging pipe.
final class Browser {
  /// The program, where there is one.
  static let program: String? = ["chromium", "chromium-browser", "google-chrome"].lazy.compactMap { name in
    try? Shell.run("bash", "-c", "command -v \(name)").output.trimmingCharacters(in: .whitespacesAndNewlines)
  }.first { !$0.isEmpty }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let process = Process()
  private let folder: TemporaryFolder
  private let commands: FileHandle
  private let answers: FileHandle
  private var unread = Data()
  private var lastID = 0
  private var session: String?

  init() throws {
    guard let program = Browser.program else { throw Failure(description: "there is no Chromium") }
    folder = try TemporaryFolder()
    let (input, output) = (folder.url.appending(path: "in").path, folder.url.appending(path: "out").path)
    guard mkfifo(input, 0o600) == 0, mkfifo(output, 0o600) == 0 else { throw POSIXError(.EIO) }
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let options = "--headless=new --no-sandbox --disable-gpu --hide-scrollbars --remote-debugging-pipe"
    process.arguments = [
      "bash", "-c",
      "exec '\(program)' \(options) --user-data-dir='\(folder.url.path)/profile' 3<'\(input)' 4>'\(output)'",
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    guard let commands = FileHandle(forWritingAtPath: input),
      let answers = FileHandle(forReadingAtPath: output)
    else { throw POSIXError(.EIO) }
    (self.commands, self.answers) = (commands, answers)
    let target = try call("Target.createTarget", ["url": "about:blank"])["targetId"] ?? ""
    session =
      try call("Target.attachToTarget", ["targetId": target, "flatten": true])["sessionId"] as? String
    _ = try call("Page.enable")
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
  }

  /// Opens a page, and waits until it is loaded.
  func open(_ url: String) throws {
    _ = try call("Page.navigate", ["url": url])
    while try receive()["method"] as? String != "Page.loadEventFired" {}
  }

  /// The value of an expression of JavaScript; of a promise, what it is kept with.
  @discardableResult
  func evaluate(_ script: String) throws -> Any? {
    let answer = try call(
      "Runtime.evaluate", ["expression": script, "awaitPromise": true, "returnByValue": true])
    if let exception = answer["exceptionDetails"] { throw Failure(description: "\(script): \(exception)") }
    return (answer["result"] as? [String: Any])?["value"]
  }

  /// Waits until something is true of the page, which is looked at whenever it changes.
  func wait(until condition: String) throws {
    try evaluate(
      """
      new Promise(done => {
        const look = () => { if (\(condition)) { observer.disconnect(); done(true); } };
        const observer = new MutationObserver(look);
        observer.observe(document, { childList: true, subtree: true, characterData: true, attributes: true });
        look();
      })
      """)
  }

  /// A picture of the page, as PNG.
  func screenshot(width: Int, height: Int) throws -> Data {
    _ = try call(
      "Emulation.setDeviceMetricsOverride",
      ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false])
    let text = try call("Page.captureScreenshot")["data"] as? String ?? ""
    guard let data = Data(base64Encoded: text) else { throw Failure(description: "no picture") }
    return data
  }

  /// Shows pages as on a screen that is light or dark.
  func emulate(colorScheme: String) throws {
    _ = try call(
      "Emulation.setEmulatedMedia",
      ["features": [["name": "prefers-color-scheme", "value": colorScheme]]])
  }

  private func call(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
    lastID += 1
    var message: [String: Any] = ["id": lastID, "method": method, "params": parameters]
    message["sessionId"] = session
    try commands.write(contentsOf: JSONSerialization.data(withJSONObject: message) + [0])
    while true {
      let answer = try receive()
      guard answer["id"] as? Int == lastID else { continue }
      if let error = answer["error"] { throw Failure(description: "\(method): \(error)") }
      return answer["result"] as? [String: Any] ?? [:]
    }
  }

  /// The next answer or event.
  private func receive() throws -> [String: Any] {
    while true {
      if let end = unread.firstIndex(of: 0) {
        let message = try JSONSerialization.jsonObject(with: unread[..<end])
        unread = Data(unread[unread.index(after: end)...])
        return message as? [String: Any] ?? [:]
      }
      let data = Shell.readSome(answers)
      if data.isEmpty { throw Failure(description: "the browser has ended") }
      unread += data
    }
  }
}
