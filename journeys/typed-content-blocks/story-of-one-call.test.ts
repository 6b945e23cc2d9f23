import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStore, type ConversationStore } from '@toolblocks/conversation-store'
import { formatResult } from '@toolblocks/formatter'
import { createLocalTool } from '@toolblocks/local-executor'
import type { AnswerQuestion, ToolResult } from '@toolblocks/protocol'
import { renderTerminal } from '@toolblocks/renderer'
import { createToolExecutor } from '@toolblocks/tool-executor'

let root: string
let store: ConversationStore
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'toolblocks-story-'))
  store = await openStore(`sqlite:${join(root, 'conversations.db')}`)
})
afterAll(async () => {
  await store.close()
  await rm(root, { recursive: true })
})

const { signal } = new AbortController()

/** Returns a result as the store returns it. */
async function stored(conversation: string, result: ToolResult): Promise<unknown> {
  const { seq } = (await store.read(conversation, { before: Infinity, limit: 1 })).events.at(
    -1,
  ) ?? { seq: 0 }
  await store.append(conversation, seq, [{ type: 'tool_result', result }])
  const { events } = await store.read(conversation, { after: seq })
  const event = events[0]?.event
  return event?.type === 'tool_result' ? event.result : undefined
}

test('000 summary: a tool asks a question and receives the answer, and its blocks reach the store, the model and the person', async () => {
  const script = `
    case "$(cat)" in
      *'"confirm":true'*) printf '%s' '{"content":[{"type":"resource","resource":{"uri":"file:///w/./a.rs","mimeType":"text/rust","text":"fn main() {}"}},{"type":"wat"}]}' ;;
      *) printf '%s' '{"content":[{"type":"question","question":{"id":"confirm","text":"Read it?","schema":{"type":"boolean"}}}]}' ;;
    esac`
  await writeFile(join(root, 'tool.sh'), script)
  const tool = createLocalTool({ name: 'read', inputSchema: true, command: ['sh', 'tool.sh'] })
  const executor = createToolExecutor({ tools: [{ tool, policy: 'unattended' }] })
  const user: AnswerQuestion = async () => ({ action: 'accept', value: true })
  const call = { id: 'call-1', name: 'read', arguments: {} }
  const result = await executor.execute(call, { signal, root, ask: { user } })

  expect(result.metadata).toMatchObject({
    outcome: 'completed',
    warnings: [{ path: '/content/1' }],
    resources: [{ uri: 'file:///w/a.rs', bytes: 12 }],
  })
  expect(await stored('story', result)).toStrictEqual(result)
  expect(formatResult(result)).toContain('```rs\nfn main() {}\n```')
  expect(renderTerminal(result)).toContain('fn main() {}')
})

test('003 goals: any result is unchanged from the executor through the store', async () => {
  const block = fc.oneof(
    fc.record({ type: fc.constant('text' as const), text: fc.string({ unit: 'binary' }) }),
    fc.record({
      type: fc.constant('resource' as const),
      resource: fc.record({ uri: fc.webUrl(), text: fc.string({ unit: 'binary' }) }),
    }),
  )
  const anyResult = fc
    .record({
      content: fc.array(block, { maxLength: 3 }),
      isError: fc.boolean(),
      structuredContent: fc.json().map((json): unknown => JSON.parse(json)),
    })
    .map((result) => structuredClone(result))
  await fc.assert(
    fc.asyncProperty(anyResult, async (answer) => {
      const tool = { name: 'any', inputSchema: true, execute: async () => answer }
      const executor = createToolExecutor({ tools: [{ tool, policy: 'unattended' }] })
      const result = await executor.execute(
        { id: 'c', name: 'any', arguments: {} },
        { signal, root },
      )
      expect(await stored('any', result)).toStrictEqual(result)
    }),
    { numRuns: 100 },
  )
})
