// An MCP server with an outputSchema, annotations and a question.
import { defineTool, failure } from '@toolblocks/tool-sdk'
import { serveTools } from '@toolblocks/tool-sdk/mcp'
import { Type } from '@toolblocks/tool-sdk/typebox'

const seats = new Map([
  ['12A', 'free'],
  ['12B', 'taken'],
  ['14C', 'free'],
])

const listSeats = defineTool({
  name: 'list_seats',
  title: 'List seats',
  description: 'List the free seats.',
  outputSchema: Type.Object({ seats: Type.Array(Type.String()) }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: () => ({ seats: [...seats].filter(([, state]) => state === 'free').map(([seat]) => seat) }),
})

const bookSeat = defineTool({
  name: 'book_seat',
  title: 'Book a seat',
  description: 'Book a free seat.',
  inputSchema: Type.Object({
    seat: Type.String({ pattern: '^[0-9]{1,2}[A-F]$', description: 'Such as 12A.' }),
    passenger: Type.Optional(Type.String()),
  }),
  outputSchema: Type.Object({ seat: Type.String(), passenger: Type.String() }),
  annotations: { destructiveHint: false, idempotentHint: false },
  run({ seat, passenger }, { ask, log }) {
    if (seats.get(seat) !== 'free') return failure(`${seat} is not free. Call list_seats.`)
    const name = passenger ?? ask.text('passenger', `Who sits on ${seat}?`)
    if (!ask.boolean('confirm', `Book ${seat} for ${name}?`)) return failure('The user declined.')
    seats.set(seat, 'taken')
    log(`booked ${seat}`)
    return { seat, passenger: name }
  },
})

await serveTools([listSeats, bookSeat], {
  name: 'seats',
  version: '1.0.0',
  instructions: 'Books seats of one train.',
})
