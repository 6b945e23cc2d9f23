import { type JsonObject, type ToolRequest, isJsonObject } from '@toolblocks/protocol'
import { isToolRequest, parseJson } from '@toolblocks/protocol/internal'

/** What a program was started with. */
type ReadToolRequest =
  | { kind: 'request'; request: ToolRequest }
  /** Nobody said anything: a person looks what this is. */
  | { kind: 'nothing' }
  | { kind: 'unreadable'; message: string }

/** Reads the first request: a line or all of standard input, else the command line. */
export async function readRequest(
  lines: AsyncIterator<string>,
  args: readonly string[],
): Promise<ReadToolRequest> {
  const text = await readText(lines)
  if (text.trim() !== '') return parseRequest(text)
  const document = readWords(args)
  return document ? toRequest(document) : { kind: 'nothing' }
}

/** The first line where it is a document, else everything. */
async function readText(lines: AsyncIterator<string>): Promise<string> {
  const first = await lines.next()
  if (first.done === true) return ''
  if (parseJson(first.value) !== undefined) return first.value
  const read = [first.value]
  for (let next = await lines.next(); next.done !== true; next = await lines.next())
    read.push(next.value)
  return read.join('\n')
}

/** A request on the command line: as a whole, or its context and its tool, which hosts fill in for placeholders. */
function readWords(args: readonly string[]): JsonObject | undefined {
  const objects = args.flatMap((word) => {
    const value = parseJson(word)
    return isJsonObject(value) ? [value] : []
  })
  const whole = objects.find((object) => Object.hasOwn(object, 'context'))
  const context = objects.find((object) => Object.hasOwn(object, 'action'))
  const tool = objects.find((object) => Object.hasOwn(object, 'name'))
  return whole ?? (context && { context, tool: tool ?? null })
}

/** Reads a request in JSON. */
export function parseRequest(text: string): ReadToolRequest {
  const document = parseJson(text)
  return document === undefined ? unreadable('something that is no JSON') : toRequest(document)
}

function toRequest(document: unknown): ReadToolRequest {
  const request = withoutNull(document)
  return isToolRequest(request)
    ? { kind: 'request', request }
    : unreadable(JSON.stringify(document).slice(0, 200))
}

/** A program that is asked to describe itself may be given `null` for the call there is not. */
function withoutNull(document: unknown): unknown {
  if (!isJsonObject(document) || document['tool'] !== null) return document
  const { tool: _none, ...rest } = document
  return rest
}

function unreadable(got: string): ReadToolRequest {
  const expected = '{"context": {"action": "run", "root": …}, "tool": {"name": …, "arguments": …}}'
  return { kind: 'unreadable', message: `Expected a request, ${expected}; got ${got}.` }
}

/** The lines of a text that comes in pieces, without their ends; only a line feed ends a line. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder()
  let pieces: string[] = []
  for await (const chunk of chunks) {
    const [first = '', ...rest] = decoder.decode(chunk, { stream: true }).split('\n')
    pieces.push(first)
    for (const piece of rest) {
      yield pieces.join('')
      pieces = [piece]
    }
  }
  pieces.push(decoder.decode())
  const last = pieces.join('')
  if (last !== '') yield last
}
