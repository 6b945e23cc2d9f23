import { expect, test } from 'vitest'
import { visit } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import { getScreen } from '../stage/screen.ts'

const SERVER = `
import { defineTool, structured } from '@toolblocks/tool-sdk'
import { serveTools } from '@toolblocks/tool-sdk/mcp'
import { Type } from '@toolblocks/tool-sdk/typebox'

const remove = defineTool({
  name: 'remove',
  summary: 'Remove a note.',
  inputSchema: Type.Object({ name: Type.String() }),
  outputSchema: Type.Object({ removed: Type.Boolean() }),
  run({ name }, { ask, show, progress }) {
    progress(1, 2, 'looked at it')
    show('Buy oil.')
    const removed = ask.boolean('sure', 'Remove ' + name + '?')
    return structured({ kind: 'notes.removal', data: { removed } }, removed ? 'removed' : 'kept')
  },
})
await serveTools([remove])
`
const CONFIGURATION = `
[mcp.servers.notes]
command = ${JSON.stringify(process.execPath)}
args = ["notes.ts"]
`

test('004 served tools: a host calls a tool that one line of code serves, and shows the data that it returns', async () => {
  const folder = makeFolder({ 'notes.ts': SERVER, 'toolblocks.toml': CONFIGURATION })
  const { written } = await visit(
    folder,
    ['call', 'notes__remove', '--arg', 'name=a.md'],
    [
      [/Buy oil\.[^]*Remove a\.md\? \(1 of 1\)/, 'y\r'],
      [/Send this[^]*Send/, '\r'],
    ],
  )
  const screen = await getScreen(written)
  expect(screen).toContain('notes.removal')
  expect(screen).toContain('"removed": true')
})
