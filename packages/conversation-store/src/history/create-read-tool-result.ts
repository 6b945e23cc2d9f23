import {
  appendPointer,
  findResultData,
  readDataPath,
  requireChoices,
  selectData,
  splitPointer,
  valueAtPointer,
} from '@toolblocks/protocol/internal'
import {
  type ContentBlock,
  type Tool,
  type ToolCall,
  type ToolResult,
  getAudience,
  createErrorResult,
  createSuccessResult,
  readResultValue,
} from '@toolblocks/protocol'
import type { ConversationStore } from '../store/conversation-store.ts'

/** The name of the tool, for texts that refer to it. */
export const READ_TOOL_RESULT = 'read_tool_result'

/** Maximum number of characters of a line in the result, because a line may be a complete file. */
const MAX_LINE_LENGTH = 2000

/** Which results a model may read. */
export interface ReadToolResultOptions {
  /**
   * When a model may read structured content that is a semantic value, which is meant for the person. `beside-nothing` (default): if no block has
   * text for the model. `always`: for a host that delivers it to the model (`structured` of the formatter is `both` or `structured`).
   */
  semantic?: 'beside-nothing' | 'always'
}

/**
 * Creates the built-in tool with which a model reads what was cut from a result: lines of one block from the beginning, the end or any place, or
 * those that contain a text, or the part of its data at a path. It reads only the store, so it can run without supervision.
 */
export function createReadToolResult(
  store: ConversationStore,
  conversation: string,
  options: ReadToolResultOptions = {},
): Tool {
  requireChoices('createReadToolResult(store, conversation, options)', 'options', options, {
    semantic: ['beside-nothing', 'always'],
  })
  const { semantic = 'beside-nothing' } = options
  return {
    name: READ_TOOL_RESULT,
    title: 'Read a tool result',
    summary:
      'Read a complete earlier tool result of this conversation, a range of its lines, or the lines that contain a text.',
    annotations: { readOnlyHint: true },
    inputSchema: {
      type: 'object',
      properties: {
        call: { type: 'string', minLength: 1, description: 'The id of the call.' },
        block: {
          type: 'integer',
          minimum: 1,
          description: 'The number of a block of the result, counted from 1; all blocks if absent.',
        },
        path: {
          type: 'string',
          description:
            'Read the part of the JSON data at this JSON Pointer, such as /items/0; the step * is every item.',
        },
        from: {
          type: 'integer',
          description: 'The first line, counted from 1; a negative number counts from the end.',
        },
        lines: {
          type: 'integer',
          minimum: 1,
          maximum: 10_000,
          description: 'The number of lines; 200 if absent.',
        },
        containing: {
          type: 'string',
          minLength: 1,
          description: 'Read only lines that contain this exact text.',
        },
      },
      required: ['call'],
      additionalProperties: false,
    },
    execute: async ({ arguments: values }: ToolCall): Promise<ToolResult> => {
      const { call, block, path, from, lines, containing } = readArguments(values)
      const result = await findResult(store, conversation, call)
      if (!result)
        return createErrorResult(
          `This conversation has no result for the call ${JSON.stringify(call)}.`,
        )
      const selection: LineSelection = {
        ...(from !== undefined && { from }),
        ...(lines !== undefined && { count: lines }),
        ...(containing !== undefined && { containing }),
      }
      if (path !== undefined) {
        const part = readPart(result, path, semantic)
        if (!part.ok) return createErrorResult(part.message)
        const name = `Data at ${JSON.stringify(path)}`
        return createSuccessResult([
          renderLines(name, selectLines(part.text, selection), containing),
        ])
      }
      const media = block === undefined ? undefined : findOwnMedia(result.content[block - 1])
      if (media) return createSuccessResult([media])
      const texts = getTexts(result, semantic)
      if (block !== undefined && !texts[block - 1])
        return createErrorResult(
          `The result has no block ${block}; expected a number from 1 to ${texts.length}.`,
        )
      const wanted = texts.flatMap((text, index) =>
        block === undefined || block === index + 1 ? [{ text, index }] : [],
      )
      return createSuccessResult(
        wanted.flatMap(({ text, index }) => {
          const name = `Block ${index + 1}`
          if (text !== undefined)
            return [renderLines(name, selectLines(text, selection), containing)]
          const own = findOwnMedia(result.content[index])
          return own && containing === undefined
            ? [
                {
                  type: 'text',
                  text: `${name} is no text (${own.type}). Read it with "block": ${index + 1}.`,
                },
              ]
            : []
        }),
      )
    },
  }
}

interface ReadToolResultArguments {
  call: string
  block?: number
  path?: string
  from?: number
  lines?: number
  containing?: string
}

/** The executor has validated the arguments. A direct call with an invalid value gets the default of that argument. */
function readArguments(values: ToolCall['arguments']): ReadToolResultArguments {
  const { call, block, path, from, lines, containing } = values
  return {
    call: String(call),
    ...(typeof block === 'number' && { block }),
    ...(typeof path === 'string' && { path }),
    ...(typeof from === 'number' && { from }),
    ...(typeof lines === 'number' && { lines }),
    ...(typeof containing === 'string' && { containing }),
  }
}

/**
 * Returns the text of each block; structured content is the last. Omits what is only for the person: blocks that are marked so, and a semantic
 * value beside a text for the model. The model was told that the person saw that value.
 */
