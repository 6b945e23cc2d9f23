import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CallState, createStateSealer, type StateOwner } from './sealed-state.ts'

const owner: StateOwner = {
  operation: 'tools/call',
  name: 'deploy',
  arguments: { to: 'prod', force: true },
  caller: 'ann',
}
const state: CallState = {
  callId: 'call-1',
  round: 2,
  answers: [{ question: 'digest', response: { action: 'accept', content: { value: 's3cret' } } }],
  asked: [{ key: 'sure', question: 'other digest' }],
}

test('a state is opened by its owner, with the arguments in any order, and is unreadable to others', async () => {
  const { seal, open } = createStateSealer()
  const sealed = seal(state, owner)
  expect(await open(sealed, { ...owner, arguments: { force: true, to: 'prod' } })).toEqual({
    ok: true,
    state,
  })
  expect(Buffer.from(sealed, 'base64url').includes('s3cret')).toBe(false)
  expect(seal(state, owner)).not.toBe(sealed)
})

describe('a state is refused', () => {
  test.for<[string, Partial<StateOwner>]>([
    ['arguments', { arguments: { to: 'test', force: true } }],
    ['tool', { name: 'destroy' }],
    ['client', { caller: 'bob' }],
    ['operation', { operation: 'resources/read' }],
  ])('for another %s', async ([, other]) => {
    const { seal, open } = createStateSealer()
    expect(await open(seal(state, owner), { ...owner, ...other })).toEqual({
      ok: false,
      message: expect.stringContaining('for other arguments, another tool or another client'),
    })
  })

  test('when it has expired', async () => {
    let now = 0
    const { seal, open } = createStateSealer({ lifetimeMs: 1000, now: () => now })
    const sealed = seal(state, owner)
    now = 1000
    expect((await open(sealed, owner)).ok).toBe(true)
    now = 1001
    expect(await open(sealed, owner)).toEqual({
      ok: false,
      message: 'The "requestState" has expired. Make the call again without it.',
    })
  })

  test('when it was opened before, even if the clock was set forward and back since', async () => {
    let now = 0
    const { seal, open } = createStateSealer({ lifetimeMs: 1000, now: () => now })
    const sealed = seal(state, owner)
    expect((await open(sealed, owner)).ok).toBe(true)
    now = 5000
    // Opening a state forgets those that have expired.
    const later = seal(state, owner)
    expect((await open(later, owner)).ok).toBe(true)
    now = 0
    expect((await open(sealed, owner)).ok).toBe(false)
    expect((await open(seal(state, owner), owner)).ok).toBe(true)
  })

  test('when it was opened before; a state that was refused to another can still be used', async () => {
    const { seal, open } = createStateSealer()
    const sealed = seal(state, owner)
    expect((await open(sealed, { ...owner, caller: 'bob' })).ok).toBe(false)
    expect((await open(sealed, owner)).ok).toBe(true)
    const again = {
      ok: false,
      message: 'The "requestState" was already used. Make the call again without it.',
    }
    expect(await open(sealed, owner)).toEqual(again)
    // The same bytes in another encoding.
    expect(await open(`${sealed}=`, owner)).toEqual(again)
    expect(await open(Buffer.from(sealed, 'base64url').toString('base64'), owner)).toEqual(again)
  })

  test('when another key sealed it; with the same key another process opens it', async () => {
    const sealed = createStateSealer().seal(state, owner)
    expect((await createStateSealer().open(sealed, owner)).ok).toBe(false)
    const key = randomBytes(32)
    const other = createStateSealer({ key }).seal(state, owner)
    expect((await createStateSealer({ key }).open(other, owner)).ok).toBe(true)
  })

  test('when any bit of it was changed, or it is anything else', async () => {
    const { seal, open } = createStateSealer()
    const sealed = Buffer.from(seal(state, owner), 'base64url')
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: sealed.length * 8 - 1 }), async (bit) => {
        const changed = Buffer.from(sealed)
        changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
        expect(await open(changed.toString('base64url'), owner)).toMatchObject({
          ok: false,
          message: expect.stringContaining('was changed'),
        })
      }),
    )
    await fc.assert(fc.asyncProperty(fc.string(), async (text) => !(await open(text, owner)).ok))
  })

  test('when another process with the same key and the same record has opened it', async () => {
    const used = new Map<string, number>()
    const key = randomBytes(32)
    const spend = async (id: string, expires: number): Promise<boolean> =>
      !used.has(id) && used.set(id, expires) === used
    const shared = { key, spend, lifetimeMs: 1000, now: () => 5 }
    const sealed = createStateSealer(shared).seal(state, owner)
    const both = [createStateSealer(shared), createStateSealer(shared)].map(
      async ({ open }) => await open(sealed, owner),
    )
    expect((await Promise.all(both)).map(({ ok }) => ok)).toEqual([true, false])
    expect([...used.values()]).toEqual([1005])
    expect([...used.keys()].join()).not.toContain('call-1')
  })

  test('with an error that says so, when it cannot be recorded that it is used', async () => {
    let isBroken = true
    const { seal, open } = createStateSealer({
      spend: async () => {
        if (isBroken) throw new Error('the disk is full')
        return true
      },
    })
    const sealed = seal(state, owner)
    await expect(open(sealed, owner)).rejects.toMatchObject({
      name: 'RpcError',
      code: -32_603,
      message: expect.stringContaining(
        'could not be recorded that its "requestState" is used: the disk is full',
      ),
    })
    isBroken = false
    expect((await open(sealed, owner)).ok).toBe(true)
  })

  test('which is not recorded as used, for another owner or after its time', async () => {
    const spend = async (): Promise<boolean> => {
      throw new Error('it was recorded')
    }
    let now = 0
    const { seal, open } = createStateSealer({ spend, lifetimeMs: 1000, now: () => now })
    const sealed = seal(state, owner)
    expect((await open(sealed, { ...owner, caller: 'bob' })).ok).toBe(false)
    now = 1001
    expect((await open(sealed, owner)).ok).toBe(false)
  })
})
