-- A session of Neovim with the language server, step by step:
--   nvim --headless --clean -l editors/neovim/test.lua   (from the root of the project)
-- KOLIBRI names the program. With RULE_FILE, the latencies of 200 edits of that file are measured, too.

local here = vim.fs.dirname(vim.fs.normalize(debug.getinfo(1, 'S').source:sub(2)))
local games = vim.fs.normalize(here .. '/../../games')
local folder = vim.fn.tempname()
vim.fn.mkdir(folder, 'p')

vim.g.kolibri_path = vim.env.KOLIBRI or 'kolibri'
vim.o.swapfile = false
vim.o.hidden = true
vim.opt.runtimepath:append(here)
vim.cmd('filetype plugin on | runtime plugin/kolibri.lua')
-- The latencies are those of the server: Neovim itself would collect what is typed for 150 ms.
vim.lsp.config('kolibri', { flags = { debounce_text_changes = 0 } })

local passed, failed = 0, 0

local function check(name, holds, found)
  if holds then
    passed = passed + 1
  else
    failed = failed + 1
    name = name .. (found == nil and '' or ': ' .. vim.inspect(found))
  end
  print((holds and 'ok      ' or 'FAILED  ') .. name)
end

local function wait(condition, milliseconds)
  return vim.wait(milliseconds or 10000, condition, 5)
end

--- A copy of a rule file in the scratch folder, in the current window, with the server attached.
local function open(path)
  local file = folder .. '/' .. vim.fs.basename(path)
  assert(vim.uv.fs_copyfile(path, file))
  vim.cmd.edit(file)
  local buffer = vim.api.nvim_get_current_buf()
  local client
  wait(function()
    client = vim.lsp.get_clients({ bufnr = buffer, name = 'kolibri' })[1]
    return client and client.initialized
  end)
  return buffer, client
end

--- The place of a word: in the first line that holds `context`.
local function place(buffer, context, word)
  for index, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    local start = line:find(context, 1, true)
    if start then
      return { line = index - 1, character = line:find(word, start, true) - 1 }
    end
  end
  error('no line holds ' .. context)
end

local function request(client, buffer, method, params)
  params = vim.tbl_extend('keep', params or {}, { textDocument = { uri = vim.uri_from_bufnr(buffer) } })
  local answer, reason = client:request_sync(method, params, 10000, buffer)
  if not answer or answer.err then
    return nil, answer and answer.err or reason
  end
  return answer.result
end

local function text(buffer)
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n') .. '\n'
end

local function append(buffer, lines)
  vim.api.nvim_buf_set_lines(buffer, -1, -1, false, lines)
end

local function messages(buffer, severity)
  return vim.tbl_map(function(diagnostic)
    return diagnostic.message
  end, vim.diagnostic.get(buffer, { severity = severity }))
end

--- Whether the program finds no error in the text.
local function is_valid(content)
  return vim.system({ vim.g.kolibri_path, 'check', '-' }, { stdin = content }):wait().code == 0
end

local function count(list, test)
  return #vim.tbl_filter(test, list or {})
end

-- Without the server

local function code_lines(buffer)
  return vim.tbl_filter(function(line)
    return not line:find('^%s*;')
  end, vim.api.nvim_buf_get_lines(buffer, 0, -1, false))
end

for name in vim.fs.dir(games) do
  local lines = vim.fn.readfile(games .. '/' .. name)
  local scratch = vim.api.nvim_create_buf(true, false)
  vim.api.nvim_set_current_buf(scratch)
  vim.bo[scratch].filetype = 'gdl'
  vim.api.nvim_buf_set_lines(scratch, 0, -1, false, lines)
  local before = code_lines(scratch)
  vim.cmd([[silent %left | silent normal! gg=G]])
  check('indentation of ' .. name, vim.deep_equal(code_lines(scratch), before))
  vim.api.nvim_buf_delete(scratch, { force = true })
end

--- The colour of a word: its last capture in the queries of tree-sitter.
local function colour(buffer, context, word)
  local position = place(buffer, context, word)
  local captures = vim.treesitter.get_captures_at_pos(buffer, position.line, position.character)
  return #captures > 0 and captures[#captures].capture or 'none'
end

if pcall(vim.treesitter.language.add, 'gdl') and #vim.api.nvim_get_runtime_file('parser/gdl.so', false) > 0 then
  local scratch = vim.api.nvim_create_buf(true, false)
  vim.api.nvim_set_current_buf(scratch)
  vim.api.nvim_buf_set_lines(scratch, 0, -1, false, { '(<= (Legal ?p noop) (not (control ?p 1)))' })
  vim.bo[scratch].filetype = 'gdl'
  vim.treesitter.get_parser(scratch, 'gdl'):parse()
  local expected = { Legal = 'keyword', ['?p'] = 'variable', noop = 'constant', control = 'function', ['1'] = 'number' }
  for word, capture in pairs(expected) do
    check('colour of ' .. word, colour(scratch, '(<=', word) == capture, colour(scratch, '(<=', word))
  end
  vim.treesitter.query.get('gdl', 'folds')
  vim.treesitter.query.get('gdl', 'indents')
  vim.treesitter.query.get('gdl', 'locals')
  vim.api.nvim_buf_delete(scratch, { force = true })
