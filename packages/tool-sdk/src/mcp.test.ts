import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { connectServer } from '@toolblocks/mcp-bridge'
import { startProgram } from '@toolblocks/local-executor'
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'

const SERVER = `
import { booleanQuestion, defineTool, failure, structured, table, waiting } from '@toolblocks/tool-sdk'
import { serveTools } from '@toolblocks/tool-sdk/mcp'
import { Type } from '@toolblocks/tool-sdk/typebox'

const count = defineTool({
  name: 'count',
  title: 'Count',
  summary: 'Count words.',
  inputSchema: Type.Object({ words: Type.String({ description: 'To count.' }) }),
  outputSchema: Type.Object({ words: Type.Integer() }),
  examples: [{ words: 'a b' }],
  annotations: { readOnlyHint: true },
  async run({ words }, { progress, log, call, root }) {
    console.log('a line that is no message')
    process.stdout.write('another one\\n')
    log('warning', 'slow')
    progress(1, 2, 'half')
    if (words === '') return failure('Nothing to count.')
    return { words: words.split(' ').length }
  },
})
const state = defineTool({
  name: 'state',
  outputSchema: Type.Object({ ahead: Type.Integer() }),
  run: () => structured({ kind: 'git.state', data: { ahead: 2 }, summary: '2 ahead' }),
})
const list = defineTool({
  name: 'list',
  outputSchema: Type.Array(Type.String()),
  run: () => ['a', 'b'],
})
const remove = defineTool({
  name: 'remove',
  annotations: { destructiveHint: true },
  run: (_args, { ask, show }) => {
    show('notes.md')
    return ask.boolean('sure', 'Remove it?') && ask.text('why', 'Why?') === 'old' ? 'removed' : 'kept'
  },
})
const review = defineTool({
  name: 'review',
  stateful: true,
  async *run() {
    yield 'one line'
    const keep = yield waiting(booleanQuestion({ id: 'keep', text: 'Keep it?' }))
    const title = yield waiting('Which title?')
    return String(keep) + ' ' + String(title)
  },
})
const forever = defineTool({
  name: 'forever',
  run: (_args, { signal, progress }) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => { process.stderr.write('aborted\\n'); resolve('ended') })
      progress(1)
    }),
})
await serveTools([count, state, list, remove, review, forever], { version: '1.2.3', instructions: 'Count.' })
`

const packages = resolve(import.meta.dirname, '../..')

/** A folder with the server, and the packages that it finds by their names. */
function makeFolder(source = SERVER, installed = ['tool-sdk', 'mcp-bridge']): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tool-sdk-mcp-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const modules = join(root, 'node_modules/@toolblocks')
  mkdirSync(modules, { recursive: true })
  for (const name of installed) symlinkSync(join(packages, name), join(modules, name))
  writeFileSync(join(root, 'package.json'), '{"type":"module"}')
  writeFileSync(join(root, 'notes.ts'), source)
  return root
}

/** The real client of MCP's SDK, connected to the server over standard streams. */
async function connect(answer?: (params: unknown) => object) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['notes.ts'],
    cwd: makeFolder(),
    stderr: 'pipe',
  })
  const capabilities = answer ? { elicitation: {} } : {}
  const client = new Client({ name: 'test', version: '1' }, { capabilities })
  if (answer)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({
      action: 'accept',
      content: answer(params) as never,
    }))
  const log = readAll(transport.stderr as never)
  const received: unknown[] = []
  Object.assign(transport, { onmessage: (message: unknown) => void received.push(message) })
  await client.connect(transport)
  onTestFinished(async () => await client.close())
  return { client, log, received }
}

