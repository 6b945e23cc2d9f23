import {
  type ContentBlock,
  type ToolCall,
  type ToolResult,
  type ToolResultValue,
  type WellKnownKind,
  getAudience,
  readResultValue,
} from '@toolblocks/protocol'
import {
  type PreferredView,
  isWellKnownKind,
  isWellKnownValue,
  normalizeResultValue,
  findBlocksWithJson,
  isRepeatedContent,
  type RepeatedMedia,
  replaceMedia,
  requireArguments,
  parseJson,
  escapeUnprintable,
  formatByteSize,
  getBase64ByteLength,
  getErrorText,
} from '@toolblocks/protocol/internal'
import {
  toJson,
  imageIn,
  isToldBy,
  isTabular,
  type ShownView,
  field,
  textIn,
  getViews,
} from './read-value.ts'
import {
  type ShowContext,
  type ShowOptions,
  type ValueRendererContext,
  withFewerLines,
} from './show-context.ts'
import { findBlocksWithRows } from './repeated-rows.ts'
import { readPatch, showDiff, showHunks } from './show-diff.ts'
import { showFileContent, showFileList, showImage } from './show-files.ts'
import { showColumns, showRows } from './show-table.ts'
import { showText } from './show-text.ts'
import type { ShownPart } from './shown-part.ts'
import { summarizeValue } from './summarize-result.ts'
import { showTree } from './show-tree.ts'

/** The shown structured content, and notes for the host. */
interface ShownStructured {
  parts: readonly ShownPart[]
  remarks: readonly ShownPart[]
}

/** Shows structured content as it was chosen. */
export function showStructured(
  { content, structured }: ChosenView,
  context: ShowContext,
): ShownStructured {
  switch (structured.kind) {
    case 'none':
      return { parts: [], remarks: [] }
    case 'json':
      return { parts: [showJson(structured.value, context)], remarks: [] }
    case 'value':
      return showValue(structured.value, { ...context, content })
    case 'hidden': {
      const text = `(${structured.value.kind}: hidden, as the tool asks)`
      return { parts: [{ kind: 'notice', text }], remarks: [] }
    }
  }
}

/** Shows a semantic value: its summary, and its data, folded and truncated by its hints. */
function showValue(
  value: ToolResultValue,
  fullContext: ShowContext & ValueRendererContext,
): ShownStructured {
  const { maxHeight, collapsed } = value.display ?? {}
  const isTall = maxHeight !== undefined && maxHeight >= 1
  const context =
    isTall && fullContext.tallValues === 'cut'
      ? withFewerLines(fullContext, maxHeight)
      : fullContext
  const { parts, step, remarks } = showData(value, context)
  const label = value.summary ?? (isNamedByKind(value.kind, step) ? value.kind : '')
  if (collapsed === true && context.foldsValues) {
    const summary = label === '' ? summarizeValue(value) : label
    return { parts: [{ kind: 'fold', summary, parts }], remarks }
  }
  const heading: ShownPart[] =
    label === '' || isToldBy(context.content, label) ? [] : [{ kind: 'heading', text: label }]
  const scroll = isTall && fullContext.tallValues === 'scroll' && { maxHeight }
  return { parts: [{ kind: 'group', parts: [...heading, ...parts], ...scroll }], remarks }
}

/** A custom kind is named above the value, unless the host's renderer shows it. JSON may be of any kind. */
function isNamedByKind(kind: string, step: ShownData['step']): boolean {
  if (kind === 'structured') return false
  return step === 'json' || (step === 'view' && !isWellKnownKind(kind))
}

interface ShownData {
  parts: readonly ShownPart[]
  /** Which renderer showed it. `json`: no other could. */
  step: 'registered' | 'well-known' | 'view' | 'json'
  remarks: readonly ShownPart[]
}

/** The view of a well-known kind. */
const OWN = 'own'

type ViewStep = ShownView | typeof OWN

const STEPS: Readonly<Partial<Record<ViewStep, ShownData['step']>>> = {
  own: 'well-known',
  raw: 'json',
}

/**
 * Shows the data of a value with the first renderer that can: the host's renderer of its kind; the view of a well-known kind, after another view of
 * the kind that the tool prefers; the view that the tool prefers, or that its MIME type or the shape of the data suggests; JSON.
 */
