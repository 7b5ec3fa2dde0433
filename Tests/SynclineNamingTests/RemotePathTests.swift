import SynclineNaming
import Testing

@Suite struct RemotePathTests {
  /// A path of more parts than JSON has levels leads nowhere, and what follows it by recursion would overflow the stack.
  @Test func pathIsLimitedTo512Parts() throws {
    func path(of count: Int) -> String { Array(repeating: "a", count: count).joined(separator: ".") }
    #expect(try RemotePath(path(of: 512)).steps.count == 512)
    let mistake = #expect(throws: RemotePath.Mistake.self) { try RemotePath(path(of: 513)) }
    #expect(mistake?.description == "a path has at most 512 parts, as JSON has no more levels")
  }
}
