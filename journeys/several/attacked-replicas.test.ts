import { expect, inject, test } from 'vitest'
import { createRandom } from '../../packages/conversation-store/src/power-cuts/create-random.support.ts'
import { attackReplicas } from '../stage/attacked-replicas.ts'
import { HAS_POSTGRES, usePostgres } from '../stage/postgres.ts'

const createDatabase = usePostgres()

// Without PostgreSQL on this machine there is no store that replicas share over the network.
test.runIf(HAS_POSTGRES)(
  'promise several clients: while replicas of a service are killed and asked to end, no session is lost, no call is executed twice, and each answer is that of its call',
  async () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    const counts = await attackReplicas(inject('command'), createDatabase(), {
      replicas: 3,
      clients: 40,
      seconds: 90,
      everySeconds: 12,
      random: createRandom(seed),
    })
    expect(counts.answered).toBeGreaterThan(100)
    expect(counts.killed + counts.stopped).toBeGreaterThan(3)
    expect({ seed, ...counts }).toMatchObject({
      twice: 0,
      lies: 0,
      invented: 0,
      foreign: 0,
      lostSessions: 0,
      refused: {},
      badExits: [],
    })
  },
  240_000,
)