function showData(value: ToolResultValue, context: ShowContext & ValueRendererContext): ShownData {
  const { parts: registered, remarks } = showRegistered(value, context)
  if (registered) return { parts: registered, step: 'registered', remarks }
  const [first, ...others] = getViews(value)
  const views: readonly ViewStep[] = asksForOtherView(value)
    ? [first, OWN, ...others]
    : [OWN, first, ...others]
  for (const view of views) {
    const parts = view === OWN ? showWellKnown(value, context) : showView(view, value, context)
    if (parts) return { parts, step: STEPS[view] ?? 'view', remarks }
  }
  return { parts: [showJson(value.data, context)], step: 'json', remarks }
}

function showRegistered(
  value: ToolResultValue,
  {
    registry,
    root,
    content,
    maxRows,
    cut,
    truncateRows,
    readers,
  }: ShowContext & ValueRendererContext,
): { parts?: readonly ShownPart[]; remarks: readonly ShownPart[] } {
  const renderer = registry?.find(value.kind)
  if (!renderer) return { remarks: [] }
  try {
    const parts = renderer(value, { root, content, maxRows, cut, truncateRows, readers })
    return { parts, remarks: [] }
  } catch (error) {
    const reason = getErrorText(error)
    const message = `The renderer of "${value.kind}" failed, so the value is shown without it: ${reason}`
    return { remarks: [{ kind: 'warning', path: '', message, facts: [] }] }
  }
}

/** Structured content for a person. */
type Structured =
  | { kind: 'none' }
  | { kind: 'json'; value: unknown }
  | { kind: 'value'; value: ToolResultValue }
  /** The tool asks to hide it. */
  | { kind: 'hidden'; value: ToolResultValue }

/** The part of a result that a person sees. */
interface ChosenView {
  content: readonly ContentBlock[]
  structured: Structured
}

/**
 * Chooses between blocks and structured content. Text that is only the JSON of a semantic value, or the rows of a table, is replaced by the value; other structured content
 * is replaced by text that is its JSON. Nothing of an error is hidden, and nothing if hidden values are to be shown.
 */
export function chooseStructured(
  { content, structuredContent, isError }: ToolResult,
  { hiddenValues = 'name', registry }: ShowOptions,
): ChosenView {
  if (structuredContent === undefined) return { content, structured: { kind: 'none' } }
  const same = findBlocksWithJson(content, structuredContent)
  const others = content.filter((block) => !same.has(block))
  const value = normalizeResultValue(structuredContent)
  const isHidden = value?.display?.preferredView === 'hidden' && !isError && hiddenValues === 'name'
  if (value && isHidden)
    return {
      content: content.filter(
        (block) => block.type === 'question' || getAudience(block) === 'user',
      ),
      structured: { kind: 'hidden', value },
    }
  // Other objects with a `kind` are shown unchanged, because a value would lose fields.
  const isValue =
    value &&
    (isWellKnownValue(value) ||
      readResultValue(structuredContent) !== undefined ||
      registry?.find(value.kind) !== undefined)
  if (isValue) {
    const drawn =
      isWellKnownValue(value) && value.kind === 'table'
        ? findBlocksWithRows(others, value)
        : new Set()
    const left = others.filter((block) => !drawn.has(block))
    return { content: left, structured: { kind: 'value', value } }
  }
  return {
    content,
    structured: isRepeatedContent(content, structuredContent)
      ? { kind: 'none' }
      : { kind: 'json', value: replaceMedia(content, structuredContent, nameMedia) },
  }
}

/** Names bytes in JSON by what the result shows of them. */
function nameMedia({ index, mimeType = 'unknown type', data }: RepeatedMedia): string {
  const size = formatByteSize(getBase64ByteLength(data))
  return index === undefined
    ? `(${mimeType}, ${size})`
    : `(${mimeType}, ${size}, in block ${index + 1})`
}

/** The other views of each kind. */
const OTHER_VIEWS: Readonly<Record<WellKnownKind, readonly PreferredView[]>> = {
  text: ['markdown', 'code', 'diff', 'tree', 'raw'],
  diff: ['code', 'tree', 'raw'],
  file_content: ['text', 'markdown', 'diff', 'tree', 'raw'],
  file_list: ['table', 'tree', 'raw'],
  table: ['tree', 'raw'],
  image: ['tree', 'raw'],
  structured: [],
}

