import { type ConversationStore, describeConversation } from '@toolblocks/conversation-store'
import type { SafeHtml } from '@toolblocks/protocol'
import { encodeHtml, markup, pageLine } from '@toolblocks/renderer/html'
import { type EventSpan, readEvents } from './read-events.ts'
import { CHUNK, writeChunk } from './write-chunk.ts'
import type { CardOptions } from './card-frame.ts'

/** Conversations of agents are shown so deep in each other; deeper ones are links. */
const MOST_DEPTH = 3

/** Writes the conversations that were led for calls among some events, each closed, below the result that came of it. */
export async function writeLedConversations(
  store: ConversationStore,
  { events }: Pick<EventSpan, 'events'>,
  options: CardOptions & { addressOfConversation: (id: string) => string },
  depth = 1,
): Promise<NonNullable<CardOptions['writeLed']>> {
  const written = new Map<string, SafeHtml>()
  for (const kept of events) {
    if (!('event' in kept) || kept.event.type !== 'tool_result') continue
    const id = kept.event.result.metadata?.conversationId
    if (id === undefined || written.has(id)) continue
    const { title = id } = await describeConversation(store, id)
    const link = markup`<a href="${encodeHtml(options.addressOfConversation(id))}">${pageLine(title)}</a>`
    const span = await readEvents(store, id, { from: 1, to: CHUNK })
    if (span.events.length === 0)
      written.set(id, markup`<p class="tb-facts">The conversation ${pageLine(id)} is not here.</p>`)
    else if (depth > MOST_DEPTH) written.set(id, markup`<p class="tb-facts">${link}</p>`)
    else {
      const writeLed = await writeLedConversations(store, span, options, depth + 1)
      const inner = writeChunk(span, { ...options, writeLed, depth })
      const more =
        span.behind.length > 0 ? markup`<p class="tb-facts">${link} goes on</p>` : markup``
      written.set(
        id,
        markup`<details class="tb-led"><summary>The conversation of the agent</summary><p class="tb-facts">${link}</p>${inner}${more}</details>`,
      )
    }
  }
  return (id) => written.get(id)
}
