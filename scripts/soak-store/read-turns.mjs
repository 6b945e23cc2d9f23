/** The numbers of all turns of a conversation, in their order; a page at a time. */
export async function readTurns(store, conversation) {
  const turns = []
  for (;;) {
    const { events, damaged, more } = await store.read(conversation, { after: turns.length })
    if (damaged.length > 0) throw new Error(`event ${damaged[0].seq} is half an event`)
    turns.push(...events.map(({ event }) => event.turn))
    if (!more) return turns
  }
}