describe("a client of MCP's SDK", () => {
  test('receives the tools: titles, annotations, both schemas', async () => {
    const { client } = await connect()
    expect(client.getServerVersion()).toEqual({ name: 'notes', version: '1.2.3' })
    expect(client.getInstructions()).toBe('Count.')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'count',
      'state',
      'list',
      'remove',
      'review',
      'forever',
    ])
    expect(tools[0]).toMatchObject({
      name: 'count',
      title: 'Count',
      description: 'Count words.',
      inputSchema: {
        type: 'object',
        properties: { words: { type: 'string', description: 'To count.' } },
        required: ['words'],
        additionalProperties: false,
      },
      outputSchema: {
        type: 'object',
        properties: { words: { type: 'integer' } },
        required: ['words'],
      },
      annotations: { readOnlyHint: true },
      _meta: { 'toolblocks/definition': { examples: '```json\n{"words":"a b"}\n```' } },
    })
    // It refuses the whole list for an output schema that is not one of an object.
    expect(tools[2]).not.toHaveProperty('outputSchema')
  })

  test('calls a tool, and receives its data, which it checks, its progress, and nothing else on the wire', async () => {
    const { client, log, received } = await connect()
    await client.listTools()
    const result = await client.callTool(
      { name: 'count', arguments: { words: 'a b c' } },
      undefined,
      { onprogress: () => undefined },
    )
    expect(result).toMatchObject({
      content: [{ type: 'text', text: '{"words":3}' }],
      structuredContent: { words: 3 },
    })
    // The SDK drops progress that it reads together with the result, so its handler sees it or not.
    expect(received).toContainEqual({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: expect.anything(), progress: 1, total: 2, message: 'half' },
    })
    expect(await client.callTool({ name: 'count', arguments: { words: '' } })).toMatchObject({
      isError: true,
      content: [{ text: 'Nothing to count.' }],
    })
    const wrong = await client.callTool({ name: 'count', arguments: { word: 'a' } })
    expect(wrong).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('/words: is required and missing') }],
    })
    await client.close()
    expect(await log).toContain('a line that is no message\nanother one\n[warning] slow\n')
  })

  test('receives the data of a semantic value if the schema describes the data', async () => {
    const { client } = await connect()
    await client.listTools()
    expect(await client.callTool({ name: 'state' })).toMatchObject({
      content: [{ text: '2 ahead\n\n{"ahead":2}' }],
      structuredContent: { ahead: 2 },
    })
  })

  test('is asked as often as the tool asks', async () => {
    const asked: unknown[] = []
    const { client } = await connect((params) => {
      asked.push(params)
      return { value: asked.length === 1 ? true : 'old' }
    })
    expect(await client.callTool({ name: 'remove' })).toMatchObject({
      content: [{ text: 'notes.md' }, { text: 'removed' }],
    })
    expect(asked).toMatchObject([
      {
        message: 'notes.md\n\nRemove it?',
        requestedSchema: { properties: { value: { type: 'boolean' } } },
      },
      { message: expect.stringContaining('Why?') },
    ])
  })

  test('that cannot ask is told so', async () => {
    const { client } = await connect()
    const result = await client.callTool({ name: 'remove' })
    expect(result.isError).toBe(true)
    expect(JSON.stringify(result.content)).toContain('this client cannot ask its user')
  })

  test('is asked by a stateful tool while it stays alive', async () => {
    const answers = [true, 'A title']
    const { client } = await connect(() => ({ value: answers.shift() }))
    expect(await client.callTool({ name: 'review' })).toMatchObject({
      content: [{ text: 'one line' }, { text: 'Which title?' }, { text: 'true A title' }],
    })
  })

  test('that cancels a request aborts the call, and one that closes the input ends the program', async () => {
    const { client, log } = await connect()
    const giveUp = new AbortController()
    const call = client.callTool({ name: 'forever' }, undefined, {
      signal: giveUp.signal,
      onprogress: () => giveUp.abort(),
    })
    await expect(call).rejects.toThrow('aborted')
    await client.close()
    expect(await log).toContain('aborted\n')
  })
})

test('the client of @toolblocks/mcp-bridge restores the semantic value, the schema of a list and the examples', async () => {
  const transport = {
    kind: 'stdio',
    command: process.execPath,
    args: ['notes.ts'],
    cwd: makeFolder(),
  } as const
  const server = await connectServer({ name: 'n', transport }, {}, { startProgram })
  onTestFinished(async () => await server.close())
  const tools = new Map(server.tools().map((tool) => [tool.name, tool]))
  expect(tools.get('n__count')?.examples).toBe('```json\n{"words":"a b"}\n```')
  expect(tools.get('n__list')?.outputSchema).toMatchObject({ type: 'array' })
  const context = { root: '/', signal: AbortSignal.timeout(20_000), answers: {} }
  const call = async (name: string) =>
    await tools.get(name)?.execute({ id: 'c', name, arguments: {} }, context)
  const state = await call('n__state')
  expect(state?.structuredContent).toEqual({
    kind: 'git.state',
    data: { ahead: 2 },
    summary: '2 ahead',
  })
  expect(state?.metadata?.warnings).toBeUndefined()
  expect((await call('n__list'))?.structuredContent).toEqual(['a', 'b'])
})

test('without its optional peer, the error says what to install', () => {
  const root = makeFolder(
    "await (await import('@toolblocks/tool-sdk/mcp')).serveTools([(await import('@toolblocks/tool-sdk')).defineTool({ name: 'a', run: () => '' })])",
  )
  // A copy finds no peer: the packages beside it are found by its real path.
  rmSync(join(root, 'node_modules/@toolblocks/tool-sdk'))
  rmSync(join(root, 'node_modules/@toolblocks/mcp-bridge'))
  const copy = join(root, 'packages/tool-sdk')
  cpSync(join(packages, 'tool-sdk'), copy, {
    recursive: true,
    filter: (path) => !path.includes('node_modules') && !path.includes('dist'),
  })
  symlinkSync(copy, join(root, 'node_modules/@toolblocks/tool-sdk'))
  for (const name of ['protocol', 'schema-check', 'inquiry', 'media-type'])
    symlinkSync(join(packages, name), join(root, 'node_modules/@toolblocks', name))
  for (const name of ['typebox', 'leven'])
    symlinkSync(join(packages, 'tool-sdk/node_modules', name), join(root, 'node_modules', name))
  const { status, stderr } = spawnSync(process.execPath, ['notes.ts'], {
    cwd: root,
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(stderr).toContain(
    '@toolblocks/tool-sdk/mcp needs @toolblocks/mcp-bridge, an optional peer: npm install @toolblocks/mcp-bridge',
  )
})

test.for([
  ['no tools', '[]', 'expected at least one tool, got none'],
  [
    'a copy of a tool',
    "[{ ...defineTool({ name: 'a', run: () => '' }) }]",
    'expected a tool that defineTool made, got object with name, definition, description',
  ],
])('%s cannot be served', ([, tools, message]) => {
  const imports =
    "import { defineTool } from '@toolblocks/tool-sdk'\nimport { serveTools } from '@toolblocks/tool-sdk/mcp'\n"
  const root = makeFolder(`${imports}void defineTool\nawait serveTools(${tools})`)
  const { status, stderr } = spawnSync(process.execPath, ['notes.ts'], {
    cwd: root,
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(stderr).toContain(message)
})
