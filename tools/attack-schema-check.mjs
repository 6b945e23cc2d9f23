// Tries to make one check of @toolblocks/schema-check slow or large. Every attack runs in a separate process, which prepares the schema and checks
// the value once. Prints the verdict, the milliseconds of the thread, and the memory in addition to that of the value. Exits with 1 if an attack
// takes more than a second or 512 MB: node tools/attack-schema-check.mjs
import { fileURLToPath } from 'node:url'
import { execaSync } from 'execa'
import { compileSchema } from '../packages/schema-check/src/index.ts'
import { ATTACKS } from './attack-schema-check/attacks.mjs'
import { ORDINARY } from './attack-schema-check/ordinary.mjs'

const cpu = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
const all = { ...ORDINARY, ...ATTACKS }
const [only] = process.argv.slice(2)
if (only === undefined) {
  const failures = Object.keys(all).filter((name) => !report(name))
  process.exitCode = failures.length > 0 ? 1 : 0
} else {
  const [schema, makeValue] = all[only]
  compileSchema({ type: 'object' })
  const value = makeValue()
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  const start = cpu()
  const compiled = compileSchema(schema)
  const prepared = cpu()
  const { verdict, problems } = compiled.ok
    ? compiled.check(value)
    : { verdict: 'no schema', problems: compiled.problems }
  const end = cpu()
  const memory = process.resourceUsage().maxRSS / 1024 - before / 2 ** 20
  console.log(
    JSON.stringify({
      verdict,
      prepare: prepared - start,
      all: end - start,
      memory,
      problem: problems[0]?.message,
    }),
  )
}

function report(name) {
  const args = ['--expose-gc', fileURLToPath(import.meta.url), name]
  const { stdout, stderr } = execaSync(process.execPath, args, { reject: false })
  const line = stdout.trim().split('\n').at(-1) ?? ''
  if (!line.startsWith('{')) {
    console.log(`${name}: died\n${stderr.slice(0, 500)}`)
    return false
  }
  const { verdict, prepare, all: total, memory, problem } = JSON.parse(line)
  const isKept = total <= 1000 && memory <= 512 && (!(name in ORDINARY) || verdict === 'valid')
  const figures = `${total.toFixed(0)} ms (${prepare.toFixed(0)} to prepare), ${Math.max(0, memory).toFixed(0)} MB`
  console.log(
    `${isKept ? 'ok ' : 'BAD'} ${name}: ${verdict}, ${figures}${problem ? `; ${problem.slice(0, 90)}` : ''}`,
  )
  return isKept
}
