import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Loss } from './connection.ts'
import type { Message } from './read-message.ts'

/** A transport of either SDK, by what they share. */
export type SdkTransport = Transport & {
  /** Each request has a stream of its own, whose end cancels it. */
  readonly hasPerRequestStream?: boolean
}

/** What carries messages, and what it knows of them beside what the SDK is told. */
export interface Link {
  transport: SdkTransport
  /** Why it ended, or would have to be taken as ended now. */
  explainEnd: () => Loss
  /** What its program has printed on standard error by now, shortened; empty where there is none. */
  said: () => string
  /** What the answer to the request with that id really was; told once. */
  take: (id: string | number) => Held | undefined
  /** The progress token of the request of ours on whose stream the server's request came. */
  tokenOf: (id: string | number) => string | undefined
  /** Says goodbye before the end, where the transport has a word for it. */
  leave: () => Promise<void>
  /** Ends at once what has not said hello. */
  abandon: () => Promise<void>
}

/** What stands behind a message that the SDK was given in its place. */
export type Held = { kind: 'message'; message: Message } | { kind: 'loss'; loss: Loss }
