import { isJsonObject } from '@toolblocks/protocol'
import { parseJson, shortenText } from '@toolblocks/protocol/internal'
import { type Id, isId } from './message.ts'

/** How many lines are quoted, and how many characters of each. */
const MAX_LINES = 5
const MAX_LENGTH = 300
/** Longer lines are quoted, but not searched for an answer, in characters. */
const MAX_SEARCHED = 256 * 1024

/** What a person is told to do about lines that are no messages. */
export const STRAY_FIX =
  'The server must write each message as one line of JSON, and everything else to standard error.'

/** Lines of a server that are no messages of MCP, or that answer no request: how many, and the last ones, to be quoted. */
export interface Stray {
  /** How many lines. */
  count: number
  /** The last ones, shortened, for an error. */
  text: string
}

/** The lines of a server that belong to no request. */
export interface StrayLines {
  add(line: string): void
  /** The number of lines so far. */
  readonly count: number
  /** Returns what was added after the first `since` lines, if there is something. `unfinished`: the begin of a line that has no end yet. */
  after(since: number, unfinished?: string): Stray | undefined
}

/** Keeps the last lines that belong to no request. */
export function createStrayLines(): StrayLines {
  let last: string[] = []
  let count = 0
  return {
    add: (line) => {
      count += 1
      last = [...last, quoteLine(line)].slice(-MAX_LINES)
    },
    get count() {
      return count
    },
    after: (since, unfinished = '') => {
      const added = count - since
      const kept = added > 0 ? last.slice(-added) : []
      const lines = unfinished.trim() === '' ? kept : [...kept, quoteLine(unfinished)]
      return lines.length === 0
        ? undefined
        : { count: added + lines.length - kept.length, text: lines.join('\n') }
    },
  }
}

/** Returns a line as it is quoted. */
export function quoteLine(line: string): string {
  return shortenText(line.trim(), MAX_LENGTH)
}

/** Says in a clause how many lines were no messages. */
export function countStray({ count }: Stray): string {
  return count === 1
    ? 'a line on its standard output is no message of MCP'
    : `${count} lines on its standard output are no messages of MCP`
}

/** A line that seems to answer a request, but is no valid response. */
export interface StrayAnswer {
  /** The request that it seems to answer; absent if it names none. */
  id?: Id
  /** Whether its id is that of no request: null, missing, 0 or empty. Servers answer notifications so. */
  isEmpty: boolean
  /** What is wrong, after "the server". */
  what: string
  /** The line, to be quoted. */
  line: string
}

/** Returns what a line that is no message seems to answer; `undefined` for all other lines, such as those of a log. */
export function readStrayAnswer(line: string): StrayAnswer | undefined {
  if (line.length > MAX_SEARCHED) return undefined
  const value = parseJson(line)
  if (value === undefined) return readBrokenAnswer(line)
  if (!isJsonObject(value) || value['method'] !== undefined) return undefined
  const { id, error } = value
  const isAnswer = value['result'] !== undefined || (error !== undefined && error !== null)
  if (isId(id) && value['jsonrpc'] !== undefined)
    return { id, isEmpty: false, what: 'answered without "result" or "error"', line }
  if (isId(id) || !isAnswer) return undefined
  return {
    isEmpty: isEmptyId(id),
    what: `answered with the id ${JSON.stringify(id) ?? 'missing'}`,
    line,
  }
}

/** Whether servers write such an id where there is none. */
export function isEmptyId(id: unknown): boolean {
  return id === undefined || id === null || id === '' || id === 0
}

const ANSWER = /["'](?:result|error)["']\s*:/
const REQUEST = /["']method["']\s*:/
const ID = /["']id["']\s*:\s*["']?(\d{1,15})\b/

/** A text with the names of a response that is not JSON: Python's form of it, or one that was cut. */
function readBrokenAnswer(line: string): StrayAnswer | undefined {
  if (!/^\s*[[{]/.test(line) || !line.includes('jsonrpc')) return undefined
  if (!ANSWER.test(line) || REQUEST.test(line)) return undefined
  const [, id] = ID.exec(line) ?? []
  const what = 'answered with a line that is not valid JSON'
  return { ...(id !== undefined && { id: Number(id) }), isEmpty: false, what, line }
}

/** Joins lines while they may be one message that is spread over several. */
interface LineJoiner {
  /** Returns the complete message if the line is the last one of it. */
  add(line: string): string | undefined
  reset(): void
}

/** Joins a message that was written with line breaks, as JSON for people is. */
export function createLineJoiner(): LineJoiner {
  let lines: string[] = []
  let length = 0
  function reset(): void {
    lines = []
    length = 0
  }
  return {
    reset,
    add: (line) => {
      if (lines.length === 0 && line.trimEnd() !== '{') return undefined
      lines.push(line)
      length += line.length
      if (length > MAX_SEARCHED) reset()
      if (line.trimEnd() !== '}') return undefined
      const joined = lines.join('')
      reset()
      return joined
    },
  }
}
