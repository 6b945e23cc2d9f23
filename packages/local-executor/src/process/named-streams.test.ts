import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { isMainThread, Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import {
  eventually,
  execute,
  makeContext,
  makeTool,
  makeWorkspace,
  startHost,
  texts,
} from '../workspace.support.ts'

// On other systems, and in worker threads, the streams are sockets, which cannot be opened by name.
const areSockets = process.platform !== 'linux' || !isMainThread

const call = { id: 'call-1', name: 'probe', arguments: { text: 'é'.repeat(400_000) } }
const nodeScript = `
const { readFileSync, writeFileSync } = require('node:fs')
const { tool } = JSON.parse(readFileSync('/dev/stdin', 'utf8'))
writeFileSync('/dev/stdout', String(tool.arguments.text.length))`

test.skipIf(areSockets).for([
  ['a shell reads /dev/stdin', { program: 'cat /dev/stdin | wc -c', shell: true }],
  ['Node.js reads /dev/stdin and writes /dev/stdout', ['node', '-e', nodeScript]],
] as const)('%s', async ([, command]) => {
  const { root } = makeWorkspace()
  const result = await makeTool(command).execute(call, makeContext(root))
  expect(result.isError).toBe(false)
  expect(Number(texts(result)[0])).toBeGreaterThanOrEqual(400_000)
})

test.skipIf(areSockets)(
  'text written to /dev/stdout and /dev/stderr arrives in order',
  async () => {
    const { root } = makeWorkspace()
    const program =
      'echo a; echo b > /dev/stdout; echo c >> /proc/self/fd/1; echo d >&1; echo why > /dev/stderr; echo not >&2; exit 3'
    const result = await execute(makeTool({ program, shell: true }), makeContext(root))
    expect(texts(result)).toEqual(['a\nb\nc\nd\n', expect.any(String), 'why\nnot\n'])
  },
)

test.skipIf(areSockets)('the request has no name in the file system', async () => {
  const { root } = makeWorkspace()
  const program = 'readlink /proc/self/fd/0; stat -L -c "%a %h" /proc/self/fd/0'
  const result = await execute(makeTool({ program, shell: true }), makeContext(root))
  expect(texts(result)[0]).toMatch(/ \(deleted\)\n600 0\n$/)
})

test.skipIf(areSockets)('each of many concurrent calls gets such streams', async () => {
  const { root } = makeWorkspace()
  const tool = makeTool({ program: 'echo named > /dev/stdout', shell: true })
  const results = await Promise.all(
    Array.from({ length: 60 }, () => execute(tool, makeContext(root))),
  )
  expect(new Set(results.flatMap(texts))).toEqual(new Set(['named\n']))
})

test('without a temporary folder the streams are sockets, and tools work', async () => {
  const { root, read } = makeWorkspace()
  const host = startHost(
    root,
    `process.env.TMPDIR = '/no/such/folder'
     const { isError, content } = await tool('cat > request; echo done').execute(call, context)
     if (isError || content[0].text !== 'done\\n') process.exit(1)`,
  )
  expect(await eventually(() => host.exitCode !== null)).toBe(true)
  expect(host.exitCode).toBe(0)
  expect(read('request')).toContain('"action":"run"')
})

// The streams prepared for the next calls have no name in the file system, so nothing needs a cleanup if the host is killed.
test.skipIf(areSockets)(
  'prepared streams leave no file behind, also if the host is killed while it creates them',
  { timeout: 30_000 },
  async () => {
    const { root, read } = makeWorkspace()
    const files = (): string[] => readdirSync(root).filter((name) => name.startsWith('toolblocks-'))
    const loop = `process.env.TMPDIR = process.argv[2]
      for (;;) await Promise.all(Array.from({ length: 8 }, () => tool('echo >> ran').execute(call, context)))`
    for (const calls of [1, 20, 40]) {
      const before = (read('ran') ?? '').length
      const host = startHost(root, loop)
      expect(await eventually(() => (read('ran') ?? '').length >= before + calls)).toBe(true)
      host.kill('SIGKILL')
      expect(await eventually(() => host.signalCode !== null && files().length === 0)).toBe(true)
    }
  },
)

const HOST = `
import { setImmediate } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
process.on('warning', ({ message }) => parentPort.postMessage(message))
const { createLocalTool } = await import(workerData.module)
const tool = createLocalTool({ name: 'probe', inputSchema: {}, command: 'echo hi' })
for (const id of ['1', '2', '3', '4']) {
  const { signal } = new AbortController()
  const { content } = await tool.execute({ id, name: 'probe', arguments: {} }, { root: workerData.root, signal, answers: {} })
  parentPort.postMessage(content)
}
// A warning is told of in a turn of its own.
await setImmediate()`

test('a worker thread, which closes at its end all files that it opened, has none of them open twice', async () => {
  const { root } = makeWorkspace()
  const module = new URL('../index.ts', import.meta.url).href
  const code = new URL(`data:text/javascript,${encodeURIComponent(HOST)}`)
  const worker = new Worker(code, { workerData: { module, root }, execArgv: [] })
  const messages: unknown[] = []
  worker.on('message', (message) => void messages.push(message))
  expect(await once(worker, 'exit')).toEqual([0])
  expect(messages).toEqual(Array.from({ length: 4 }, () => [{ type: 'text', text: 'hi\n' }]))
})
