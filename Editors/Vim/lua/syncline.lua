-- The language server, for Neovim from 0.7 on: require('syncline').setup()
local M = {}

--- The folder above a file that is a package or a repository; else the file's own.
local function root(path)
  local folder = vim.fn.fnamemodify(path, ':p:h')
  local found = folder
  local last
  while folder ~= last do
    for _, mark in ipairs({ '/Package.swift', '/.git' }) do
      if vim.fn.filereadable(folder .. mark) == 1 or vim.fn.isdirectory(folder .. mark) == 1 then
        return folder
      end
    end
    last, folder = folder, vim.fn.fnamemodify(folder, ':h')
  end
  return found
end

local clients = {}

--- Starts a server for each package whose schema files are opened.
-- @param options cmd: the command, { 'syncline', 'lsp' } unless it is said; on_attach: called with each client and buffer
function M.setup(options)
  options = options or {}
  local function attach(buffer)
    local folder = root(vim.api.nvim_buf_get_name(buffer))
    clients[folder] = clients[folder]
      or vim.lsp.start_client({
        name = 'syncline',
        cmd = options.cmd or { 'syncline', 'lsp' },
        root_dir = folder,
        workspace_folders = { { uri = vim.uri_from_fname(folder), name = folder } },
        on_attach = options.on_attach,
        -- The server takes all changes that wait together: none of them needs to be held back.
        flags = { debounce_text_changes = 0 },
        on_exit = function()
          clients[folder] = nil
        end,
      })
    if clients[folder] then
      vim.lsp.buf_attach_client(buffer, clients[folder])
    end
  end
  vim.api.nvim_create_autocmd('FileType', {
    pattern = 'syncline',
    callback = function(event)
      attach(event.buf)
    end,
  })
end

return M
