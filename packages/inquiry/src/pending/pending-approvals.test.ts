import { type Approval, createSuccessResult } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import {
  answerElsewhere,
  call,
  list,
  never,
  openPorts,
  openStorage,
  startPerson,
  text,
} from './pending-ports.support.ts'

test.for<[Approval, object]>([
  [{ decision: 'allowed' }, { state: 'answered', settled: { by: 'one', value: true } }],
  [
    { decision: 'allowed', arguments: { path: 'b.txt' } },
    { state: 'answered', settled: { value: true, arguments: { path: 'b.txt' } } },
  ],
  [{ decision: 'denied' }, { state: 'declined', settled: { by: 'one' } }],
  [
    { decision: 'denied', reason: 'mine' },
    { state: 'declined', settled: { reason: 'mine' } },
  ],
  [
    { decision: 'cancelled' },
    { state: 'withdrawn', settled: { reason: 'the approval was cancelled' } },
  ],
  [{ decision: 'expired' }, { state: 'expired' }],
])(
  'the decision %o is stored as %o, and decides about the same call in a turn that continues',
  async ([approval, stored]) => {
    const pending = await openStorage()
    const seen: unknown[] = []
    const formatted = createSuccessResult([text('deletes a.txt')])
    const ports = openPorts(pending, {
      people: {
        approve: async (...args) => {
          seen.push(args)
          return approval
        },
      },
    })
    const material = { formatted, signal: never }
    expect(await ports.approve(call, material)).toEqual(approval)
    expect(seen).toEqual([[call, { formatted, signal: expect.any(AbortSignal) }]])
    const earlier = await list(pending)
    expect(earlier).toMatchObject([
      {
        ...stored,
        kind: 'approval',
        call,
        request: { text: 'Run delete?' },
        blocks: [text('deletes a.txt')],
        isRepeatable: true,
        isLocal: false,
      },
    ])
    const later = openPorts(pending, { earlier })
    expect(await later.approve(call, { signal: never })).toEqual(approval)
    expect(later.opened).toEqual([])
  },
)

test('an approval names the server of the tool and the client that called it', async () => {
  const pending = await openStorage()
  const client = { name: 'editor', version: '2.1' }
  const ports = openPorts(pending, {
    client,
    people: { approve: async () => ({ decision: 'allowed' }) },
  })
  await ports.approve(call, { signal: never, entry: { server: 'harbor' } })
  expect(await list(pending)).toMatchObject([{ kind: 'approval', server: 'harbor', client }])
})

test('an approval from before does not count for another definition of the tool', async () => {
  const pending = await openStorage()
  const first = openPorts(pending, { people: { approve: async () => ({ decision: 'allowed' }) } })
  await first.approve(call, { signal: never })
  const later = openPorts(pending, {
    earlier: await list(pending),
    getDefinition: () => 'other',
    people: { approve: async () => ({ decision: 'denied' }) },
  })
  expect(await later.approve(call, { signal: never })).toEqual({ decision: 'denied' })
})

test('a decision elsewhere closes the prompt here', async () => {
  const pending = await openStorage()
  const person = startPerson<Approval>()
  const ports = openPorts(pending, { people: { approve: person.user } })
  const deciding = ports.approve(call, { signal: never })
  const signal = await person.asked
  await answerElsewhere(pending, ports.opened[0]!)
  if (!signal.aborted) await new Promise((done) => signal.addEventListener('abort', done))
  person.answer({ decision: 'cancelled' })
  expect(await deciding).toEqual({ decision: 'allowed' })
})
