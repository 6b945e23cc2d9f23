import { MAX_MESSAGE_BYTES, parseJson } from '@toolblocks/protocol'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import {
  DENSE,
  DROPPED,
  errorStub,
  type Guard,
  isAnswerTo,
  type Sent,
  stubOf,
  tooLarge,
} from './answer-stub.ts'
import type { Loss } from '../connection/connection.ts'
import { createLineReader } from '../connection/line-reader.ts'
import { isTooDense, readMessages } from '../connection/read-message.ts'

/** The same stream of events with stubs for answers, and with an error where it ends before the answer and cannot be taken up again. */
export function guardEvents(response: Response, sent: Sent | undefined, guard: Guard): Response {
  const { status, headers } = response
  const events = response.body ? streamOf(guardedEvents(response.body, sent, guard)) : ''
  return new Response(events, { status, headers })
}

/** As `ReadableStream.from`, which the types of browsers do not know. */
function streamOf(events: AsyncGenerator<string>): ReadableStream {
  const encoder = new TextEncoder()
  return new ReadableStream({
    pull: async (controller) => {
      const { value, done } = await events.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    cancel: async () => {
      await events.return(undefined)
    },
  })
}

async function* guardedEvents(
  body: AsyncIterable<Uint8Array>,
  sent: Sent | undefined,
  guard: Guard,
): AsyncGenerator<string> {
  const stream = createEventReader(sent, guard)
  let reason = 'the stream of the answer ended before the answer'
  try {
    for await (const chunk of body) {
      const over = stream.read(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
      yield* stream.take()
      if (!over) continue
      if (sent) yield asEvent({ data: JSON.stringify(errorStub(sent, over, guard)) })
      return
    }
  } catch (error) {
    reason = `the stream of the answer broke off: ${error instanceof Error ? error.message : String(error)}`
  }
  // A stream whose events have ids is taken up again by the SDK.
  if (!sent || stream.isAnswered() || stream.isResumable()) return
  yield asEvent({ data: JSON.stringify(errorStub(sent, { ...DROPPED, reason }, guard)) })
}

interface EventReader {
  /** Gives why there is no more to read: an event is over its budget. */
  read: (chunk: Buffer) => Loss | undefined
  /** What has been read since, as it goes on. */
  take: () => readonly string[]
  isAnswered: () => boolean
  isResumable: () => boolean
}

function createEventReader(sent: Sent | undefined, guard: Guard): EventReader {
  let out: string[] = []
  let isAnswered = false
  let isResumable = false
  const parser = createParser({
    onEvent: (event) => {
      if (isTooDense(event.data)) {
        over = DENSE
        return
      }
      isResumable ||= event.id !== undefined
      const messages = isMessage(event) ? readMessages(parseJson(event.data)) : []
      if (messages.length === 0) out.push(asEvent(event))
      for (const message of messages) {
        isAnswered ||= sent !== undefined && isAnswerTo(message, sent)
        out.push(asEvent({ ...event, data: JSON.stringify(stubOf(message, sent, guard)) }))
      }
    },
    onRetry: (milliseconds) => void out.push(`retry: ${milliseconds}\n\n`),
  })
  // The parser joins what is left of a line with each new chunk, which is quadratic for a large one.
  let held = 0
  let over: Loss | undefined
  const readLines = createLineReader((line) => {
    // The parser holds the lines of an event until an empty one.
    held = line === '' ? 0 : held + line.length
    if (held <= MAX_MESSAGE_BYTES) parser.feed(`${line}\n`)
  })
  return {
    read: (chunk) => {
      if (!readLines(chunk) || held > MAX_MESSAGE_BYTES) over ??= tooLarge(MAX_MESSAGE_BYTES)
      return over
    },
    take: () => {
      const taken = out
      out = []
      return taken
    },
    isAnswered: () => isAnswered,
    isResumable: () => isResumable,
  }
}

function isMessage({ event, data }: EventSourceMessage): boolean {
  return (event === undefined || event === 'message') && data !== ''
}

function asEvent({ id, event, data }: EventSourceMessage): string {
  const lines = data.split('\n').map((line) => `data: ${line}\n`)
  return `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}${lines.join('')}\n`
}
