import { findUnfinishedCall, getImportedFields } from '@toolblocks/conversation-store/internal'
import {
  type DiffHunk,
  type DiffValue,
  type JsonObject,
  type Outcome,
  type ToolResult,
  getText,
  toWorkspacePath,
  isJsonObject,
} from '@toolblocks/protocol'
import { getOwnField, isWellKnownValue } from '@toolblocks/protocol/internal'
import { summarizeResult } from '@toolblocks/renderer/internal'
import { describeTook } from './describe-took.ts'
import { type CallCard, isWaiting } from './read-cards.ts'

/** One item of a to-do list. */
export interface Todo {
  text: string
  state: 'open' | 'doing' | 'done'
}

/** A part of a call, in reading order. */
export type CallPart =
  | { kind: 'edit'; edit: FileEdit }
  | { kind: 'todos'; todos: readonly Todo[] }
  /** The command for a shell, unchanged. */
  | { kind: 'command'; text: string }
  /** A complete file that was written. */
  | { kind: 'file'; path: string; content: string }
  | { kind: 'arguments'; values: JsonObject }
  | { kind: 'result'; result: ToolResult }

/** A call in one line, and its parts. All strings are untrusted. */
export interface DescribedCall {
  name: string
  /** What identifies the call among others of the tool: a path, a command; one line. */
  telling?: string
  /** `waiting`: for a person, or for a host that continues with an answer. `none`: there is no result yet. `unrecorded`: nor in the source of an import. */
  outcome: Outcome | 'waiting' | 'none' | 'unrecorded'
  /** The result in a few words; absent if unknown. */
  summary?: string
  /** The duration, if known. */
  took?: string
  /** The parts to read first. */
  parts: readonly CallPart[]
  /** The same data in another form: the original arguments, the tool's response to an edit. */
  rest: readonly CallPart[]
}

/** The symbol before the name of a tool. */
export const OUTCOME_SYMBOLS: Readonly<Record<DescribedCall['outcome'], string>> = {
  completed: '✓',
  failed: '✗',
  denied: '⊘',
  cancelled: '⊘',
  timeout: '✗',
  unanswered: '✗',
  waiting: '?',
  none: '…',
  unrecorded: '…',
}

/** The marker before a to-do item. */
export const TODO_MARKERS: Readonly<Record<Todo['state'], string>> = {
  open: '☐',
  doing: '◐',
  done: '☑',
}

/** Converts a part into a tool result for display. */
export function toPartResult(part: Exclude<CallPart, { kind: 'todos' | 'arguments' }>): ToolResult {
  switch (part.kind) {
    case 'edit':
      return { content: [], isError: false, structuredContent: part.edit.value }
    case 'command': {
      const block = { type: 'text', text: part.text, mimeType: 'text/x-shellscript' } as const
      return { content: [block], isError: false }
    }
    case 'file': {
      const { path, content } = part
      const data = { path, content, size: new TextEncoder().encode(content).length }
      return { content: [], isError: false, structuredContent: { kind: 'file_content', data } }
    }
    case 'result':
      return part.result
  }
}

/** Describes a call with its result. Paths below the root are relative. */
export function describeCall(card: CallCard, root?: string): DescribedCall {
  const { call, result } = card
  const { name, arguments: callArguments } = call.event.call
  const toolResult = result?.event.result
  const edits = readEdits(card)
  const todos = toolResult?.isError ? [] : readTodos(callArguments)
  const telling =
    edits.length === 0 && todos.length === 0 ? findTelling(callArguments, root) : undefined
  const outcome = isWaiting(card)
    ? 'waiting'
    : toolResult
      ? getOutcome(toolResult)
      : findOutcome(card)
  const summary =
    toolResult && outcome !== 'waiting' ? sumUp(toolResult, edits, todos) : sumUpOpen(card, outcome)
  const took = describeTook(card)
  const derived = getParts(callArguments, edits, todos)
  const isShown = derived.length > 0
  const results = toolResult ? [{ kind: 'result' as const, result: toolResult }] : []
  const values = { kind: 'arguments' as const, values: callArguments }
  const all = Object.keys(callArguments).length === 0 ? [] : [values]
  const isAnswer = edits.length === 0 && todos.length === 0 && !derived.some(isFile)
  return {
    name,
    ...(edits.length > 0 && { telling: getPaths(edits, root) }),
    ...(telling !== undefined && { telling }),
    outcome,
    ...(summary !== '' && { summary }),
    ...(took !== undefined && { took }),
    parts: [...(isShown ? derived : all), ...(isAnswer ? results : [])],
    rest: [...(isShown && !isWholeCommand(callArguments) ? all : []), ...(isAnswer ? [] : results)],
  }
}

