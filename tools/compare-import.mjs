// Counts what session files of other programs say by plain JSON, without the readers of the import, and compares it with what the import stores.
//
//   node tools/compare-import.mjs [--import FILE] PATH …
//
// Texts of people, texts of models, calls and results are counted, each different one once: the import reads a repeated record once, too. A folder stands
// for the .json and .jsonl files in it. --import imports another file than the one that is counted, for example an older copy. Ends with 1 if something is
// missing in the import, or only in it, and with 2 if no file was compared. Databases, sessions of JP
// and Lace, Markdown, notes of Cline and the storage of opencode are not counted.
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openStore } from '../packages/conversation-store/src/index.ts'
import {
  detectFormat,
  importConversation,
  openSource,
  readConversations,
} from '../packages/session-import/src/index.ts'

/** Formats of this project, and those whose texts are encoded. */
const NOT_COUNTED = new Set(['jp', 'lace', 'toolblocks'])
const KINDS = ['texts of people', 'texts of models', 'calls', 'results']

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const first = (...values) => values.find((value) => typeof value === 'string')

/** Whether a file has only the notes that a window shows, or a session whose messages are in other files. */
function isCounted(values) {
  const [one] = values
  if (Array.isArray(one)) return !('say' in (one[0] ?? {}) || 'ask' in (one[0] ?? {}))
  return !(isObject(one) && 'directory' in one && values.length === 1)
}

/** Removes the versions of a message of Gemini CLI before the last one with its id. */
function withoutEarlier(values) {
  const last = new Map(
    values.filter(isObject).map((value) => [value.type === 'gemini' ? value.id : value, value]),
  )
  return values.filter((value) => value?.type !== 'gemini' || last.get(value.id) === value)
}

/** Parses a file: one value, or one for each line. A line that is no JSON is left out. */
function readValues(text) {
  try {
    return [JSON.parse(text)]
  } catch {
    return text.split('\n').flatMap((line) => {
      try {
        return [JSON.parse(line)]
      } catch {
        return []
      }
    })
  }
}

const SPEAKERS = {
  user: 'user',
  human: 'user',
  UserMessage: 'user',
  'user.message': 'user',
  assistant: 'assistant',
  model: 'assistant',
  gemini: 'assistant',
  AgentMessage: 'assistant',
  agent_message: 'assistant',
  'assistant.message': 'assistant',
}
/** Roles and types whose texts nobody said. */
const SILENT = new Set(
  (
    'system developer thinking redacted_thinking reasoning thought assistant.reasoning compacted compaction branch_summary session_meta turn_context ' +
    'session.start session.resume session.shutdown session.model_change system.message summary custom-title ai-title file-history-snapshot progress ' +
    'info error warning step-start token_budget Reasoning Plan WebSearch thoughts reasoning_recap user_editable_context model_editable_context'
  ).split(' '),
)
const CALLS = new Set(
  (
    'tool_use server_tool_use mcp_tool_use toolCall tool-call function_call custom_tool_call local_shell_call web_search_call tool_search_call ' +
    'image_generation_call tool.execution_start dynamic-tool CommandExecution FileChange McpToolCall'
  ).split(' '),
)
const RESULTS = new Set(
  (
    'tool_result tool-result mcp_tool_result web_search_tool_result function_call_output custom_tool_call_output tool_search_output ' +
    'tool.execution_complete'
  ).split(' '),
)
/** Fields that hold what was said. Others describe it. */
const INSIDE =
  'content parts message messages payload item data $set info chat_messages mapping contents chatMessages conversation'.split(
    ' ',
  )

/** Counts what a value says. `by`: who speaks in it, if something around it tells. */
function count(value, by, into) {
  if (typeof value === 'string') {
    if (by !== undefined) say(value, by, into)
    return
  }
  if (Array.isArray(value)) {
    for (const each of value) count(each, by, into)
    return
  }
  if (!isObject(value)) return
  const { type, role, sender, author } = value
  const kind = first(role, author?.role, sender, type)
  if ([type, role, author?.role, value.content_type].some((name) => SILENT.has(name))) return
  // Codex writes most texts a second time as events.
  if (type === 'event_msg' && value.payload?.type !== 'item_completed') return
  const id = first(
    value.call_id,
    value.tool_use_id,
    value.tool_call_id,
    value.toolCallId,
    value.callID,
    value.id,
  )
  if (role === 'toolResult' || role === 'tool' || role === 'function' || RESULTS.has(type)) {
    const named = role === 'function' ? value.name : undefined
    const own = first(value.tool_call_id, value.toolCallId, value.data?.toolCallId, named, id)
    // A record of results has them inside of it.
    const isRecord = isObject(value.message) || (role !== undefined && !isSingle(value, own))
    if (!isRecord) {
      into.results.add(
        RESULTS.has(type) && !isSingle(value, own) ? Symbol('result') : (own ?? Symbol('result')),
      )
      return
    }
  }
  const isTool = type === 'tool' && value.callID !== undefined
  if (isTool || CALLS.has(type) || /^tool-(?!result|call|invocation)/.test(type ?? '')) {
    addCall(value, id, into)
    return
  }
  // ChatGPT: a message to a tool is a call, and a message of a tool a result.
  if (author?.role === 'tool') return void into.results.add(Symbol('result'))
  if (
    author?.role === 'assistant' &&
    typeof value.recipient === 'string' &&
    value.recipient !== 'all'
  )
    return void into.calls.add(Symbol('call'))
  const speaker = SPEAKERS[first(kind, value.info?.role)] ?? SPEAKERS[value.info?.role] ?? by
  if (isObject(value.function_call)) into.calls.add(value.function_call.name)
  for (const request of value.toolRequests ?? []) into.calls.add(request.toolCallId)
  for (const call of value.tool_calls ?? []) into.calls.add(call.id)
  if (isObject(value.functionCall)) into.calls.add(first(value.functionCall.id) ?? Symbol('call'))
  if (isObject(value.functionResponse))
    into.results.add(first(value.functionResponse.id) ?? Symbol('result'))
  for (const call of value.toolCalls ?? []) {
    into.calls.add(first(call.id) ?? Symbol('call'))
    if (call.result != null) into.results.add(first(call.id) ?? Symbol('result'))
  }
  for (const { toolCallId, state } of value.toolInvocations ?? []) {
    into.calls.add(toolCallId)
    if (state === 'result') into.results.add(toolCallId)
  }
  if (type === 'queue-operation' && value.reason === 'absorbed_mid_turn')
    count(value.content, 'user', into)
  if (type === 'attachment' && value.attachment?.type === 'queued_command')
    count(value.attachment.prompt, 'user', into)
  const isText = type === undefined || /text$/i.test(type)
  const hasContent = Array.isArray(value.content) && value.content.length > 0
  if (
    typeof value.text === 'string' &&
    speaker !== undefined &&
    (isText || sender !== undefined) &&
    !hasContent &&
    value.thought !== true
  )
    say(value.text, speaker, into)
  for (const name of INSIDE) {
    const inside = value[name]
    if (name === 'mapping' || !isObject(inside) || name !== 'data')
      count(name === 'mapping' && isObject(inside) ? Object.values(inside) : inside, speaker, into)
    else count(inside, speaker, into)
  }
}

