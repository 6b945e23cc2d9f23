import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { parseJson } from '@toolblocks/protocol/internal'
import { type Id, isId, isNotification } from '../wire/message.ts'
import { type EventStream, openEventStream } from './event-stream.ts'
import type { StreamLimits } from './replica-options.ts'
import { type SharedDocuments, sweepDocuments, writeShared } from './shared-documents.ts'

/** The streams of one session. Each event has an id after which its client can continue, on any replica. */
export interface KeptStreams {
  /** Opens a stream of answers to requests; without ids, of messages that belong to no request. `isPrimed`: its first event has no message. */
  open(
    response: ServerResponse,
    options: { ids: readonly Id[]; isPrimed: boolean; onGone: () => void },
  ): EventStream
  /** Sends on this response what follows the last event that its client received, and what comes later. */
  resume(lastEventId: string, response: ServerResponse): Promise<'resumed' | 'unknown'>
  /** Tells the clients of open streams to connect again, and forgets all streams. */
  close(): void
}

const STREAMS = 'mcp-stream'
const KEEP_STREAM_MS = 60_000
const MAX_STREAM_BYTES = 1024 * 1024
const ID_BYTES = 12
/** Characters of the request ids that an event id may contain. A client may choose long ones. */
const MAX_IDS_LENGTH = 400

interface KeptEvent {
  number: number
  message: JsonObject
  bytes: number
}

interface KeptStream {
  name: string
  ids: readonly Id[]
  last: number
  events: KeptEvent[]
  bytes: number
  sink: EventStream | undefined
  isEnded: boolean
  /** The version of its document; 0: nothing is stored. */
  version: number
  /** The last write. Resolves to whether all answers are stored. */
  storing: Promise<boolean>
  timer: NodeJS.Timeout | undefined
  onGone: () => void
}

