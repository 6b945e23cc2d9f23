import { keepConversation } from './kept-calls/kept-conversation.ts'
import { openStore } from '@toolblocks/conversation-store'
import { createGateway } from '@toolblocks/mcp-bridge/gateway'
import { createSuccessResult } from '@toolblocks/protocol'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  call,
  context,
  createClient,
  createHeldCall,
  createServices,
  entry,
  list,
  session,
  settle,
  stateless,
} from './client-services.support.ts'
import { createService } from './create-service.ts'

describe('servers know of', () => {
  test('a session all that it declares, and how long it waits for them', async () => {
    const { services, asked } = createServices(undefined, { patienceMs: 30 })
    await services.open(session)
    expect(asked).toMatchObject([[session, { patienceMs: 30, wasStarting: false }]])
  })

  const starting = { names: () => ['slow'], wait: async () => undefined }

  test.for([
    ['when they have started', {}],
    ['while they are still starting', { servers: [], starting }],
  ] as const)(
    'a client without a session what its requests declare, over connections for each call, %s',
    async ([, opened]) => {
      const { held, begun, end } = createHeldCall()
      const { services, asked } = createServices(
        (_, count) => ({ ...(count === 1 && { entries: [held] }) }),
        { opened },
      )
      const own = await services.open(stateless)
      const running = call(own, 'first', stateless)
      await begun
      await call(own, 'first', stateless)
      end()
      await running
      const declared = { capabilities: { elicitation: {} } }
      expect(asked.map(([client]) => client)).toEqual([declared, declared])
    },
  )

  test('another client without a session what it declares itself, in a conversation of its own', async () => {
    const { services, asked, conversations } = createServices()
    await services.open(stateless)
    await services.open({ ...stateless, capabilities: {} })
    await services.open({ ...stateless, info: { name: 'other', version: '1' } })
    await services.open({ ...stateless, identity: 'another key' })
    expect(asked.map(([client]) => client.capabilities)).toEqual([
      { elicitation: {} },
      {},
      { elicitation: {} },
      { elicitation: {} },
    ])
    expect(new Set(conversations).size).toBe(4)
  })
})

test.each([
  ['a session', session],
  ['a client without a session', stateless],
])('the record of %s names the client', async (_, client) => {
  const info = { name: 'editor', version: '2' }
  const { services, events } = createServices()
  const own = await services.open({ ...client, info })
  await call(own, 'first', { ...client, info })
  expect(events).toMatchObject([
    { type: 'configuration', values: { command: 'serve', client: info } },
    { type: 'turn_start' },
    { type: 'tool_call' },
    { type: 'tool_result' },
  ])
})

test('parallel calls of a client are one turn of its conversation, over all its connections', async () => {
  const { held, begun, end } = createHeldCall()
  const { services, events } = createServices((_, count) => ({
    ...(count === 1 && { entries: [held] }),
  }))
  const own = await services.open(stateless)
  const running = call(own, 'first', stateless)
  await begun
  await call(own, 'first', stateless)
  end()
  await running
  expect(events.map(({ type }) => type)).toEqual([
    'configuration',
    'turn_start',
    'tool_call',
    'tool_call',
    'tool_result',
    'tool_result',
  ])
})

test.for([
  ['a session', session, undefined],
  ['a client that other processes know', stateless, new Uint8Array(32).fill(1)],
] as const)(
  '%s reads the rest of a cut result by the name that it was told',
  async ([, client, stateKey]) => {
    const store = await openStore('memory:')
    onTestFinished(async () => await store.close())
    const lines = Array.from({ length: 500 }, (_, index) => `line ${index}`)
    const long = entry('long', async () =>
      createSuccessResult([{ type: 'text', text: lines.join('\n') }]),
    )
    const { services, conversations } = createServices(() => ({ entries: [long] }), {
      store,
      maxResult: 600,
      stateKey,
    })
    const own = await services.open(client)
    const named = stateKey ? `${conversations[0]}/long` : 'long'
    const cut = JSON.stringify(await call(own, 'long', client))
    expect(cut).toContain(`${named}\\"`)
    expect(cut).not.toContain('line 250')
    const callArguments = { call: named, containing: 'line 250' }
    const reading = { id: 'r', name: 'read_tool_result', arguments: callArguments }
    const read = await own.callTool(reading, context, client)
    expect(JSON.stringify(read.content)).toContain('line 250')
  },
)

