import type { ToolResult } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { createClientSessions } from './client-sessions.ts'
import { createKeptCalls, type KeptCall, type KeptCalls } from './kept-call.ts'

const ANN = { identity: 'ann', info: { name: 'host' } }

function add(calls: KeptCalls, id: string, key = 'write'): void {
  const call = { id, name: 'write', arguments: {} }
  const kept: Partial<KeptCall> = { call, key, startedAt: new Date() }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the fields that are searched
  calls.add(kept as KeptCall)
}

/** A session with one call, and whether it is connected. */
function open(
  sessions: ReturnType<typeof createClientSessions>,
  id: string,
  client: Parameters<typeof sessions.join>[0] = ANN,
) {
  const state = { isConnected: true }
  const own = createKeptCalls()
  add(own, id)
  const joined = sessions.join({ ...client, isConnected: () => state.isConnected }, own)
  return { ...joined, state, own }
}

test('a call of a session belongs to the other sessions of its client only while it has no connection', () => {
  const sessions = createClientSessions()
  const first = open(sessions, 'a')
  const second = sessions.join(ANN, createKeptCalls()).calls
  expect([second.findLeft('write'), second.findById('a')]).toEqual([undefined, undefined])
  first.state.isConnected = false
  expect([second.findLeft('write')?.call.id, second.findById('a')?.call.id]).toEqual(['a', 'a'])
  expect(second.all()).toEqual([])
  first.leave()
  expect(second.findLeft('write')).toBe(undefined)
})

test('own calls come first', () => {
  const sessions = createClientSessions()
  open(sessions, 'a').state.isConnected = false
  expect(open(sessions, 'b').calls.findLeft('write')?.call.id).toBe('b')
})

test.for([
  { ...ANN, identity: 'bob' },
  { ...ANN, info: { name: 'other' } },
  { ...ANN, identified: { id: 'ann', name: 'ann', scopes: [], groups: ['crew'] } },
])('another client never gets them: %j', (client) => {
  const sessions = createClientSessions()
  open(sessions, 'a').state.isConnected = false
  const { calls } = sessions.join(client, createKeptCalls())
  expect([calls.findLeft('write'), calls.findById('a')]).toEqual([undefined, undefined])
})

test('of a client that does not say whether it is connected, nothing is taken', () => {
  const sessions = createClientSessions()
  const own = createKeptCalls()
  add(own, 'a')
  sessions.join(ANN, own)
  expect(sessions.join(ANN, createKeptCalls()).calls.findLeft('write')).toBe(undefined)
})

test('a call that a newer session has taken outlives its own session, but not the service', async () => {
  const sessions = createClientSessions()
  const first = open(sessions, 'a')
  const ended: string[] = []
  const wait = async (name: string): Promise<void> => {
    await first.calls.waitForTaken(first.own.all())
    ended.push(name)
  }
  await wait('nobody has taken it')
  first.state.isConnected = false
  const taken = sessions.join(ANN, createKeptCalls()).calls.findLeft('write')
  const { promise, resolve } = Promise.withResolvers<ToolResult>()
  if (taken) taken.result = promise
  const waiting = [wait('its result'), wait('the service')]
  await new Promise(setImmediate)
  expect(ended).toEqual(['nobody has taken it'])
  resolve({ content: [], isError: false })
  await waiting[0]
  sessions.close()
  await Promise.all(waiting)
  if (taken) taken.result = Promise.withResolvers<ToolResult>().promise
  await wait('after the end')
  expect(ended).toHaveLength(4)
})
