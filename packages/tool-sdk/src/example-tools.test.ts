import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { formatResult } from '@toolblocks/formatter'
import { createLocalTool, describeExecutable } from '@toolblocks/local-executor'
import {
  type Answers,
  descriptionToDefinition,
  type JsonObject,
  type Progress,
  type Tool,
  type ToolContext,
  type ToolResult,
} from '@toolblocks/protocol'
import { renderTerminal } from '@toolblocks/renderer'
import { expect, type OnTestFinishedHandler, test } from 'vitest'

const examples = resolve(import.meta.dirname, '../examples/tools')
// What Node compiles is kept for the next start.
const env = ['NODE_COMPILE_CACHE']
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

interface Program {
  readonly root: string
  readonly tools: Readonly<Record<string, Tool>>
  context(answers?: Answers, more?: Partial<ToolContext>): ToolContext
  call(name: string, values: JsonObject, answers?: Answers): Promise<ToolResult>
  /** What a model reads of a call. */
  ask(name: string, values: JsonObject, answers?: Answers): Promise<string>
}

/** Tests run side by side, so each has its own. */
type OnTestFinished = (clean: OnTestFinishedHandler) => void

/** Registers an example by its command alone, in a workspace with these files. */
async function register(
  onTestFinished: OnTestFinished,
  file: string,
  files: Record<string, string | Buffer> = {},
): Promise<Program> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'example-tools-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(root, name), content)
  const command = [process.execPath, join(examples, file)]
  const { signal } = new AbortController()
  const described = await describeExecutable(command, { root, signal, env })
  if (!described.ok) throw new Error(described.message)
  expect(described.warnings).toEqual([])
  const made = described.tools.map((description) => {
    const { stateful = false } = description
    const definition = descriptionToDefinition(description)
    return createLocalTool({ ...definition, command, env, formatsArguments: true, stateful })
  })
  const tools = Object.fromEntries(made.map((tool) => [tool.name, tool]))
  const context: Program['context'] = (answers = {}, more) => ({ root, signal, answers, ...more })
  const call: Program['call'] = async (name, values, answers) =>
    await tools[name]!.execute({ id: 'c', name, arguments: values }, context(answers))
  const ask: Program['ask'] = async (...input) => formatResult(await call(...input), { root })
  return { root, tools, context, call, ask }
}

test('each example is tested here', () => {
  const source = readFileSync(import.meta.filename, 'utf8')
  const files = readdirSync(examples)
  expect(files).toHaveLength(10)
  for (const file of files) expect(source).toContain(`'${file}'`)
})

test.concurrent('1: nested arguments are checked, filled in and transformed', async ({
  onTestFinished,
}) => {
  const { ask, tools } = await register(onTestFinished, '01-nested-zod.ts')
  const order = {
    customer: { name: 'Ada', country: 'gb' },
    lines: [{ article: 'lamp', cents: 1200 }],
  }
  expect(tools['plan_order']?.inputSchema).toMatchObject({ required: ['customer', 'lines'] })
  expect(await ask('plan_order', order)).toBe('Ada (GB) pays 1700 cents, by post.')
  const wrong = await ask('plan_order', {
    customer: { name: '', country: 'gb' },
    lines: [{ article: 1, cents: 1, cuont: 2 }],
    shipment: { by: 'ship' },
  })
  expect(wrong.split('\n').filter((line) => line.startsWith('- '))).toEqual([
    '- /customer/name: expected at least 1 character, got 0',
    '- /lines/0/cuont: is not a known property; expected only "article", "count" or "cents"',
    '- /lines/0/article: expected string, got number 1',
    '- /shipment/by: expected "post" or "courier", got string "ship"',
  ])
})

test.concurrent('2: the second question depends on the first answer, and a file moves after the last', async ({
  onTestFinished,
}) => {
  const { call, ask, root, tools, context } = await register(
    onTestFinished,
    '02-two-questions.ts',
    { 'a.md': 'a' },
  )
  mkdirSync(join(root, 'box'))
  const values = { note: 'a.md' }
  const formatted = await tools['file_note']?.formatArguments?.(
    { id: 'c', name: 'file_note', arguments: values },
    context(),
  )
  expect(renderTerminal(formatted!)).toBe('File a.md in a folder that you choose.')
  const first = await call('file_note', values)
  expect(first.content).toMatchObject([
    { text: 'There are 1 folders.' },
    { question: { id: 'folder', schema: { enum: ['box', 'another'] } } },
  ])
  const second = await call('file_note', values, { folder: 'another' })
  expect(second.content.at(-1)).toMatchObject({
    question: { id: 'name', schema: { type: 'string' } },
  })
  expect(readdirSync(root)).toEqual(['a.md', 'box'])
  expect(await ask('file_note', values, { folder: 'another', name: 'new' })).toContain(
    'a.md is in new.',
  )
  expect(readdirSync(join(root, 'new'))).toEqual(['a.md'])
  expect(await ask('file_note', { note: 'b.md' })).toContain('There is no note b.md')
})

