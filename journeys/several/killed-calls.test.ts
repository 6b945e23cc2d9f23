import { expect, inject, test } from 'vitest'
import { createRandom } from '../../packages/conversation-store/src/power-cuts/create-random.support.ts'
import { killCalls } from '../stage/killed-calls.ts'

const KILLS = 20

test('promise yes without a host: of calls whose server is killed at random moments, none is executed twice', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const counts = await killCalls(inject('command'), { kills: KILLS, random: createRandom(seed) })
  // The last call is made until it has a result, so its server may be killed once more.
  expect(counts.kills).toBeGreaterThanOrEqual(KILLS)
  expect({ seed, ...counts }).toMatchObject({ twice: 0, invented: 0 })
}, 240_000)
