import { expect, test } from 'vitest'
import { toolblocks, visit } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import { connectClient } from '../stage/mcp-client.ts'
import { startProvider } from '../stage/provider.ts'
import { getScreen } from '../stage/screen.ts'

/** A response, in several lines as documents show it. */
const print = (content: readonly object[], more: object = {}): string =>
  `${JSON.stringify({ content, ...more }, undefined, 2)}\n`
const createText = (text: string): object => ({ type: 'text', text })
const file = (uri: string, text: string, mimeType = 'text/rust'): object => ({
  type: 'resource',
  resource: { uri, mimeType, text },
})
const ask = (question: object): object => ({ type: 'question', question })
const status = (name: string): object => ({ _meta: { 'computer.jp/status': name } })

/** Each form of output that specification 000 shows, by file. */
const OUTPUTS = {
  'text.json': print([createText('All checks passed.')]),
  'block.json': `${JSON.stringify(createText('A block alone.'), undefined, 2)}\n`,
  'resource.json': print([file('file:///project/src/lamp.rs', 'fn lamp() {}')]),
  'blob.json': print([
    {
      type: 'resource',
      resource: {
        uri: 'file:///project/lamp.bin',
        mimeType: 'application/octet-stream',
        blob: 'AAEC',
      },
    },
  ]),
  'formatted.json': print([
    {
      ...file('file:///project/src/lamp.rs', 'fn lamp() {}'),
      formatted: '```rs (lamp.rs)\nfn lamp() {}\n```',
    },
  ]),
  'confirm.json': print([
    file('file:///project/src/lamp.rs', 'fn lamp() {}'),
    file('file:///project/src/lib.rs', 'pub mod lens;'),
    ask({
      id: 'confirm',
      text: 'Change a third file?',
      schema: { type: 'boolean' },
      default: true,
    }),
  ]),
  'branch.json': print([
    ask({
      id: 'branch',
      text: 'Which branch?',
      schema: { type: 'string', enum: ['main', 'beta', 'next'] },
      default: 'main',
    }),
  ]),
  'error.json': print([createText('No file lamp.rs.')], { isError: true }),
  'transient.json': print([createText('The disk is busy.')], {
    isError: true,
    _meta: { 'computer.jp/error': { transient: true, trace: ['io error: busy (os error 16)'] } },
  }),
  'running.json': print([createText('Reading the hunks.')], status('running')),
  'waiting.json': print(
    [
      createText('Hunk 3 of 5:'),
      createText('@@ -10,3 +10,4 @@\n+    lamp();'),
      ask({
        id: 'hunk_3',
        text: 'Stage it?',
        schema: { type: 'string', enum: ['y', 'n', 's', 'q'] },
        default: 'y',
      }),
    ],
    status('waiting'),
  ),
  'stopped.json': print([createText('Hunk 3 was left.')], status('stopped')),
  'failed.json': print([createText('The index is locked.')], {
    isError: true,
    ...status('stopped'),
  }),
} as const

/** The descriptions of specification 001: the program answers its action `schema` with them. */
const DESCRIPTIONS = `${JSON.stringify(
  {
    tools: [
      {
        name: 'lamp_check',
        summary: 'Check the lamp of a package.',
        description: 'Longer words about it.',
        parameters: { package: { type: 'string', summary: 'Package to check.' } },
      },
    ],
  },
  undefined,
  2,
)}\n`

/** Programs that print files: the first for a call, or the second for one with an answer; each for one request; and the descriptions, or a file. */
const PROGRAMS = {
  sh: {
    'once.sh': `read -r request
case $request in *'"answers":{}'*) cat "$1" ;; *) cat "\${2:-$1}" ;; esac\n`,
    'stay.sh': 'for file; do read -r request; cat "$file"; done\n',
    'described.sh': `read -r request
case $request in *'"schema"'*) cat descriptions.json ;; *) cat "$1" ;; esac\n`,
  },
  python3: {
    'once.python3': `import json, sys
answers = json.load(sys.stdin)["tool"]["answers"]
sys.stdout.write(open(sys.argv[-1 if answers else 1]).read())\n`,
    'stay.python3': `import sys
for name in sys.argv[1:]:
    sys.stdin.readline()
    print(open(name).read(), end="", flush=True)\n`,
    'described.python3': `import json, sys
action = json.load(sys.stdin)["context"]["action"]
sys.stdout.write(open("descriptions.json" if action == "schema" else sys.argv[1]).read())\n`,
  },
} as const

type Language = keyof typeof PROGRAMS
const LANGUAGES = ['sh', 'python3'] as const satisfies readonly Language[]

/** The tools that run once: their files, the answer that they need, and the words of their last output. */
const ONCE = [
  ['text', ['text'], undefined, 'All checks passed.'],
  ['block', ['block'], undefined, 'A block alone.'],
  ['resource', ['resource'], undefined, 'fn lamp() {}'],
  ['blob', ['blob'], undefined, 'lamp.bin'],
  ['formatted', ['formatted'], undefined, 'fn lamp() {}'],
  ['confirm', ['confirm', 'text'], 'confirm=true', 'All checks passed.'],
  ['branch', ['branch', 'text'], 'branch=beta', 'All checks passed.'],
  ['error', ['error'], undefined, 'No file lamp.rs.'],
  ['transient', ['transient'], undefined, 'The disk is busy.'],
] as const

/** The tools that stay alive. */
const STAY = [
  ['hunks', ['running', 'waiting', 'stopped'], 'Hunk 3 was left.'],
  ['locked', ['running', 'waiting', 'failed'], 'The index is locked.'],
] as const

