import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createLocalTool, describeExecutable } from '../packages/local-executor/src/index.ts'
import {
  descriptionToDefinition,
  type Answers,
  type Tool,
  type ToolContext,
  type ToolResult,
  readStatus,
} from '../packages/protocol/src/index.ts'
import { isSkippedWithout } from './needed-programs.support.ts'

const folder = resolve(import.meta.dirname, '../packages/tool-sdk/examples/authoring')
const document = readFileSync(resolve(import.meta.dirname, '../docs/authoring-tools.md'), 'utf8')
const files = readdirSync(folder)

const LANGUAGES: Readonly<Record<string, string>> = { '.sh': 'bash', '.py': 'python', '.ts': 'ts' }

test('docs/authoring-tools.md has five steps', () => {
  const steps = files.map((name) => name.slice(0, 1))
  expect([...new Set(steps)].toSorted()).toEqual(['1', '2', '3', '4', '5'])
})

test.for(files)('docs/authoring-tools.md shows %s verbatim', (name) => {
  const language = LANGUAGES[extname(name)]
  const source = readFileSync(join(folder, name), 'utf8')
  expect(document).toContain(`\`\`\`${language} ${name}\n${source}\`\`\``)
})

const signal = new AbortController().signal
// The code that Node compiles is cached for the next start.
const env = ['NODE_COMPILE_CACHE']

interface Workspace {
  root: string
  /** Creates the tools of a step from the program's description, like a host. */
  describe(file: string, interpreter?: string): Promise<Record<string, Tool>>
  call(tool: Tool | undefined, values: object, answers?: Answers): Promise<ToolResult>
  context(answers?: Answers): ToolContext
}

function makeWorkspace(notes: Record<string, string>): Workspace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'authoring-')))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const [name, note] of Object.entries(notes)) writeFileSync(join(root, name), note)
  const context = (answers: Answers = {}): ToolContext => ({ root, signal, answers })
  return {
    root,
    context,
    describe: async (file, interpreter = process.execPath) => {
      const command = [interpreter, join(folder, file)]
      const described = await describeExecutable(command, { root, signal, env })
      if (!described.ok) throw new Error(described.message)
      expect(described.warnings).toEqual([])
      return Object.fromEntries(
        described.tools.map((description) => [
          description.name,
          createLocalTool({
            ...descriptionToDefinition(description),
            command,
            env,
            formatsArguments: true,
            stateful: description.stateful ?? false,
          }),
        ]),
      )
    },
    call: async (tool, values, answers) => {
      const { name, execute } = tool!
      return await execute({ id: 'c', name, arguments: { ...values } }, context(answers))
    },
  }
}

const getTexts = ({ content }: ToolResult): string[] =>
  content.map((block) => (block.type === 'text' ? block.text : `(${block.type})`))

// Windows has no Bash with this name.
test.skipIf(process.platform === 'win32')('step 1 prints text', async () => {
  const { call } = makeWorkspace({ 'a.md': 'one\ntwo\n' })
  const command = ['bash', join(folder, '1-print-text.sh'), '{{tool.arguments.path}}']
  const tool = createLocalTool({ name: 'count_lines', inputSchema: true, command })
  expect(getTexts(await call(tool, { path: 'a.md' }))).toEqual(['2 a.md\n'])
})

test('step 2 is typed', async () => {
  const { describe, call } = makeWorkspace({ 'a.md': 'one\n\ntwo\n' })
  const { count_lines: tool } = await describe('2-typed.ts')
  expect(getTexts(await call(tool, { path: 'a.md' }))).toEqual(['a.md: 3 lines'])
  expect(getTexts(await call(tool, { path: 'a.md', blank: false }))).toEqual(['a.md: 2 lines'])
  const [wrong] = getTexts(await call(tool, { file: 'a.md' }))
  expect(wrong).toContain('file')
  expect((await call(tool, { path: 'lost.md' })).isError).toBe(true)
})