test.concurrent('3: a stateful tool receives the input of a model, and the answer of a person', async ({
  onTestFinished,
}) => {
  const { call, tools, context } = await register(onTestFinished, '03-stateful.ts')
  const values = { secret: 40, tries: 2 }
  const { signal } = new AbortController()
  const live = await tools['guess']!.spawn!(
    { id: 'c', name: 'guess', arguments: values },
    context(),
  )
  expect(formatResult(live.started)).toBe('Guess 1 of 2: a number from 1 to 100.')
  expect(formatResult(await live.apply({ input: 'many' }, { signal }))).toContain(
    '"many" is not a whole number.',
  )
  expect((await live.apply({ input: 50 }, { signal })).content).toMatchObject([
    { text: 'The number is lower.' },
    { question: { id: 'reveal' } },
  ])
  expect(formatResult(await live.apply({ answers: { reveal: true } }, { signal }))).toBe(
    'It was 40.',
  )
  // A person types a text, a model gives any JSON value.
  expect((await call('guess', values, { input_1: '40' })).content.at(-1)).toMatchObject({
    text: '40 is right, after 1 tries.',
  })
  expect(await call('guess', values, { input_1: '1', input_2: '2', reveal: false })).toMatchObject({
    isError: true,
    content: [{}, {}, {}, {}, { text: 'The number was not found.' }],
  })
})

test.concurrent('4: several tools of one program share their data', async ({ onTestFinished }) => {
  const { call, ask } = await register(onTestFinished, '04-several-tools.ts')
  const task = { id: 1, title: 'Oil the lamp', done: false }
  expect((await call('add_task', { title: 'Oil the lamp' })).structuredContent).toEqual(task)
  const finished = await call('finish_task', { id: 1 })
  expect(finished.structuredContent).toEqual({ ...task, done: true })
  expect(renderTerminal(finished)).toMatch(/^Task 1 \(Oil the lamp\) is done\./)
  expect(await ask('list_tasks', {})).toContain('"Oil the lamp"')
  expect(await ask('finish_task', { id: 7 })).toContain('There is no task 7. Call list_tasks.')
})

test.concurrent('5: images and a recording keep their type', async ({ onTestFinished }) => {
  const png = Buffer.from(PIXEL, 'base64')
  const { call, ask } = await register(onTestFinished, '05-pictures-and-audio.ts', {
    'p.png': png,
    'a.md': 'a',
  })
  expect((await call('show_picture', { path: 'p.png' })).content).toEqual([
    { type: 'text', text: 'This is p.png:' },
    { type: 'image', data: PIXEL, mimeType: 'image/png' },
  ])
  expect((await call('draw_bars', { numbers: [10] })).content).toMatchObject([
    { mimeType: 'image/svg+xml' },
  ])
  expect((await call('play_tone', { hertz: 440 })).content).toMatchObject([
    { type: 'audio', mimeType: 'audio/wav' },
  ])
  expect(await ask('show_picture', { path: 'a.md' })).toContain(
    'a.md cannot be shown. Name a picture of the workspace.',
  )
})

test.concurrent('6: a person sees a table and a diff, a model receives them as text', async ({
  onTestFinished,
}) => {
  const { call, root } = await register(onTestFinished, '06-table-and-diff.ts', {
    'a.md': 'one two\nTwo\n',
  })
  const counted = await call('count_words', { path: 'a.md' })
  expect(formatResult(counted)).toContain(
    '| Word | Count |\n| --- | --: |\n| two | 2 |\n| one | 1 |\n',
  )
  expect(renderTerminal(counted)).toMatch(/Word +Count[^]*two +2/)
  const replaced = await call('replace_word', { path: 'a.md', word: 'one', by: '1' })
  expect(formatResult(replaced)).toContain('-one two\n+1 two')
  expect(renderTerminal(replaced)).toContain('+1 two')
  expect(readFileSync(join(root, 'a.md'), 'utf8')).toBe('1 two\nTwo\n')
})

