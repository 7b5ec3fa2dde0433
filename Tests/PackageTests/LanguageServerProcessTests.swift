import Foundation
import TestRuns
import Testing

/// `syncline lsp`, as editors start it.
@Suite(.enabled(if: TestKind.building.runs)) struct LanguageServerProcessTests {
  private static let command = Shell.package.appending(path: ".build/debug/syncline").path

  @Test func pytestLSPSuitePasses() throws {
    guard try Shell.run("python3", "-c", "import pytest_lsp").status == 0 else {
      print("skipped: Python has no pytest-lsp")
      return
    }
    let tests = Shell.package.appending(path: "Tools/LanguageServer").path
    let result = try Shell.run(
      "env", "SYNCLINE=\(LanguageServerProcessTests.command)", "PYTHONDONTWRITEBYTECODE=1", "python3", "-m",
      "pytest", "-q",
      "-p", "no:cacheprovider", tests)
    #expect(result.status == 0 && result.output.contains("6 passed"), "\(result.output)")
  }

  private static let hasNeovim = (try? Shell.run("bash", "-c", "command -v nvim").status) == 0

  @Test(.enabled(if: hasNeovim, "There is no Neovim."))
  func neovimWorksWithTheLanguageServer() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "Package.swift")
    let text = "model Task {\n  id: Int\n  name: Strin\n  tags: [Tag]\n}\n"
    try folder.write(text, to: "Sources/App/Task.syncline")
    try folder.write("model Tag { id: Int; tasks: [Task] }\n", to: "Sources/App/Tag.syncline")
    try folder.write(
      """
      vim.opt.runtimepath:append('\(Shell.package.appending(path: "Editors/Vim").path)')
      vim.cmd('filetype plugin on')
      local attached = false
      require('syncline').setup({
        cmd = { '\(LanguageServerProcessTests.command)', 'lsp' },
        on_attach = function() attached = true end,
      })
      local out = {}
      local function say(text) table.insert(out, tostring(text)) end
      -- What is waited for comes; the limit is for where it does not.
      local function wait(condition) if not vim.wait(300000, condition, 20) then say('nothing came') end end
      local function ask(method, more)
        local parameters = vim.tbl_extend('force', vim.lsp.util.make_position_params(), more or {})
        local answers = vim.lsp.buf_request_sync(0, 'textDocument/' .. method, parameters, 300000)
        local _, answer = next(answers or {})
        return answer and answer.result
      end
      vim.cmd('edit Sources/App/Task.syncline')
      wait(function() return attached and #vim.diagnostic.get(0) == 1 end)
      say(vim.diagnostic.get(0)[1].message)
      vim.api.nvim_win_set_cursor(0, { 3, 8 })
      local parameters = vim.lsp.util.make_range_params()
      parameters.context = { diagnostics = {} }
      local _, actions = next(vim.lsp.buf_request_sync(0, 'textDocument/codeAction', parameters, 300000))
      vim.lsp.util.apply_workspace_edit(actions.result[1].edit, 'utf-16')
      wait(function() return #vim.diagnostic.get(0) == 0 end)
      say(vim.api.nvim_get_current_line())
      vim.api.nvim_win_set_cursor(0, { 4, 9 })
      say(#ask('references', { context = { includeDeclaration = true } }))
      vim.lsp.util.apply_workspace_edit(ask('rename', { newName = 'Label' }), 'utf-16')
      say(vim.api.nvim_get_current_line())
      say(vim.api.nvim_buf_get_lines(vim.fn.bufnr('Sources/App/Tag.syncline'), 0, 1, false)[1])
      say(#ask('completion'))
      say(ask('hover').contents.kind)
      vim.api.nvim_buf_set_lines(0, 1, 1, false, { '      note:String' })
      vim.lsp.buf.formatting_sync({}, 300000)
      say(vim.api.nvim_buf_get_lines(0, 1, 2, false)[1])
      wait(function() return #vim.diagnostic.get(0) == 0 end)
      vim.fn.writefile(out, 'out')
      vim.cmd('quitall!')
      """, to: "drive.lua")
    let result = try Shell.run(
      "nvim", "-n", "--headless", "-u", "NONE", "-c", "luafile drive.lua", in: folder.url)
    let out = try? String(contentsOf: folder.url.appending(path: "out"), encoding: .utf8)
    #expect(
      out?.split(separator: "\n") == [
        "unknown type “Strin”; did you mean “String”?", "  name: String", "2", "  tags: [Label]",
        "model Label { id: Int; tasks: [Task] }", "22", "markdown", "  note: String",
      ], "\(result.output) \(out ?? "")")
  }
}
