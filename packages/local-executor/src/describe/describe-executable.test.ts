import { expect, test } from 'vitest'
import { makeWorkspace, type Workspace } from '../workspace.suite.ts'
import { type DescribedExecutable, describeExecutable } from './describe-executable.ts'

const WAYS_OUT =
  'Give the tool a "parameters" table in the configuration ("parameters = {}" if it takes no arguments), or let the program answer the action "schema" (docs/protocol.md).'

function describe(
  { root }: Workspace,
  command: string,
  more: { timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<DescribedExecutable> {
  const options = { root, signal: new AbortController().signal, graceMs: 100, ...more }
  return describeExecutable(command, options)
}

const refusal = (what: string): DescribedExecutable => ({
  ok: false,
  message: `./tool, asked to describe itself (action "schema"), ${what}. ${WAYS_OUT}`,
})

test('an executable is asked with the action schema, and no tool', async () => {
  const workspace = makeWorkspace()
  const command = workspace.script(
    'tool',
    'cat > request.json',
    `echo '{"tools":[{"name":"a","parameters":{}},{"name":"b","stateful":true}]}'`,
  )
  expect(await describe(workspace, command)).toEqual({
    ok: true,
    tools: [
      { name: 'a', parameters: {} },
      { name: 'b', stateful: true },
    ],
    warnings: [],
  })
  expect(JSON.parse(workspace.read('request.json') ?? '')).toEqual({
    context: { action: 'schema', root: workspace.root, access: null },
  })
})

test('placeholders of its command are rendered without a call', async () => {
  const workspace = makeWorkspace()
  const command = workspace.script(
    'tool',
    `echo '{"tools":[{"name":"a"}]}'`,
    'echo "$@" >&2',
    'exit 1',
  )
  const { message } = {
    message: '',
    ...(await describe(workspace, `${command} {{tool}} {{context.action}}`)),
  }
  expect(message).toContain('ended with exit code 1: "{\\"tools\\"')
})

test('an entry that cannot be used is left out with a warning', async () => {
  const workspace = makeWorkspace()
  const command = workspace.script('tool', `echo '{"tools":[{"name":"a"},{"name":1}]}'`)
  expect(await describe(workspace, command)).toMatchObject({
    tools: [{ name: 'a' }],
    warnings: [{ path: '/tools/1' }],
  })
})

test.for([
  [
    'exits non-zero, though with a document',
    [`echo '{"tools":[{"name":"a"}]}'`, 'exit 3'],
    'ended with exit code 3: "{\\"tools\\":[{\\"name\\":\\"a\\"}]}"',
  ],
  [
    'exits non-zero and complains',
    ['echo "unknown action: schema" >&2', 'exit 2'],
    'ended with exit code 2: "unknown action: schema"',
  ],
  [
    'prints prose',
    ['echo "Usage: tool PATH"', 'echo more'],
    'printed text that is no JSON object: "Usage: tool PATH"',
  ],
  ['prints nothing', ['true'], 'printed nothing'],
  [
    'prints JSON of another shape',
    [`echo '{"content":[]}'`],
    'printed a JSON object whose "tools" is nothing: "{\\"content\\":[]}"',
  ],
  ['describes no tool', [`echo '{"tools":[]}'`], 'described no tool'],
  [
    'describes none that can be used',
    [`echo '{"tools":[{"name":1}]}'`],
    'described no tool (The tool was left out: its description needs a "name", got number 1.)',
  ],
  ['crashes', ['kill -SEGV $$'], 'was ended by the signal SIGSEGV'],
] as const)('one that %s does not describe itself', async ([, lines, what]) => {
  const workspace = makeWorkspace()
  workspace.script('tool', ...lines)
  expect(await describe(workspace, './tool')).toEqual(refusal(what))
})

test('one that is not there says so', async () => {
  const answer = await describe(makeWorkspace(), './tool')
  expect(answer).toMatchObject({ message: expect.stringContaining('could not be started') })
})

test('one that hangs is stopped', async () => {
  const workspace = makeWorkspace()
  workspace.script('tool', 'echo waiting; sleep 100')
  expect(await describe(workspace, './tool', { timeoutMs: 300 })).toEqual(
    refusal('did not end within 0.3 s: "waiting"'),
  )
})

test('one that floods is stopped at once', async () => {
  const workspace = makeWorkspace()
  workspace.script('tool', 'exec yes')
  expect(await describe(workspace, './tool')).toEqual(refusal('printed more than 1048576 bytes'))
})

test('an abort ends the asking', async () => {
  const workspace = makeWorkspace()
  workspace.script('tool', 'sleep 100')
  const signal = AbortSignal.timeout(50)
  expect(await describe(workspace, './tool', { signal })).toEqual(refusal('was cancelled'))
})

test('a command that cannot be read is an error', async () => {
  await expect(describe(makeWorkspace(), '"open')).rejects.toThrow('a quote is not closed')
})
