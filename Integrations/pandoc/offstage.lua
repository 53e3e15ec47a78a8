-- A pandoc filter that replaces HTML in a document with pictures, rendered by `offstage`. README.md explains how to use it.
--
-- Three steps: collect the snippets, draw all of them with one run of the program, replace the snippets with the pictures.

-- The types of a manifest's options; all others are text. The program rejects unknown ones.
local INTEGERS = {
  ['max-width'] = true, height = true, ['min-height'] = true, ['max-height'] = true, ['viewport-height'] = true,
  padding = true, outset = true, ['font-size'] = true, ['min-font-size'] = true, scale = true, timeout = true, width = true,
}
local BOOLEANS = { fragment = true, trim = true, javascript = true, strict = true, ['strict-fonts'] = true }

-- Attributes of the picture in the document, which are not passed to the program.
local OURS = { alt = true, caption = true, title = true, style = true, ['display-width'] = true, ['custom-style'] = true }

-- Metadata that are settings of the filter; all others are options of every snippet.
local SETTINGS = { folder = true, raw = true, fail = true, ['max-display-width'] = true }

local function say(message) io.stderr:write('offstage.lua: ' .. message .. '\n') end

-- A Lua error would print a stack trace of the filter; only the message is useful.
local function stop(message)
  say(message)
  os.exit(1)
end

--------------------------------------------------------------------------------------------------------------- JSON

local ESCAPES = { ['"'] = '\\"', ['\\'] = '\\\\', ['\n'] = '\\n', ['\r'] = '\\r', ['\t'] = '\\t' }

