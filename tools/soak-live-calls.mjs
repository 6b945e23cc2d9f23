// Checks that live tools leave no processes and descriptors: 1,000 spawns and aborts, 20 hosts killed in the middle of their calls, and tools whose
// child is killed. It counts them in /proc, so it needs Linux: node tools/soak-live-calls.mjs
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'
import { createLocalTool } from '../packages/local-executor/src/index.ts'

const CYCLES = Number(process.argv[2] ?? 1000)
const HOSTS = 20
const folder = mkdtempSync(join(tmpdir(), 'toolblocks-soak-'))
const MARK = `TOOL_SOAK=${folder}`
const script = join(folder, 'tool.sh')
writeFileSync(
  script,
  `sleep 600 &
n=0
while read -r line; do
  n=$((n + 1))
  printf '{"content":[],"_meta":{"toolblocks/re":%s,"computer.jp/status":"running"}}\\n' $n
done
`,
)

/** Counts the running processes of this test: all have its mark in their environment. */
function countProcesses() {
  return readdirSync('/proc').filter((pid) => {
    try {
      const isMarked = readFileSync(`/proc/${pid}/environ`, 'latin1').includes(MARK)
      return (
        isMarked &&
        Number(pid) !== process.pid &&
        !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
      )
    } catch {
      return false
    }
  }).length
}

const countDescriptors = () => readdirSync('/proc/self/fd').length
const tool = createLocalTool({
  name: 'soak',
  inputSchema: {},
  command: ['sh', script],
  stateful: true,
  setEnv: { TOOL_SOAK: folder },
})
const context = { signal: new AbortController().signal, root: folder, answers: {} }
const start = () => tool.spawn({ id: 'c', name: 'soak', arguments: {} }, context)

async function untilNone(what) {
  for (let attempt = 0; attempt < 100 && countProcesses() > 0; attempt++) await sleep(100)
  const left = countProcesses()
  console.log(`${what}: ${left} processes remain`)
  return left
}

async function soakCycles() {
  await (await start()).abort()
  const before = countDescriptors()
  const begin = performance.now()
  for (let done = 0; done < CYCLES; done += 4)
    await Promise.all([1, 2, 3, 4].map(async () => (await start()).abort()))
  const seconds = ((performance.now() - begin) / 1000).toFixed(1)
  const more = countDescriptors() - before
  console.log(`${CYCLES} spawns and aborts in ${seconds} s: ${more} descriptors more than before`)
  return (await untilNone('after them')) + Math.max(0, more)
}

async function soakKilledChild() {
  const live = await start()
  const pids = readdirSync('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(`sh\0${script}`)
    } catch {
      return false
    }
  })
  for (const pid of pids) process.kill(Number(pid), 'SIGKILL')
  const { isError } = await live.fetch({ signal: context.signal })
  console.log(`a killed tool is ${isError ? 'an error' : 'NOT AN ERROR'} at the next fetch`)
  return (isError ? 0 : 1) + (await untilNone('after a killed tool'))
}

const HOST = `
import { createLocalTool } from ${JSON.stringify(new URL('../packages/local-executor/src/index.ts', import.meta.url).href)}
const [folder, script] = process.argv.slice(2)
const tool = createLocalTool({ name: 'soak', inputSchema: {}, command: ['sh', script], stateful: true, setEnv: { TOOL_SOAK: folder } })
const context = { signal: new AbortController().signal, root: folder, answers: {} }
await Promise.all([1, 2, 3].map(() => tool.spawn({ id: 'c', name: 'soak', arguments: {} }, context)))
console.log('ready')
setInterval(() => {}, 1000)
`

async function soakHosts() {
  const file = join(folder, 'host.mjs')
  writeFileSync(file, HOST)
  let left = 0
  for (let round = 0; round < HOSTS; round++) {
    const host = execa(process.execPath, [file, folder, script], {
      stdio: ['ignore', 'pipe', 'inherit'],
      // It is killed below.
      reject: false,
    })
    await new Promise((ready) => host.stdout.once('data', ready))
    const alive = countProcesses()
    host.kill('SIGKILL')
    for (let attempt = 0; attempt < 60 && countProcesses() > 0; attempt++) await sleep(50)
    left += countProcesses()
    if (alive < 6) throw new Error(`only ${alive} processes ran before the host was killed`)
  }
  console.log(`${HOSTS} hosts killed with 3 live tools each: ${left} processes remain`)
  return left
}

try {
  const left = (await soakCycles()) + (await soakKilledChild()) + (await soakHosts())
  process.exitCode = left === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
