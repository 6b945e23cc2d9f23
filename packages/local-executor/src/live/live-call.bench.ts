import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, test } from 'vitest'
import type { LiveCall } from '@toolblocks/protocol'
import { createLocalTool } from '../create-local-tool.ts'

const folder = mkdtempSync(join(tmpdir(), 'live-bench-'))
const script = join(folder, 'echo.mjs')
writeFileSync(
  script,
  `process.stdin.setEncoding('utf8').on('data', (text) => {
    const { seq } = JSON.parse(text)
    process.stdout.write('{"content":[{"type":"text","text":"ok"}],"_meta":{"toolblocks/re":' + seq + ',"computer.jp/status":"running"}}\\n')
  })\n`,
)
const { signal } = new AbortController()
const request = {
  context: { action: 'apply', root: folder, access: null },
  tool: { name: 'echo', input: 'y' },
}

let live: LiveCall
const raw = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] })
const lines = createInterface({ input: raw.stdout })

beforeAll(async () => {
  const tool = createLocalTool({
    name: 'echo',
    inputSchema: {},
    command: [process.execPath, script],
    stateful: true,
  })
  const context = { signal, root: folder, answers: {} }
  const started = await tool.spawn?.({ id: 'c', name: 'echo', arguments: {} }, context)
  if (started) live = started
})
afterAll(async () => {
  await live.abort()
  raw.kill()
  rmSync(folder, { recursive: true })
})

test('one round trip with a process that is alive', async ({ bench }) => {
  let seq = 0
  await bench.compare(
    bench('a line through bare pipes, parsed', async () => {
      const line = new Promise<string>((done) => lines.once('line', done))
      seq += 1
      raw.stdin.write(`${JSON.stringify({ seq, ...request })}\n`)
      JSON.parse(await line)
    }),
    bench('apply of a live call', async () => {
      await live.apply({ input: 'y' }, { signal })
    }),
  )
})
