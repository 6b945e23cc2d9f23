/* oxlint-disable unicorn/prefer-add-event-listener -- the SDKs know callbacks only */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { isModernMessage } from './modern/load-modern.ts'

/** What is served over one connection, by what its client says. */
export interface EitherEra {
  /** Gets a transport for the messages of its era, when the first of them comes. */
  legacy(transport: Transport): Promise<void>
  modern(transport: Transport): Promise<void>
  onClose(): void
}

/** Splits a connection by era: each request says its own, and what is no request belongs to the last one. */
export async function serveEitherEra(wire: Transport, era: EitherEra): Promise<void> {
  const legacy = createChannel(wire, era.legacy)
  const modern = createChannel(wire, era.modern)
  let last = legacy
  wire.onmessage = (message) => {
    const isRequest = 'method' in message && 'id' in message
    if (isRequest) last = isModernMessage(message) ? modern : legacy
    last.deliver(message)
  }
  wire.onclose = () => {
    legacy.transport.onclose?.()
    modern.transport.onclose?.()
    era.onClose()
  }
  await wire.start()
}

type WireMessage = Parameters<NonNullable<Transport['onmessage']>>[0]

/** A transport over a part of the messages; those that come while its reader is being made wait for it. */
function createChannel(
  wire: Transport,
  open: (transport: Transport) => Promise<void>,
): { transport: Transport; deliver(message: WireMessage): void } {
  const transport: Transport = {
    start: async () => {},
    send: async (message) => await wire.send(message),
    close: async () => await wire.close(),
  }
  let opened: Promise<void> | undefined
  return {
    transport,
    deliver: (message) => {
      opened ??= open(transport)
      void opened.then(() => transport.onmessage?.(message))
    },
  }
}
