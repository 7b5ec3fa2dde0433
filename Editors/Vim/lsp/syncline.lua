-- The language server, for vim.lsp.enable('syncline') of Neovim 0.11 and later.
return {
  cmd = { 'syncline', 'lsp' },
  filetypes = { 'syncline' },
  root_markers = { 'Package.swift', '.git' },
}
