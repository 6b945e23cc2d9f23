import { expect, test } from 'vitest'
import {
  type ExecutableDescription,
  describeExecutable,
  explainRefusal,
  explainRun,
  formatCommand,
} from './describe-executable.ts'
import type { ProgramRun } from './run-tool.ts'
import { type Workspace, makeWorkspace } from './workspace.support.ts'

const WAYS_OUT =
  'Give the tool a "parameters" table in the configuration ("parameters = {}" if it takes no arguments), or let the program answer the action "schema" (docs/protocol.md).'

function describe(
  { root }: Workspace,
  command: string,
  more: { timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<ExecutableDescription> {
  const options = { root, signal: new AbortController().signal, graceMs: 100, ...more }
  return describeExecutable(command, options)
}

const refusal = (what: string): ExecutableDescription => ({
  ok: false,
  message: `./tool, asked to describe itself (action "schema"), ${what}. ${WAYS_OUT}`,
})

test('an executable is asked with the action schema and without a tool', async () => {
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

test('an invalid entry is omitted with a warning', async () => {
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
    'printed text that is not a JSON object: "Usage: tool PATH"',
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
    'described no tool (The tool was omitted: its description needs a "name", got number 1.)',
  ],
  ['crashes', ['kill -SEGV $$'], 'was ended by the signal SIGSEGV'],
] as const)('one that %s does not describe itself', async ([, lines, what]) => {
  const workspace = makeWorkspace()
  workspace.script('tool', ...lines)
  expect(await describe(workspace, './tool')).toEqual(refusal(what))
})

test('a missing one is reported', async () => {
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

test('a cancellation ends the request', async () => {
  const workspace = makeWorkspace()
  workspace.script('tool', 'sleep 100')
  const signal = AbortSignal.timeout(50)
  expect(await describe(workspace, './tool', { signal })).toEqual(refusal('was cancelled'))
})

test('an invalid command is an error', async () => {
  await expect(describe(makeWorkspace(), '"open')).rejects.toThrow('a quote is not closed')
})

type Ended = Extract<ProgramRun, { kind: 'ended' }>

const exited = (code: number | NodeJS.Signals): Ended['end'] => ({
  kind: 'exited',
  code,
  pipesHeld: false,
  left: [],
})

const ran = (end: Ended['end'], stdout = '', stderr = ''): Ended => ({
  kind: 'ended',
  end,
  stdout: { isWhole: true, bytes: Buffer.from(stdout) },
  stderr,
})

const tooMuch = { isWhole: false, byteCount: 9, text: 'x' } as const

test.for<[string, ProgramRun, object | undefined]>([
  [
    'did not start',
    { kind: 'not-started', reason: 'no file' },
    { what: 'could not be started: no file', isNotStarted: true },
  ],
  ['ended well', ran(exited(0), 'a'), undefined],
  ['ended with a code', ran(exited(3), 'a', 'b'), { what: 'ended with exit code 3', output: 'a' }],
  [
    'said it on stderr',
    ran(exited(3), ' \n', 'b'),
    { what: 'ended with exit code 3', output: 'b' },
  ],
  ['was killed', ran(exited('SIGSEGV')), { what: 'was ended by the signal SIGSEGV', output: '' }],
  [
    'took too long',
    ran({ kind: 'stopped', reason: 'timeout' }, 'a'),
    { what: 'did not end within 1.5 s', output: 'a' },
  ],
  [
    'was cancelled',
    ran({ kind: 'stopped', reason: 'cancelled' }, 'a'),
    { what: 'was cancelled', output: 'a' },
  ],
  [
    'said more than is read',
    { ...ran({ kind: 'stopped', reason: 'cancelled' }), stdout: tooMuch },
    undefined,
  ],
  [
    'said more than is read, and failed',
    { ...ran(exited(1)), stdout: tooMuch },
    { what: 'ended with exit code 1', output: 'x' },
  ],
])('a program that %s', ([, run, failure]) => {
  expect(explainRun(run, 1500)).toEqual(failure)
})

const ways =
  'Give the tool a "parameters" table in the configuration ("parameters = {}" if it takes no arguments), or let the program answer the action "schema" (docs/protocol.md).'

test.for([
  ['', ''],
  [' \n ', ''],
  [' a "b" \nc', ': "a \\"b\\""'],
  ['\n\u202Ea', ': "\\u202ea"'],
  ['x'.repeat(120), `: "${'x'.repeat(120)}"`],
  [`${'x'.repeat(60)}-${'y'.repeat(60)}`, `: "${'x'.repeat(60)}…${'y'.repeat(60)}"`],
] as const)('of its output %j the first line is quoted: %j', ([output, quoted]) => {
  expect(explainRefusal('run a', { what: 'failed', output })).toBe(
    `run a, asked to describe itself (action "schema"), failed${quoted}. ${ways}`,
  )
})

test.for([
  [
    'of Python',
    'Traceback (most recent call last):\n  File "t.py", line 2, in <module>\nKeyError: \'tool\'',
    "KeyError: 'tool'",
  ],
  [
    'of JavaScript',
    'file:///t.js:3\nconst {\n      ^\n\nSyntaxError: Unexpected end of input\n    at a',
    'SyntaxError: Unexpected end of input',
  ],
  ['of another program', 'unknown action\nusage: t', 'unknown action'],
] as const)('an output %s is quoted by the line that says what is wrong', ([, output, line]) => {
  const message = explainRefusal('./tool', { what: 'ended with exit code 1', output })
  expect(message).toContain(`ended with exit code 1: ${JSON.stringify(line)}. `)
})

test('a program that could not be started gets no advice about parameters, and one full stop', () => {
  const reason = 'There is no program "pyton3" in PATH: install it, or name it by a path.'
  const failure = explainRun({ kind: 'not-started', reason }, 1500)
  expect(failure && explainRefusal('pyton3 a.py', failure)).toBe(
    `pyton3 a.py, asked to describe itself (action "schema"), could not be started: ${reason}`,
  )
})

const LONG = `/home/ada/${'long/'.repeat(30)}`

test.for<[string, string, boolean]>([
  [
    'python3 tools/countr.py',
    `python3: can't open file '${LONG}tools/countr.py': [Errno 2] No such file or directory`,
    true,
  ],
  ['bash ./tools/a.sh', 'bash: tools/a.sh: No such file or directory', true],
  ["node 'tools/a.js'", "Error: Cannot find module '/w/tools/a.js'", true],
  ['perl a.pl', 'Can\'t open perl script "a.pl": No such file or directory', true],
  ['bash tools/a.sh', 'cat: notes.txt: No such file or directory', false],
  ['bash tools/a.sh', 'tools/a.sh: line 3: no: command not found', false],
  ['cat {{tool.arguments.path}}', 'cat: {{tool.arguments.path}}: No such file or directory', false],
])('whether %s misses its own file is read from %j: %s', ([command, output, isMissing]) => {
  const message = explainRefusal(command, { what: 'ended with exit code 2', output })
  const advice = isMissing ? 'Check the path in its command.' : ways
  expect(message.endsWith(`${JSON.stringify(output).slice(-40)}. ${advice}`), message).toBe(true)
})

test('empty output is not quoted', () => {
  expect(explainRefusal('run', { what: 'failed' })).toBe(
    `run, asked to describe itself (action "schema"), failed. ${ways}`,
  )
})

test.for([
  ['python3 tool.py', 'python3 tool.py'],
  [
    ['python3', 'my tool.py', '{{tool.arguments.path}}'],
    "python3 'my tool.py' {{tool.arguments.path}}",
  ],
  [{ program: './tool' }, './tool'],
  [
    { program: 'wc -- "$1"', args: ['{{tool.arguments.path}}'], shell: true },
    `sh -c 'wc -- "$1"' sh {{tool.arguments.path}}`,
  ],
  [{ program: 'a b', args: ['c'] }, "'a b' c"],
  [{ program: 'a', shell: true }, 'sh -c a sh'],
  [
    ['a_b', 'c@d%e+f=g:h,i./j-k{{l}}', '', 'é', '$x', 'a~b'],
    "a_b c@d%e+f=g:h,i./j-k{{l}} '' 'é' '$x' 'a~b'",
  ],
  [["it's"], `'it'"'"'s'`],
] as const)('%j is written as %j', ([command, line]) => {
  expect(formatCommand(command)).toBe(line)
})