test.concurrent('7: a long file is returned completely, or by pages whose URI has the lines', async ({
  onTestFinished,
}) => {
  const lines = Array.from({ length: 120 }, (_, index) => `line ${index + 1}`)
  const { call, ask, root } = await register(onTestFinished, '07-long-output.ts', {
    'a b.txt': `${lines.join('\n')}\n`,
  })
  const uri = `file://${root}/a%20b.txt`
  expect((await call('read_whole', { path: 'a b.txt' })).content).toMatchObject([
    { resource: { uri, text: `${lines.join('\n')}\n` } },
  ])
  expect((await call('read_page', { path: 'a b.txt', page: 3 })).content).toMatchObject([
    { resource: { uri: `${uri}#L101-120`, text: lines.slice(100).join('\n') } },
    { text: 'This is the end.' },
  ])
  expect(await ask('read_page', { path: 'a b.txt' })).toContain('Page 1 of 3. Go on with page 2.')
  expect(await ask('read_page', { path: 'a b.txt', page: 9 })).toContain(
    'Choose a page from 1 to 3.',
  )
})

test.concurrent('8: an error says whether to retry, and keeps its causes', async ({
  onTestFinished,
}) => {
  const { call, ask, root } = await register(onTestFinished, '08-errors.ts', {
    'rates.json': '{"USD": 1.1}',
  })
  const values = { euros: 2, currency: 'USD' }
  const readMeta = ({ _meta }: ToolResult): unknown => _meta?.['computer.jp/error']
  expect(await ask('convert', values)).toBe('2.20 USD')
  expect(await ask('convert', { ...values, currency: 'usd' })).toContain(
    '- /currency: expected a string that matches',
  )
  writeFileSync(join(root, 'rates.json'), '{')
  const thrown = await call('convert', values)
  expect(formatResult(thrown)).toContain(
    'The tool "convert" failed: The rates cannot be read. Write rates.json anew.',
  )
  expect(readMeta(thrown)).toMatchObject({
    transient: false,
    trace: [
      'Error: The rates cannot be read. Write rates.json anew.',
      expect.stringContaining('SyntaxError'),
    ],
  })
  writeFileSync(join(root, 'rates.lock'), '')
  expect(readMeta(await call('convert', values))).toMatchObject({ transient: true })
  expect(await ask('unlock', {})).toBe('The lock is removed.')
  expect((await call('unlock', {})).isError).toBe(true)
})

test.concurrent('9: progress and the log reach the caller, and an abort ends the work', async ({
  onTestFinished,
}) => {
  const { tools, context } = await register(onTestFinished, '09-progress.ts', {
    'a.md': 'a',
    'b.md': 'b',
  })
  const reports: Progress[] = []
  const started = { id: 'c', name: 'hash_files', arguments: { pauseMs: 500 } }
  const onProgress = (report: Progress): void => void reports.push(report)
  const done = await tools['hash_files']!.execute(started, context({}, { onProgress }))
  expect(formatResult(done)).toContain('| a.md | ca978112ca1b |')
  expect(reports).toContainEqual({ message: '2 files' })
  expect(reports).toContainEqual({ progress: 1, total: 2, message: 'a.md' })
  const abort = new AbortController()
  const long = { ...started, arguments: { pauseMs: 20_000 } }
  const stop = (): void => abort.abort()
  const { signal } = abort
  const ended = await tools['hash_files']!.execute(long, context({}, { signal, onProgress: stop }))
  expect(ended.metadata?.outcome).toBe('cancelled')
  expect(formatResult(ended)).toContain('0 files are hashed')
})

test.concurrent('10: an MCP client receives schemas, annotations, questions and data', async ({
  onTestFinished,
}) => {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } })
  const asked: string[] = []
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    asked.push(params.message)
    return { action: 'accept', content: { value: asked.length === 1 ? 'Ada' : true } }
  })
  const args = [join(examples, '10-mcp-server.ts')]
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }),
  )
  onTestFinished(async () => await client.close())
  expect([client.getServerVersion(), client.getInstructions()]).toEqual([
    { name: 'seats', version: '1.0.0' },
    'Books seats of one train.',
  ])
  const { tools } = await client.listTools()
  expect(tools).toMatchObject([
    {
      name: 'list_seats',
      title: 'List seats',
      annotations: { readOnlyHint: true },
      outputSchema: { required: ['seats'] },
    },
    { name: 'book_seat', inputSchema: { required: ['seat'] }, outputSchema: { type: 'object' } },
  ])
  const book = async (values: Record<string, unknown>): Promise<unknown> =>
    await client.callTool({ name: 'book_seat', arguments: values })
  expect(await book({ seat: '12A' })).toMatchObject({
    structuredContent: { seat: '12A', passenger: 'Ada' },
  })
  expect(asked).toEqual(['Who sits on 12A?', 'Book 12A for Ada?'])
  expect(await book({ seat: '12A' })).toMatchObject({
    isError: true,
    content: [{ text: '12A is not free. Call list_seats.' }],
  })
  expect(await book({ seat: '14C', pasenger: 'B' })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('- /pasenger: is not a known property') }],
  })
})
