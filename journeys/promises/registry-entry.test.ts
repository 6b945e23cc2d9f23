import { readFileSync } from 'node:fs'
import { expect, inject, test } from 'vitest'
import { makeFolder } from '../stage/folder.ts'
import { connectEntry } from '../stage/mcp-client.ts'
import { createServerProgram, SERVER_FILE } from '../stage/mcp-server.ts'

const TOOL = { name: 'say', inputSchema: { type: 'object' } }

test('promise gateway: a host that installs the entry of the MCP Registry has the tools of the server that its person names', async () => {
  const entry: { packages: { packageArguments: { value?: string; valueHint?: string }[] }[] } =
    JSON.parse(readFileSync(new URL('../../server.json', import.meta.url), 'utf8'))
  const server = `"${process.execPath}" ${SERVER_FILE}`
  const args = entry.packages[0]?.packageArguments.map(({ value = server }) => value) ?? []
  const answer = 'return { content: [{ type: "text", text: name }] }'
  const folder = makeFolder({ [SERVER_FILE]: createServerProgram([TOOL], answer) })
  const command = { command: process.execPath, args: [inject('command'), ...args] }
  const client = await connectEntry(command, folder)
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('say')
})