/** Returns the changed files, each once. */
function getPaths(edits: readonly FileEdit[], root: string | undefined): string {
  const paths = new Set(edits.map(({ value }) => shorten(value.data.path, root)))
  return [...paths].slice(0, MAX_PATHS).join(', ') + (paths.size > MAX_PATHS ? ', …' : '')
}

const MAX_PATHS = 3

function isFile(part: CallPart): boolean {
  return part.kind === 'file'
}

function getParts(
  callArguments: JsonObject,
  edits: readonly FileEdit[],
  todos: readonly Todo[],
): readonly CallPart[] {
  if (edits.length > 0) return edits.map((edit) => ({ kind: 'edit', edit }))
  if (todos.length > 0) return [{ kind: 'todos', todos }]
  const command = findCommand(callArguments)
  if (command !== undefined) return [{ kind: 'command', text: command }]
  const [path, content] = [
    getOwnField(callArguments, 'file_path'),
    getOwnField(callArguments, 'content'),
  ]
  return typeof path === 'string' && typeof content === 'string'
    ? [{ kind: 'file', path, content }]
    : []
}

/** Returns a command as text, or the last word of a shell command. */
function findCommand(callArguments: JsonObject): string | undefined {
  const command = getOwnField(callArguments, 'command') ?? getOwnField(callArguments, 'cmd')
  if (typeof command === 'string' && command !== '') return command
  if (!Array.isArray(command) || command.length === 0) return undefined
  const parts: readonly unknown[] = command
  if (!parts.every((word) => typeof word === 'string')) return undefined
  const [, flag, script] = parts
  return parts.length === 3 && /^-l?c$/.test(String(flag)) ? String(script) : parts.join(' ')
}

/** Other arguments of a command, such as its folder, are shown with all arguments. */
function isWholeCommand(callArguments: JsonObject): boolean {
  return findCommand(callArguments) !== undefined && Object.keys(callArguments).length === 1
}

const TELLING: readonly string[] = [
  'description',
  'pattern',
  'query',
  'file_path',
  'absolute_path',
  'path',
  'notebook_path',
  'url',
  'uri',
  'skill',
  'subject',
  'name',
  'task',
  'prompt',
]

/** Maximum characters of the text that identifies a call. */
const MAX_LENGTH = 120

