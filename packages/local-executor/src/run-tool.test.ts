import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { execute, makeContext, makeTool, makeWorkspace, texts } from './workspace.support.ts'

test('the executable receives one line of JSON on stdin, in the form of the protocol', async () => {
  const { root } = makeWorkspace()
  const tool = makeTool('cat', { toolName: 'fs_read' })
  const call = { id: 'call-1', name: 'probe', arguments: { path: 'a\n"b"', deep: [1, null] } }
  const context = makeContext(root, {
    workspaceId: 'w1',
    conversationId: 'c1',
    answers: { sure: true },
    options: { mode: 'fast' },
  })
  const [text = ''] = texts(await tool.execute(call, context))
  expect(text.match(/\n/g)).toHaveLength(1)
  expect(text.endsWith('}\n')).toBe(true)
  expect(JSON.parse(text)).toEqual({
    context: {
      action: 'run',
      root,
      access: null,
      workspace_id: 'w1',
      conversation_id: 'c1',
      call_id: 'call-1',
    },
    tool: {
      name: 'fs_read',
      arguments: { path: 'a\n"b"', deep: [1, null] },
      answers: { sure: true },
      options: { mode: 'fast' },
    },
  })
})

test('values unknown to the host are absent, and answers and options are empty objects', async () => {
  const { root } = makeWorkspace()
  const [text = ''] = texts(await execute(makeTool('cat'), makeContext(root)))
  expect(JSON.parse(text)).toEqual({
    context: { action: 'run', root, access: null, call_id: 'call-1' },
    tool: { name: 'probe', arguments: {}, answers: {}, options: {} },
  })
})

test('a document larger than any pipe arrives completely', async () => {
  const { root } = makeWorkspace()
  const call = { id: 'call-1', name: 'probe', arguments: { text: 'ä'.repeat(2_000_000) } }
  const [text] = texts(await makeTool('wc -c').execute(call, makeContext(root)))
  expect(Number(text)).toBeGreaterThan(4_000_000)
})

test('values become arguments unchanged: never split, never expanded, never run', async () => {
  const { root } = makeWorkspace()
  const values = [
    'a b',
    '$(touch x)',
    '`id`',
    '"\'',
    '; id',
    '*',
    '~',
    '\n',
    '-n',
    '',
    '%s',
    'é😀',
    '{{tool.name}}',
  ]
  const tool = makeTool([
    'printf',
    '%s\\0',
    '--',
    ...values.map((_, index) => `{{tool.arguments.v.${index}}}`),
  ])
  const result = await tool.execute(
    { id: '1', name: 'probe', arguments: { v: values } },
    makeContext(root),
  )
  expect(texts(result)[0]?.split('\0')).toEqual(['--', ...values, ''])
})

test('a call whose text begins with a dash is refused before anything is started', async () => {
  const { root, read } = makeWorkspace()
  const call = { id: '1', name: 'probe', arguments: { x: '--help' } }
  const refused = await makeTool(['touch', 'started', '{{tool.arguments.x}}']).execute(
    call,
    makeContext(root),
  )
  expect(refused).toMatchObject({ id: '1', isError: true, metadata: { outcome: 'failed' } })
  expect(texts(refused)[0]).toBe(
    'Tool "probe" was not started. The argument "x" begins with a dash ("--help"), so the program could read it as an option. Give it another beginning, such as ./ for a path; or write -- before its placeholder in the command, or allow_dash = true for the parameter.',
  )
  expect(read('started')).toBeUndefined()
  const allowing = makeTool(['touch', 'started', '{{tool.arguments.x}}'], { dashArguments: ['x'] })
  expect((await allowing.execute(call, makeContext(root))).isError).toBe(false)
})

test('values become positional arguments of a shell program, which runs them no more than others', async () => {
  const { root, read } = makeWorkspace()
  const tool = makeTool({
    program: 'printf "%s|" "$0" "$1" "$2"; echo "$#"',
    args: ['{{tool.arguments.x}}', '{{tool.arguments.y}}'],
    shell: true,
  })
  const values = { x: '$(touch owned)', y: '"; touch owned; "' }
  const result = await tool.execute(
    { id: '1', name: 'probe', arguments: values },
    makeContext(root),
  )
  expect(texts(result)).toEqual([`sh|${values.x}|${values.y}|2\n`])
  expect(read('owned')).toBeUndefined()
})

test('the executable runs in the workspace root', async () => {
  const { root } = makeWorkspace()
  expect(texts(await execute(makeTool('pwd'), makeContext(root)))).toEqual([`${root}\n`])
})

