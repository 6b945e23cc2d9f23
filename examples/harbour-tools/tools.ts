import { readFileSync } from 'node:fs'
import { createSuccessResult, type Tool } from '@toolblocks/protocol'
import type { ToolEntry } from '@toolblocks/tool-executor'

/** The book of the harbour, as long as the program runs. */
let book = 'berth 1: Ada\nberth 2: free\nberth 3: Heron\n'

const listBerths: Tool = {
  name: 'list_berths',
  summary: 'Lists the berths with their boats and depths.',
  inputSchema: { type: 'object', properties: {} },
  execute: async () => {
    const rows = book
      .trim()
      .split('\n')
      .map((line, index) => ({ berth: index + 1, boat: line.split(': ')[1], depth: 2.5 + index }))
    const columns = [{ key: 'berth' }, { key: 'boat' }, { key: 'depth', label: 'depth, m' }]
    const value = { kind: 'table', summary: `${rows.length} berths`, data: { columns, rows } }
    return { ...createSuccessResult([]), structuredContent: value }
  },
}

const showPier: Tool = {
  name: 'show_pier',
  summary: 'Returns a picture of the pier.',
  inputSchema: { type: 'object', properties: {} },
  execute: async () => {
    const data = readFileSync(new URL('pier.png', import.meta.url)).toString('base64')
    return createSuccessResult([{ type: 'image', data, mimeType: 'image/png' }])
  },
}

const bookBerth: Tool = {
  name: 'book_berth',
  summary: 'Books a berth. It asks for the details.',
  inputSchema: { type: 'object', properties: { berth: { type: 'integer' } }, required: ['berth'] },
  execute: async ({ arguments: { berth } }, { answers }) => {
    const { details } = answers
    const properties = {
      boat: { type: 'string', title: 'Name of the boat', minLength: 2 },
      nights: { type: 'integer', title: 'Nights', minimum: 1, default: 1 },
      power: { type: 'boolean', title: 'Power on board?' },
    }
    const schema = { type: 'object', properties, required: ['boat', 'nights', 'power'] }
    const question = { id: 'details', text: `Who comes to berth ${String(berth)}?`, schema }
    const boat = typeof details === 'object' && details && 'boat' in details && details.boat
    if (typeof boat !== 'string') return createSuccessResult([{ type: 'question', question }])
    const original = book
    book = book.replace(`berth ${String(berth)}: free`, `berth ${String(berth)}: ${boat}`)
    const data = { path: 'book.txt', original, modified: book, isNew: false }
    return { ...createSuccessResult([]), structuredContent: { kind: 'diff', data } }
  },
}

/** Listing and showing need no permission. Booking does. */
export const harbourTools: readonly ToolEntry[] = [
  { tool: listBerths, policy: 'unattended' },
  { tool: showPier, policy: 'unattended' },
  { tool: bookBerth, policy: 'ask' },
]