else
  print('skipped the colours of tree-sitter: parser/gdl.so is not built')
end

-- With the server

local ERROR = vim.diagnostic.severity.ERROR
local MISTAKE = '(<= (next (lost ?z)) (true (lost ?y)))'

local buffer, client = open(games .. '/tictactoe.kif')
check('the file type is gdl', vim.bo[buffer].filetype == 'gdl', vim.bo[buffer].filetype)
check('the server attaches', client ~= nil)
if not client then
  os.exit(1)
end
local original = text(buffer)

-- Diagnostics
vim.wait(1000, function()
  return #messages(buffer) > 0
end)
check('a shipped game has no diagnostics', #messages(buffer) == 0, messages(buffer))
append(buffer, { MISTAKE })
check('a mistake is reported', wait(function()
  return #messages(buffer, ERROR) > 0
end))
local mistake = vim.diagnostic.get(buffer, { severity = ERROR })[1] or {}
check('at its line', mistake.lnum == vim.api.nvim_buf_line_count(buffer) - 1, mistake)
check('with its variable', (mistake.message or ''):find('?z', 1, true) ~= nil, mistake.message)
vim.api.nvim_buf_set_lines(buffer, -2, -1, false, {})
check('a mended mistake goes away', wait(function()
  return #messages(buffer) == 0
end), messages(buffer))

-- Questions about words
local line_read = place(buffer, '    (line ?p))', 'line')
local hover = request(client, buffer, 'textDocument/hover', { position = line_read })
local hover_text = hover and vim.inspect(hover.contents) or ''
check('hover tells of the relation', hover_text:find('line', 1, true) ~= nil, hover)
local keyword = request(client, buffer, 'textDocument/hover', { position = place(buffer, '(<= (legal', 'legal') })
check('hover explains a keyword', keyword and vim.inspect(keyword.contents):find('move', 1, true) ~= nil, keyword)

local found = request(client, buffer, 'textDocument/definition', { position = line_read })
found = found and (vim.islist(found) and found or { found }) or {}
local first_rule = place(buffer, '(<= (line ?p)', 'line')
check('definition leads to the rules', #found > 0 and count(found, function(location)
  return (location.range or location.targetSelectionRange).start.line == first_rule.line
end) == 1, found)

local references = request(client, buffer, 'textDocument/references', {
  position = line_read,
  context = { includeDeclaration = true },
})
check('references: four rules and three conditions', #(references or {}) == 7, references)

local signature = request(client, buffer, 'textDocument/signatureHelp', {
  position = place(buffer, '(cell ?x 1 ?p)', '1'),
})
check('signature', signature and #signature.signatures > 0, signature)

local opened = { line = vim.api.nvim_buf_line_count(buffer), character = 16 }
append(buffer, { '(<= lost (true (c' })
local completion = request(client, buffer, 'textDocument/completion', {
  position = { line = opened.line, character = 17 },
}) or {}
local labels = vim.tbl_map(function(item)
  return item.label
end, completion.items or completion)
check('completion offers the fluents', count(labels, function(label)
  return label:find('^%(?cell') or label:find('^%(?control')
end) >= 2, labels)
vim.api.nvim_buf_set_lines(buffer, -2, -1, false, {})

-- Changes
vim.api.nvim_win_set_cursor(0, { line_read.line + 1, line_read.character })
vim.lsp.buf.rename('row_of_three', { bufnr = buffer })
check('rename changes every place', wait(function()
  return select(2, text(buffer):gsub('%(row_of_three ', '')) == 7
end, 3000), text(buffer))
check('no old name remains', not text(buffer):find('(line ', 1, true))
check('renamed rules are valid', is_valid(text(buffer)))
vim.cmd.undo()
check('undo brings the old name back', text(buffer) == original)

append(buffer, { '(<= (goal ?p 50)', '    (role ?p)', '    (not (decided))' })
wait(function()
  return #messages(buffer, ERROR) > 0
end)
local wrong = vim.tbl_map(function(diagnostic)
  return diagnostic.user_data.lsp
end, vim.diagnostic.get(buffer))
local actions = request(client, buffer, 'textDocument/codeAction', {
  range = wrong[1] and wrong[1].range,
  context = { diagnostics = wrong, triggerKind = 1 },
})
local action = (actions or {})[1]
check('a mistake has a code action', action ~= nil, actions)
if action and not action.edit then
  action = client:request_sync('codeAction/resolve', action, 5000, buffer).result
end
if action and action.edit then
  vim.lsp.util.apply_workspace_edit(action.edit, client.offset_encoding)
  check('the code action mends it', wait(function()
    return #messages(buffer, ERROR) == 0
  end), messages(buffer))
  check('mended rules are valid', is_valid(text(buffer)), text(buffer))
end
vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(vim.trim(original), '\n'))

local ugly = original:gsub('\n    %(', ' (')
vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(vim.trim(ugly), '\n'))
vim.lsp.buf.format({ bufnr = buffer, timeout_ms = 5000 })
local formatted = vim.system({ vim.g.kolibri_path, 'fmt', '-' }, { stdin = ugly }):wait().stdout
check('formatting is that of `kolibri fmt`', text(buffer) == formatted, text(buffer))

