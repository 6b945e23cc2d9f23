import { expect, test } from 'vitest'
import type { ServedClient } from '../server/served-features.ts'
import { createGateway, type Gateway } from './create-gateway.ts'
import { shareConnection } from './share-connection.ts'

const never = new AbortController().signal
const context = { signal: never, root: '/' }
const called = (id: string) => ({ id, name: 't', arguments: {} })

const createClient = (id: string, capabilities: object): ServedClient => ({
  id,
  protocolVersion: '2025-11-25',
  capabilities: { ...capabilities },
  identity: '',
  request: async () => ({ kind: 'result', result: { from: id } }),
  notify: () => undefined,
})

/** A client with a running call that has the same name, and what it hears. */
function join(
  shared: ReturnType<typeof shareConnection>,
  id: string,
  capabilities: object,
): { gateway: Gateway; heard: string[]; end: () => Promise<void>; leave: () => void } {
  const client = createClient(id, capabilities)
  const gateway = createGateway(client)
  const heard: string[] = []
  gateway.features.watch((method) => heard.push(method), client)
  const { promise: over, resolve } = Promise.withResolvers<void>()
  const running = gateway.during(async () => {
    await over
    return { content: [], isError: false }
  })(called(id), context, client)
  const leave = shared.join(gateway)
  const end = async (): Promise<void> => {
    resolve()
    await running
  }
  return { gateway, heard, end, leave }
}

test('the client of a call answers what its server asks in the result of the call, if it has declared it', async () => {
  const shared = shareConnection('s')
  const { createMessage, listRoots } = shared.hooks
  const [one, two] = [join(shared, 'one', { sampling: {} }), join(shared, 'two', { sampling: {} })]
  expect(await createMessage?.({}, never, called('one'))).toEqual({ from: 'one' })
  expect(await createMessage?.({}, never, called('two'))).toEqual({ from: 'two' })
  await expect(listRoots?.({}, never, called('one'))).rejects.toThrow('does not support roots/list')
  await one.end()
  await expect(createMessage?.({}, never, called('one'))).rejects.toThrow('Several clients share')
  await two.end()
})

test('the answers of its clients to forms are sent as they are', () => {
  expect(shareConnection('s').hooks.areDefaultsShown).toBe(true)
})

test('a request that names no call reaches no client, also if there is only one', async () => {
  const shared = shareConnection('s')
  const one = join(shared, 'one', { sampling: {} })
  await expect(shared.hooks.createMessage?.({}, never)).rejects.toThrow('Several clients share')
  await one.end()
})

test('log messages reach nobody, and other messages every client that has not left', () => {
  const shared = shareConnection('s')
  const [one, two] = [join(shared, 'one', {}), join(shared, 'two', {})]
  shared.hooks.onNotification?.('notifications/message', { level: 'info', data: 'private' })
  shared.hooks.onNotification?.('notifications/prompts/list_changed', {})
  two.leave()
  shared.hooks.onNotification?.('notifications/prompts/list_changed', {})
  expect(one.heard).toEqual(Array(2).fill('notifications/prompts/list_changed'))
  expect(two.heard).toHaveLength(1)
})
