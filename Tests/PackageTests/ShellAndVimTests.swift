import Foundation
import TestRuns
import Testing

/// What shells and editors make of the command and its files.
@Suite(.enabled(if: TestKind.building.runs)) struct ShellAndVimTests {
  private static let command = Shell.package.appending(path: ".build/debug/syncline").path

  @Test func bashCompletesTheCommand() throws {
    let result = try Shell.run(
      "bash", "-c",
      """
      source <('\(ShellAndVimTests.command)' --generate-completion-script bash)
      COMP_WORDS=(syncline ex) COMP_CWORD=1 COMP_LINE='syncline ex' COMP_POINT=11
      _syncline syncline ex syncline
      echo "${COMPREPLY[@]}"
      """)
    #expect(result.status == 0 && result.output == "explain\n", "\(result.output)")
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func eachShellHasACompletionScript(shell: String) throws {
    let result = try Shell.syncline(["--generate-completion-script", shell])
    #expect(result.status == 0 && result.output.contains("SL012"), "\(result.output.prefix(200))")
  }

  private static let hasVim = FileManager.default.isExecutableFile(atPath: "/usr/bin/vim")

  @Test(.enabled(if: hasVim, "There is no Vim."))
  func vimColoursSchemaFiles() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "// note\nmodel Task {\n  @RemoteKey(\"a.b\") title: String = \"x\"\n  @Odd state: State = .open\n}\n",
      to: "A.syncline")
    let places = [(1, 4), (2, 1), (2, 7), (3, 4), (3, 15), (3, 22), (3, 29), (3, 38), (4, 4), (4, 24)]
    let calls = places.map { "synIDattr(synID(\($0), \($1), 1), 'name')" }.joined(separator: ", ")
    let script = folder.url.appending(path: "look.vim")
    try folder.write(
      """
      set nocompatible
      set runtimepath+=\(Shell.package.appending(path: "Editors/Vim").path)
      filetype plugin on
      syntax on
      edit \(folder.url.appending(path: "A.syncline").path)
      call writefile([\(calls), &commentstring, &makeprg], '\(folder.url.appending(path: "out").path)')
      quitall!
      """, to: "look.vim")
    let result = try Shell.run("bash", "-c", "vim -es -u NONE -S '\(script.path)' </dev/null")
    let out = try String(contentsOf: folder.url.appending(path: "out"), encoding: .utf8)
    #expect(
      out.split(separator: "\n") == [
        "synclineComment", "synclineDeclaration", "synclineName", "synclineAttribute", "synclineString",
        "synclineProperty", "synclineScalar", "synclineString", "synclineUnknownAttribute", "synclineCase",
        "// %s", "syncline check $*",
      ], "\(result.output) \(out)")
  }
}
