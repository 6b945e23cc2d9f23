import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toolblocks, visit } from '../stage/command.ts'
import { makeFolder, createPrintCommand, toToolOutput, tool } from '../stage/folder.ts'
import { hasResults, getLastMessage, startProvider } from '../stage/provider.ts'
import { readRows, STORE } from '../stage/rows.ts'

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const PICTURE = Buffer.concat([Buffer.from(PNG, 'base64'), Buffer.alloc(900)]).toString('base64')
const resource = (uri: string, more: object): object => ({
  type: 'resource',
  resource: { uri, ...more },
})
const NOTES = 'a line of notes\n'.repeat(50)

const OWN = resource('file://FOLDER/sub/own.txt', { text: 'own words' })
const WHO = { id: 'who', text: 'Who?', schema: { type: 'string' } }
/** Prints a text in which FOLDER is replaced by the folder. */
const inFolder = (text: string): string => `echo '${text}' | sed "s#FOLDER#$PWD#"`

/** A tool that asks a person and two models, and prints their answers. */
const ASKS = `case "$1$2$3" in
  null*) ${inFolder(toToolOutput([OWN, { type: 'question', question: WHO }]))} ;;
  *null*) cat asks.json ;;
  *) echo "$1 and $2 and $3" ;;
esac
`
const QUESTIONS = toToolOutput([
  resource('file:///notes.txt', { text: 'before the question' }),
  { type: 'question', question: { id: 'mine', text: 'Mine?', schema: { type: 'string' } } },
  { type: 'question', question: { id: 'other', text: 'Other?', schema: { type: 'string' } } },
])

/** An MCP server that prints its start arguments, asks a person for a signature, links to a note and answers slowly. */
const SERVER = `import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ListToolsRequestSchema, ReadResourceRequestSchema } from '@modelcontextprotocol/sdk/types.js'
const server = new Server({ name: 'n', version: '1' }, { capabilities: { tools: {}, resources: {} } })
const inputSchema = { type: 'object', properties: { given: { type: 'string' } } }
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: ['tell', 'sign', 'link', 'slow'].map((name) => ({ name, inputSchema })),
}))
const text = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] })
server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
  switch (params.name) {
    case 'sign': {
      const requestedSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
      return text(await server.elicitInput({ message: 'Who signs?', requestedSchema }))
    }
    case 'link':
      return { content: [{ type: 'resource_link', uri: 'note:///tide', name: 'tide' }] }
    case 'slow':
      await new Promise((done) => setTimeout(done, 20_000))
      return text('too late')
    default:
      return text([process.argv.slice(2), process.env.GREETING, process.cwd(), params.arguments])
  }
})
server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => ({
  contents: [{ uri, mimeType: 'text/plain', text: 'High at nine.' }],
}))
await server.connect(new StdioServerTransport())
`

const SETTINGS = `instructions = "Be brief."
max_output_tokens = 321
[format]
resource_header = "none"
structured = "both"
[deduplication]
min_bytes = 700
lookback_turns = 1
[budget]
per_result = 3000
per_turn = 20000
[mcp.servers.notes]
command = "node"
args = ["../server.mjs", "\${ARGUMENT}"]
env = { GREETING = "hello \${ARGUMENT}" }
cwd = "sub"
run = "unattended"
timeout_secs = 1.5
[tools.tell]
source = "mcp.notes.tell"
summary = "Tells how it was started."
run = "unattended"
parameters = { given = { default = "by the table" } }
`
const TOOLS =
  tool('picture', createPrintCommand('picture.json')) +
  tool('notes', createPrintCommand('notes.json')) +
  tool('fresh', createPrintCommand('notes.json'), 'parameters = {}\ndeduplicate = false') +
  tool('big', createPrintCommand('big.txt')) +
  tool('both', createPrintCommand('both.json')) +
  tool('own', ['sh', 'own.sh']) +
  tool('where', ['sh', '-c', 'pwd; cat']) +
  '\n[tools.remove]\nsource = "local"\ncommand = ["echo", "removed"]\nparameters = { path = { type = "string" } }\n' +
  tool('asks', [
    'sh',
    'asks.sh',
    '{{tool.answers.who}}',
    '{{tool.answers.mine}}',
    '{{tool.answers.other}}',
  ]) +
  `[tools.asks.questions]
mine = { target = "assistant" }
other = { target = { name = "small", instructions = "Be careful." } }
`
const FILES = {
  'server.mjs': SERVER,
  'sub/here': '',
  'asks.sh': ASKS,
  'asks.json': QUESTIONS,
  'picture.json': toToolOutput([
    resource('file:///p.png', { mimeType: 'image/png', blob: PICTURE }),
  ]),
  'notes.json': toToolOutput([resource('file:///notes.txt', { text: NOTES })]),
  'both.json': toToolOutput(
    [
      { type: 'text', text: 'Two.' },
      { type: 'text', text: '{"n":2}' },
    ],
    {
      structuredContent: { n: 2 },
    },
  ),
  'big.txt': 'y'.repeat(9000),
  'own.sh': inFolder(toToolOutput([OWN])),
}