/** Shows a value of a well-known kind in the view of that kind; `undefined` for other kinds. */
function showWellKnown(
  value: ToolResultValue,
  context: ValueRendererContext,
): readonly ShownPart[] | undefined {
  if (!isWellKnownValue(value)) return undefined
  switch (value.kind) {
    case 'text': {
      const { content } = value.data
      if (isToldBy(context.content, content)) return []
      return [
        showText(content, value.mimeType === 'text/markdown' ? 'markdown' : 'text', value, context),
      ]
    }
    case 'file_content':
      return showFileContent(value, context)
    case 'file_list':
      return showFileList(value, context)
    case 'table':
      return showColumns(value, context)
    case 'diff':
      return showDiff(value, context)
    case 'image':
      return showImage(value)
    case 'structured':
      return undefined
  }
}

/** Whether a hint asks for another view of a well-known kind. */
function asksForOtherView(value: ToolResultValue): boolean {
  const view = value.display?.preferredView
  return view !== undefined && isWellKnownValue(value) && OTHER_VIEWS[value.kind].includes(view)
}

/** Shows data in a view, whatever its kind; `undefined` if the data does not fit the view. */
function showView(
  view: ShownView,
  value: ToolResultValue,
  context: ShowContext & ValueRendererContext,
): readonly ShownPart[] | undefined {
  const { data } = value
  switch (view) {
    case 'text':
    case 'markdown':
    case 'code': {
      const text = textIn(data)
      if (text === undefined) return undefined
      return isToldBy(context.content, text) ? [] : [showText(text, view, value, context)]
    }
    case 'diff':
      return showAsDiff(value, context)
    case 'table':
      return showAsTable(value, context)
    case 'tree':
      return [showTree(data, value.display?.fieldTypes, context)]
    case 'image':
      return showAsImage(value)
    case 'raw':
      return [showJson(data, context)]
  }
}

function showAsDiff(
  value: ToolResultValue,
  context: ValueRendererContext,
): readonly ShownPart[] | undefined {
  const diff = { kind: 'diff', data: value.data }
  if (isWellKnownValue(diff) && diff.kind === 'diff') return showDiff(diff, context)
  const text = textIn(value.data)
  const hunks = text === undefined ? [] : readPatch(text)
  return hunks.length === 0 ? undefined : [showHunks(hunks, context)]
}

function showAsTable(
  value: ToolResultValue,
  context: ValueRendererContext,
): readonly ShownPart[] | undefined {
  const { data, display } = value
  const table = { kind: 'table', data, ...(display && { display }) }
  if (isWellKnownValue(table) && table.kind === 'table') return showColumns(table, context)
  const rows = [data, field(data, 'rows'), field(data, 'entries')].find(isTabular)
  return rows && showRows(rows, display?.fieldTypes, context)
}

function showAsImage(value: ToolResultValue): readonly ShownPart[] | undefined {
  const image = imageIn(value)
  return image && showImage(image)
}

/** Shows a value as indented JSON with unprintable characters escaped. A value that is not JSON is mentioned. */
function showJson(value: unknown, { cut }: Pick<ValueRendererContext, 'cut'>): ShownPart {
  const json = toJson(value, 2)
  if (json !== undefined) return { kind: 'text', ...cut(escapeUnprintable(json)) }
  return { kind: 'notice', text: '(structured content that is not JSON)' }
}

/** Shows the arguments of a call for a decision: each complete, under its name. */
export function showArguments(values: ToolCall['arguments']): ShownPart[] {
  requireArguments('showArguments(values)', [values, 'value'])
  const entries = Object.entries(values)
  if (entries.length === 0) return [{ kind: 'notice', text: '(no arguments)' }]
  return entries.map(([name, value]) => ({
    kind: 'argument',
    name,
    text:
      typeof value === 'string' && !isMistakable(value)
        ? value
        : escapeUnprintable(toJson(value, 2) ?? '(not JSON)'),
  }))
}

/** Whether text without quotes would look like another value, or like nothing. */
function isMistakable(text: string): boolean {
  if (text === '' || text.trim() !== text) return !text.includes('\n')
  return parseJson(text) !== undefined
}
