import { limitTime, parseJson } from '@toolblocks/protocol/internal'
import { type Id, type RpcMessage, readMessages, writeMessage } from './message.ts'
import {
  createLineJoiner,
  isEmptyId,
  quoteLine,
  readStrayAnswer,
  STRAY_FIX,
  type StrayAnswer,
  type StrayLines,
} from './stray-lines.ts'

/** Milliseconds for a valid answer after a line that seems to be the answer: a server may print a message before it sends it. */
const GRACE_MS = 500

type Seeming = Pick<StrayAnswer, 'what' | 'line'>

/** Why an answer belongs to no request for certain: trusted text, and the line to be quoted. */
interface UnmatchedAnswer {
  reason: string
  fix: string
  serverText?: string
}

/** Ends requests whose answer came in a form that cannot be matched. */
interface Unmatched {
  /** Receives a response to a request that does not wait. `lastId`: of the requests so far, which are numbered from 1. */
  onUnknown(message: Extract<RpcMessage, { kind: 'response' | 'error' }>, lastId: number): void
  /** Receives a line that is no message. */
  onStray(line: string, state?: { isUnfinished: true }): void
  /** Called for each message. */
  onMessage(): void
  /** Called after a request has its answer. */
  onAnswer(id: Id): void
  /** Called after a request has ended in any way. */
  onClose(): void
  /** Called for each notification that is sent. `lastId`: the last request before it. */
  onNotify(lastId: number): void
}

/**
 * Watches for answers that belong to no request. A response with an unknown id ends the only request that waits, or all if as many such responses
 * came. A line that names a waiting request and is no valid response ends it. Both need that no valid answer follows. Other lines end nothing.
 */
export function watchUnmatched(
  waiting: ReadonlyMap<Id, unknown>,
  { strays, end }: { strays: StrayLines; end: (id: Id, why: UnmatchedAnswer) => void },
): Unmatched {
  const joiner = createLineJoiner()
  /** Responses to no request, since the last time when none waited. */
  let count = 0
  let last: Seeming | undefined
  /** Notifications that the server may have answered, although they have no answer, and the last request before them. */
  let notified = { count: 0, after: 0 }

  function report({ isEmpty, ...seeming }: Seeming & { isEmpty: boolean }): void {
    if (isEmpty && notified.count > 0) {
      notified.count -= 1
      return
    }
    if (waiting.size === 0) return
    count += 1
    last = seeming
    suspectAll()
  }

  function suspectAll(): void {
    if (!last || count < waiting.size) return
    const { what, line } = last
    for (const id of waiting.keys()) suspect(id, { what: `${what}, which no request has`, line })
  }

  /** Ends a request if no valid answer follows. */
  function suspect(id: Id, { what, line }: Seeming): void {
    const suspected = waiting.get(id)
    if (!suspected) return
    const onLate = (): void => {
      if (waiting.get(id) === suspected) end(id, explainStrayAnswer(what, line))
    }
    limitTime(GRACE_MS, onLate, { ref: false })
  }

  /** Reports an answer in a text that is a complete message, but was not written as one line. */
  function reportMessage(text: string, what: string): boolean {
    const [message] = readMessages(parseJson(text))
    if (message?.kind !== 'response' && message?.kind !== 'error') return false
    suspect(message.id, { what, line: text })
    return true
  }

  return {
    onUnknown: (message, lastId) => {
      const { id } = message
      // Ids of this side are numbers: a text with one is the answer of a server that changes ids.
      const meant = typeof id === 'string' && id.trim() !== '' ? Number(id) : id
      if (typeof id === 'string' && waiting.has(meant)) end(meant, explainOtherId(id))
      // One of them is a late answer to a request that was cancelled, or a second one.
      if (typeof meant === 'number' && Number.isInteger(meant) && meant > 0 && meant <= lastId)
        return
      const line = JSON.stringify(writeMessage(message))
      strays.add(line)
      report({ isEmpty: isEmptyId(id), what: `answered with the id ${JSON.stringify(id)}`, line })
    },
    onStray: (line, state) => {
      if (state?.isUnfinished) {
        reportMessage(line, 'did not end the line of its answer')
        return
      }
      strays.add(line)
      const joined = joiner.add(line)
      if (joined !== undefined && reportMessage(joined, 'wrote its answer in several lines')) return
      const seeming = readStrayAnswer(line)
      if (!seeming) return
      const { id } = seeming
      if (id === undefined) report(seeming)
      else suspect(id, seeming)
    },
    onMessage: joiner.reset,
    onAnswer: (id) => {
      if (typeof id === 'number' && id > notified.after) notified.count = 0
      if (count > 0) suspectAll()
    },
    onClose: () => {
      if (waiting.size > 0) return
      count = 0
      last = undefined
    },
    onNotify: (after) => {
      notified = { count: notified.count + 1, after }
    },
  }
}

/** JSON-RPC requires the id of the request, with its type, so the answer belongs to no request for certain. */
function explainOtherId(id: string): UnmatchedAnswer {
  return {
    reason: `the server answered the request ${Number(id)} with the id ${JSON.stringify(id)}, a string instead of the number`,
    fix: 'The server must repeat the id of a request unchanged.',
  }
}

/** Explains a line that seems to be the answer to a request, and that nothing valid followed. */
function explainStrayAnswer(what: string, line: string): UnmatchedAnswer {
  return {
    reason: `the server ${what}`,
    fix: `${STRAY_FIX} A response repeats the id of its request unchanged.`,
    serverText: quoteLine(line),
  }
}
