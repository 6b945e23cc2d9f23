import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toolblocks, withoutTrust } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import { startProvider } from '../stage/provider.ts'

/** A server of notes, which writes each request into a file. */
const SERVER = `import { appendFileSync } from 'node:fs'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'
const server = new McpServer({ name: 'notes', version: '1.0.0' })
server.registerTool('find', { inputSchema: { word: z.string(), limit: z.number().optional() } }, (given) => {
  appendFileSync('asked.jsonl', JSON.stringify(given) + '\\n')
  return { content: [
    { type: 'text', text: 'Found one.' },
    { type: 'resource_link', uri: 'note:///tide', name: 'tide' },
  ] }
})
server.registerResource('tide', 'note:///tide', {}, () => {
  appendFileSync('asked.jsonl', '"read"\\n')
  return { contents: [{ uri: 'note:///tide', mimeType: 'text/plain', text: 'High at nine.' }] }
})
await server.connect(new StdioServerTransport())
`
const TABLES = `[mcp.servers.notes]
command = "node"
args = ["server.mjs"]
run = "unattended"
`

const asked = (folder: string): readonly unknown[] =>
  readFileSync(join(folder, 'asked.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

test('003 inputSchema: a default that the user sets for a parameter of a server is shown to the model, and sent if the model omits it', async () => {
  const model = await startProvider([
    {
      calls: [
        ['find', { word: 'tide' }],
        ['find', { word: 'tide', limit: 9 }],
      ],
    },
    { text: 'Read.' },
  ])
  const folder = makeFolder({
    'server.mjs': SERVER,
    'toolblocks.toml': `${model.settings}${TABLES}[tools.find]\nsource = "mcp.notes.find"\nrun = "unattended"\n[tools.find.parameters.limit]\ndefault = 3\n`,
  })
  await toolblocks(folder, 'run', 'Find it.')
  expect(JSON.stringify(model.requests[0])).toMatch(/"limit":\{[^}]*"default":3/)
  expect(asked(folder)).toEqual([
    { word: 'tide', limit: 3 },
    { word: 'tide', limit: 9 },
  ])
})

test('003 resource links: links of a server are read automatically only if the user sets so, and this needs agreement', async () => {
  const runWithLinks = async (
    links: string,
  ): Promise<{ results: readonly string[]; read: boolean }> => {
    const model = await startProvider([
      { calls: [['notes__find', { word: 'a' }]] },
      { text: 'Read.' },
    ])
    const folder = makeFolder({
      'server.mjs': SERVER,
      'toolblocks.toml': `${model.settings}${TABLES}${links}`,
    })
    await toolblocks(folder, 'run', 'Find it.')
    return { results: model.results(), read: asked(folder).includes('read') }
  }
  const lazy = await runWithLinks('')
  expect(lazy.results.join()).toContain('[resource link, not read: note:///tide')
  expect([lazy.results.join().includes('High at nine.'), lazy.read]).toEqual([false, false])
  const inline = await runWithLinks('links = { mode = "inline" }\n')
  expect(inline.results.join()).toMatch(/note:\/\/\/tide[^]*High at nine\./)
  const folder = makeFolder({ 'toolblocks.toml': `${TABLES}links = { mode = "inline" }\n` })
  const { stderr, stdout } = await withoutTrust(folder, 'trust')
  expect(stdout + stderr).toContain('links in its results are read without asking you')
})
