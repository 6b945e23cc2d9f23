// Checks replicas of a service behind a proxy without affinity while they are killed, asked to end, and cut off: node tools/soak-service.mjs [minutes] [clients] [seed]. It needs PostgreSQL.
import { execFileSync } from 'node:child_process'
import { buildCommand } from '../apps/reference-host/bundle/build-command.ts'
import { attackReplicas } from '../journeys/stage/attacked-replicas.ts'
import { createRandom } from '../packages/conversation-store/src/power-cuts/create-random.support.ts'
import {
  findPostgres,
  startPostgres,
} from '../packages/conversation-store/src/rows/postgres/postgres-server.support.ts'

const [minutes = 10, clients = 300, seed = Math.floor(Math.random() * 2 ** 31)] = process.argv
  .slice(2)
  .map(Number)

const bin = findPostgres()
if (bin === undefined) {
  console.error('PostgreSQL is not installed.')
  process.exit(2)
}
const postgres = await startPostgres(bin)
try {
  const command = await buildCommand('attacked-replicas')
  execFileSync(`${bin}/psql`, ['-q', '-c', 'CREATE SCHEMA soak', postgres.url('postgres')])
  const url = `${postgres.url('postgres')}?options=-c%20search_path%3Dsoak`
  const counts = await attackReplicas(command, url, {
    replicas: 3,
    clients,
    seconds: minutes * 60,
    everySeconds: 20,
    random: createRandom(seed),
  })
  console.log(
    `seed ${seed} (${minutes} min, ${clients} clients): ${JSON.stringify(counts, null, 2)}`,
  )
  const { twice, invented, foreign, lostSessions, badExits, refused } = counts
  const isBad =
    twice + invented + foreign + lostSessions + badExits.length + Object.keys(refused).length > 0
  if (isBad) process.exitCode = 1
} finally {
  postgres.stop()
}