test('step 3 returns tables, resources, failures and data', async () => {
  const { describe, call, root } = makeWorkspace({ 'a.md': '# A\n', 'b.md': '# B\n' })
  const { list_notes: list, read_note: read, count_notes: count } = await describe('3-results.ts')
  expect(await call(list, {})).toMatchObject({
    content: [{ text: '| name | Bytes |\n| --- | --: |\n| a.md | 4 |\n| b.md | 4 |' }],
    structuredContent: { kind: 'table', data: { rows: [{ name: 'a.md' }, { name: 'b.md' }] } },
  })
  expect(count?.outputSchema).toMatchObject({ required: ['notes', 'bytes'] })
  expect((await call(count, {})).structuredContent).toEqual({ notes: 2, bytes: 8 })
  expect((await call(read, { name: 'a.md' })).content).toEqual([
    {
      type: 'resource',
      resource: { uri: `file://${root}/a.md`, mimeType: 'text/markdown', text: '# A\n' },
    },
  ])
  const lost = await call(read, { name: 'c.md' })
  expect([lost.isError, ...getTexts(lost)]).toEqual([
    true,
    'There is no note c.md. Call list_notes to see the names.',
  ])
})

const isMissing = (program: string): boolean =>
  isSkippedWithout(spawnSync(program, ['--version']).status === 0 ? undefined : program)

test.for([
  { file: '3-results.py', interpreter: 'python3', needed: 'python3' },
  { file: '3-results.sh', interpreter: 'sh', needed: 'jq' },
])(
  'step 3 returns a table and a diff in $file',
  async ({ file, interpreter, needed }, { skip }) => {
    skip(process.platform === 'win32' || isMissing(needed), `${needed} is not on this machine`)
    const original = 'one two\ntwo "three"\\\n'
    const { describe, call, root } = makeWorkspace({ 'a.md': original, "b 'c.md": 'x\n' })
    const { list_notes: list, replace_word: replace } = await describe(file, interpreter)
    const completed = { id: 'c', isError: false, metadata: { outcome: 'completed' } }
    expect(await call(list, {})).toEqual({
      ...completed,
      content: [{ type: 'text', text: `a.md: 21 bytes\nb 'c.md: 2 bytes` }],
      structuredContent: {
        kind: 'table',
        data: {
          columns: [
            { key: 'name' },
            { key: 'bytes', label: 'Bytes', type: 'number', align: 'right' },
          ],
          rows: [
            { name: 'a.md', bytes: 21 },
            { name: `b 'c.md`, bytes: 2 },
          ],
        },
      },
    })
    const modified = 'one 2\n2 "three"\\\n'
    expect(await call(replace, { path: 'a.md', word: 'two', by: '2' })).toEqual({
      ...completed,
      content: [{ type: 'text', text: 'Replaced 2 × two in a.md.' }],
      structuredContent: {
        kind: 'diff',
        data: { path: 'a.md', original, modified, isNew: false },
      },
    })
    expect(readFileSync(join(root, 'a.md'), 'utf8')).toBe(modified)
    expect((await call(replace, { path: 'c.md', word: 'a', by: 'b' })).isError).toBe(true)
  },
)

test('step 4 asks', async () => {
  const { describe, call, root, context } = makeWorkspace({ 'a.md': 'one', 'empty.md': '' })
  const { remove_note: tool } = await describe('4-asks.ts')
  const removal = { id: 'c', name: 'remove_note', arguments: { name: 'a.md' } }
  expect(getTexts((await tool?.formatArguments?.(removal, context()))!)).toEqual(['rm a.md'])
  expect(getTexts(await call(tool, { name: 'empty.md' }))).toEqual([
    'empty.md was empty, and is removed.',
  ])
  expect(getTexts(await call(tool, { name: 'a.md' }))).toEqual(['one', '(question)'])
  expect(getTexts(await call(tool, { name: 'a.md' }, { how: 'keep' }))).toContain('a.md was kept.')
  expect(existsSync(join(root, 'a.md'))).toBe(true)
  expect(getTexts(await call(tool, { name: 'a.md' }, { how: 'trash' }))).toContain(
    'a.md is removed.',
  )
  expect(readdirSync(root)).toEqual(['a.md.trash'])
})

