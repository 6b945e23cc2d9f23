// Measures how long a start takes to create 30 tools with cached descriptions, each from a separate program: pnpm exec node
// tools/measure-known-tools.mjs [rounds]. Each round is a separate process, so that nothing is in memory.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execaSync } from 'execa'

const ROUNDS = Number(process.argv[2] ?? 30)
const TOOLS = 30
const START = fileURLToPath(new URL('measure-known-tools/start.ts', import.meta.url))
const workspace = mkdtempSync(join(tmpdir(), 'toolblocks-known-'))
const env = { XDG_CACHE_HOME: join(workspace, 'cache'), NODE_COMPILE_CACHE: join(workspace, 'js') }

function makeTool(number) {
  const name = `tool_${number}`
  const parameters = {
    path: { type: 'string', summary: 'Path relative to the workspace.' },
    depth: { type: 'integer', minimum: 1, default: 3 },
    filters: { type: 'array', items: { type: 'object', properties: { by: { enum: ['a', 'b'] } } } },
  }
  const description = {
    name,
    summary: 'Reads.',
    description: 'Reads the complete file.',
    parameters,
  }
  const answer = JSON.stringify({ tools: [description] })
  writeFileSync(join(workspace, `${name}.sh`), `printf '%s' '${answer}'`)
  return `[tools.${name}]\nsource = "local"\ncommand = "sh ${name}.sh"\n`
}

const percentile = (times, part) =>
  times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * part)]

try {
  const tables = Array.from({ length: TOOLS }, (_, number) => makeTool(number))
  writeFileSync(join(workspace, 'toolblocks.toml'), tables.join(''))
  const start = () => JSON.parse(execaSync(process.execPath, [START, workspace], { env }).stdout)
  const first = start()
  const later = Array.from({ length: ROUNDS }, start)
  console.log(`first start, every program asked: ${first.elapsed.toFixed(0)} ms`)
  for (const kind of ['elapsed', 'working']) {
    const times = later.map((each) => each[kind])
    const [least, p50, p95] = [0, 0.5, 0.95].map((part) => percentile(times, part).toFixed(1))
    console.log(
      `second start, ${TOOLS} known tools, ${kind}: minimum ${least} ms, p50 ${p50}, p95 ${p95}`,
    )
  }
} finally {
  rmSync(workspace, { recursive: true, force: true })
}
