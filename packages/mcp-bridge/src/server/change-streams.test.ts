import { getEventListeners } from 'node:events'
import type { JsonObject } from '@toolblocks/protocol'
import { describe, expect, onTestFinished, test } from 'vitest'
import { META } from '../wire/request-meta.ts'
import { createChangeStreams } from './change-streams.ts'
import type { ServedClient, ServedFeatures } from './served-features.ts'
import { createFollowedCalls } from './tasks-extension.ts'

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged'
const UPDATED = 'notifications/resources/updated'
const ALL = {
  toolsListChanged: true,
  promptsListChanged: true,
  resourceSubscriptions: ['note:a', 'note:refused'],
}

const client: ServedClient = {
  id: 'c',
  protocolVersion: '2026-07-28',
  capabilities: {},
  identity: '',
  request: async () => ({ kind: 'aborted' }),
  notify: () => undefined,
}

/** The streams of a service that takes time to subscribe and refuses one resource. `sent`: what happened, in order. */
function createStreams() {
  const sent: string[] = []
  const listeners = new Set<() => void>()
  const watchers = new Set<Parameters<ServedFeatures['watch']>[0]>()
  const watch = <Listener>(all: Set<Listener>, listener: Listener): (() => void) => {
    all.add(listener)
    return () => void all.delete(listener)
  }
  const streams = createChangeStreams(
    {
      name: 's',
      version: '1',
      root: '/',
      definitions: () => [],
      callTool: async () => ({ content: [], isError: false }),
      onDefinitionsChanged: (changed) => watch(listeners, changed),
      features: {
        capabilities: () => ({ prompts: { listChanged: true }, resources: { subscribe: true } }),
        answer: async ({ method, params: { uri } }) => {
          await new Promise(setImmediate)
          sent.push(`${method} ${String(uri)}`)
          if (uri === 'note:refused') throw new Error('no')
          return {}
        },
        watch: (listener) => watch(watchers, listener),
      },
    },
    createFollowedCalls(),
  )
  const listen = async (
    signal: AbortSignal,
    notify: (method: string, params: JsonObject) => Promise<void> = async (method, params) =>
      void sent.push(`${method} ${JSON.stringify(params['uri'])}`),
  ): Promise<JsonObject> => {
    const request = { id: 7, method: '', params: { notifications: ALL }, signal }
    return await streams.listen(request, { client, notify })
  }
  const change = (): void => {
    for (const changed of listeners) changed()
    for (const each of watchers) for (const uri of ALL.resourceSubscriptions) each(UPDATED, { uri })
  }
  return { streams, listen, sent, change, count: () => listeners.size + watchers.size }
}

async function waitUntil(is: () => boolean): Promise<void> {
  while (!is()) await new Promise(setImmediate)
}

describe('a stream for changes', () => {
  test('is acknowledged after its subscriptions, and announces only what was accepted', async () => {
    const { streams, listen, sent, change, count } = createStreams()
    const open = listen(new AbortController().signal)
    await waitUntil(() => count() === 2)
    change()
    await streams.close()
    await open
    await waitUntil(() => sent.length >= 6)
    expect(sent).toEqual([
      'resources/subscribe note:a',
      'resources/subscribe note:refused',
      `${ACKNOWLEDGED} undefined`,
      'notifications/tools/list_changed undefined',
      `${UPDATED} "note:a"`,
      'resources/unsubscribe note:a',
    ])
  })

  test.for([
    ['its client ends it', 'client'],
    ['the service ends', 'service'],
    ['its client has ended it while it was acknowledged', 'early'],
  ] as const)(
    'leaves nothing behind when %s, and its result is written before the service has ended',
    async ([, who]) => {
      const { streams, listen, sent, change, count } = createStreams()
      const ending = new AbortController()
      let result: JsonObject | undefined
      const open = listen(ending.signal, async (method) => {
        if (method === ACKNOWLEDGED && who === 'early') ending.abort()
        sent.push(method)
      }).then((outcome) => (result = outcome))
      if (who !== 'early') await waitUntil(() => count() === 2)
      expect(getEventListeners(ending.signal, 'abort')).toHaveLength(who === 'early' ? 0 : 1)
      if (who === 'client') ending.abort()
      if (who === 'service') await streams.close()
      if (who !== 'service') await open
      expect(result).toEqual({ _meta: { [`${META}/subscriptionId`]: 7 } })
      expect(getEventListeners(ending.signal, 'abort')).toHaveLength(0)
      expect(count()).toBe(0)
      sent.length = 0
      change()
      await waitUntil(() => sent.length > 0)
      expect(sent).toEqual(['resources/unsubscribe note:a'])
    },
  )

  test('whose client is gone before it is acknowledged ends, and its subscriptions too', async () => {
    const { listen, sent, count } = createStreams()
    const gone = async (): Promise<void> => await Promise.reject(new Error('gone'))
    await expect(listen(new AbortController().signal, gone)).rejects.toThrow('gone')
    await waitUntil(() => sent.length >= 3)
    expect(sent.at(-1)).toBe('resources/unsubscribe note:a')
    expect(count()).toBe(0)
  })

  test('whose client is gone when something changes causes no unhandled rejection', async () => {
    const unhandled: unknown[] = []
    const note = (error: unknown): void => void unhandled.push(error)
    process.on('unhandledRejection', note)
    onTestFinished(() => void process.off('unhandledRejection', note))
    const { streams, listen, change, count } = createStreams()
    const open = listen(new AbortController().signal, async (method) => {
      if (method !== ACKNOWLEDGED) throw new Error('gone')
    })
    await waitUntil(() => count() === 2)
    change()
    await streams.close()
    await open
    expect(unhandled).toEqual([])
  })

  test('that has ended makes room for another one, whatever its end was', async () => {
    const { listen } = createStreams()
    const gone = async (): Promise<void> => await Promise.reject(new Error('gone'))
    for (let count = 0; count < 1025; count += 128)
      await Promise.allSettled(
        Array.from({ length: 128 }, async () => await listen(AbortSignal.abort(), gone)),
      )
    await expect(listen(AbortSignal.abort())).resolves.toBeDefined()
  })
})
