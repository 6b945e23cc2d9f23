import { openStore } from '@toolblocks/conversation-store'
import { createSuccessResult, type Tool } from '@toolblocks/protocol'
import { PORT_GRACE_MS } from '@toolblocks/protocol/internal'
import { createToolExecutor, decideByRules } from '@toolblocks/tool-executor'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createAgent } from './create-agent.ts'
import { measureWaits } from './measure-waits.ts'
import { openConversation } from './open-conversation.ts'
import type { TurnEvent } from './run-turn.ts'
import { createScriptedModel } from './scripted-model.ts'

const { signal } = new AbortController()
const go = [{ type: 'text', text: 'Go.' }] as const

function calls(...names: readonly string[]) {
  return { text: '', calls: names.map((name) => ({ id: `of ${name}`, name, arguments: {} })) }
}

const tool = (name: string): Tool => ({
  name,
  inputSchema: { type: 'object' },
  execute: async () => createSuccessResult([{ type: 'text', text: `${name} ran` }]),
})

test('each decision about a call is recorded with its author before the call runs, and the host receives the origin of the call', async () => {
  const store = await openStore('memory:')
  onTestFinished(async () => await store.close())
  const conversation = await openConversation(store, 'c')
  const origins: unknown[] = []
  const agent = createAgent({
    model: createScriptedModel([calls('free', 'asked', 'refused', 'never')]),
    conversation,
    root: '/',
    tools: () => ['free', 'asked', 'refused', 'never'].map((name) => ({ tool: tool(name) })),
    people: {
      decide: decideByRules(['allow free', 'deny never']),
      approve: async ({ name }, { conversation: id, agents }) => {
        origins.push([name, id, agents])
        return name === 'asked'
          ? { decision: 'allowed' }
          : { decision: 'denied', reason: 'not here', by: 'rule' }
      },
    },
  })
  expect(await agent.runTurn(go, { signal })).toBe('completed')
  await agent.close()
  expect(origins).toEqual([
    ['asked', 'c', []],
    ['refused', 'c', []],
  ])
  const events = conversation.events().map(({ event }) => event)
  const decided = events.filter(({ type }) => type === 'approval')
  const byRule = (rule: string) => ({
    callId: `of ${rule}`,
    by: 'rule',
    rule,
    source: 'application',
  })
  expect(decided).toMatchObject([
    { ...byRule('free'), decision: 'allowed' },
    { ...byRule('never'), decision: 'denied' },
    { callId: 'of asked', decision: 'allowed', by: 'user' },
    { callId: 'of refused', decision: 'denied', by: 'rule', reason: 'not here' },
  ])
})

