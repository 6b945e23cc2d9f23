import { nameTools } from '@toolblocks/mcp-bridge/names'
import { expect, test } from 'vitest'
import { wantedServers } from './wanted-servers.ts'
import type { WrittenServer } from './written-servers.ts'

const servers = ['notes', 'notes_old', 'far off'].map((name): WrittenServer => ({
  name,
  table: {},
  own: {},
  tools: {},
  waiting: [],
  file: 'toolblocks.toml',
}))
const configuration = {
  tools: { notes__local: { source: 'local', command: 'cat' } },
  mcp: {
    servers: {},
    tools: { look: { source: 'mcp.notes.read', server: 'notes', tool: 'read' } },
  },
}
const wanted = (named?: readonly string[]): unknown =>
  wantedServers(servers, configuration, named).map(({ name }) => name)

test('every server is wanted where no tool is named', () => {
  expect(wanted()).toEqual(['notes', 'notes_old', 'far off'])
})

test.for<[string, unknown]>([
  ['notes__read', ['notes']],
  ['notes_old__read', ['notes_old']],
  ['look', ['notes']],
  ['notes__local', []],
  ['read', []],
])('%s wants %j', ([tool, expected]) => {
  expect(wanted([tool])).toEqual(expected)
})

test('a server whose name stands changed in its tools is named by nothing but that', () => {
  const [name = ''] = nameTools('far off', ['read']).values()
  expect(wanted([name])).toEqual(['far off'])
  expect(wanted(['far_off_1a2b3c__read'])).toEqual([])
})