function getTexts(
  { content, structuredContent }: ToolResult,
  semantic: NonNullable<ReadToolResultOptions['semantic']>,
): readonly (string | undefined)[] {
  const texts = content.map(findText)
  if (structuredContent === undefined) return texts
  return isForPerson({ content, structuredContent }, semantic)
    ? texts
    : [...texts, JSON.stringify(structuredContent, null, 2)]
}

/** Whether structured content is only for the person. */
function isForPerson(
  { content, structuredContent }: Pick<ToolResult, 'content' | 'structuredContent'>,
  semantic: NonNullable<ReadToolResultOptions['semantic']>,
): boolean {
  return (
    semantic === 'beside-nothing' &&
    readResultValue(structuredContent) !== undefined &&
    content.some((block) => findText(block) !== undefined)
  )
}

/** Reads the part of a result's data at a path. A text is read by its own lines, everything else as JSON. */
function readPart(
  result: ToolResult,
  typed: string,
  semantic: NonNullable<ReadToolResultOptions['semantic']>,
): { ok: true; text: string } | { ok: false; message: string } {
  const { structuredContent: _structured, ...rest } = result
  const content = result.content.filter((block) => getAudience(block) !== 'user')
  const data = findResultData({
    ...(isForPerson(result, semantic) ? rest : result),
    content,
  })
  if (!data) return { ok: false, message: 'The result has no JSON data; leave path out.' }
  const path = readDataPath(typed) ?? typed
  const { selected } = splitPointer(path).includes('*')
    ? selectData(data.value, [path])
    : { selected: { value: valueAtPointer(data.value, path) } }
  if (selected?.value === undefined) {
    const names = Object.keys(Object(data.value))
      .slice(0, MAX_NAMES)
      .map((name) => appendPointer('', name))
    const message = `The data has nothing at ${JSON.stringify(typed)}. At its top it has ${names.join(', ') || 'nothing'}.`
    return { ok: false, message }
  }
  const { value } = selected
  return { ok: true, text: typeof value === 'string' ? value : JSON.stringify(value, null, 2) }
}

/** Names of members that a message lists. */
const MAX_NAMES = 20

/** Returns a block that is bytes without text: a picture, which a host scales as it scaled that of the result. */
function findOwnMedia(block: ContentBlock | undefined): ContentBlock | undefined {
  if (!block || getAudience(block) === 'user') return undefined
  const isMedia = block.type === 'image' || block.type === 'audio'
  const isFile =
    block.type === 'resource' && block.formatted === undefined && 'blob' in block.resource
  return isMedia || isFile ? block : undefined
}

function findText(block: ContentBlock): string | undefined {
  if (getAudience(block) === 'user') return undefined
  if (block.type === 'text') return block.text
  // The text that the model received, by whose lines a cut was counted.
  return block.type === 'resource' ? (block.formatted ?? block.resource.text) : undefined
}

function renderLines(
  name: string,
  { lines, of }: SelectedLines,
  containing: string | undefined,
): ContentBlock {
  const what = containing === undefined ? 'lines' : 'lines that contain the text'
  const [first, last] = [lines.at(0)?.number, lines.at(-1)?.number]
  const which =
    first === undefined ? 'no line of' : `from line ${first} to ${last}, ${lines.length} of`
  const numbered = lines.map(({ number, text }) => `${number}: ${cut(text)}`)
  return { type: 'text', text: [`${name}, ${which} ${of} ${what}:`, ...numbered].join('\n') }
}

function cut(line: string): string {
  if (line.length <= MAX_LINE_LENGTH) return line
  const kept = line.slice(0, MAX_LINE_LENGTH).replace(/[\ud800-\udbff]$/, '')
  return `${kept}… (${line.length} characters)`
}

/** Finds the last result of a call id in a conversation. Reads pages from the end. */
async function findResult(
  store: ConversationStore,
  conversation: string,
  callId: string,
): Promise<ToolResult | undefined> {
  let before = Infinity
  for (;;) {
    const { events, damaged, more } = await store.read(conversation, { before })
    for (const { event } of events.toReversed())
      if (event.type === 'tool_result' && event.result.id === callId) return event.result
    const first = Math.min(events[0]?.seq ?? Infinity, damaged[0]?.seq ?? Infinity)
    if (!more || first >= before) return undefined
    before = first
  }
}

/** The selection of lines of a text. */
interface LineSelection {
  /** The first line, counted from 1; negative numbers count from the end. Default: 1. */
  from?: number
  /** Number of lines. Default: 200. */
  count?: number
  /** Selects only lines that contain this exact text. */
  containing?: string
}

/** Lines with their numbers. */
interface SelectedLines {
  lines: readonly { number: number; text: string }[]
  /** Number of lines of the text, or of those that contain the text searched for. */
  of: number
}

const COUNT = 200

/** Selects lines. Reads the text once. */
function selectLines(text: string, selection: LineSelection): SelectedLines {
  const { from = 1, count = COUNT, containing } = selection
  const all = text.split('\n').map((line, index) => ({ number: index + 1, text: line }))
  if (all.length > 1 && all.at(-1)?.text === '') all.pop()
  const matches =
    containing === undefined ? all : all.filter((line) => line.text.includes(containing))
  const start = from < 0 ? Math.max(0, matches.length + from) : Math.max(0, from - 1)
  return { lines: matches.slice(start, start + count), of: matches.length }
}
