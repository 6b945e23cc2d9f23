/* oxlint-disable unicorn/prefer-add-event-listener -- the SDK knows callbacks only */
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { expect, test } from 'vitest'
import { end, type Ending } from '../connection/ending.ts'
import { createOwnRequests } from './own-requests.ts'

test('an end before the answer is told to the server, one after it is not', async () => {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const heard: unknown[] = []
  theirs.onmessage = (message) => void heard.push('method' in message && message.method)
  const requests = createOwnRequests()
  const ending: Ending = {
    hasEnded: false,
    reason: undefined,
    listeners: new Set(),
    controller: undefined,
  }
  const [answered, open] = [1, 2].map((n) =>
    requests.send(ours, { method: `m${n}`, params: {} }, ending),
  )
  requests.settle({ kind: 'response', id: 1_000_001, result: 'r' }, undefined)
  end(ending, 'why')
  expect(await Promise.all([answered, open])).toEqual([
    { kind: 'result', result: 'r' },
    { kind: 'aborted' },
  ])
  expect(heard).toEqual(['m1', 'm2', 'notifications/cancelled'])
})
