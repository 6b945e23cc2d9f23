import { createMCPClient } from '@ai-sdk/mcp'
import { toMarkdown } from 'mdast-util-to-markdown'
import { codeFence, formatResult } from '../../../packages/formatter/src/index.ts'
import { toModelParts } from '../../../packages/formatter/src/internal.ts'
import { anthropicProfile, toAnthropicRequest } from '../../../packages/formatter/src/anthropic.ts'
import { EVERY_KIND as RESULTS } from '../../../packages/formatter/src/testing/every-kind.support.ts'
import { parseToolOutput } from '../../../packages/parser/src/index.ts'
import { renderHtml } from '../../../packages/renderer/src/html.ts'
import { renderTerminal } from '../../../packages/renderer/src/index.ts'
import { loadContentReaders } from '../../../packages/renderer/src/readers.ts'
import { EVERY_KIND as VALUES } from '../../../packages/viewer/browser/every-kind.support.ts'
import { compareTimes } from '../measure.mjs'

export const title = 'Every kind of block and value'
export const intro =
  'Results with one small block, or one value of a well-known kind (100 B to 700 B of JSON). `parse` reads its bytes, `format` makes the text for a model, `render` the lines of a terminal, ' +
  '`page` the HTML. Every result is parsed and formatted; only one that a person looks at is rendered.'

const text = 'fn main() {}\n'
const blocks = {
  text: { type: 'text', text: 'Found 3 files that match.' },
  image: { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo='.repeat(10) },
  audio: { type: 'audio', mimeType: 'audio/wav', data: 'UklGRiQAAABXQVZF'.repeat(8) },
  'resource with text': {
    type: 'resource',
    resource: { uri: 'file:///w/a.rs', mimeType: 'text/rust', text },
  },
  'resource with bytes': {
    type: 'resource',
    resource: { uri: 'file:///w/a.zip', mimeType: 'application/zip', blob: 'UEsDBAo=' },
  },
  'resource link': { type: 'resource_link', uri: 'file:///w/b.rs', name: 'b.rs' },
  question: {
    type: 'question',
    question: {
      id: 'go',
      text: 'Write 3 files?',
      answerSchema: { type: 'boolean', title: 'Write 3 files?' },
    },
  },
}
const values = ['diff', 'table', 'tree', 'list', 'markdown', 'code', 'folded', 'image']

const DOCUMENTS = 64
const { documents, results } = makeKinds()

function makeKinds() {
  const entries = [
    ...Object.entries(blocks).map(([name, block]) => [name, { content: [block] }]),
    ...values.map((name) => [`value: ${name}`, { content: [], ...VALUES[name] }]),
  ]
  const printed = Object.fromEntries(
    entries.map(([name, result]) => [
      name,
      Array.from({ length: DOCUMENTS }, () => new TextEncoder().encode(JSON.stringify(result))),
    ]),
  )
  const parsed = Object.fromEntries(
    Object.entries(printed).map(([name, list]) => [
      name,
      list.map((bytes) => parseToolOutput(bytes).result),
    ]),
  )
  return { documents: printed, results: parsed }
}

/** The next document on each call, so that the engine keeps nothing of the previous one. */
function overAll(list, read) {
  let next = 0
  return () => read(list[next++ % list.length])
}

export async function measure(pace) {
  const readers = await loadContentReaders()
  const decoder = new TextDecoder()
  const steps = {
    parse: {
      ours: parseToolOutput,
      against: '`JSON.parse`',
      yardstick: (bytes) => JSON.parse(decoder.decode(bytes)),
    },
    format: { ours: (result) => formatResult(result) },
    render: { ours: (result) => renderTerminal(result, { columns: 80, readers }) },
    page: { ours: (result) => renderHtml(result, { readers }) },
  }
  const short = { ...pace, rounds: Math.ceil(pace.rounds / 2), warmupMs: pace.warmupMs / 2 }
  const rows = []
  for (const [step, { ours, against, yardstick }] of Object.entries(steps))
    for (const name of Object.keys(documents)) {
      const list = step === 'parse' ? documents[name] : results[name]
      rows.push(
        await compareTimes(short, {
          name: `${step} ${name}`,
          ours: overAll(list, ours),
          against: against ?? '`JSON.stringify`',
          yardstick: overAll(list, yardstick ?? JSON.stringify),
          ...((step === 'parse' || step === 'format') && { target: { most: 0.005 } }),
          cause: findCause(step, name),
        }),
      )
    }
  return [...rows, ...(await compareWithLibraries(pace))]
}

/** Why a step takes more than its target, by the parts of a name. */
const CAUSES = [
  [/^format/, 'the JSON is put into a code fence that no text in it can close.'],
  [/^parse/, 'every field is checked, and base64 is checked to the last character.'],
]

const findCause = (step, name) => CAUSES.find(([pattern]) => pattern.test(`${step} ${name}`))?.[1]

/** Where another library does the same work, or a part of it. */
async function compareWithLibraries(pace) {
  const content = ['image', 'audio', 'pdf', 'resource', 'link'].flatMap(
    (name) => RESULTS[name].result.content,
  )
  const result = { content, isError: false }
  const modelText = formatResult(result)
  const call = { id: 'a', name: 'look', arguments: {} }
  const request = {
    messages: [
      { role: 'assistant', content: [], calls: [call] },
      { role: 'tool', results: [{ call, result, text: modelText }] },
    ],
    tools: [],
  }
  const toModelOutput = await createOutputOfAiSdk()
  const output = structuredClone(result)
  const against = '`toModelOutput` of `@ai-sdk/mcp`, which keeps less'
  const yardstick = () => toModelOutput({ toolCallId: 'a', input: {}, output })
  const markdown = Buffer.from(
    '# Use\n\n```ts\nadd(1, 2)\n```\n\nor `add`, or\n\n````md\n```\nx\n```\n````\n'.repeat(400),
  ).toString()
  return [
    await compareTimes(pace, {
      name: 'five media blocks for a provider, delivered before',
      ours: () => toModelParts(result, anthropicProfile, { text: modelText }),
      against,
      yardstick,
      target: { most: 0.005 },
    }),
    await compareTimes(pace, {
      name: 'five media blocks for a provider, for the first time',
      ours: () =>
        toModelParts(
          { ...result, content: content.map((block) => ({ ...block })) },
          anthropicProfile,
          {
            text: modelText,
          },
        ),
      against,
      yardstick,
    }),
    await compareTimes(pace, {
      name: 'a complete request with them, for Anthropic',
      ours: () => toAnthropicRequest(request),
      against,
      yardstick,
    }),
    await compareTimes(pace, {
      name: 'a code fence around 30 KB of Markdown',
      ours: () => codeFence(markdown, 'md'),
      against: '`mdast-util-to-markdown`',
      yardstick: () => toMarkdown({ type: 'code', lang: 'md', value: markdown }),
      target: { ratio: 1 },
    }),
  ]
}

/** How a client tool of the AI SDK converts a result. */
async function createOutputOfAiSdk() {
  const transport = {
    start: async () => {},
    close: async () => {},
    send: async (message) => {
      if (!('method' in message) || !('id' in message)) return
      const result = {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'x', version: '1' },
      }
      transport.onmessage?.({ jsonrpc: '2.0', id: message.id, result })
    },
  }
  const client = await createMCPClient({ transport })
  const tools = client.toolsFromDefinitions({
    tools: [{ name: 'look', inputSchema: { type: 'object' } }],
  })
  return tools.look.toModelOutput
}
