import { openStore } from '@toolblocks/conversation-store'
import type { ModelRequest } from '@toolblocks/formatter'
import {
  createSuccessResult,
  type Tool,
  type ToolContext,
  type ToolResult,
} from '@toolblocks/protocol'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { createAgent } from './create-agent.ts'
import { openConversation } from './open-conversation.ts'
import type { TurnEvent } from './run-turn.ts'
import { createScriptedModel } from './scripted-model.ts'

const GO = [{ type: 'text', text: 'Go.' }] as const
const { signal } = new AbortController()

test('each option of an agent and of its turn reaches its user: the model, the tools or the delivery', async () => {
  const store = await openStore('memory:')
  onTestFinished(async () => await store.close())
  const requests: ModelRequest[] = []
  const contexts: ToolContext[] = []
  const moments: TurnEvent[] = []
  const kept: unknown[] = []
  const stop = new AbortController()
  const ends: string[] = []
  const call = (id: string, name: string) => ({ id, name, arguments: {} })
  const script = createScriptedModel([
    { text: '', calls: [call('1', 'read'), call('2', 'wait')] },
    { text: '', calls: [call('3', 'read')] },
  ])
  const page = 'A line of the page. '.repeat(20)
  const result: ToolResult = {
    ...createSuccessResult([
      { type: 'resource', resource: { uri: 'file:///w/page.txt', text: page } },
    ]),
  }
  const tool = (name: string, execute: Tool['execute']): Tool => ({
    name,
    inputSchema: { type: 'object' },
    execute,
  })
  const agent = createAgent({
    model: (request, ending) => {
      requests.push(request)
      return script(request, ending)
    },
    conversation: await openConversation(store, 'c'),
    root: '/w',
    settings: { instructions: 'Be brief.', maxOutputTokens: 12 },
    format: { resourceHeader: 'name' },
    delivery: { perResult: 600 },
    tools: () => [
      {
        tool: tool('read', async ({ id }, context) => {
          contexts.push(context)
          context.onProgress?.({ progress: 1 })
          const about = { call: id, stream: 'stdout' } as const
          kept.push(await context.keepBytes?.(new Uint8Array([1]), about))
          return result
        }),
        policy: 'unattended',
        deduplicate: false,
      },
      {
        tool: tool('wait', async (_call, context) => {
          stop.abort()
          if (!context.signal.aborted) await once(context.signal, 'abort')
          return createSuccessResult([{ type: 'text', text: page.repeat(10) }])
        }),
        policy: 'unattended',
      },
    ],
  })
  const end = await agent.runTurn(GO, {
    signal,
    show: (moment) => void moments.push(moment),
    callCancellation: { begin: () => stop.signal, end: () => void ends.push('calls') },
  })
  await agent.close()
  expect(end).toBe('completed')
  expect(ends).toEqual(['calls', 'calls'])
  expect(requests).toHaveLength(3)
  for (const request of requests)
    expect(request).toMatchObject({ instructions: 'Be brief.', maxOutputTokens: 12 })
  expect(contexts).toMatchObject([
    { root: '/w', conversationId: 'c' },
    { root: '/w', conversationId: 'c' },
  ])
  expect(kept).toMatchObject([{ bytes: 1 }, { bytes: 1 }])
  expect(moments.filter(({ type }) => type === 'progress')).toMatchObject([
    { call: { id: '1' }, progress: { progress: 1 } },
    { call: { id: '3' }, progress: { progress: 1 } },
  ])
  const texts = moments.flatMap((moment) =>
    moment.type === 'result' ? [[moment.call.name, moment.delivered.text] as const] : [],
  )
  expect(texts.map(([name]) => name)).toEqual(['read', 'wait', 'read'])
  // The same page is delivered again, as its tool wants, with a header. The other result is cut.
  for (const [name, text] of texts) {
    expect(text).toContain(name === 'read' ? 'page.txt' : 'read_tool_result')
    expect(text).toContain('A line of the page.')
    expect(text.length).toBeLessThan(1200)
  }
})
