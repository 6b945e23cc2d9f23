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
