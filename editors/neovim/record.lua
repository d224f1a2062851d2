-- Records a session of Neovim with the language server, for tests/language_server/session.rs:
--   nvim --headless --clean -l editors/neovim/record.lua > tests/language_server/neovim.jsonl   (from the root of the project)
-- KOLIBRI names the program. Each line is a message: from `client`, or from `server`.

local here = vim.fs.dirname(vim.fs.normalize(debug.getinfo(1, 'S').source:sub(2)))
local games = vim.fs.normalize(here .. '/../../games')
local folder = vim.uv.fs_realpath(vim.fn.tempname():match('.*/'))
local program = vim.env.KOLIBRI or 'kolibri'

vim.o.swapfile = false
vim.opt.runtimepath:append(here)
vim.cmd('filetype plugin on | runtime plugin/kolibri.lua')

--- A message as it is kept: without what is of this machine. How a session ends is tested elsewhere.
local function note(from, message)
  if message.method == 'shutdown' or message.method == 'exit' then
    return
  end
  local params = message.params
  if message.method == 'initialize' then
    local places = { processId = vim.NIL, rootPath = vim.NIL, rootUri = vim.NIL, workspaceFolders = vim.NIL }
    params = vim.tbl_extend('force', params, places)
    message = vim.tbl_extend('force', message, { params = params })
  end
  local text = vim.json.encode({ [from] = message })
  text = text:gsub('\\/', '/'):gsub(vim.pesc(vim.uri_from_fname(folder)), 'file:///rules')
  io.stdout:write(text, '\n')
end

--- The server, with every message noted.
local function recorded(dispatchers)
  local server
  local told = vim.tbl_extend('force', dispatchers, {
    notification = function(method, params)
      note('server', { method = method, params = params })
      dispatchers.notification(method, params)
    end,
  })
  server = vim.lsp.rpc.start({ program, 'lsp' }, told)
  local request, notify = server.request, server.notify
  local id = 0
  server.request = function(method, params, callback, ...)
    id = id + 1
    local number = id
    note('client', { id = number, method = method, params = params })
    return request(method, params, function(fault, result, ...)
      note('server', { id = number, error = fault or nil, result = not fault and result or nil })
      callback(fault, result, ...)
    end, ...)
  end
  server.notify = function(method, params)
    note('client', { method = method, params = params })
    return notify(method, params)
  end
  return server
end

vim.lsp.config('kolibri', { cmd = recorded, flags = { debounce_text_changes = 0 } })

local function wait(condition)
  assert(vim.wait(20000, condition, 5), 'the server does not answer')
end

local function open(name)
  assert(vim.uv.fs_copyfile(games .. '/' .. name, folder .. '/' .. name))
  vim.cmd.edit(folder .. '/' .. name)
  local client
  wait(function()
    client = vim.lsp.get_clients({ bufnr = 0, name = 'kolibri' })[1]
    return client and client.initialized
  end)
  return client
end

--- The parameters of a request about the place of `word` in the first line that holds `context`.
local function at(context, word)
  for index, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local start = line:find(context, 1, true)
    if start then
      local position = { line = index - 1, character = line:find(word, start, true) - 1 }
      return { textDocument = { uri = vim.uri_from_bufnr(0) }, position = position }
    end
  end
  error('no line holds ' .. context)
end

local function ask(client, method, params)
  params.textDocument = { uri = vim.uri_from_bufnr(0) }
  return assert(client:request_sync('textDocument/' .. method, params, 20000, 0)).result
end

local function findings()
  return #vim.diagnostic.get(0)
end

--- Rows and argument values are found out once nothing is typed.
local function pause()
  vim.wait(2000)
end

local client = open('tictactoe.kif')
pause()
ask(client, 'hover', at('(legal ?p noop)', 'legal'))
ask(client, 'hover', at('(opponent ?p ?q)', 'opponent'))
ask(client, 'definition', at('(true (cell ?x ?y blank))', 'cell'))
local used = at('(opponent ?p ?q)', 'opponent')
used.context = { includeDeclaration = false }
ask(client, 'references', used)

-- A name is misspelt, which is found and mended.
vim.cmd([[silent %s/(opponent ?p ?q)/(oponent ?p ?q)/]])
wait(function() return findings() > 0 end)
local place = at('(oponent ?p ?q)', 'oponent').position
local range = { start = place, ['end'] = place }
local actions = ask(client, 'codeAction', { range = range, context = { diagnostics = {} } })
vim.lsp.util.apply_workspace_edit(actions[1].edit, client.offset_encoding)
wait(function() return findings() == 0 end)

-- A move and a variable are renamed; a word of the language cannot be.
for _, names in ipairs({ { 'mark', 'put' }, { '?x', '?column' } }) do
  local params = at('(does ?p (', names[1])
  ask(client, 'prepareRename', vim.deepcopy(params))
  params.newName = names[2]
  local edit = ask(client, 'rename', params)
  vim.lsp.util.apply_workspace_edit(edit, client.offset_encoding)
end
ask(client, 'prepareRename', at('(legal ?p noop)', 'legal'))

-- A rule is written below a comment with letters outside of ASCII, and laid out.
vim.api.nvim_buf_set_lines(0, -1, -1, false, { '; ž😀', '(<= (corner ?p)', '  (true (cell 1 1 ' })
pause()
local cursor = { line = vim.fn.line('$') - 1, character = #'  (true (cell 1 1 ' }
ask(client, 'completion', { position = cursor })
ask(client, 'signatureHelp', { position = cursor })
vim.api.nvim_buf_set_lines(0, -2, -1, false, { '  (true (cell 1 1 ?p)))' })
pause()
local edits = ask(client, 'formatting', { options = { tabSize = 4, insertSpaces = true } })
vim.lsp.util.apply_text_edits(edits, vim.api.nvim_get_current_buf(), client.offset_encoding)
vim.cmd('silent write')
pause()

client:stop()
wait(function() return client:is_stopped() end)
