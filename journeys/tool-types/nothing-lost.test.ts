import { expect, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import { connectClient } from '../stage/mcp-client.ts'
import { createServerProgram, SERVER_FILE, SERVERS } from '../stage/mcp-server.ts'
import { startProvider } from '../stage/provider.ts'
import { readRows } from '../stage/rows.ts'

/** An image of one pixel. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** The result of a server: blocks of every type, with all fields of MCP. */
const ANSWER = {
  content: [
    { type: 'text', text: 'Two files and a picture.', _meta: { 'example.com/a': 1 } },
    {
      type: 'resource',
      resource: {
        uri: 'file:///project/main.rs',
        mimeType: 'text/rust',
        text: 'fn main() {}',
        _meta: { 'example.com/lines': [1, 1] },
      },
      annotations: { audience: ['user', 'assistant'], priority: 0.5 },
    },
    { type: 'image', data: PICTURE, mimeType: 'image/png' },
    { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
    { type: 'resource_link', uri: 'notes://log/7', name: 'log', title: 'The log', size: 12 },
    { type: 'text', text: 'That was all.' },
  ],
  structuredContent: { files: 2 },
  _meta: { 'example.com/took': 3 },
}

test('003 content preservation: the result of an MCP server reaches the file, the model and a served client block by block', async () => {
  const model = await startProvider(
    [{ calls: [['notes__read', {}]] }, { text: 'Read.' }],
    'anthropic',
  )
  const folder = makeFolder({
    [SERVER_FILE]: createServerProgram(
      [{ name: 'read', title: 'Read it all', inputSchema: { type: 'object' } }],
      `return ${JSON.stringify(ANSWER)}`,
    ),
    '.mcp.json': SERVERS,
    'toolblocks.toml': model.settings,
  })
  await toolblocks(folder, 'run', 'Read it.', '--allow-tool', 'notes__read')
  const kept = readRows(`${folder}/kept.db`).find(({ type }) => type === 'tool_result')
  expect(kept).toMatchObject({ result: { id: 'call_1', isError: false, ...ANSWER } })

  const [result = ''] = model.results()
  for (const part of ['Two files', 'fn main() {}', PICTURE, 'audio/wav', 'notes://log/7', 'all.'])
    expect(result).toContain(part)

  const client = await connectClient(folder, ['serve', '--trust-client'])
  const served = await client.callTool({ name: 'notes__read' })
  expect(served).toEqual(ANSWER)
})
