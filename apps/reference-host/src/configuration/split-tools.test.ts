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
  const means =
    'means nothing for a tool of an MCP server; expected source, title, summary, description, examples, run, deduplicate, pin, questions, parameters, stateful, on_turn_end, timeout_secs'
  expect(problems).toEqual([
    { path: ['tools', 'find', 'command'], message: means },
    { path: ['tools', 'find', 'pty'], message: means },
    { path: ['tools', 'read', 'command'], message: 'is required and missing; expected a value' },
  ])
})

test('all that can be said of a tool of a server is taken', () => {
  const table = {
    source: 'mcp.s.t',
    title: 'T',
    summary: 'S',
    description: 'D',
    examples: 'E',
    run: 'ask' as const,
    deduplicate: true,
    pin: true,
    questions: {},
    parameters: {},
    stateful: true,
    on_turn_end: 'keep' as const,
    timeout_secs: 1,
  }
  expect(splitTools({ a: table })).toEqual({
    local: {},
    mcp: { a: { ...table, server: 's', tool: 't' } },
    problems: [],
  })
})

test.for(['mcp.files', 'mcp..a', 'mcp.a.', 'xmcp.a.b', 'mcp', 'MCP.a.b'])(
  'the source %s names no tool of a server',
  (source) => {
    const { local, mcp } = splitTools({ a: { source, command: 'x' } })
    expect([local, mcp]).toEqual([{ a: { source, command: 'x' } }, {}])
  },
)
