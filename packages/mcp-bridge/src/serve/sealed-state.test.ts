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
  asked: { key: 'sure', question: 'other digest' },
}

test('a state is opened by its owner, with the arguments in any order, and is unreadable to others', () => {
  const { seal, open } = createStateSealer()
  const sealed = seal(state, owner)
  expect(open(sealed, { ...owner, arguments: { force: true, to: 'prod' } })).toEqual({
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
  ])('for another %s', ([, other]) => {
    const { seal, open } = createStateSealer()
    expect(open(seal(state, owner), { ...owner, ...other })).toEqual({
      ok: false,
      message: expect.stringContaining('for other arguments, another tool or another client'),
    })
  })

  test('when it has expired', () => {
    let now = 0
    const { seal, open } = createStateSealer({ lifetimeMs: 1000, now: () => now })
    const sealed = seal(state, owner)
    now = 1000
    expect(open(sealed, owner).ok).toBe(true)
    now = 1001
    expect(open(sealed, owner)).toEqual({
      ok: false,
      message: 'The "requestState" has expired. Make the call again without it.',
    })
  })

  test('when it was opened before, even if the clock was set forward and back since', () => {
    let now = 0
    const { seal, open } = createStateSealer({ lifetimeMs: 1000, now: () => now })
    const sealed = seal(state, owner)
    expect(open(sealed, owner).ok).toBe(true)
    now = 5000
    // Opening a state forgets those that have expired.
    const later = seal(state, owner)
    expect(open(later, owner).ok).toBe(true)
    now = 0
    expect(open(sealed, owner).ok).toBe(false)
    expect(open(seal(state, owner), owner).ok).toBe(true)
  })

  test('when it was opened before; a state that was refused to another can still be used', () => {
    const { seal, open } = createStateSealer()
    const sealed = seal(state, owner)
    expect(open(sealed, { ...owner, caller: 'bob' }).ok).toBe(false)
    expect(open(sealed, owner).ok).toBe(true)
    const again = {
      ok: false,
      message: 'The "requestState" was already used. Make the call again without it.',
    }
    expect(open(sealed, owner)).toEqual(again)
    // The same bytes in another encoding.
    expect(open(`${sealed}=`, owner)).toEqual(again)
    expect(open(Buffer.from(sealed, 'base64url').toString('base64'), owner)).toEqual(again)
  })

  test('when another key sealed it; with the same key another process opens it', () => {
    const sealed = createStateSealer().seal(state, owner)
    expect(createStateSealer().open(sealed, owner).ok).toBe(false)
    const key = randomBytes(32)
    const other = createStateSealer({ key }).seal(state, owner)
    expect(createStateSealer({ key }).open(other, owner).ok).toBe(true)
  })

  test('when any bit of it was changed, or it is anything else', () => {
    const { seal, open } = createStateSealer()
    const sealed = Buffer.from(seal(state, owner), 'base64url')
    fc.assert(
      fc.property(fc.nat({ max: sealed.length * 8 - 1 }), (bit) => {
        const changed = Buffer.from(sealed)
        changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
        expect(open(changed.toString('base64url'), owner)).toMatchObject({
          ok: false,
          message: expect.stringContaining('was changed'),
        })
      }),
    )
    fc.assert(fc.property(fc.string(), (text) => !open(text, owner).ok))
  })
})
