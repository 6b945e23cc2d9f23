import { describe, expect, test } from 'vitest'
import { readServerConfigs } from './read-servers.ts'

const environment = { TOKEN: 'secret', EMPTY: '' }

describe('servers of a .mcp.json', () => {
  test('are programs or addresses, with variables of the environment in their values', () => {
    const { servers, problems } = readServerConfigs(
      {
        mcpServers: {
          files: {
            command: 'npx',
            args: ['-y', '${PACKAGE:-files}', '.'],
            env: { KEY: '${TOKEN}' },
            cwd: '/w',
          },
          web: {
            type: 'http',
            url: 'https://example.com/mcp',
            headers: { Authorization: 'Bearer ${TOKEN}' },
            protocol_version: 'auto',
            trusted: true,
            timeout_ms: 5,
            links: { mode: 'inline', max_links: 1, max_bytes: 2, max_total_bytes: 3 },
            connect_timeout_ms: 6,
          },
          off: { command: 'x', disabled: true },
        },
      },
      { environment },
    )
    expect(problems).toEqual([])
    expect(servers).toEqual([
      {
        name: 'files',
        transport: {
          kind: 'stdio',
          command: 'npx',
          args: ['-y', 'files', '.'],
          env: { KEY: 'secret' },
          cwd: '/w',
        },
      },
      {
        name: 'web',
        transport: {
          kind: 'http',
          url: 'https://example.com/mcp',
          headers: { Authorization: 'Bearer secret' },
        },
        protocolVersion: 'auto',
        trusted: true,
        timeoutMs: 5,
        links: { mode: 'inline', maxLinks: 1, maxBytes: 2, maxTotalBytes: 3 },
        connectTimeoutMs: 6,
      },
    ])
  })

  test.for<[unknown, string, string]>([
    [
      { command: 'x', links: 'all' },
      '/mcpServers/a~1b/links',
      'an object such as {"mode": "preview"}',
    ],
    [{ command: 'x', links: { mode: 'eager' } }, '/mcpServers/a~1b/links/mode', '"lazy"'],
    [{ command: 'x', links: { max_links: 0 } }, '/mcpServers/a~1b/links/max_links', 'above 0'],
    [{ command: 'x', links: { depth: 1 } }, '/mcpServers/a~1b/links/depth', 'only mode'],
    [{ command: 'x', env: { A: '${NONE}' } }, '/mcpServers/a~1b/env/A', 'NONE is not set'],
    [
      { command: 'x', args: 'y' },
      '/mcpServers/a~1b/args',
      'expected an array of strings, got string "y"',
    ],
    [{ command: 'x', args: [1] }, '/mcpServers/a~1b/args/0', 'expected a string, got number 1'],
    [{ command: 'x', url: 'y' }, '/mcpServers/a~1b', 'expected "command" or "url", not both'],
    [{}, '/mcpServers/a~1b', 'expected "command" or "url", got empty object'],
    ['npx', '/mcpServers/a~1b', 'expected an object with "command" or "url"'],
    [
      { command: 'x', protocol_version: 'old' },
      '/mcpServers/a~1b/protocol_version',
      'got string "old"',
    ],
    [{ type: 'sse', url: 'x' }, '/mcpServers/a~1b/type', 'is not supported'],
    [{ command: 'x', timeout_ms: -1 }, '/mcpServers/a~1b/timeout_ms', 'milliseconds'],
    [{ command: 'x', env: { A: 1 } }, '/mcpServers/a~1b/env/A', 'expected a string'],
    [{ command: 'x', cwd: 1 }, '/mcpServers/a~1b/cwd', 'expected a path'],
  ])('%j is omitted, and its neighbour is not', ([server, path, message]) => {
    const { servers, problems } = readServerConfigs(
      { mcpServers: { 'a/b': server, good: { command: 'y' } } },
      { environment },
    )
    expect(servers.map(({ name }) => name)).toEqual(['good'])
    expect(problems).toMatchObject([{ path, message: expect.stringContaining(message) }])
  })

  test('a problem says what was expected and what was received', () => {
    expect(
      readServerConfigs({ mcpServers: { a: { command: 'x', cwd: 1 } } }, { environment }),
    ).toEqual({
      servers: [],
      problems: [
        {
          path: '/mcpServers/a/cwd',
          message: 'expected a path, got number 1',
          expected: 'a path',
          got: 'number 1',
          code: 'malformed-server',
        },
      ],
    })
  })

  test.for([undefined, [], { servers: {} }])(
    '%j has no servers, and that is a problem',
    (document) => {
      expect(readServerConfigs(document, { environment })).toMatchObject({
        servers: [],
        problems: [{ path: '/mcpServers' }],
      })
    },
  )

  test('variables inside the value of a variable are not replaced, and the value may be empty', () => {
    const { servers } = readServerConfigs(
      { mcpServers: { a: { command: '${X}${EMPTY}' } } },
      { environment: { ...environment, X: '${TOKEN}' } },
    )
    expect(servers[0]?.transport).toMatchObject({ command: '${TOKEN}' })
  })
})