test('processes with the same key recognize the conversations of a client, and no others', async () => {
  const stateKey = new Uint8Array(32).fill(1)
  const getOwner = (id = ''): string => id.split('-')[0] ?? ''
  const [one, two, other] = await Promise.all(
    [stateKey, stateKey, stateKey.slice().fill(2)].map(async (key) => {
      const { services, conversations } = createServices(undefined, { stateKey: key })
      await services.open(stateless)
      await services.open({ ...stateless, identity: 'another key' })
      return conversations
    }),
  )
  expect(getOwner(one?.[0])).toBe(getOwner(two?.[0]))
  expect(one?.[0]).not.toBe(two?.[0])
  expect(getOwner(one?.[0])).not.toBe(getOwner(other?.[0]))
  expect(getOwner(one?.[0])).not.toBe(getOwner(one?.[1]))
})

test('the service offers to others what a client’s server has changed', async () => {
  const offered: string[][] = []
  let change = (): void => undefined
  const { services } = createServices(
    ({ onChange }) => {
      change = onChange
      return { renew: async () => [entry('changed')] }
    },
    { onEntries: (entries) => void offered.push(entries.map(({ tool }) => tool.name)) },
  )
  const own = await services.open(session)
  change()
  await settle(3)
  expect([list(own), offered]).toEqual([['changed'], [['changed']]])
})

test('a client reads a link over whichever of its connections has returned it', async () => {
  const { held, begun, end } = createHeldCall()
  const { services } = createServices((_, count) => {
    const server = {
      capabilities: { resources: {} },
      hasLinked: (uri: string) => uri === `note:${count}`,
      readResource: async (uri: string) => createSuccessResult([{ type: 'text', text: uri }]),
    }
    return {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- links are read by these members only
      servers: [server] as never,
      ...(count === 1 && { entries: [held] }),
    }
  })
  const own = await services.open(stateless)
  const running = call(own, 'first', stateless)
  await begun
  await call(own, 'first', stateless)
  end()
  await running
  const read = async (uri: string): Promise<unknown> =>
    (await own.readResource?.(uri, context.signal))?.content
  expect(await read('note:1')).toMatchObject([{ text: 'note:1' }])
  expect(await read('note:2')).toMatchObject([{ text: 'note:2' }])
  expect(await read('note:3')).toMatchObject([{ text: 'No tool has returned a link to "note:3".' }])
})

describe('over standard streams', () => {
  /** The services of the only client, and the number of calls that its first connections have run. */
  function createForOnly() {
    let called = 0
    const record = { record: async () => undefined, close: async () => undefined }
    const first = entry('first', async () => {
      called += 1
      return createSuccessResult([])
    })
    const created = createService([first], {
      version: '1',
      root: '/',
      servers: [],
      approval: 'client',
      record,
    })
    onTestFinished(async () => await created.close())
    const turns = { last: 0, running: 0 }
    const { capabilities } = stateless
    const kept = keepConversation('own', undefined)
    const only = { created, capabilities, id: 'own', record, turns, kept, isShared: false }
    return { ...createServices(undefined, { only }), countCalled: () => called }
  }

  test('a client without a session uses the open connections as long as they know the same of it', async () => {
    const { services, asked, countCalled } = createForOnly()
    await call(await services.open(stateless), 'first', stateless)
    expect([asked.length, countCalled()]).toEqual([0, 1])
    await call(await services.open({ ...stateless, capabilities: {} }), 'first', stateless)
    expect([asked.length, countCalled()]).toEqual([1, 1])
    expect(asked[0]?.[0]).toEqual({ capabilities: {} })
  })

  test('a session uses them, and its end does not close them', async () => {
    const { services, asked, countCalled } = createForOnly()
    const own = await services.open(createClient('2025-11-25'))
    await own.close()
    await call(await services.open(createClient('2025-11-25')), 'first')
    expect([asked.length, countCalled()]).toEqual([0, 1])
  })
})

test('a client asks for what its servers offer besides tools', async () => {
  const features = {
    capabilities: () => ({ prompts: {} }),
    answer: async () => ({ prompts: [{ name: 'review' }] }),
    watch: () => () => undefined,
  }
  const { services } = createServices(() => ({
    gateway: { ...createGateway({ capabilities: {} }), features },
  }))
  const request = { method: 'prompts/list', params: {}, signal: context.signal }
  for (const client of [session, stateless]) {
    const own = await services.open(client)
    expect(own.features?.capabilities()).toEqual({ prompts: {} })
    expect(await own.features?.answer(request, client)).toEqual({ prompts: [{ name: 'review' }] })
  }
})

test('a client may read links of servers that are still starting', async () => {
  const starting = { names: () => ['slow'], wait: async () => undefined }
  const { services } = createServices((_, count) => (count === 1 ? { starting } : {}))
  expect(await services.open(session)).toHaveProperty('readResource')
  expect(await services.open(session)).not.toHaveProperty('readResource')
})
