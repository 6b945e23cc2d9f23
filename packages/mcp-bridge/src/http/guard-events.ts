import { parseJson } from '@toolblocks/protocol'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import {
  DROPPED,
  errorStub,
  type Guard,
  isAnswerTo,
  MAX_BODY_BYTES,
  type Sent,
  stubOf,
  tooLarge,
} from './answer-stub.ts'
import { createLineReader } from '../connection/line-reader.ts'
import { readMessages } from '../connection/read-message.ts'

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
      const isWithin = stream.read(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
      yield* stream.take()
      if (isWithin) continue
      if (sent)
        yield asEvent({ data: JSON.stringify(errorStub(sent, tooLarge(MAX_BODY_BYTES), guard)) })
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
  /** `false` where an event is larger than the limit. */
  read: (chunk: Buffer) => boolean
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
  const read = createLineReader((line) => parser.feed(`${line}\n`), MAX_BODY_BYTES)
  return {
    read,
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
