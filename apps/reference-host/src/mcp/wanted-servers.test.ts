import { nameTools } from '@toolblocks/mcp-bridge/names'
import { expect, test } from 'vitest'
import { wantedServers } from './wanted-servers.ts'
import type { WrittenServer } from './written-servers.ts'

const servers = ['notes', 'notes_old', 'far off'].map((name): WrittenServer => ({
  name,
  table: {},
  own: {},
  tools: {},
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
  wantedServers(servers, configuration, named).map(({ written, isNamed }) => [
    written.name,
    isNamed,
  ])

test('every server is wanted where no tool is named, and none was named', () => {
  expect(wanted()).toEqual([
    ['notes', false],
    ['notes_old', false],
    ['far off', false],
  ])
})

test.for<[string, unknown]>([
  ['notes__read', [['notes', true]]],
  ['notes_old__read', [['notes_old', true]]],
  ['look', [['notes', true]]],
  ['notes__local', []],
  ['read', []],
])('%s wants %j', ([tool, expected]) => {
  expect(wanted([tool])).toEqual(expected)
})

test('a server whose name stands changed in its tools is named by nothing but that', () => {
  const [name = ''] = nameTools('far off', ['read']).values()
  expect(wanted([name])).toEqual([['far off', true]])
  expect(wanted(['far_off_1a2b3c__read'])).toEqual([])
})