test('the executable receives the allowed variables, its own, and the id of its run; no others', async () => {
  const { root } = makeWorkspace()
  const environment = {
    PATH: `:.:/usr/bin:/bin`,
    HOME: '/home/me',
    AWS_SECRET_ACCESS_KEY: 'canary',
    NODE_OPTIONS: '--canary',
    GH_TOKEN: 'passed',
  }
  const tool = makeTool('env', { env: ['GH_TOKEN'], setEnv: { MODE: 'x' } }, { environment })
  const lines =
    texts(await execute(tool, makeContext(root)))[0]
      ?.trim()
      .split('\n') ?? []
  expect(
    lines.map((line) => line.replace(/^(TOOL_RUN_ID=)[0-9a-f-]{36}$/, '$1id')).toSorted(),
  ).toEqual(['GH_TOKEN=passed', 'HOME=/home/me', 'MODE=x', 'PATH=/usr/bin:/bin', 'TOOL_RUN_ID=id'])
})

test('a program in the workspace is not found by its bare name, with any PATH', async () => {
  const { root, script } = makeWorkspace()
  script('canary', 'echo ran')
  const environment = { PATH: ':.:/usr/bin:/bin' }
  const result = await execute(makeTool('canary', {}, { environment }), makeContext(root))
  expect(result).toMatchObject({ isError: true, metadata: { outcome: 'failed' } })
  expect(texts(result)[0]).toContain('There is no program "canary" in PATH: install it')
  expect(
    texts(await execute(makeTool('./canary', {}, { environment }), makeContext(root))),
  ).toEqual(['ran\n'])
})

test('format_arguments receives name, arguments and options, and its output is not stored', async () => {
  const { root } = makeWorkspace()
  const tool = makeTool('cat', { formatsArguments: true })
  const context = makeContext(root, {
    answers: { sure: true },
    options: { mode: 'fast' },
    keepBytes: () => Promise.reject(new Error('not to be called')),
  })
  const result = await tool.formatArguments?.(
    { id: 'call-1', name: 'probe', arguments: { a: 1 } },
    context,
  )
  expect(result?.metadata).toEqual({ outcome: 'completed' })
  expect(JSON.parse(texts(result ?? { content: [], isError: true })[0] ?? '')).toEqual({
    context: { action: 'format_arguments', root, access: null, call_id: 'call-1' },
    tool: { name: 'probe', arguments: { a: 1 }, options: { mode: 'fast' } },
  })
})

test('an executable is asked to format arguments only if its definition allows it', () => {
  expect(makeTool('cat').formatArguments).toBeUndefined()
})

test.for<[string, (root: string) => void, RegExp]>([
  [
    'nowhere-to-be-found',
    () => {},
    /There is no program "nowhere-to-be-found" in PATH: install it/,
  ],
  ['./missing', () => {}, /There is no program \/.*\/missing: check the path/],
  ['./folder', (root) => mkdirSync(join(root, 'folder')), /folder is a directory, not a program/],
  [
    './plain',
    (root) => writeFileSync(join(root, 'plain'), 'echo'),
    /plain is not executable: chmod \+x it/,
  ],
  [
    './script',
    (root) => {
      writeFileSync(join(root, 'script'), '#!/opt/none/python9\n')
      chmodSync(join(root, 'script'), 0o755)
    },
    /script could not be started: its first line names the interpreter \/opt\/none\/python9/,
  ],
])('%s cannot be started, and the result says why', async ([command, prepare, message]) => {
  const { root } = makeWorkspace()
  prepare(root)
  const result = await execute(makeTool(command), makeContext(root))
  expect(result).toMatchObject({ id: 'call-1', isError: true, metadata: { outcome: 'failed' } })
  expect(texts(result)).toEqual([expect.stringMatching(/^Tool "probe" was not started\. /)])
  expect(texts(result)[0]).toMatch(message)
})

test('a missing working folder is distinguished from a missing program', async () => {
  const { root } = makeWorkspace()
  for (const command of ['cat', './cat', 'no-such-program']) {
    const result = await execute(makeTool(command), makeContext(join(root, 'gone')))
    expect(texts(result)[0]).toMatch(
      /was not started\. The working folder \/.*\/gone is not a directory\.$/,
    )
  }
})

test('arguments that a command line or JSON cannot hold are refused before anything is started', async () => {
  const { root, read } = makeWorkspace()
  const tool = makeTool({ program: 'touch ran', args: ['{{tool.arguments.x}}'], shell: true })
  const self: Record<string, unknown> = {}
  self['self'] = self
  for (const x of ['a\0b', 'x'.repeat(102_400), self, 1n]) {
    const result = await tool.execute(
      { id: '1', name: 'probe', arguments: { x } },
      makeContext(root),
    )
    expect(result).toMatchObject({ isError: true, metadata: { outcome: 'failed' } })
    expect(texts(result)[0]).toMatch(/^Tool "probe" was not started\. The argument/)
  }
  expect(read('ran')).toBeUndefined()
})
