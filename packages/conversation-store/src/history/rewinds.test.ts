import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRewinds } from './rewinds.ts'

type Added = { seq: number; event: { type: string; to?: number } }

/** Each event, and `to` for a rewind, from one list of choices. */
const conversations = fc
  .array(fc.option(fc.nat(20), { nil: undefined }), { maxLength: 20 })
  .map((choices): readonly Added[] =>
    choices.map((to, index) => ({
      seq: index + 1,
      event: to === undefined ? { type: 'other' } : { type: 'rewind', to: Math.min(to, index) },
    })),
  )

/** What counts after the events up to a number, by the description alone. */
function keptAfter(added: readonly Added[], seq: number): readonly number[] {
  const last = added[seq - 1]
  if (!last) return []
  const { to } = last.event
  return to === undefined ? [...keptAfter(added, seq - 1), seq] : keptAfter(added, to)
}

test('law: after a rewind, what counts is what counted after the named event, and each undone event names the first rewind over it', () => {
  fc.assert(
    fc.property(conversations, (added) => {
      const rewinds = createRewinds()
      for (const one of added) {
        rewinds.add(one)
        if (one.seq % 3 === 0) rewinds.kept()
      }
      const kept = keptAfter(added, added.length)
      expect([...rewinds.kept()].toSorted((a, b) => a - b)).toEqual(kept)
      expect(rewinds.last()).toBe(kept.at(-1) ?? 0)
      for (const { seq } of added.filter(({ event }) => event.type === 'other')) {
        const over = added.find((one) => one.seq > seq && (one.event.to ?? seq) < seq)
        expect(rewinds.undoneBy(seq)).toBe(kept.includes(seq) ? undefined : over?.seq)
      }
    }),
    { numRuns: 500 },
  )
})

test('a hundred thousand branches take linear work', () => {
  const rewinds = createRewinds()
  const branches = 100_000
  for (let index = 0; index < branches; index += 1) {
    rewinds.add({ seq: 2 * index + 1, event: { type: 'other' } })
    rewinds.add({ seq: 2 * index + 2, event: { type: 'rewind', to: 0 } })
  }
  for (let index = 0; index < branches; index += 1)
    expect(rewinds.undoneBy(2 * index + 1)).toBe(2 * index + 2)
})
