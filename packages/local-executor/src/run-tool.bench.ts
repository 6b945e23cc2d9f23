import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { execa } from 'execa'
import { test } from 'vitest'
import { createLocalTool } from './create-local-tool.ts'

const programs = ['echo hello', 'sleep 0.04; echo hello']
const context = { signal: new AbortController().signal, root: tmpdir(), answers: {} }
const call = { id: 'call-1', name: 'probe', arguments: { path: 'src/main.rs' } }
/** About as long as the input of the tool. */
const input = `${JSON.stringify({ context: { action: 'run', root: context.root }, tool: call })}\n`

for (const program of programs) {
  const args = ['-c', program]
  const tool = createLocalTool({ name: 'probe', inputSchema: {}, command: ['sh', ...args] })
  test(`sh -c '${program}'`, async ({ bench }) => {
    await bench.compare(
      bench('node:child_process spawn', () => collect(args)),
      bench('createLocalTool().execute', async () => {
        const { isError } = await tool.execute(call, context)
        if (isError) throw new Error('the tool failed')
      }),
      bench('execa, default options', async () => {
        await execa('sh', args, { input, cwd: context.root })
      }),
    )
  })
}

/** The minimum work of a host: write the input, read the output, wait for the end. */
function collect(args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', args, { cwd: context.root })
    const chunks: Uint8Array[] = []
    child.stdout.on('data', (chunk: Uint8Array) => chunks.push(chunk))
    child.stderr.resume()
    child.stdin.on('error', () => {})
    child.on('error', reject)
    child.on('close', () => {
      if (Buffer.concat(chunks).toString() === 'hello\n') resolve()
      else reject(new Error('no output'))
    })
    child.stdin.end(input)
  })
}
