import { expect, test } from 'vitest'
import { splitTools } from './split-tools.ts'

test('a source says which server has a tool, whose own name may have dots', () => {
  const { mcp, local, problems } = splitTools({
    find: { source: 'mcp.tracker.issues.search', run: 'deny' },
    read: { source: 'local', command: 'cat' },
  })
  expect(problems).toEqual([])
  expect(mcp).toEqual({
    find: {
      source: 'mcp.tracker.issues.search',
      run: 'deny',
      server: 'tracker',
      tool: 'issues.search',
    },
  })
  expect(Object.keys(local)).toEqual(['read'])
})

test('what only an executable can have is told of a tool of a server, and a command that is missing', () => {
  const { problems } = splitTools({
    find: { source: 'mcp.tracker.search', command: 'cat', pty: true },
    read: { source: 'local' },
  })
  expect(problems.map(({ path, message }) => `${path.join('.')}: ${message}`)).toEqual([
    expect.stringContaining('tools.find.command: means nothing for a tool of an MCP server'),
    expect.stringContaining('tools.find.pty: means nothing for a tool of an MCP server'),
    'tools.read.command: is required and missing; expected a value',
  ])
})
