import { importedFields } from '@toolblocks/conversation-store'
import {
  type DiffHunk,
  type DiffValue,
  field,
  isJsonObject,
  isWellKnownValue,
  type JsonObject,
} from '@toolblocks/protocol'
import type { CallCard } from './read-cards.ts'

/** A change of one file. */
export interface Edit {
  value: DiffValue
  /** Whether its lines are counted as in the file, or from the first one that is known. */
  lines: 'of-file' | 'of-part'
}

/** The changes that a call made, as far as its result or its arguments say them; none for other calls, and for those that failed. */
export function readEdits({ call, result }: CallCard): readonly Edit[] {
  if (result?.event.result.isError) return []
  const fields = result ? importedFields(result.event) : {}
  const told = editOfPatch(fields) ?? editOfTexts(fields)
  if (told) return [told]
  const { arguments: given } = call.event.call
  return [...editsOfStrings(given), ...editsOfPatchText(given)]
}

/** Claude Code: hunks as they were applied. */
function editOfPatch(fields: JsonObject): Edit | undefined {
  const told = field(fields, 'toolUseResult')
  if (!isJsonObject(told)) return undefined
  const patch = field(told, 'structuredPatch')
  if (!Array.isArray(patch) || patch.length === 0) return undefined
  const path = textIn(told, PATHS) ?? ''
  return toEdit({ path, modified: '', isNew: false, hunks: patch }, 'of-file')
}

/** Gemini CLI: the whole file before and after. */
function editOfTexts(fields: JsonObject): Edit | undefined {
  const told = field(fields, 'resultDisplay')
  if (!isJsonObject(told)) return undefined
  const [original, modified] = [field(told, 'originalContent'), field(told, 'newContent')]
  if (typeof modified !== 'string') return undefined
  const path = textIn(told, ['filePath', 'fileName']) ?? ''
  const before = typeof original === 'string' ? { original } : {}
  return toEdit({ path, ...before, modified, isNew: before.original === undefined }, 'of-file')
}

const PATHS: readonly string[] = ['file_path', 'filePath', 'path', 'notebook_path']
const BEFORE: readonly string[] = ['old_string', 'oldString', 'old_str', 'oldText']
const AFTER: readonly string[] = ['new_string', 'newString', 'new_str', 'newText']

/** A text that is replaced, or several of one file. */
function editsOfStrings(given: JsonObject): readonly Edit[] {
  const path = textIn(given, PATHS)
  if (path === undefined) return []
  const edits = field(given, 'edits')
  const all: readonly unknown[] = Array.isArray(edits) ? edits : [given]
  return all.filter(isJsonObject).flatMap((edit) => {
    const [original, modified] = [textIn(edit, BEFORE), textIn(edit, AFTER)]
    if (original === undefined || modified === undefined) return []
    return listOf(toEdit({ path, original, modified, isNew: original === '' }, 'of-part'))
  })
}

function textIn(object: JsonObject, names: readonly string[]): string | undefined {
  return names.map((name) => field(object, name)).find((value) => typeof value === 'string')
}

function listOf(edit: Edit | undefined): readonly Edit[] {
  return edit ? [edit] : []
}

/** What is no diff is left to the arguments, which have all of it. */
function toEdit(data: JsonObject, lines: Edit['lines']): Edit | undefined {
  const value = { kind: 'diff', data }
  return isWellKnownValue(value) && value.kind === 'diff' ? { value, lines } : undefined
}

const PATCH_BEGIN = '*** Begin Patch'
const PATCH_FILE = /^\*\*\* (Add|Update|Delete) File: (.+)$/

/** Codex: a patch as text, in an argument or in a word of a command. */
function editsOfPatchText(given: JsonObject): readonly Edit[] {
  const command = field(given, 'command')
  const words: readonly unknown[] = Array.isArray(command) ? command : [command]
  const texts = [field(given, 'input'), field(given, 'patch'), ...words]
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
    const hunks = lines.length === 0 ? [] : [hunkOf(lines)]
    return listOf(toEdit({ path, modified: '', isNew, hunks }, 'of-part'))
  })
}

function hunkOf(lines: string[]): DiffHunk {
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