-- Keys are sorted, so that the same snippet gives the same text, and so the same name.
local function encode(value)
  if type(value) == 'string' then
    return '"' .. value:gsub('[%c"\\]', function(c) return ESCAPES[c] or ('\\u%04x'):format(c:byte()) end) .. '"'
  elseif type(value) ~= 'table' then
    return math.type(value) == 'float' and ('%.10g'):format(value) or tostring(value)
  end
  local parts = {}
  if #value > 0 then
    for _, item in ipairs(value) do parts[#parts + 1] = encode(item) end
    return '[' .. table.concat(parts, ',') .. ']'
  end
  for key, item in pairs(value) do parts[#parts + 1] = encode(key) .. ':' .. encode(item) end
  table.sort(parts)
  return '{' .. table.concat(parts, ',') .. '}'
end

local UNESCAPES = { b = '\b', f = '\f', n = '\n', r = '\r', t = '\t' }
local decode

local function decode_text(json, at)
  local finish = at
  repeat
    finish = json:find('["\\]', finish + 1)
    local escaped = json:sub(finish, finish) == '\\'
    if escaped then finish = finish + 1 end
  until not escaped
  local text = json:sub(at + 1, finish - 1)
  text = text:gsub('\\u[dD]([89abAB]%x%x)\\u[dD]([c-fC-F]%x%x)', function(high, low)
    return utf8.char(0x10000 + ((tonumber(high, 16) - 0x800) << 10) + tonumber(low, 16) - 0xC00)
  end)
  text = text:gsub('\\(.)(%x?%x?%x?%x?)', function(kind, hex)
    if kind == 'u' then return utf8.char(tonumber(hex, 16)) end
    return (UNESCAPES[kind] or kind) .. hex
  end)
  return text, finish + 1
end

local function decode_list(json, at, closing)
  local result, at = {}, json:find('%S', at + 1)
  while json:sub(at, at) ~= closing do
    local key = #result + 1
    if closing == '}' then
      key, at = decode_text(json, at)
      at = json:find('%S', json:find(':', at, true) + 1)
    end
    result[key], at = decode(json, at)
    at = json:find('[^%s,]', at)
  end
  return result, at + 1
end

-- The input is the program's output, which is valid JSON, so nothing is checked.
function decode(json, at)
  at = at or 1
  local first = json:sub(at, at)
  if first == '"' then return decode_text(json, at) end
  if first == '{' then return decode_list(json, at, '}') end
  if first == '[' then return decode_list(json, at, ']') end
  local word, finish = json:match('^([%w+.-]+)()', at)
  if word == 'true' then return true, finish end
  if word == 'false' then return false, finish end
  return tonumber(word), finish -- nil for null
end

----------------------------------------------------------------------------------------------------------- snippets

-- Targets whose sizes are in CSS px; all others use inches.
local IS_HTML = FORMAT:match('html') or FORMAT:match('^epub') or FORMAT:match('^revealjs') or FORMAT:match('^slid')
  or FORMAT:match('^s5') or FORMAT:match('^dzslides')

-- The format that the target shows sharply at any size, unless the document sets one; nil for the program's default, PNG. pandoc
-- converts SVG to pixels for Word and slides, readers of EPUB 2 predate SVG, and WeasyPrint, which makes PDF from HTML, does not
-- show the text of an SVG file.
local function vector_format()
  if not IS_HTML then return ({ latex = 'pdf', beamer = 'pdf', context = 'pdf', odt = 'svg' })[FORMAT] end
  local is_printed = (PANDOC_STATE.output_file or ''):lower():match('%.pdf$')
  return FORMAT ~= 'epub2' and not is_printed and 'svg' or nil
end
local VECTOR = vector_format()

local defaults, settings = {}, {}
local snippets, by_row = {}, {}
local names = {} -- of snippets, for messages, by the identifiers of their rows
local pixels_of = {} -- by the identifier of a row whose format is this filter's choice: the same as PNG

local function option(name, text)
  if INTEGERS[name] then return math.tointeger(tonumber(text)) or tonumber(text) or text end
  if BOOLEANS[name] then return text == 'true' or (text ~= 'false' and text or false) end
  if name == 'css' and text:find(',', 1, true) then
    local files = {}
    for file in text:gmatch('[^,%s]+') do files[#files + 1] = file end
    return files
  end
  return text
end

local function pairs_of(attributes)
  local result = {}
  for name, value in pairs(attributes) do result[name] = value end
  return result
end

-- Named by content, so that two documents, or two formats of one document, can share the folder.
local function name_row(row, identifier)
  local hash = pandoc.utils.sha1(encode(row)):sub(1, 12)
  row.identifier = (identifier:gsub('[^%w._-]', '-'):gsub('^%.+', '') .. '-' .. hash):gsub('^%-', '')
end

-- A snippet's name for its author: its `#id`, its file, or its first words.
local function name_of(row, identifier)
  if identifier ~= '' then return '#' .. identifier end
  if row.file then return row.file end
  local words = row.html:gsub('<!%-%-.-%-%->', ' '):gsub('<style.-</style>', ' '):gsub('<script.-</script>', ' '):gsub('<[^>]*>', ' ')
    :gsub('[%s%c]+', ' '):gsub('^ ', ''):gsub(' $', '')
  local finish = utf8.offset(words, 41) -- nil for fewer characters
  return finish and words:sub(1, finish - 1):gsub(' [^ ]*$', '') .. ' …' or words
end

-- `snippet 5 "#weather"`
local function title(place, row)
  local name = names[row.identifier] or ''
  return 'snippet ' .. place .. (name ~= '' and ' "' .. name .. '"' or '')
end

-- Records a snippet, and returns its placeholder until the picture exists: a div, or a span in a line of text.
local function collect(html, identifier, classes, attributes, element)
  local row = { areas = true, base = (PANDOC_STATE.resource_path or {})[1] or '.' }
  for name, value in pairs(defaults) do row[name] = value end
  local snippet = { identifier = identifier, classes = classes, shown = {} }
  for name, value in pairs(attributes) do
    if OURS[name] or name:match('^data%-') then
      snippet.shown[name] = value
    else
      row[name] = option(name, value)
    end
  end
  if row.file then
    if not attributes.base then row.base = nil end
  else
    row.html = html
    if row.fragment == nil then row.fragment = true end -- a whole document stays one
  end
  local in_pixels
  local name = name_of(row, identifier)
  if VECTOR and not row.format then
    in_pixels = pairs_of(row)
    name_row(in_pixels, identifier)
    names[in_pixels.identifier] = name
    row.format = VECTOR
  end
  name_row(row, identifier)
  names[row.identifier] = name
  snippet.row = by_row[row.identifier] or row
  by_row[row.identifier] = snippet.row
  pixels_of[row.identifier] = in_pixels
  snippets[#snippets + 1] = snippet
  return (element or pandoc.Div)({}, pandoc.Attr('', { 'offstage-place' }, { number = tostring(#snippets) })), false
end

-- `<figure class="offstage" data-width="300">`: the options of a raw block are in its first tag, as data attributes.
local function raw_options(html)
  local tag = html:match('^%s*(<%a[^>]*>)')
  if not tag then return nil end
  local attributes, classes, identifier = {}, {}, ''
  for name, value in tag:gmatch('([%w-]+)%s*=%s*"([^"]*)"') do
    if name == 'class' then
      for class in value:gmatch('%S+') do classes[#classes + 1] = class end
    elseif name == 'id' then
      identifier = value
    elseif name:match('^data%-') then
      attributes[name:sub(6)] = value
    end
  end
  return identifier, classes, attributes
end

local function has(classes, class)
  for _, item in ipairs(classes) do if item == class then return true end end
  return false
end

-- Without the class `offstage` itself.
local function other_classes(classes)
  local others = {}
  for _, class in ipairs(classes) do if class ~= 'offstage' then others[#others + 1] = class end end
  return others
end

local collecting = {
  traverse = 'topdown', -- a marked block becomes one picture, with everything in it
  Div = function(div)
    if not has(div.classes, 'offstage') then return nil end
    local html = pandoc.write(pandoc.Pandoc(div.content), 'html', { html_math_method = 'mathml' })
    return collect(html, div.identifier, other_classes(div.classes), pairs_of(div.attributes))
  end,
  CodeBlock = function(block)
    if not has(block.classes, 'offstage') then return nil end
    return collect(block.text, block.identifier, other_classes(block.classes), pairs_of(block.attributes))
  end,
  Code = function(code)
    if not has(code.classes, 'offstage') then return nil end
    return collect(code.text, code.identifier, other_classes(code.classes), pairs_of(code.attributes), pandoc.Span)
  end,
  RawBlock = function(block)
    if not block.format:match('^html') then return nil end
    local identifier, classes, attributes = raw_options(block.text)
    if not identifier then return nil end
    if has(classes, 'offstage') then
      return collect(block.text, identifier, other_classes(classes), attributes)
    end
    -- The whole element; pandoc's reader makes a separate block from each tag.
    local name = block.text:match('^%s*<(%a[%w-]*)')
    if settings.raw and block.text:match('</' .. name .. '>%s*$') then return collect(block.text, '', {}, {}) end
  end,
}

------------------------------------------------------------------------------------------------------------ drawing

local function folder_of(path) return path and path:match('^(.*)/[^/]*$') end

-- Paths in the document are relative to the output file, because HTML and LaTeX resolve them against it.
local function disk_path(name)
  local folder = folder_of(PANDOC_STATE.output_file)
  if not folder or name:sub(1, 1) == '/' then return name end
  return folder .. '/' .. name
end

-- The program's messages, with the names of snippets instead of rows.
local function say_all(messages, rows)
  for line in messages:gmatch('[^\n]+') do
    local place, rest = line:match('^offstage: standard input:(%d+)(.*)$')
    local row = place and rows[tonumber(place)]
    if row then
      say(title(place, row) .. rest:gsub('^ "[^"]*"', ''))
    else
      io.stderr:write(line .. '\n')
    end
  end
end

local function run(rows, lines, folder)
  local program = os.getenv('OFFSTAGE') or 'offstage'
  -- pandoc passes a program's messages through unchanged, so the shell redirects them into a file.
  local messages = os.tmpname()
  local worked, output = pcall(
    pandoc.pipe, 'sh',
    { '-c', 'messages=$1; shift; exec "$0" "$@" 2>"$messages"', program, messages, 'render', '--manifest', '-', '--out',
      folder, '--json', '--quiet' }, lines)
  local code = not worked and type(output) ~= 'string' and output.error_code
  local file = io.open(messages)
  local said = file and file:read('a') or ''
  if file then file:close() end
  os.remove(messages)
  if code ~= 126 and code ~= 127 then say_all(said, rows) end
  if worked then return output end
  if code == 1 then return output.output end -- some snippets failed; the output has the results of all
  if code == 2 then stop('nothing is drawn; snippets are counted from the start of the document') end
  if code == 3 then stop('nothing is drawn; `offstage doctor` reports what this machine lacks') end
  stop('cannot run "' .. program .. '": install Offstage, or name the program in the variable OFFSTAGE')
end

-- The parts of a snippet that its vector picture would not show, or nil.
local function lost(result)
  for _, warning in ipairs(result.warnings or {}) do
    if warning.code == 'columns-merged' then return warning.message end
  end
  local told = result.status == 'failed' and result.error
  if told and (told:find('too large for PDF', 1, true) or told:find('SVG cannot hold', 1, true)) then
    return 'too large for one'
  end
end

-- The results of the rows, in any order, each with its index among the rows.
local function results_of(rows, folder)
  local lines, places, results = {}, {}, {}
  for place, row in ipairs(rows) do
    lines[place] = encode(row)
    places[row.identifier] = place
  end
  for line in run(rows, table.concat(lines, '\n') .. '\n', folder):gmatch('[^\n]+') do
    local result = decode(line)
    results[places[result.identifier]] = result
  end
  return results
end

-- A row's result, by its identifier.
local function draw(folder)
  local rows, seen = {}, {}
  for _, snippet in ipairs(snippets) do
    if not seen[snippet.row.identifier] then
      seen[snippet.row.identifier] = true
      rows[#rows + 1] = snippet.row
    end
  end
  local results = results_of(rows, folder)
  -- The document does not ask for a vector picture. If one would look different from the document, PNG is used.
  local again, places = {}, {}
  for place, row in ipairs(rows) do
    local reason = pixels_of[row.identifier] and results[place] and lost(results[place])
    if reason then
      say(title(place, row) .. ': PNG, not a vector picture: ' .. reason)
      again[#again + 1] = pixels_of[row.identifier]
      places[#again] = place
    end
  end
  if #again > 0 then
    for index, result in pairs(results_of(again, folder)) do results[places[index]] = result end
  end
  local by_identifier = {}
  for place, row in ipairs(rows) do
    by_identifier[row.identifier] = results[place]
    for _, warning in ipairs(results[place].warnings or {}) do say(title(place, row) .. ': ' .. warning.message) end
  end
  return by_identifier
end

----------------------------------------------------------------------------------------------------------- pictures

local function inches(text)
  local number, unit = tostring(text):match('^([%d.]+)(%a+)$')
  local factor = ({ ['in'] = 1, cm = 1 / 2.54, mm = 1 / 25.4, pt = 1 / 72, px = 1 / 96 })[unit]
  if not factor then stop('max-display-width: "' .. tostring(text) .. '" is not a length such as 16cm') end
  return tonumber(number) * factor
end

-- 96 CSS px are an inch. LaTeX reads the size from the PDF page or the file's pixel density, and limits it to the line's width. On
-- slides, the picture fills the slide.
local function set_size(attributes, result, shown)
  if shown['display-width'] then
    attributes.width = shown['display-width']
    return
  end
  local width, height = result.width / result.scale, result.height / result.scale
  if IS_HTML then
    attributes.width, attributes.height = ('%.10g'):format(width), ('%.10g'):format(height)
  elseif FORMAT ~= 'latex' and FORMAT ~= 'beamer' and FORMAT ~= 'pptx' then
    -- pandoc's ODT writer ignores the page's width.
    local limit = inches(settings['max-display-width'] or '6.5in') * 96
    local factor = math.min(1, limit / width) / 96
    attributes.width, attributes.height = ('%.6fin'):format(width * factor), ('%.6fin'):format(height * factor)
  end
end

local function media(path)
  return ({ png = 'image/png', jpg = 'image/jpeg', webp = 'image/webp', pdf = 'application/pdf', svg = 'image/svg+xml' })[
    path:match('%.(%w+)$')]
end

-- pandoc's writers use an image's text and title differently, so each target gets its alt text in its own way.

-- In OpenDocument, pandoc's frame cannot have an alt text, but a group around it can.
local function described(image, alt)
  local text = alt:gsub('[&<>]', { ['&'] = '&amp;', ['<'] = '&lt;', ['>'] = '&gt;' })
  return {
    pandoc.RawInline('opendocument', '<draw:g text:anchor-type="as-char"><svg:desc>' .. text .. '</svg:desc>'),
    image, pandoc.RawInline('opendocument', '</draw:g>'),
  }
end

local function styled(style, inlines)
  return pandoc.Div({ pandoc.Para(inlines) }, pandoc.Attr('', {}, { ['custom-style'] = style }))
end

-- The blocks that show a picture, with its caption if it has one, or the inlines.
local function place(snippet, name, attributes, alt, inline)
  local shown, classes, identifier = snippet.shown, snippet.classes, snippet.identifier
  local title = shown.title or ''
  local caption = shown.caption and pandoc.utils.blocks_to_inlines(pandoc.read(shown.caption, 'markdown').blocks)
  local function image(inlines, title, identifier)
    return pandoc.Image(inlines, name, title, pandoc.Attr(identifier, classes, attributes))
  end
  if inline then
    if FORMAT == 'pptx' then return pandoc.Str(alt) end -- slides cannot show pictures in a line of text
    if FORMAT == 'odt' then return described(image({}, title, identifier), alt) end
    return image({ pandoc.Str(alt) }, title, identifier)
  end
  if FORMAT == 'pptx' then -- shows the text below the picture, and makes the title the alt text
    return pandoc.Para { image(caption or {}, alt, identifier) }
  elseif FORMAT == 'odt' then
    local inlines = described(image({}, title, identifier), alt)
    if not caption then return pandoc.Para(inlines) end
    return { styled('FigureWithCaption', inlines), styled('FigureCaption', caption) }
  elseif not caption then
    return pandoc.Para { image({ pandoc.Str(alt) }, title, identifier) }
  elseif pandoc.Figure then -- from pandoc 3 on
    local plain = pandoc.Plain { image({ pandoc.Str(alt) }, title, '') }
    return pandoc.Figure({ plain }, { pandoc.Plain(caption) }, pandoc.Attr(identifier))
  elseif FORMAT == 'docx' then -- pandoc 2 would make the caption the alt text
    return {
      styled('Captioned Figure', { image({ pandoc.Str(alt) }, title, identifier) }), styled('Image Caption', caption),
    }
  end
  attributes.alt = alt
  return pandoc.Para { image(caption, 'fig:' .. title, identifier) }
end

local function picture(snippet, result, folder, inline)
  local shown, attributes = snippet.shown, {}
  for name, value in pairs(shown) do
    if name:match('^data%-') or name == 'style' or name == 'custom-style' then attributes[name] = value end
  end
  set_size(attributes, result, shown)
  local name = folder .. '/' .. result.path:match('[^/]*$')
  local file = io.open(result.path, 'rb')
  if not file then stop('cannot read ' .. result.path) end
  -- Store it under the name in the document, so that a writer that embeds pictures finds it.
  pandoc.mediabag.insert(name, media(name), file:read('a'))
  file:close()
  local alt = shown.alt or (result.text or ''):gsub('[%s%c]+', ' '):gsub('^ ', ''):gsub(' $', '')
  return place(snippet, name, attributes, alt, inline)
end

local function read_metadata(meta)
  -- Sharp on paper. On slides, where pandoc enlarges pictures, the largest scale.
  defaults = { scale = FORMAT == 'pptx' and 3 or 2, language = meta.lang and pandoc.utils.stringify(meta.lang) }
  for name, value in pairs(type(meta.offstage) == 'table' and meta.offstage or {}) do
    local text = type(value) == 'boolean' and tostring(value) or pandoc.utils.stringify(value)
    if SETTINGS[name] then
      settings[name] = text ~= 'false' and text or nil
    else
      defaults[name] = option(name, text)
    end
  end
end

function Pandoc(doc)
  read_metadata(doc.meta)
  local blocks = doc.blocks:walk(collecting)
  if #snippets == 0 then return nil end
  local folder = settings.folder or 'offstage-pictures'
  local results, failed = draw(disk_path(folder)), 0
  local function fill(element)
    if not has(element.classes, 'offstage-place') then return nil end
    local inline = element.t == 'Span'
    local snippet = snippets[tonumber(element.attributes.number)]
    local result = results[snippet.row.identifier]
    if result.status ~= 'failed' then return picture(snippet, result, folder, inline) end
    failed = failed + 1
    local reason = result.error:gsub('^standard input:%d+ "[^"]*":? ', '') -- the program's messages have reported it, too
    local told = pandoc.Strong { pandoc.Str('[There is no picture: ' .. reason .. ']') }
    return inline and told or pandoc.Para { told }
  end
  doc.blocks = blocks:walk { Div = fill, Span = fill }
  if failed > 0 and settings.fail then stop(failed .. ' of the pictures failed') end
  return doc
end
