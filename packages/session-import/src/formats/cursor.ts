import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { getOwnField } from '@toolblocks/protocol/internal'
import { readParts } from '../convert/read-part.ts'
import { type ImportedPart, readAbout, readMessages, omitFields } from '../convert/read-messages.ts'
import type { ReadConversation } from '../convert/read-conversation.ts'
import { getInner, startRecords } from '../records/records.ts'
import type { ImportSource, SplitSource } from '../sources/source.ts'

/** Whether a document is a transcript of an agent of Cursor: lines with a role and a message. */
export function isCursor({ document }: SplitSource): boolean {
  const lines = document.records.slice(0, 20).map(({ value }) => value)
  return (
    document.shape === 'lines' &&
    lines.some(isLine) &&
    lines.every((line) => isLine(line) || isMark(line))
  )
}

function isLine(line: JsonObject): boolean {
  const role = getOwnField(line, 'role')
  const content = getInner(line, 'message', 'content')
  return (
    (role === 'user' || role === 'assistant') &&
    (typeof content === 'string' || Array.isArray(content))
  )
}

/** Whether a line has no message. */
function isMark(line: JsonObject): boolean {
  return typeof getOwnField(line, 'type') === 'string' && !Object.hasOwn(line, 'role')
}

export function readCursor(source: SplitSource): readonly ReadConversation[] {
  const calls = { count: 0 }
  return [
    readMessages(source, {
      format: 'cursor',
      id: undefined,
      readParts: (line) => readLineParts(line, calls),
      readFields: (line) => omitFields(line, ['role', 'message', 'timestamp']),
    }),
  ]
}

function readLineParts(line: JsonObject, calls: { count: number }): readonly ImportedPart[] {
  const role = getOwnField(line, 'role')
  if (role !== 'user' && role !== 'assistant') return []
  const content = getInner(line, 'message', 'content')
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content]
  return readParts(
    blocks.map((block) => (role === 'user' ? withoutQuery(block) : withId(block, calls))),
    role,
  )
}

/** Removes the element in which Cursor encloses the words of a person. Elements around it are the program's. */
function withoutQuery(block: unknown): unknown {
  if (typeof block === 'string') return openQuery(block)
  if (!isJsonObject(block)) return block
  const text = getOwnField(block, 'text')
  return typeof text === 'string' ? { ...block, text: openQuery(text) } : block
}

const QUERY = '<user_query>'
const QUERY_END = '</user_query>'

function openQuery(text: string): string {
  const start = text.indexOf(QUERY)
  const end = start === -1 ? -1 : text.indexOf(QUERY_END, start)
  if (end === -1) return text
  const query = text.slice(start + QUERY.length, end).trim()
  return `${text.slice(0, start)}${query}${text.slice(end + QUERY_END.length)}`
}

/** Adds an id to a call. Cursor writes calls without an id, and without their results. */
function withId(block: unknown, calls: { count: number }): unknown {
  if (!isJsonObject(block) || getOwnField(block, 'type') !== 'tool_use') return block
  calls.count += 1
  return { id: `call-${calls.count}`, ...block }
}

/** Whether a source is a conversation that Cursor exported as Markdown: a heading, the exporting program, and a section for each message. */
export function isCursorExport(source: ImportSource): boolean {
  // Of other files, the bytes are not read here.
  if (!source.head.includes(HASH)) return false
  return HEADING.test(latin1(source.bytes.subarray(0, MAX_HEADING_LENGTH)))
}

const HASH = 0x23
const MAX_HEADING_LENGTH = 4096
const HEADING =
  /^(?:\u00ef\u00bb\u00bf)?\s*# ([^\n]*)\n_Exported on ([^\n]*) from Cursor \(([^\n)]*)\)_/
/** The start of a message. The same line inside a message matches too, because nothing in the file distinguishes the two. */
const SECTION = /^---\r?\n\r?\n\*\*(User|Cursor)\*\*\r?\n/gm

export function readCursorExport({
  path,
  bytes,
  modifiedAt,
}: ImportSource): readonly ReadConversation[] {
  const text = latin1(bytes)
  const heading = HEADING.exec(text)
  const starts = [...text.matchAll(SECTION)]
  const before = text.slice(heading?.[0].length ?? 0, starts[0]?.index ?? text.length)
  const [title, exported, version] = (heading ?? []).slice(1).map(fromLatin1)
  const sections = starts.map((start, index) => {
    const end = starts[index + 1]?.index ?? bytes.length
    const section = fromLatin1(text.slice(start.index + start[0].length, end))
    return {
      value: {
        role: start[1] === 'User' ? 'user' : 'assistant',
        content: section.trim(),
      },
      bytes: bytes.subarray(start.index, end),
    }
  })
  const rest =
    before.trim() === ''
      ? []
      : [{ value: { text: fromLatin1(before) }, bytes: Buffer.from(before, 'latin1') }]
  const document = {
    shape: 'array' as const,
    fields: {},
    ...startRecords(bytes.length),
    records: [...rest, ...sections],
  }
  return [
    readMessages(
      { path, modifiedAt, document },
      {
        format: 'cursor',
        id: undefined,
        title,
        about: { exported: exported ?? '', ...readAbout({ version }) },
        readParts: ({ role, content }) =>
          role === 'user' || role === 'assistant' ? readParts(content, role) : [],
      },
    ),
  ]
}

/** Decodes each byte as one character, so that positions in the text equal positions in the bytes. */
function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

function fromLatin1(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8')
}