/** Whether a result has the id of its call. */
function isSingle(value, own) {
  return own !== undefined && own !== value.id
}

function say(text, by, into) {
  const message = text.replace(/<\/?user_query>/g, '').trim()
  if (message !== '') into[by === 'user' ? 'people' : 'models'].add(message)
}

function addCall(value, id, into) {
  const own = first(value.data?.toolCallId, id) ?? Symbol('call')
  into.calls.add(own)
  const { state, status, result, exit_code: code } = value
  const hasEnded =
    state === undefined
      ? result !== undefined || code !== undefined || status === 'completed'
      : isObject(state)
        ? ['completed', 'error'].includes(state.status)
        : value.approval?.approved === false ||
          ['output-available', 'output-error', 'output-denied'].includes(state)
  const isItem =
    /^(?:CommandExecution|FileChange|McpToolCall|web_search_call|image_generation_call)$/
  if (typeof own === 'symbol' && value.status === 'completed') into.results.add(Symbol('result'))
  else if (state !== undefined ? hasEnded : isItem.test(value.type) && hasEnded)
    into.results.add(own)
}

const createCounts = () => ({
  people: new Set(),
  models: new Set(),
  calls: new Set(),
  results: new Set(),
})

/** Imports a file into a store in memory, and counts what the store has. */
async function countImport(path) {
  const store = await openStore('memory:')
  const into = createCounts()
  for (const read of readConversations(openSource(path))) {
    const { conversation } = await importConversation(store, read)
    const { events } = await store.read(conversation, { limit: Infinity })
    for (const { event } of events) {
      if (event.type === 'tool_call') into.calls.add(event.call.id)
      if (event.type === 'tool_result') into.results.add(event.result.id ?? Symbol('result'))
      const by = event.type === 'user_message' ? 'user' : 'assistant'
      if (event.type === 'user_message' || event.type === 'assistant_message')
        for (const block of event.content)
          if (block.type === 'text' && block.mimeType === undefined) say(block.text, by, into)
    }
  }
  await store.close()
  return into
}

function findFiles(path) {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.jsonl?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
}

/** Lists the values of one set that another one does not have; of ids that the format does not write, only their number is compared. */
function findMissing(one, other) {
  if ([...one, ...other].some((value) => typeof value === 'symbol'))
    return one.size > other.size ? [`${one.size - other.size} without an id`] : []
  return [...one].filter((value) => !other.has(value))
}

const shorten = (text) => JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text)

const { values, positionals } = parseArgs({
  options: { import: { type: 'string' } },
  allowPositionals: true,
})
let compared = 0
let differences = 0
for (const path of positionals.flatMap(findFiles)) {
  const format = detectFormat(openSource(path))
  const read = readValues(readFileSync(path, 'utf8'))
  if (
    !isCounted(read) ||
    format === undefined ||
    format.endsWith('sqlite') ||
    path.endsWith('.md') ||
    NOT_COUNTED.has(format)
  ) {
    console.log(
      `- ${path}: not counted${format === undefined ? ', no conversation' : ` (${format})`}`,
    )
    continue
  }
  compared += 1
  const file = createCounts()
  for (const value of withoutEarlier(read)) count(value, undefined, file)
  const stored = await countImport(values.import ?? path)
  const lines = Object.keys(file).flatMap((name, index) => {
    const missing = findMissing(file[name], stored[name]).map(
      (text) => `only in the file: ${shorten(text)}`,
    )
    const more = findMissing(stored[name], file[name]).map(
      (text) => `only in the import: ${shorten(text)}`,
    )
    return [...missing, ...more].map((line) => `    ${KINDS[index]}, ${line}`)
  })
  differences += lines.length
  const counts = Object.values(file).map((set, index) => `${set.size} ${KINDS[index]}`)
  console.log(`${lines.length === 0 ? '✓' : '✗'} ${path} (${format}): ${counts.join(', ')}`)
  for (const line of lines) console.log(line)
}
console.log(`${compared} files compared, ${differences} differences`)
process.exitCode = compared === 0 ? 2 : differences > 0 ? 1 : 0
