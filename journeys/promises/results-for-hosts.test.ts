import { fileURLToPath } from 'node:url'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { expect, inject, test } from 'vitest'
import { RESULT } from '../../scripts/pictures/pier-server.mjs'
import received from '../../scripts/pictures/received.json' with { type: 'json' }
import { toolblocks } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import { connectEntry } from '../stage/mcp-client.ts'
import { createServerProgram, SERVER_FILE } from '../stage/mcp-server.ts'

/** The entry with which a host starts the gateway. */
function getEntry(...args: readonly string[]): { command: string; args: string[] } {
  const server = `"${process.execPath}" ${SERVER_FILE}`
  return {
    command: process.execPath,
    args: [inject('command'), 'serve', '--server', server, ...args],
  }
}

test('promise gateway: hosts at the same time each get the form of a result that their models receive completely, also one that only --results names, and the record has the result itself', async () => {
  const answer = `
    return { content: [{ type: 'text', text: 'said' }], structuredContent: { kept: 'structure' } }`
  const schema = { type: 'object', properties: { kept: { type: 'string' } } }
  const tool = { name: 'list_notes', inputSchema: { type: 'object' }, outputSchema: schema }
  const folder = makeFolder({ [SERVER_FILE]: createServerProgram([tool], answer) })
  const [known, unknown, asIs, named] = await Promise.all([
    connectEntry(getEntry(), folder, 'codex-mcp-client'),
    connectEntry(getEntry(), folder, 'something-else'),
    connectEntry(getEntry('--results', 'as-is'), folder, 'codex-mcp-client'),
    connectEntry(getEntry('--results', '@openai/agents'), folder, 'something-else'),
  ])
  const call = async (client: Client) =>
    await client.callTool({ name: 'list_notes', arguments: {} })
  const clients = [known, unknown, asIs, named]
  const [adapted, plain, same, both] = await Promise.all(clients.map(call))
  expect(adapted).toEqual({
    content: [
      { type: 'text', text: 'said' },
      { type: 'text', text: '{"kept":"structure"}' },
    ],
  })
  // This host reads only content, and an application around it may read the structured content.
  expect(both).toMatchObject({ ...adapted, structuredContent: { kept: 'structure' } })
  for (const result of [plain, same])
    expect(result).toMatchObject({
      content: [{ type: 'text', text: 'said' }],
      structuredContent: { kept: 'structure' },
    })
  await Promise.all(clients.map(async (client) => await client.close()))
  const { stdout } = await toolblocks(folder, 'conversations', 'search', 'said', '--output', 'json')
  const ids: string[] = JSON.parse(stdout).map((hit: { conversation: string }) => hit.conversation)
  expect(new Set(ids).size).toBe(4)
  for (const id of ids) {
    const exported = await toolblocks(folder, 'conversations', 'export', id, '--output', 'jsonl')
    expect(exported.stdout).toContain('"structuredContent":{"kept":"structure"}')
  }
})

test('promise gateway: Codex gets the result that the picture of the README shows', async () => {
  const file = fileURLToPath(new URL('../../scripts/pictures/pier-server.mjs', import.meta.url))
  const server = `"${process.execPath}" "${file}"`
  const args = [inject('command'), 'serve', '--server', server]
  const client = await connectEntry(
    { command: process.execPath, args },
    makeFolder({}),
    'codex-mcp-client',
  )
  const { content } = await client.callTool({ name: 'inspect_pier', arguments: {} })
  const [text, image] = RESULT.content
  expect(content).toEqual([
    text,
    image,
    { type: 'text', text: JSON.stringify(RESULT.structuredContent) },
  ])
  expect(received.gateway).toEqual([
    text,
    { type: 'image', isComplete: true },
    { type: 'text', text: JSON.stringify(RESULT.structuredContent) },
  ])
})