-- Commands: what was typed is saved, and the program runs in a terminal.
append(buffer, { MISTAKE })
vim.lsp.commands['kolibri.check']({ arguments = { vim.uri_from_bufnr(buffer) } })
local terminal = vim.api.nvim_get_current_buf()
check('a command of a code lens runs the program', terminal ~= buffer and wait(function()
  return text(terminal):find('binds `?z`', 1, true)
end), text(terminal))
vim.cmd('bwipeout!')
vim.api.nvim_set_current_buf(buffer)
vim.api.nvim_buf_set_lines(buffer, -2, -1, false, {})
vim.cmd.KolibriCheck()
terminal = vim.api.nvim_get_current_buf()
check('a command runs the program', wait(function()
  return text(terminal):find('tictactoe.kif: valid', 1, true)
end), text(terminal))
vim.cmd('bwipeout!')
vim.api.nvim_set_current_buf(buffer)

-- The file as a whole
local symbols = request(client, buffer, 'textDocument/documentSymbol')
check('symbols', #(symbols or {}) > 0, symbols)
local folds = request(client, buffer, 'textDocument/foldingRange')
check('folds', #(folds or {}) > 0, folds)
local tokens = request(client, buffer, 'textDocument/semanticTokens/full')
check('semantic tokens', tokens and #tokens.data > 100, tokens)
local hints = request(client, buffer, 'textDocument/inlayHint', {
  range = { start = { line = 0, character = 0 }, ['end'] = { line = vim.api.nvim_buf_line_count(buffer), character = 0 } },
})
check('inlay hints are answered', hints ~= nil, hints)
local lenses = request(client, buffer, 'textDocument/codeLens') or {}
local commands = vim.tbl_map(function(lens)
  lens = lens.command and lens or client:request_sync('codeLens/resolve', lens, 5000, buffer).result
  return lens.command
end, lenses)
for _, name in ipairs({ 'kolibri.play', 'kolibri.playtest' }) do
  check('code lens ' .. name, count(commands, function(command)
    return command.command == name and command.arguments[1] == vim.uri_from_bufnr(buffer)
  end) == 1, commands)
end

vim.lsp.codelens.refresh({ bufnr = buffer })
check('the editor shows the code lenses', wait(function()
  return #vim.lsp.codelens.get(buffer) >= 2
end, 3000))

-- Hostile edits
for _, content in ipairs({ '', '(', ')', '((((', ';', '(<=', '(<= (a ?x) (b', '\u{feff}(role x)', '(röle 🎲 x) (🎲 ', 'a\tb' }) do
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, { content })
  for _, method in ipairs({ 'hover', 'completion', 'definition', 'signatureHelp' }) do
    request(client, buffer, 'textDocument/' .. method, { position = { line = 0, character = #content > 3 and 3 or 0 } })
  end
end
vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(vim.trim(original), '\n'))
local alive = request(client, buffer, 'textDocument/hover', { position = line_read })
check('the server survives broken texts', alive ~= nil and not client:is_stopped(), alive)

-- Latencies

local function summary(name, times)
  table.sort(times)
  local line = '%s: median %.1f ms, worst %.1f ms (%d)'
  print(line:format(name, times[math.ceil(#times / 2)] or 0, times[#times] or 0, #times))
end

local function milliseconds(work)
  local start = vim.uv.hrtime()
  local is_done = work()
  return is_done ~= false and (vim.uv.hrtime() - start) / 1e6 or nil
end

if vim.env.RULE_FILE then
  local large, server = open(vim.env.RULE_FILE)
  local published = 0
  local handler = vim.lsp.handlers['textDocument/publishDiagnostics']
  server.handlers['textDocument/publishDiagnostics'] = function(...)
    published = published + 1
    return handler(...)
  end
  append(large, { '' })
  local last = vim.api.nvim_buf_line_count(large) - 1
  print(('%s: %d lines'):format(vim.fs.basename(vim.env.RULE_FILE), last))
  wait(function()
    return published > 0
  end)
  local diagnosed, completed = {}, {}
  for edit = 1, 200 do
    -- A word that grows, in turn in a whole rule and in one that is not closed yet.
    local typed = '(<= (typed ?x) (true (c' .. ('c'):rep(edit % 20)
    local before = published
    table.insert(diagnosed, milliseconds(function()
      vim.api.nvim_buf_set_lines(large, last, -1, false, { typed .. (edit % 2 == 0 and ' ?x)))' or '') })
      return wait(function()
        return published > before
      end)
    end))
    table.insert(completed, milliseconds(function()
      request(server, large, 'textDocument/completion', { position = { line = last, character = #typed } })
    end))
  end
  summary('edit to diagnostics', diagnosed)
  summary('request of completion', completed)
  check('every edit has its diagnostics', #diagnosed == 200, #diagnosed)
end

client:stop()
vim.fn.delete(folder, 'rf')
print(('%d passed, %d failed'):format(passed, failed))
os.exit(failed == 0 and 0 or 1)
