import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  eventually,
  execute,
  makeContext,
  makeTool,
  makeWorkspace,
  startHost,
  texts,
} from '../../workspace.suite.ts'

// Elsewhere the streams are sockets, which cannot be opened by name.
const isOffLinux = process.platform !== 'linux'

const call = { id: 'call-1', name: 'probe', arguments: { text: 'é'.repeat(400_000) } }
const nodeScript = `
const { readFileSync, writeFileSync } = require('node:fs')
const { tool } = JSON.parse(readFileSync('/dev/stdin', 'utf8'))
writeFileSync('/dev/stdout', String(tool.arguments.text.length))`

test.skipIf(isOffLinux).for([
  ['a shell reads /dev/stdin', { program: 'cat /dev/stdin | wc -c', shell: true }],
  ['Node.js reads /dev/stdin and writes /dev/stdout', ['node', '-e', nodeScript]],
] as const)('%s', async ([, command]) => {
  const { root } = makeWorkspace()
  const result = await makeTool(command).execute(call, makeContext(root))
  expect(result.isError).toBe(false)
  expect(Number(texts(result)[0])).toBeGreaterThanOrEqual(400_000)
})

test.skipIf(isOffLinux)(
  'what is written to /dev/stdout and /dev/stderr arrives in order',
  async () => {
    const { root } = makeWorkspace()
    const program =
      'echo a; echo b > /dev/stdout; echo c >> /proc/self/fd/1; echo d >&1; echo why > /dev/stderr; echo not >&2; exit 3'
    const result = await execute(makeTool({ program, shell: true }), makeContext(root))
    expect(texts(result)).toEqual(['a\nb\nc\nd\n', expect.stringContaining('\nwhy\nnot\n')])
  },
)

test.skipIf(isOffLinux)('the request has no name in the file system', async () => {
  const { root } = makeWorkspace()
  const program = 'readlink /proc/self/fd/0; stat -L -c "%a %h" /proc/self/fd/0'
  const result = await execute(makeTool({ program, shell: true }), makeContext(root))
  expect(texts(result)[0]).toMatch(/ \(deleted\)\n600 0\n$/)
})

test.skipIf(isOffLinux)('every one of many calls at once gets such streams', async () => {
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

// What is made ahead for the next calls has no name: there is nothing to clean up, whenever the host is killed.
test.skipIf(isOffLinux)(
  'streams made ahead leave no file behind, also when the host is killed while it makes them',
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