test('step 5 stays alive between calls', async () => {
  const { describe, call, root, context } = makeWorkspace({ 'a.md': 'one\ntwo\n' })
  const { review_note: tool } = await describe('5-stateful.ts')
  const values = { name: 'a.md', to: 'kept.md' }
  const spawned = { id: 'c', name: 'review_note', arguments: values }
  const live = await tool!.spawn!(spawned, context())
  expect(getTexts(live.started)).toEqual(['one', '(question)'])
  expect(getTexts(await live.apply({ answers: { line_1: true } }, { signal }))).toEqual([
    'two',
    '(question)',
  ])
  const asked = await live.apply({ answers: { line_2: false } }, { signal })
  expect([readStatus(asked), ...getTexts(asked)]).toEqual(['waiting', 'What is the title?'])
  const ended = await live.apply({ input: 'A' }, { signal })
  expect([readStatus(ended), ...getTexts(ended)]).toEqual(['stopped', '"A": 1 lines are kept.'])
  expect(readFileSync(join(root, 'kept.md'), 'utf8')).toBe('one\n-- reviewed\n')
  const both = { line_1: true, line_2: true, input_1: 'B' }
  expect(getTexts(await call(tool, values, both))).toEqual([
    'one',
    'two',
    'What is the title?',
    '"B": 2 lines are kept.',
  ])
  expect(readFileSync(join(root, 'kept.md'), 'utf8')).toBe(
    'one\n-- reviewed\none\ntwo\n-- reviewed\n',
  )
  const unanswered = await call(tool, values, { line_1: true })
  expect([unanswered.isError, ...getTexts(unanswered)]).toEqual([
    true,
    'one',
    'two',
    'The tool asked "Keep this line?" (line_2), and nobody could answer it.',
    'The call was ended; its effects remain.',
    '(question)',
  ])
  const aborted = await tool!.spawn!(spawned, context())
  await aborted.abort()
  expect(readFileSync(join(root, 'kept.md'), 'utf8').match(/-- reviewed/g)).toHaveLength(4)
})

test('step 5 stays alive between calls in Python', async ({ skip }) => {
  skip(process.platform === 'win32' || isMissing('python3'), 'python3 is not on this machine')
  const { describe, call, context } = makeWorkspace({})
  const { counter: tool } = await describe('5-stateful.py', 'python3')
  const spawned = { id: 'c', name: 'counter', arguments: { start: 1 } }
  const live = await tool!.spawn!(spawned, context())
  const read = (result: ToolResult): readonly string[] => [readStatus(result), ...getTexts(result)]
  expect(read(live.started)).toEqual(['waiting', 'The total is 1. Which number is added?'])
  const fetched = await live.fetch({ signal })
  expect(read(fetched)).toEqual(['waiting', 'The total is 1. Which number is added?'])
  const wrong = await live.apply({ input: 'four' }, { signal })
  expect(read(wrong)).toEqual(['waiting', 'Expected a number. Which one is added?'])
  const added = await live.apply({ input: 4 }, { signal })
  expect(read(added)).toEqual(['waiting', 'The total is 5. Which number is added?'])
  const ended = await live.apply({ input: '5' }, { signal })
  expect(read(ended)).toEqual(['stopped', 'The total is 10.'])
  const other = await tool!.spawn!(spawned, context())
  expect(read(await other.abort())).toEqual(['stopped', 'The total is 1.'])
  expect(getTexts(await call(tool, { start: 1 }, { input_1: '9' }))).toEqual([
    'The total is 1. Which number is added?',
    'The total is 10.',
  ])
})