/** Returns what the model receives of a result: text, and images by their names. */
function getWords(content: string): string {
  const blocks: unknown = JSON.parse(content)
  if (!Array.isArray(blocks)) return String(blocks)
  return blocks.map(({ type, text }) => (type === 'text' ? text : `(${type})`)).join('')
}

test('promise settings: the settings of a workspace for its model, results, tools and servers are in the requests of every turn', async () => {
  const steps: Readonly<Record<string, readonly (readonly [string, object])[]>> = {
    first: [
      ['picture', {}],
      ['notes', {}],
      ['big', {}],
      ['both', {}],
      ['tell', {}],
      ['notes__link', {}],
      ['notes__slow', {}],
      ['where', {}],
      ['remove', { path: 'docs/a' }],
    ],
    second: [
      ['picture', {}],
      ['notes', {}],
      ['fresh', {}],
      ['remove', { path: 'src/a' }],
    ],
    third: [
      ['picture', {}],
      ['own', {}],
    ],
  }
  const model = await startProvider((messages) => {
    const message = getLastMessage(messages)
    if (!hasResults(messages)) return { calls: steps[message] ?? [] }
    const results = messages.filter(({ role }) => role === 'tool')
    return results.length === steps['first']?.length
      ? { calls: [['read_resource', { uri: 'note:///tide' }]] }
      : { text: 'Done.' }
  }, 'anthropic')
  const folder = makeFolder({
    ...FILES,
    'other.toml': `${model.settings}${SETTINGS}${TOOLS}`,
    'toolblocks.toml': 'this is not read',
  })
  const args = ['--config', 'other.toml', '--allow-tool', 'remove(path in docs)']
  let output = ''
  process.env['ARGUMENT'] = 'of the user'
  try {
    for (const [prompt, more] of [
      ['first', []],
      ['second', ['--resume']],
      ['third', ['--resume']],
    ] as const) {
      const { code, stdout, stderr } = await toolblocks(folder, 'run', prompt, ...args, ...more)
      expect([code, stdout]).toEqual([0, expect.stringContaining('Done.')])
      output += stdout + stderr
    }
  } finally {
    delete process.env['ARGUMENT']
  }
  // A person reads paths relative to the workspace.
  expect(output).toMatch(/own\.txt/)
  expect(output).not.toContain(`${folder}/sub/own.txt`)
  expect(model.requests).toHaveLength(7)
  for (const request of model.requests) {
    expect(request).toMatchObject({ model: 'm', max_tokens: 321 })
    expect(JSON.stringify(request['system'])).toContain('Be brief.')
  }
  expect(JSON.stringify(model.requests[0]?.['tools'])).toContain('Tells how it was started.')
  const [picture, notes, big, both, tell, link, slow, where, removed, tide, ...second] = model
    .results()
    .map(getWords)
  expect(picture).toContain('(image)')
  expect(notes).toContain('a line of notes')
  expect(notes).not.toContain('Resource file:')
  expect(big?.length).toBeLessThan(3600)
  expect(big).toContain('The tool read_tool_result reads all of it')
  expect(both?.match(/"n":2/g)).toHaveLength(2)
  const started = [
    ['of the user'],
    'hello of the user',
    join(folder, 'sub'),
    { given: 'by the table' },
  ]
  expect(JSON.parse(tell ?? '')).toEqual(started)
  expect(link).toContain('resource link, not read: note:///tide')
  expect(slow).toContain('1.5')
  const [startFolder = '', request = ''] = where?.split('\n') ?? []
  expect(startFolder).toBe(folder)
  const [{ conversation } = {}] = readRows(join(folder, 'kept.db'))
  expect(JSON.parse(request).context).toMatchObject({
    root: folder,
    conversation_id: conversation,
  })
  expect(removed).toContain('removed')
  const [again, known, fresh, denied, last] = second
  expect(again).toContain('has not changed since')
  expect(known).toContain('has not changed since')
  expect(fresh).toContain('a line of notes')
  expect(tide).toContain('High at nine.')
  expect(denied).toContain('denied')
  // Two turns later the content is sent again, because a reference may only point to the previous turn.
  expect(last).toContain('(image)')
})