function findTelling(callArguments: JsonObject, root: string | undefined): string | undefined {
  const command = findCommand(callArguments)
  const named = TELLING.map((name) => getOwnField(callArguments, name))
  const telling = [command, ...named, ...Object.values(callArguments)].find(
    (value): value is string => typeof value === 'string' && value.trim() !== '',
  )
  if (telling === undefined) return undefined
  const line = shorten(telling, root)
    .slice(0, MAX_LENGTH * 10)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH).toWellFormed()}…` : line
}

function shorten(path: string, root: string | undefined): string {
  if (root === undefined) return path
  const base = root.replace(/\/+$/, '')
  if (path.startsWith(`${base}/`)) return path.slice(base.length + 1)
  return path.startsWith('file:') ? (toWorkspacePath(path, root) ?? path) : path
}

/** Describes a call without a result, in a few words. */
function sumUpOpen(card: CallCard, outcome: DescribedCall['outcome']): string {
  if (outcome === 'unrecorded') return 'no result is recorded'
  return outcome === 'waiting' ? describeWaiting(card) : ''
}

/** Describes for whom a call waits, in a few words. */
function describeWaiting({ pending }: CallCard): string {
  const asked = pending.at(-1)
  if (!asked) return 'waited for approval when it was imported'
  const { id, state, kind } = asked
  if (state !== 'open') return 'waits for a host to continue'
  return `${kind === 'approval' ? 'waits for approval' : 'waits for an answer'}: ${id}`
}

/** Finds what is known of a call without a result. */
function findOutcome({ call }: CallCard): DescribedCall['outcome'] {
  const known = findUnfinishedCall(call.event)
  return known === 'interrupted' ? 'cancelled' : (known ?? 'none')
}

function getOutcome(result: ToolResult): DescribedCall['outcome'] {
  return result.metadata?.outcome ?? (result.isError ? 'failed' : 'completed')
}

/** Maximum characters of a response in the line of its call. */
const SHORT = 60

function sumUp(result: ToolResult, edits: readonly FileEdit[], todos: readonly Todo[]): string {
  const [edit, ...more] = edits
  if (edit) return more.length > 0 ? `${edits.length} changes` : sumUpEdit(edit)
  if (todos.length > 0)
    return `${todos.filter(({ state }) => state === 'done').length} of ${todos.length} done`
  const summary = summarizeResult(result)
  // The symbol of the line shows the failure.
  if (result.isError) return summary.replace(/^failed: /, '')
  if (result.structuredContent !== undefined) return summary
  const text = result.content.map((block) => getText(block) ?? '').join('\n')
  const lines = countLines(text)
  if (lines > 1) return `${lines.toLocaleString('en')} lines`
  return summary.length > SHORT ? '1 line' : summary
}

/** Returns the numbers of added and removed lines; the path is shown before. */
function sumUpEdit({ value }: FileEdit): string {
  const summary = summarizeResult({ content: [], isError: false, structuredContent: value })
  const path = `${value.data.path}: `
  return summary.startsWith(path) ? summary.slice(path.length) : summary
}

function countLines(text: string): number {
  return text.trimEnd() === '' ? 0 : text.trimEnd().split('\n').length
}

const STATES: ReadonlyMap<unknown, Todo['state']> = new Map([
  ['completed', 'done'],
  ['done', 'done'],
  ['in_progress', 'doing'],
])

/** Reads the lists of Claude Code (`todos`), Codex (`plan`) and Gemini CLI. */
function readTodos(callArguments: JsonObject): readonly Todo[] {
  const list = getOwnField(callArguments, 'todos') ?? getOwnField(callArguments, 'plan')
  if (!Array.isArray(list)) return []
  const items: readonly unknown[] = list
  const todos = items.map((item): Todo | undefined => {
    if (!isJsonObject(item)) return undefined
    const text = ['content', 'step', 'description', 'text']
      .map((name) => getOwnField(item, name))
      .find((each) => typeof each === 'string')
    const state = STATES.get(getOwnField(item, 'status')) ?? 'open'
    return text === undefined ? undefined : { text, state }
  })
  // A list with other items is shown as it is.
  return todos.every((todo) => todo !== undefined) ? todos : []
}

/** A change of one file. */
interface FileEdit {
  value: DiffValue
  /** Whether line numbers are those of the file, or start at the first known line. */
  lines: 'of-file' | 'of-part'
}

/** Returns the changes of a call from its result or its arguments; empty for other calls and for failed ones. */
function readEdits({ call, result }: CallCard): readonly FileEdit[] {
  if (result?.event.result.isError) return []
  const fields = result ? getImportedFields(result.event) : {}
  const edit = readPatchEdit(fields) ?? readTextsEdit(fields)
  if (edit) return [edit]
  const { arguments: callArguments } = call.event.call
  return [...readStringEdits(callArguments), ...readPatchTextEdits(callArguments)]
}

/** Claude Code: the applied hunks. */
function readPatchEdit(fields: JsonObject): FileEdit | undefined {
  const toolResult = getOwnField(fields, 'toolUseResult')
  if (!isJsonObject(toolResult)) return undefined
  const patch = getOwnField(toolResult, 'structuredPatch')
  if (!Array.isArray(patch) || patch.length === 0) return undefined
  const path = textIn(toolResult, PATHS) ?? ''
  return toEdit({ path, modified: '', isNew: false, hunks: patch }, 'of-file')
}

/** Gemini CLI: the complete file before and after. */
function readTextsEdit(fields: JsonObject): FileEdit | undefined {
  const display = getOwnField(fields, 'resultDisplay')
  if (!isJsonObject(display)) return undefined
  const [original, modified] = [
    getOwnField(display, 'originalContent'),
    getOwnField(display, 'newContent'),
  ]
  if (typeof modified !== 'string') return undefined
  const path = textIn(display, ['filePath', 'fileName']) ?? ''
  const before = typeof original === 'string' ? { original } : {}
  return toEdit({ path, ...before, modified, isNew: before.original === undefined }, 'of-file')
}

const PATHS: readonly string[] = ['file_path', 'filePath', 'path', 'notebook_path']

const BEFORE: readonly string[] = ['old_string', 'oldString', 'old_str', 'oldText']

const AFTER: readonly string[] = ['new_string', 'newString', 'new_str', 'newText']

/** A replaced text, or several in one file. */
function readStringEdits(callArguments: JsonObject): readonly FileEdit[] {
  const path = textIn(callArguments, PATHS)
  if (path === undefined) return []
  const edits = getOwnField(callArguments, 'edits')
  const all: readonly unknown[] = Array.isArray(edits) ? edits : [callArguments]
  return all.filter(isJsonObject).flatMap((edit) => {
    const [original, modified] = [textIn(edit, BEFORE), textIn(edit, AFTER)]
    if (original === undefined || modified === undefined) return []
    return getList(toEdit({ path, original, modified, isNew: original === '' }, 'of-part'))
  })
}

function textIn(object: JsonObject, names: readonly string[]): string | undefined {
  return names.map((name) => getOwnField(object, name)).find((value) => typeof value === 'string')
}

function getList(edit: FileEdit | undefined): readonly FileEdit[] {
  return edit ? [edit] : []
}

/** Data that is not a diff stays in the arguments. */
function toEdit(data: JsonObject, lines: FileEdit['lines']): FileEdit | undefined {
  const value = { kind: 'diff', data }
  return isWellKnownValue(value) && value.kind === 'diff' ? { value, lines } : undefined
}

const PATCH_BEGIN = '*** Begin Patch'

const PATCH_FILE = /^\*\*\* (Add|Update|Delete) File: (.+)$/

/** Codex: a patch as text, in an argument or in a word of a command. */
function readPatchTextEdits(callArguments: JsonObject): readonly FileEdit[] {
  const command = getOwnField(callArguments, 'command')
  const parts: readonly unknown[] = Array.isArray(command) ? command : [command]
  const texts = [getOwnField(callArguments, 'input'), getOwnField(callArguments, 'patch'), ...parts]
  const text = texts.find(
    (each): each is string => typeof each === 'string' && each.includes(PATCH_BEGIN),
  )
  if (text === undefined) return []
  const edits: { path: string; isNew: boolean; lines: string[] }[] = []
  for (const line of text.slice(text.indexOf(PATCH_BEGIN)).split('\n')) {
    const [, what, path] = PATCH_FILE.exec(line) ?? []
    if (path !== undefined) edits.push({ path, isNew: what === 'Add', lines: [] })
    else if (/^[-+ ]/.test(line) || line === '') edits.at(-1)?.lines.push(line || ' ')
  }
  return edits.flatMap(({ path, isNew, lines }) => {
    if (lines.at(-1) === ' ') lines.pop()
    const hunks = lines.length === 0 ? [] : [getHunk(lines)]
    return getList(toEdit({ path, modified: '', isNew, hunks }, 'of-part'))
  })
}

function getHunk(lines: string[]): DiffHunk {
  const count = (sign: string): number =>
    lines.filter((line) => line.startsWith(' ') || line.startsWith(sign)).length
  const [oldLines, newLines] = [count('-'), count('+')]
  return {
    oldStart: Math.min(1, oldLines),
    oldLines,
    newStart: Math.min(1, newLines),
    newLines,
    lines,
  }
}
