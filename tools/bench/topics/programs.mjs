import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createLocalTool } from '../../../packages/local-executor/src/index.ts'
import { compareTimes } from '../measure.mjs'

export const title = 'Programs as tools'
export const intro =
  'A one-shot call starts a program, writes its input, reads its blocks, and supervises its processes; the yardstick only starts, writes and reads, with `node:child_process`. For a live call, ' +
  'the yardstick writes a line to the same program through bare pipes and parses the answer. Times are elapsed.'

const folder = mkdtempSync(join(tmpdir(), 'toolblocks-bench-'))
// Not after the measurement: `pnpm bench` also imports this file for its title.
process.once('exit', () => rmSync(folder, { recursive: true }))
const { signal } = new AbortController()
const context = { signal, root: folder, answers: {} }

export async function measure(pace) {
  return [...(await measureOneShot(pace)), ...(await measureLive(pace))]
}

async function measureOneShot(pace) {
  const call = { id: 'call-1', name: 'probe', arguments: { path: 'src/main.rs' } }
  // About as long as the input of the tool.
  const input = `${JSON.stringify({ context: { action: 'run', root: folder }, tool: call })}\n`
  // A busy machine delays a start by milliseconds, so many starts are compared one by one.
  const many = { ...pace, rounds: pace.form === 'quick' ? 100 : 300, roundMs: 1 }
  const rows = []
  for (const program of ['echo hello', 'sleep 0.02; echo hello']) {
    const args = ['-c', program]
    const tool = createLocalTool({ name: 'probe', inputSchema: {}, command: ['sh', ...args] })
    rows.push(
      await compareTimes(many, {
        name: `one-shot call of \`sh -c '${program}'\``,
        clock: 'elapsed',
        ours: async () => {
          const { isError } = await tool.execute(call, context)
          if (isError) throw new Error('the tool failed')
        },
        against: '`spawn` of `node:child_process`',
        yardstick: async () => await collect(args, input),
        target: { more: 0.5 },
      }),
    )
  }
  return rows
}

/** The minimum work of a host: write the input, read the output, wait for the end. */
async function collect(args, input) {
  const { promise, resolve, reject } = Promise.withResolvers()
  const child = spawn('sh', args, { cwd: folder })
  const chunks = []
  child.stdout.on('data', (chunk) => chunks.push(chunk))
  child.stderr.resume()
  child.stdin.on('error', () => {})
  child.on('error', reject)
  child.on('close', () =>
    Buffer.concat(chunks).toString() === 'hello\n' ? resolve() : reject(new Error('no output')),
  )
  child.stdin.end(input)
  await promise
}

const ECHO = `process.stdin.setEncoding('utf8').on('data', (text) => {
  const { seq } = JSON.parse(text)
  process.stdout.write('{"content":[{"type":"text","text":"ok"}],"_meta":{"toolblocks/re":' + seq + ',"computer.jp/status":"running"}}\\n')
})
`

async function measureLive(pace) {
  const script = join(folder, 'echo.mjs')
  writeFileSync(script, ECHO)
  const tool = createLocalTool({
    name: 'echo',
    inputSchema: {},
    command: [process.execPath, script],
    stateful: true,
  })
  const live = await tool.spawn({ id: 'c', name: 'echo', arguments: {} }, context)
  const raw = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: raw.stdout })
  const request = {
    context: { action: 'apply', root: folder, access: null },
    tool: { name: 'echo', input: 'y' },
  }
  let seq = 0
  const row = await compareTimes(
    { ...pace, rounds: pace.rounds * 2 },
    {
      name: 'one `apply` of a live call',
      clock: 'elapsed',
      ours: async () => await live.apply({ input: 'y' }, { signal }),
      against: 'a line through bare pipes, parsed',
      yardstick: async () => {
        const { promise, resolve } = Promise.withResolvers()
        lines.once('line', resolve)
        seq += 1
        raw.stdin.write(`${JSON.stringify({ seq, ...request })}\n`)
        JSON.parse(await promise)
      },
      target: { more: 0.015 },
    },
  )
  await live.abort()
  raw.kill()
  return [row]
}
