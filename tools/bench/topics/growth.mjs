import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toAnthropicRequest } from '../../../packages/formatter/src/anthropic.ts'
import { toOpenAiResponsesRequest } from '../../../packages/formatter/src/openai.ts'
import { openStore } from '../../../packages/conversation-store/src/index.ts'
import { createToolExecutor } from '../../../packages/tool-executor/src/index.ts'
import { measureGrowth } from '../measure.mjs'

export const title = 'Growth with the number of tools and events'
export const intro =
  'The exponent is the slope of the logarithm of the time over the logarithm of the size: 0 is constant, 1 is proportional. The events are in a SQLite file, at durability `normal`, with a ' +
  'conversation for each 10 events where conversations are listed.'

export async function measure(pace) {
  return [...(await measureTools(pace)), ...(await measureEvents(pace))]
}

/** Other definitions on each call, because known schemas are kept. */
function makeTools(count, round) {
  return Array.from({ length: count }, (_, index) => ({
    name: `tool.${round}.${index}`,
    description: `Reads the file number ${index}.`,
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: `The file to work on, number ${round}.` },
        mode: { type: 'string', enum: ['read', 'write', 'append'], default: 'read' },
        tags: { type: 'array', items: { type: 'string' }, maxItems: 20 },
      },
      required: ['path'],
    },
  }))
}

async function measureTools(pace) {
  const counts = [10, 30, 100, 300, 1000]
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'What is in src?' }] }]
  const execute = async () => ({ content: [], isError: false })
  const format = (size) => `${size} tools`
  const target = { exponent: 1.1 }
  let round = 0
  const works = {
    'definitions to a request of Anthropic': (tools) => toAnthropicRequest({ messages, tools }),
    'definitions to a request of OpenAI': (tools) => toOpenAiResponsesRequest({ messages, tools }),
    'an executor with its tools': async (tools) => {
      const executor = createToolExecutor({
        tools: tools.map((tool) => ({ tool: { ...tool, execute } })),
      })
      await executor.close()
    },
  }
  const rows = []
  for (const [name, work] of Object.entries(works))
    rows.push(
      await measureGrowth(pace, {
        name,
        sizes: counts.map((count) => [count, () => work(makeTools(count, (round += 1)))]),
        format,
        target,
      }),
    )
  return rows
}

async function measureEvents(pace) {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-bench-'))
  const counts = [1000, 10_000, 100_000, ...(pace.large ? [1_000_000] : [])]
  const stores = []
  try {
    for (const count of counts) stores.push(await fillStore(folder, count))
    const format = (size) => `${size.toLocaleString('en')} events`
    const works = {
      'append one event': ({ append }) => append(),
      'read a page of 50 in the middle': ({ store, count }) =>
        store.read('long', { after: count / 2, limit: 50 }),
      'read the last 50 events': ({ store }) => store.read('long', { before: Infinity, limit: 50 }),
      'open the store and read the last 50 events': async ({ url }) => {
        const store = await openStore(url, { durability: 'normal' })
        await store.read('long', { before: Infinity, limit: 50 })
        await store.close()
      },
      'list 50 conversations': ({ store }) => store.list({ limit: 50 }),
    }
    const rows = []
    for (const [name, work] of Object.entries(works))
      rows.push(
        await measureGrowth(pace, {
          name,
          sizes: stores.map((filled) => [filled.count, () => work(filled)]),
          format,
          target: { exponent: 0.15 },
        }),
      )
    return rows
  } finally {
    for (const { store } of stores) await store.close()
    rmSync(folder, { recursive: true })
  }
}

const EVENT = (seq) => ({
  type: 'user_message',
  content: [{ type: 'text', text: `message ${seq} `.repeat(5) }],
})

/** Writes a conversation with this number of events, and one of one event for each 10 of them. */
async function fillStore(folder, count) {
  const url = `sqlite:${join(folder, `${count}.db`)}`
  const store = await openStore(url, { durability: 'normal' })
  const batch = 1000
  for (let seq = 0; seq < count; seq += batch)
    await store.append(
      'long',
      seq,
      Array.from({ length: batch }, (_, index) => EVENT(seq + index)),
    )
  for (let index = 0; index < count / 10; index += 1)
    await store.append(`short-${index}`, 0, [EVENT(index)])
  let seq = count
  const append = async () => {
    seq = (await store.append('long', seq, [EVENT(seq)])).seq
  }
  return { store, url, count, append }
}
