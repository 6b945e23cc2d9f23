import { expect, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { makeFolder, createPrintCommand, toToolOutput, tool } from '../stage/folder.ts'
import { createServerProgram, SERVER_FILE, SERVERS } from '../stage/mcp-server.ts'
import { startProvider } from '../stage/provider.ts'

const LINK = { type: 'resource_link', uri: 'notes://log/7', name: 'log', mimeType: 'text/plain' }

test('000 resource_link: for the model a link of an MCP server is a line, and read_resource reads the linked resource', async () => {
  const model = await startProvider([
    { calls: [['notes__list', {}]] },
    { calls: [['read_resource', { uri: LINK.uri }]] },
    { text: 'Read.' },
  ])
  const folder = makeFolder({
    [SERVER_FILE]: createServerProgram(
      [{ name: 'list', inputSchema: { type: 'object' } }],
      `return { content: [${JSON.stringify(LINK)}] }`,
      `return { uri, mimeType: 'text/plain', text: 'The lamp was lit at six.' }`,
    ),
    '.mcp.json': SERVERS,
    'toolblocks.toml': model.settings,
  })
  await toolblocks(folder, 'run', 'Read the log.', '--allow-tool', 'notes__list')
  expect(model.results()).toEqual([
    '[resource link, not read: notes://log/7, log, text/plain]',
    'Resource notes://log/7:\n\n```\nThe lamp was lit at six.\n```',
  ])
})

test('000 resource_link: a program that has ended cannot serve a link, so its link is kept with a warning and a correction', async () => {
  const model = await startProvider([{ calls: [['list', {}]] }, { text: 'Listed.' }])
  const folder = makeFolder({
    'list.json': toToolOutput([LINK]),
    'toolblocks.toml': model.settings + tool('list', createPrintCommand('list.json')),
  })
  const { stderr } = await toolblocks(folder, 'run', 'List it.')
  expect(stderr).toContain('Embed the content in a "resource" block')
  expect(model.results()).toEqual(['[resource link, not read: notes://log/7, log, text/plain]'])
  const json = await toolblocks(folder, 'call', 'list', '--output', 'json')
  expect(JSON.parse(json.stdout).content).toEqual([LINK])
})