test.for([undefined, {}])(
  'a person who ignores the end of a turn does not block the questions of the next one (waiting: %s)',
  async (waiting) => {
    const store = await openStore('memory:')
    onTestFinished(async () => await store.close())
    const asked: string[] = []
    const stop = new AbortController()
    const agent = createAgent({
      model: createScriptedModel([calls('first'), calls('second'), { text: 'Done.', calls: [] }]),
      conversation: await openConversation(store, 'c'),
      root: '/',
      tools: () => ['first', 'second'].map((name) => ({ tool: tool(name) })),
      ...(waiting && { waiting }),
      people: {
        approve: async ({ name }) => {
          asked.push(name)
          if (name === 'first') await new Promise(() => stop.abort())
          return { decision: 'allowed' }
        },
      },
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const turns = (async () => [
      await agent.runTurn(go, { signal: stop.signal }),
      await agent.runTurn(go, { signal }),
    ])()
    await vi.waitFor(() => expect(asked).toEqual(['first']))
    await vi.advanceTimersByTimeAsync(PORT_GRACE_MS)
    expect(await turns).toEqual(['aborted', 'completed'])
    expect(asked).toEqual(['first', 'second'])
    await agent.close()
  },
)

test('without agents and people, a model has the tools and the tool that reads results again, and calls that need approval are denied', async () => {
  const store = await openStore('memory:')
  onTestFinished(async () => await store.close())
  const offered: string[][] = []
  const script = createScriptedModel([calls('asked')])
  const moments: TurnEvent[] = []
  const agent = createAgent({
    model: (request, stop) => {
      offered.push(request.tools.map(({ name }) => name))
      return script(request, stop)
    },
    conversation: await openConversation(store, 'c'),
    root: '/',
    tools: () => [{ tool: tool('asked') }],
  })
  await agent.runTurn(go, { signal, show: (moment) => void moments.push(moment) })
  await agent.close()
  expect(offered).toEqual([
    ['asked', 'read_tool_result'],
    ['asked', 'read_tool_result'],
  ])
  const outcomes = moments.flatMap((moment) =>
    moment.type === 'result' ? [moment.result.metadata?.outcome] : [],
  )
  expect(outcomes).toEqual(['denied'])
})

test('above a number of tools, requests have the tools that the model has found in the conversation, and the tools of the agent itself', async () => {
  const store = await openStore('memory:')
  onTestFinished(async () => await store.close())
  const offered: string[][] = []
  const search = (query: string) => ({
    text: '',
    calls: [{ id: `search ${query}`, name: 'search_tools', arguments: { query } }],
  })
  const script = createScriptedModel([search('sail'), search('anchor'), calls('anchor', 'sail')])
  const agent = createAgent({
    model: (request, stop) => {
      offered.push(request.tools.map(({ name }) => name))
      return script(request, stop)
    },
    conversation: await openConversation(store, 'c'),
    root: '/',
    deferAbove: 2,
    tools: () =>
      ['anchor', 'mast', 'sail'].map((name) => ({ tool: tool(name), policy: 'unattended' })),
  })
  expect(await agent.runTurn(go, { signal })).toBe('completed')
  await agent.close()
  expect(offered).toEqual([
    ['read_tool_result', 'search_tools'],
    ['read_tool_result', 'search_tools', 'sail'],
    ['read_tool_result', 'search_tools', 'sail', 'anchor'],
    ['read_tool_result', 'search_tools', 'sail', 'anchor'],
  ])
})

test('another model is used from the next turn on, and a reopened conversation continues after its last event', async () => {
  const store = await openStore('memory:')
  onTestFinished(async () => await store.close())
  const options = { root: '/', tools: () => [] }
  const first = createAgent({
    ...options,
    model: createScriptedModel([{ text: 'One.', calls: [] }]),
    conversation: await openConversation(store, 'c'),
  })
  await first.runTurn(go, { signal })
  first.setModel({ model: createScriptedModel([{ text: 'Two.', calls: [] }]) })
  await first.runTurn(go, { signal })
  await first.close()
  const roles: unknown[] = []
  const script = createScriptedModel([{ text: 'Three.', calls: [] }])
  const again = createAgent({
    ...options,
    model: (request, stop) => {
      roles.push(request.messages.map(({ role }) => role))
      return script(request, stop)
    },
    conversation: await openConversation(store, 'c'),
  })
  await again.runTurn(go, { signal })
  await again.close()
  expect(roles).toEqual([['user', 'assistant', 'user', 'assistant', 'user']])
})

const context = { signal: new AbortController().signal, root: '/' }

const makeCall = (name: string) => ({ id: `of ${name}`, name, arguments: {} })

test('the time that a person took is known by call, also after two questions; overlapping waits count once', async () => {
  let clock = 0
  const time = measureWaits(() => clock)
  const thinking = (milliseconds: number) => async () => void (clock += milliseconds)
  await time.around({ callId: 'a' }, thinking(70))
  await time.around({ callId: 'a' }, thinking(70))
  await time.around({ callId: 'b' }, async () => {
    await time.around({ callId: 'b' }, thinking(30))
    clock += 10
  })
  expect([time.of('a'), time.of('b'), time.of('c')]).toEqual([140, 40, 0])
})

test('a wait that fails counts, too', async () => {
  let clock = 0
  const time = measureWaits(() => clock)
  const failing = time.around({ callId: 'a' }, async () => {
    clock += 70
    throw new Error('gone')
  })
  await expect(failing).rejects.toThrow('gone')
  expect(time.of('a')).toBe(70)
})

test('the time of a call that waits for the approval or question of another call includes both waits for the person', async () => {
  let clock = 0
  const time = measureWaits(() => clock)
  const waiting = new Set<string>()
  const allWait = Promise.withResolvers<void>()
  const echo: Tool = {
    name: 'echo',
    inputSchema: true,
    execute: async () => createSuccessResult([]),
  }
  const asking: Tool = {
    name: 'asking',
    inputSchema: true,
    execute: async (_call, { answers }) =>
      Object.hasOwn(answers, 'name')
        ? createSuccessResult([])
        : createSuccessResult([
            { type: 'question', question: { id: 'name', text: 'Name?', schema: true } },
          ]),
  }
  const executor = createToolExecutor({
    tools: [
      { tool: echo },
      { tool: { ...echo, name: 'second' } },
      { tool: asking, policy: 'unattended' },
    ],
    wrapWait: async (call, wait) => {
      waiting.add(call.callId)
      if (waiting.size === 3) allWait.resolve()
      return await time.around(call, wait)
    },
    approve: async () => {
      await allWait.promise
      await new Promise(setImmediate)
      clock += 1000
      return { decision: 'allowed' }
    },
  })
  const user = async () => {
    // A person takes longer than it takes to see that the previous question was answered.
    await new Promise(setImmediate)
    clock += 500
    return { action: 'accept' as const, value: 'Ada' }
  }
  const results = await Promise.all(
    ['echo', 'second', 'asking'].map(
      async (name) => await executor.execute(makeCall(name), { ...context, ask: { user } }),
    ),
  )
  await executor.close()
  expect(results.map(({ isError }) => isError)).toEqual([false, false, false])
  expect(['echo', 'second', 'asking'].map((name) => time.of(`of ${name}`))).toEqual([
    1000, 2000, 2500,
  ])
})
