import { expect, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import { createServerProgram, SERVER_FILE, SERVERS } from '../stage/mcp-server.ts'

test('promise odd servers: a byte order mark before the first message of a server does not hide the message', async () => {
  const look = { name: 'look', inputSchema: { type: 'object' } }
  const program = createServerProgram(
    [look],
    'return { content: [{ type: "text", text: "seen" }] }',
  )
  const folder = makeFolder({
    [SERVER_FILE]: `process.stdout.write('\\uFEFF')\n${program}`,
    '.mcp.json': SERVERS,
    'toolblocks.toml': '',
  })
  const { code, stdout } = await toolblocks(folder, 'call', 'notes__look')
  expect([code, stdout]).toEqual([0, expect.stringContaining('seen')])
})

test('promise odd servers: a server that answers with the id as a text is named as the cause at once', async () => {
  const program = `import { createInterface } from 'node:readline'
for await (const line of createInterface(process.stdin)) {
  const { id, method } = JSON.parse(line)
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id: String(id), result: { method } }))
}
`
  const folder = makeFolder({ [SERVER_FILE]: program, '.mcp.json': SERVERS, 'toolblocks.toml': '' })
  const { stdout, stderr } = await toolblocks(folder, 'mcp', 'list')
  expect(stdout + stderr).toContain('a string instead of the number')
  expect(stdout + stderr).not.toContain('did not answer')
})