/** Keeps the streams of a session in this process, and their answers in shared documents. `explain`: the answer to requests of which no answer is known. */
export function keepStreams({
  documents,
  session,
  headers,
  explain,
  keepStreamMs = KEEP_STREAM_MS,
  maxStreamBytes = MAX_STREAM_BYTES,
}: StreamLimits & {
  documents: SharedDocuments
  session: string
  headers: Readonly<Record<string, string>>
  explain: (id: Id) => JsonObject
}): KeptStreams {
  const streams = new Map<string, KeptStream>()

  function nameEvent({ name, ids }: Pick<KeptStream, 'name' | 'ids'>, number: number): string {
    const written = JSON.stringify(ids)
    const kept = ids.length > 0 && written.length <= MAX_IDS_LENGTH
    return [name, number, ...(kept ? [Buffer.from(written).toString('base64url')] : [])].join('.')
  }

  function attach(stream: KeptStream, response: ServerResponse): EventStream {
    clearTimeout(stream.timer)
    stream.sink?.end()
    const sink = openEventStream(response, headers)
    stream.sink = sink
    response.once('close', () => {
      if (stream.sink !== sink) return
      stream.sink = undefined
      waitForClient(stream)
    })
    return sink
  }

  function waitForClient(stream: KeptStream): void {
    clearTimeout(stream.timer)
    if (!streams.has(stream.name)) return
    stream.timer = setTimeout(() => {
      streams.delete(stream.name)
      if (!stream.isEnded) stream.onGone()
    }, keepStreamMs).unref()
  }

  function keep(stream: KeptStream, message: JsonObject): number {
    stream.last += 1
    const bytes = JSON.stringify(message).length
    stream.events.push({ number: stream.last, message, bytes })
    stream.bytes += bytes
    while (stream.bytes > maxStreamBytes && stream.events.length > 1) {
      const oldest = stream.events.findIndex((event) => isNotification(event.message))
      if (oldest === -1) break
      const [dropped] = stream.events.splice(oldest, 1)
      stream.bytes -= dropped?.bytes ?? 0
    }
    return stream.last
  }

  /** Resolves to whether the answers are stored. */
  async function store(stream: KeptStream): Promise<boolean> {
    const { name, events, version } = stream
    const answers = events.filter(({ message }) => message['method'] === undefined)
    if (answers.reduce((sum, { bytes }) => sum + bytes, 0) > maxStreamBytes) return false
    const value = {
      writtenAt: Date.now(),
      answers: answers.map(({ number, message }) => ({ number, message })),
    }
    const write = { collection: STREAMS, id: name, version, state: session, value }
    const { ok } = await writeShared(documents, write)
    if (ok) stream.version += 1
    return ok
  }

  /** An ended stream is read from the store, so that this process keeps only those that are not there. */
  async function end(stream: KeptStream): Promise<void> {
    stream.isEnded = true
    stream.sink?.end()
    waitForClient(stream)
    if (!(await stream.storing)) return
    clearTimeout(stream.timer)
    streams.delete(stream.name)
    const { name, version } = stream
    setTimeout(
      () => void documents.remove(STREAMS, name, version).catch(() => undefined),
      keepStreamMs,
    ).unref()
  }

  async function readStored(
    name: string,
  ): Promise<readonly { number: number; message: JsonObject }[]> {
    const stored = await documents.read(STREAMS, name)
    if (stored?.state !== session || !isJsonObject(stored.value)) return []
    const { answers } = stored.value
    return (Array.isArray(answers) ? answers : []).flatMap((answer) => {
      const { number, message }: JsonObject = isJsonObject(answer) ? answer : {}
      return typeof number === 'number' && isJsonObject(message) ? [{ number, message }] : []
    })
  }

  /** Sends the answers of a replica that has ended. */
  async function sendStored(
    { name, number, ids }: EventName,
    response: ServerResponse,
  ): Promise<void> {
    const answers = await readStored(name).catch(() => [])
    const sink = openEventStream(response, headers)
    for (const answer of answers)
      if (answer.number > number)
        await sink.send(answer.message, nameEvent({ name, ids }, answer.number))
    const answered = new Set(answers.map(({ message }) => message['id']))
    for (const id of ids) if (!answered.has(id)) await sink.send(explain(id))
    sink.end()
  }

  return {
    open: (response, { ids, isPrimed, onGone }) => {
      const stream: KeptStream = {
        name: randomBytes(ID_BYTES).toString('base64url'),
        ids,
        last: 0,
        events: [],
        bytes: 0,
        sink: undefined,
        isEnded: false,
        version: 0,
        storing: Promise.resolve(true),
        timer: undefined,
        onGone,
      }
      streams.set(stream.name, stream)
      const first = attach(stream, response)
      if (isPrimed) first.prime(nameEvent(stream, 0))
      return {
        prime: () => undefined,
        retry: () => undefined,
        send: async (message) => {
          if (stream.isEnded) return
          const number = keep(stream, message)
          if (message['method'] === undefined)
            stream.storing = stream.storing.then(async () => await store(stream)).catch(() => false)
          await stream.sink?.send(message, nameEvent(stream, number))
        },
        end: () => void end(stream),
      }
    },
    resume: async (lastEventId, response) => {
      const event = readEventName(lastEventId)
      if (!event) return 'unknown'
      const stream = streams.get(event.name)
      if (!stream) {
        // A stream of messages that belong to no request begins again.
        if (event.ids.length === 0) return 'unknown'
        await sendStored(event, response)
        return 'resumed'
      }
      const sink = attach(stream, response)
      // Without a pause, so that no later message comes before them.
      for (const { number, message } of stream.events)
        if (number > event.number) void sink.send(message, nameEvent(stream, number))
      if (stream.isEnded) {
        sink.end()
        waitForClient(stream)
      }
      return 'resumed'
    },
    close: () => {
      for (const { sink, timer } of streams.values()) {
        clearTimeout(timer)
        sink?.retry()
        sink?.end()
      }
      streams.clear()
    },
  }
}

/** Removes the answers that replicas have left behind. */
export async function sweepStreams(
  documents: SharedDocuments,
  { keepStreamMs = KEEP_STREAM_MS }: StreamLimits,
): Promise<void> {
  await sweepDocuments(documents, { collection: STREAMS, keepMs: keepStreamMs * 2 })
}

/** What the id of an event says. */
interface EventName {
  name: string
  number: number
  ids: readonly Id[]
}

function readEventName(text: string): EventName | undefined {
  const [name = '', number = '', ids = ''] = text.split('.')
  if (!/^[\w-]{16}$/.test(name) || !/^\d{1,9}$/.test(number)) return undefined
  const listed = parseJson(Buffer.from(ids, 'base64url').toString('utf8'))
  return {
    name,
    number: Number(number),
    ids: Array.isArray(listed) ? listed.filter(isId) : [],
  }
}
