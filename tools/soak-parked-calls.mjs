// Checks that no call that waits for approval is executed twice, while its server is killed at random moments: node tools/soak-parked-calls.mjs [kills] [seed]
import { buildCommand } from '../apps/reference-host/bundle/build-command.ts'
import { createRandom } from '../packages/conversation-store/src/power-cuts/create-random.support.ts'
import { killCalls } from '../journeys/stage/killed-calls.ts'

const [kills = 1000, seed = Math.floor(Math.random() * 2 ** 31)] = process.argv.slice(2).map(Number)

const begin = performance.now()
const command = await buildCommand('parked-calls')
const counts = await killCalls(command, { kills, random: createRandom(seed) })
const seconds = ((performance.now() - begin) / 1000).toFixed(0)
console.log(`seed ${seed} (${seconds} s): ${JSON.stringify(counts)}`)
if (counts.twice + counts.invented > 0) process.exitCode = 1