test('promise settings: the questions of a tool reach the configured people and models, in a chat and for a call without a model', async () => {
  const model = await startProvider((messages) => {
    if (getLastMessage(messages).includes('Call "answer"'))
      return { calls: [['answer', { answer: 'an answer' }]] }
    const results = messages.filter(({ role }) => role === 'tool').length
    const calls = [[['asks', {}]], [['notes__sign', {}]]] as const
    return { text: 'Well.', calls: calls[results] ?? [] }
  })
  const key = 'api_key_env = "ARGUMENT"\n'
  const home = makeFolder({
    'toolblocks/config.toml': model.settings + key + SETTINGS.split('[')[0],
  })
  const environment = { XDG_CONFIG_HOME: home, ARGUMENT: 'x' }
  const folder = makeFolder({
    ...FILES,
    'toolblocks.toml': `${STORE}[format]${SETTINGS.split('[format]')[1]}${TOOLS}`,
  })
  const chat = await visit(
    folder,
    ['chat'],
    [
      [/new conversation[^]*› /, 'Ask them.\r'],
      [/Who\?/, 'Ada\r'],
      [/Who signs\?[^]*name/, 'Bob\r'],
      [/Send this/, '\r'],
      [/Bob[^]*Well\.[^]*› /, '\u0004'],
    ],
    { environment },
  )
  expect(chat.code).toBe(0)
  expect(chat.written).toContain('kept.db')
  const [first, mine, other, , last] = model.requests
  expect(model.requests).toHaveLength(5)
  expect(first).toMatchObject({ model: 'm', max_tokens: 321 })
  expect(mine).toMatchObject({ model: 'm', max_tokens: 321 })
  expect(other).toMatchObject({ model: 'small', max_tokens: 321 })
  const system = (request: unknown): unknown => Object(request).messages[0].content
  expect([first, mine, other, last].map(system)).toEqual([
    'Be brief.',
    'Be brief.',
    'Be careful.',
    'Be brief.',
  ])
  for (const request of [mine, other]) {
    const requestText = JSON.stringify(request)
    expect(requestText).toContain('Ask them.')
    expect(requestText).toContain('before the question')
    expect(requestText).not.toContain('Resource file:')
  }
  const results = model.results()
  expect(results[0]).toContain('Ada and an answer and an answer')
  expect(results[1]).toContain('"name":"Bob"')

  const called = await visit(folder, ['call', 'asks'], [[/Who\?/, 'Eve\r']], { environment })
  expect(called.written).toContain('Eve and an answer and an answer')
  expect(called.written).toMatch(/own\.txt[^]*Who\?/)
  for (const { written } of [chat, called]) expect(written).not.toContain(`${folder}/sub/own.txt`)
  expect(called.written).toContain('the model answered "an answer"')
  const [, , , , , own, named] = model.requests
  expect(own).toMatchObject({ model: 'm', max_tokens: 321 })
  expect(named).toMatchObject({ model: 'small', max_tokens: 321 })
  expect([own, named].map(system)).toEqual(['Be brief.', 'Be careful.'])
  for (const request of [own, named]) {
    expect(JSON.stringify(request)).toContain('before the question')
    expect(JSON.stringify(request)).not.toContain('Resource file:')
  }
  const ran = await toolblocks(folder, 'call', 'where')
  const { context } = JSON.parse(ran.stdout.split('\n')[1] ?? '')
  const rows = readRows(join(folder, 'kept.db'))
  const { conversation: talk } = rows.find(({ type }) => type === 'user_message') ?? {}
  const ofCalls = rows.filter(({ conversation }) => conversation !== talk)
  expect(ofCalls.filter(({ type }) => type === 'question')).toHaveLength(3)
  const ofWhere = ofCalls.filter(({ conversation }) => conversation === context.conversation_id)
  expect(ofWhere.map(({ type }) => type)).toContain('tool_call')
  expect(context.root).toBe(folder)
  // The model of the folder replaces the user's own completely.
  const folders = makeFolder({
    ...FILES,
    'toolblocks.toml': `[model]\nprovider = "scripted"\n${TOOLS}`,
  })
  process.env['XDG_CONFIG_HOME'] = home
  expect((await toolblocks(folders, 'run', 'Hello.')).stdout).toContain('I am a script')
  expect(model.requests).toHaveLength(7)
})
