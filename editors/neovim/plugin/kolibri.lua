-- Rule files in GDL for Neovim 0.11 or newer: file type, language server, tree-sitter, commands.
-- The program: vim.g.kolibri_path, or `kolibri` in the PATH.

if vim.g.loaded_kolibri or vim.fn.has('nvim-0.11') == 0 then
  return
end
vim.g.loaded_kolibri = true

local here = debug.getinfo(1, 'S').source:sub(2)
local grammar = vim.fs.normalize(vim.fs.dirname(here) .. '/../../tree-sitter-gdl')

local function program()
  return vim.g.kolibri_path or 'kolibri'
end

vim.filetype.add({ extension = { kif = 'gdl', gdl = 'gdl' } })

-- Queries and, once it is built, parser/gdl.so.
vim.opt.runtimepath:append(grammar)

vim.lsp.config('kolibri', {
  cmd = { program(), 'lsp' },
  filetypes = { 'gdl' },
  root_markers = { '.git' },
})
vim.lsp.enable('kolibri')

--- The column that line vim.v.lnum should begin at, as `kolibri fmt` lays rules out.
function _G.kolibri_indent()
  vim.fn.cursor(vim.v.lnum, 1)
  local is_in_comment = "strpart(getline('.'), 0, col('.') - 1) =~ ';'"
  local list = vim.fn.searchpair('(', '', ')', 'bnW', is_in_comment)
  if list == 0 then
    return 0
  end
  local closes = vim.fn.getline(vim.v.lnum):find('^%s*%)')
  return vim.fn.indent(list) + (closes and 0 or vim.fn.shiftwidth())
end

--- Runs a command of the program on a rule file in a terminal, in a window of its own.
local function run(command, file)
  local buffer = vim.fn.bufnr(file)
  if buffer >= 0 and vim.bo[buffer].modified then
    vim.api.nvim_buf_call(buffer, vim.cmd.write)
  end
  vim.cmd('botright new')
  vim.fn.jobstart({ program(), command, file }, { term = true, cwd = vim.fs.dirname(file) })
  vim.cmd.startinsert()
end

for _, command in ipairs({ 'play', 'playtest', 'check' }) do
  -- As code lenses call it, with the URI of the file.
  vim.lsp.commands['kolibri.' .. command] = function(lens)
    run(command, vim.uri_to_fname(lens.arguments[1]))
  end
  local name = 'Kolibri' .. command:sub(1, 1):upper() .. command:sub(2)
  vim.api.nvim_create_user_command(name, function()
    run(command, vim.api.nvim_buf_get_name(0))
  end, { desc = 'kolibri ' .. command .. ' on this file' })
end

vim.api.nvim_create_autocmd('FileType', {
  pattern = 'gdl',
  group = vim.api.nvim_create_augroup('kolibri', {}),
  callback = function(event)
    vim.bo[event.buf].commentstring = '; %s'
    vim.bo[event.buf].comments = ':;'
    vim.bo[event.buf].shiftwidth = 4
    vim.bo[event.buf].expandtab = true
    vim.bo[event.buf].indentexpr = 'v:lua.kolibri_indent()'
    vim.bo[event.buf].indentkeys = '0),o,O'
    -- Words such as `?x`, `noop` and `map+` are one word each.
    vim.bo[event.buf].iskeyword = '33-126,^40,^41,^59,192-255'
    -- Without the parser, the semantic tokens of the server give the colours.
    pcall(vim.treesitter.start, event.buf, 'gdl')
  end,
})