function prepareFolder(language: Language, settings = ''): string {
  const command = (kind: string, names: readonly string[]): readonly string[] => [
    language,
    `${kind}.${language}`,
    ...names.map((name) => `${name}.json`),
  ]
  const tools = [
    ...ONCE.map(([name, names]) => tool(name, command('once', names))),
    ...STAY.map(([name, names]) =>
      tool(name, command('stay', names), 'stateful = true\nparameters = {}'),
    ),
    tool('lamp_check', command('described', ['text']), ''),
  ]
  return makeFolder({
    ...OUTPUTS,
    ...PROGRAMS[language],
    'descriptions.json': DESCRIPTIONS,
    'toolblocks.toml': settings + tools.join(''),
  })
}

const isFailure = (name: string): boolean => ['error', 'transient', 'locked'].includes(name)

const LONG = { timeout: 120_000 }

test.for(LANGUAGES)(
  '000 printed examples: in a call, a tool in %s that prints the forms of the specification unchanged gives their results',
  LONG,
  async (language) => {
    const folder = prepareFolder(language)
    for (const [name, , answer, expected] of ONCE) {
      const options = answer === undefined ? [] : [`--answer=${answer}`]
      const { code, stdout } = await toolblocks(folder, 'call', name, ...options)
      expect([name, code, stdout]).toEqual([
        name,
        isFailure(name) ? 1 : 0,
        expect.stringContaining(expected),
      ])
    }
    for (const [name, , expected] of STAY) {
      const { code, stdout } = await toolblocks(folder, 'call', name, '--answer=hunk_3=n')
      expect([name, code]).toEqual([name, isFailure(name) ? 1 : 0])
      expect(stdout).toMatch(/Reading the hunks\.[^]*Hunk 3 of 5:[^]*\+ {4}lamp\(\);/)
      expect(stdout).toContain(expected)
    }
    const described = await toolblocks(folder, 'call', 'lamp_check', '--arg', 'package=a')
    expect(described).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('All checks passed.'),
    })
  },
)

test.for(LANGUAGES)(
  '000 printed examples: in a chat, a model receives the results of such tools in %s, and a person answers their questions',
  LONG,
  async (language) => {
    const act = (action: string): [string, object][] =>
      STAY.map(([name]) => [name, { action, id: name }])
    const calls = ONCE.map(([name]) => [name, {}] as const)
    const model = await startProvider([
      // One call that asks in each message: parallel calls ask in any order.
      { calls: [...calls.filter(([name]) => name !== 'branch'), ['lamp_check', { package: 'a' }]] },
      { calls: calls.filter(([name]) => name === 'branch') },
      { calls: act('spawn') },
      { calls: act('fetch').slice(0, 1) },
      { calls: act('fetch').slice(1) },
      { text: 'Done with all.' },
    ])
    const folder = prepareFolder(language, model.settings)
    const { code, written } = await visit(
      folder,
      ['chat'],
      [
        [/› /, 'Go.\r'],
        [/lens;[^]*Change a third file\?/, 'y\r'],
        [/Which branch\?/, 'beta\r'],
        [/Hunk 3 of 5:[^]*Stage it\?/, 'n\r'],
        [/Hunk 3 was left\.[^]*Hunk 3 of 5:[^]*Stage it\?/, 'n\r'],
        [/The index is locked\.[^]*Done with all\.[^]*› /, '\u0004'],
      ],
      { patience: 60_000 },
    )
    expect([code, await getScreen(written)]).toEqual([0, expect.stringContaining('Done with all.')])
    const results = model.results()
    for (const expected of [...ONCE, ...STAY].map((row) => row.at(-1)))
      expect(results).toContainEqual(expect.stringContaining(expected as string))
    expect(results).toContainEqual(
      expect.stringMatching(/"hunks": running\][^]*Reading the hunks\./),
    )
    expect(results).toContainEqual(expect.stringMatching(/"hunks": waiting[^]*lamp\(\);/))
  },
)

test.for(LANGUAGES)(
  '000 printed examples: an MCP client receives the results of such tools in %s, and its person answers their questions',
  LONG,
  async (language) => {
    const answers: Readonly<Record<string, string | boolean>> = {
      'Change a third file?': true,
      'Which branch?': 'beta',
      'Stage it?': 'n',
    }
    const client = await connectClient(prepareFolder(language), ['serve'], ({ message }) => {
      const asked = Object.keys(answers).find((text) => message.includes(text)) ?? ''
      return { action: 'accept', content: { value: answers[asked] ?? '' } }
    })
    const call = async (name: string, values: Record<string, unknown> = {}): Promise<unknown> => {
      const { content, isError = false } = await client.callTool({ name, arguments: values })
      return [name, isError, JSON.stringify(content)]
    }
    for (const [name, , , expected] of ONCE)
      expect(await call(name)).toEqual([name, isFailure(name), expect.stringContaining(expected)])
    expect(await call('lamp_check', { package: 'a' })).toContainEqual(
      expect.stringContaining('All checks passed.'),
    )
    for (const [name, , expected] of STAY) {
      const act = async (action: string): Promise<unknown> => await call(name, { action, id: 'h' })
      expect(await act('spawn')).toEqual([
        name,
        false,
        expect.stringContaining('Reading the hunks.'),
      ])
      expect(await act('fetch')).toEqual([name, false, expect.stringContaining('Hunk 3 of 5:')])
      expect(await act('fetch')).toEqual([name, isFailure(name), expect.stringContaining(expected)])
    }
  },
)
