import ArgumentParser
import SynclineTooling

struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Explains a diagnostic code of the compiler, and how to fix it.",
    discussion: "Without a code, all codes are listed.")

  @Argument(
    help: "The code at the end of a message: SL012.",
    completion: .list(Explanation.all.map(\.code.rawValue)))
  var code: String?

  func run() throws {
    guard let code else {
      for page in Explanation.all { print("\(page.code.rawValue)  \(page.title)") }
      return
    }
    guard let page = Explanation(code) else {
      throw ValidationError("There is no code “\(code)”; “syncline explain” lists all.")
    }
    print(page.markdown)
  }
}
