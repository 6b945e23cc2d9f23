import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parseToolDescriptions, parseToolOutput } from '../packages/parser/src/index.ts'
import { createLocalTool, describeExecutable } from '../packages/local-executor/src/index.ts'
import { getPromptKind } from '../packages/inquiry/src/form/prompt-kind.ts'
import {
  isToolRequest,
  isToolResultValue,
  isWellKnownKind,
  isWellKnownValue,
  readProgressLine,
} from '../packages/protocol/src/internal.ts'
import type { ToolResult } from '../packages/protocol/src/index.ts'

const document = readFileSync(resolve(import.meta.dirname, '../docs/protocol.md'), 'utf8')
const examples = [...document.matchAll(/^```json (\w+)\n([\s\S]*?)^```$/gm)].map(
  ([, kind = '', json = '']) => ({ kind, json }),
)

test('every JSON of docs/protocol.md names its kind of example', () => {
  expect(examples.length).toBeGreaterThan(5)
  expect(document.match(/^```json/gm)).toHaveLength(examples.length)
})

test.for(examples.filter(({ kind }) => kind === 'request'))(
  'a request is valid: $json',
  ({ json }) => {
    expect(isToolRequest(JSON.parse(json))).toBe(true)
  },
)

test.for(examples.filter(({ kind }) => kind === 'response'))(
  'a response is read without a warning: $json',
  ({ json }) => {
    expect(parseToolOutput(json)).toMatchObject({ format: 'blocks', warnings: [] })
  },
)

test.for(examples.filter(({ kind }) => kind === 'descriptions'))(
  'a description of tools is read without a warning: $json',
  ({ json }) => {
    expect(parseToolDescriptions(json)).toMatchObject({ ok: true, warnings: [] })
  },
)

test.for(examples.filter(({ kind }) => kind === 'progress'))(
  'a progress message is read from one line: $json',
  ({ json }) => {
    expect(readProgressLine(JSON.stringify(JSON.parse(json)))).toEqual({
      progress: 3,
      total: 10,
      message: '3 of 10 files',
    })
  },
)

test('there are no examples of another kind', () => {
  for (const { kind } of examples)
    expect(['request', 'response', 'value', 'descriptions', 'progress']).toContain(kind)
})

test('every well-known kind is shown, with its data', () => {
  const values = examples
    .filter(({ kind }) => kind === 'value')
    .map(({ json }): unknown => JSON.parse(json))
  expect(values.filter((value) => !isWellKnownValue(value))).toEqual([])
  const kinds = values.filter(isToolResultValue).map(({ kind }) => kind)
  const named = [...document.matchAll(/^\| `(\w+)` +\| .*$/gm)].map(([, kind = '']) => kind)
  expect(kinds.toSorted()).toEqual(named.filter(isWellKnownKind).filter(isNew).toSorted())
  expect(kinds).toHaveLength(7)
})

const isNew = (kind: string, index: number, kinds: readonly string[]): boolean =>
  kinds.indexOf(kind) === index

const prompts = [...document.matchAll(/^\| `(\{.*\}|true)` +\| `([a-z-]+)` +\|$/gm)]

test('the table from schema to prompt has a row for every prompt', () => {
  const named = new Set(prompts.map(([, , prompt]) => prompt))
  expect(named.size).toBe(8)
})

test.for(prompts.map(([, schema = '', prompt = '']) => [schema, prompt]))(
  '%s is asked with the prompt %s',
  ([schema = '', prompt]) => {
    expect(getPromptKind(JSON.parse(schema)).kind).toBe(prompt)
  },
)

/** Writes the complete tool into a separate folder and calls it there. */
function makeTool(command: readonly string[]) {
  const source = /^```bash tool\n([\s\S]*?)^```$/m.exec(document)?.[1]
  const root = mkdtempSync(join(tmpdir(), 'protocol-document-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  writeFileSync(join(root, 'tool'), source ?? '')
  writeFileSync(join(root, 'a "b".txt'), 'one\ntwo\\\n')
  writeFileSync(join(root, 'empty'), '')
  const tool = createLocalTool({ name: 'probe', inputSchema: true, command })
  const { signal } = new AbortController()
  const call = (callArguments: Record<string, unknown>, answers: Record<string, boolean> = {}) =>
    tool.execute({ id: 'c', name: 'probe', arguments: callArguments }, { root, signal, answers })
  return { call, exists: (name: string) => existsSync(join(root, name)) }
}

const getTexts = ({ content }: ToolResult): string[] =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : []))

// Windows has no program with this name.
test.skipIf(process.platform === 'win32')(
  'the tool in Bash asks, deletes, keeps and fails',
  async () => {
    const command = ['bash', 'tool', '{{tool.arguments.path}}', '{{tool.answers.delete}}']
    const { call, exists } = makeTool(command)
    const path = 'a "b".txt'
    const asked = await call({ path })
    expect(asked.metadata?.warnings).toBeUndefined()
    expect(asked.content).toMatchObject([
      { type: 'text', text: 'one two\\' },
      { type: 'question', question: { id: 'delete' } },
    ])
    expect(getTexts(await call({ path }, { delete: false }))).toEqual([`${path} was kept.`])
    expect(exists(path)).toBe(true)
    expect(getTexts(await call({ path }, { delete: true }))).toEqual([`${path} was deleted.`])
    expect(exists(path)).toBe(false)
    expect(getTexts(await call({ path: 'empty' }))).toEqual(['empty was deleted.'])
    expect((await call({ path })).isError).toBe(true)
  },
)

/** The command that runs the same tool in each language. `needs` must be installed. */
const languages = [
  {
    language: 'bash',
    file: 'count_lines.sh',
    needs: 'bash',
    command: ['bash', 'count_lines.sh', '{{context.action}}', '{{tool.arguments.path}}'],
  },
  {
    language: 'python',
    file: 'count_lines.py',
    needs: 'python3',
    command: ['python3', 'count_lines.py'],
  },
  {
    language: 'go',
    file: 'count_lines.go',
    needs: 'go',
    build: ['build', 'count_lines.go'],
    command: ['./count_lines'],
  },
  {
    language: 'rust',
    file: 'count_lines.rs',
    needs: 'rustc',
    build: ['count_lines.rs'],
    command: ['./count_lines', '{{context.action}}', '{{tool.arguments.path}}'],
  },
]

test.for(languages)(
  'the same tool in $language describes itself, counts and fails',
  async ({ language, file, needs, build, command }, { skip }) => {
    const probe = spawnSync(needs, [needs === 'go' ? 'version' : '--version'])
    skip(probe.status !== 0, `${needs} is not on this machine`)
    const source = new RegExp(`^\`\`\`${language} count_lines\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(
      document,
    )?.[1]
    const root = mkdtempSync(join(tmpdir(), 'protocol-document-'))
    onTestFinished(() => rmSync(root, { recursive: true }))
    writeFileSync(join(root, file), source ?? '')
    writeFileSync(join(root, 'a "b".txt'), 'one\ntwo\n')
    const built = build && spawnSync(needs, build, { cwd: root, encoding: 'utf8' })
    expect(built?.stderr ?? '').toBe('')

    const { signal } = new AbortController()
    const parameters = {
      path: { type: 'string', summary: 'Relative to the workspace.', required: true },
    }
    const name = 'count_lines'
    expect(await describeExecutable(command, { root, signal })).toEqual({
      ok: true,
      tools: [{ name, summary: 'Count the lines of a file.', parameters }],
      warnings: [],
    })
    const tool = createLocalTool({ name, inputSchema: true, command })
    const call = (path: string) =>
      tool.execute({ id: 'c', name, arguments: { path } }, { root, signal, answers: {} })
    expect(await call('a "b".txt')).toMatchObject({
      content: [{ type: 'text', text: '2 lines' }],
      isError: false,
    })
    const lost = await call('lost')
    expect([lost.isError, ...getTexts(lost)]).toEqual([true, 'The file cannot be read.'])
  },
)
