import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import { connectClient } from '../stage/mcp-client.ts'
import { startProvider } from '../stage/provider.ts'
import { readRows } from '../stage/rows.ts'

const ECHO = `title = "Say it again"
summary = "Gives what it gets."
[tools.echo.parameters.words]
type = "string"
`

test('003 naming: a tool has an inputSchema and a title, and a call has arguments: for a script, a client, the program and the file', async () => {
  const model = await startProvider([{ calls: [['echo', { words: 'hello' }]] }, { text: 'Said.' }])
  const folder = makeFolder({
    'toolblocks.toml': model.settings + tool('echo', ['tee', 'request'], ECHO),
  })
  const schema = { type: 'object', properties: { words: { type: 'string' } }, required: ['words'] }
  const definition = { name: 'echo', title: 'Say it again', inputSchema: schema }
  const listed = await toolblocks(folder, 'tools', '--output', 'json')
  expect(JSON.parse(listed.stdout)).toMatchObject([definition])
  const client = await connectClient(folder)
  expect((await client.listTools()).tools).toMatchObject([definition, { name: 'read_tool_result' }])

  await toolblocks(folder, 'run', 'Say hello.')
  const request = JSON.parse(readFileSync(`${folder}/request`, 'utf8'))
  expect(request.tool).toMatchObject({ name: 'echo', arguments: { words: 'hello' } })
  const rows = readRows(`${folder}/kept.db`)
  expect(rows.find(({ type }) => type === 'tool_call')).toMatchObject({
    call: { id: 'call_1', name: 'echo', arguments: { words: 'hello' } },
  })
  const [, asked] = model.requestMessages
  expect(JSON.stringify(asked)).toContain(String.raw`"arguments":"{\"words\":\"hello\"}"`)
  for (const text of [listed.stdout, JSON.stringify(request), JSON.stringify(rows)])
    expect(text).not.toMatch(/"(?:input_schema|input)":/)
})

test('003 results: each result has the id of its call and isError; metadata has the facts of the host, and not those of the tool', async () => {
  const printed = {
    id: 'mine',
    content: [{ type: 'text', text: 'fine' }],
    metadata: { outcome: 'denied' },
    _meta: { 'example.com/took': 3 },
    extra: [1],
  }
  const model = await startProvider([
    {
      calls: [
        ['one', {}],
        ['two', {}],
      ],
    },
    { text: 'Done.' },
  ])
  const folder = makeFolder({
    'one.json': JSON.stringify(printed),
    'toolblocks.toml':
      model.settings + tool('one', ['cat', 'one.json']) + tool('two', ['sh', 'two.sh']),
  })
  const first = {
    content: printed.content,
    isError: false,
    metadata: { outcome: 'completed' },
    _meta: {
      'example.com/took': 3,
      'toolblocks/wire': { id: 'mine', metadata: { outcome: 'denied' } },
    },
    extra: [1],
  }
  await toolblocks(folder, 'run', 'Do both.')
  const results = readRows(`${folder}/kept.db`).filter(({ type }) => type === 'tool_result')
  const byId = Object.fromEntries(results.map(({ result }) => [Object(result).id, result]))
  expect(byId).toMatchObject({
    call_1: first,
    call_2: { isError: true, metadata: { outcome: 'failed' } },
  })
  const called = await toolblocks(folder, 'call', 'one', '--output', 'json')
  expect(JSON.parse(called.stdout)).toMatchObject({ id: 'call-1', ...first })
})
