import { describe, expect, test } from 'vitest'
import { readPolicies, readTypedServers } from './read-typed-servers.ts'

type Read = ReturnType<typeof readTypedServers>

const read = (
  typed: readonly string[],
  options: Parameters<typeof readTypedServers>[2] = {},
): Extract<Read, { ok: true }>['servers'] => {
  const servers = readTypedServers(typed, '/w', options)
  if (!servers.ok) throw new Error(servers.message)
  return servers.servers
}

const WEB = 'https://mcp.example/mcp'

describe('--server', () => {
  test('an address has the headers, the time limit in seconds and the version of the command line', () => {
    const options = { header: ['X-Team: blue'], timeout: 2, env: ['A=1'], pin: false, share: true }
    expect(read([WEB], { ...options, protocolVersion: '2026-07-28' })).toEqual([
      {
        name: 'mcp_example',
        file: 'serve',
        own: { run: 'unattended', pin: false, share: true },
        toolNames: 'own',
        tools: {},
        waiting: [],
        table: {
          url: WEB,
          headers: { 'X-Team': 'blue' },
          protocol_version: '2026-07-28',
          timeout_ms: 2000,
        },
      },
    ])
  })

  test('a program has the variables, and no headers', () => {
    const [server] = read(['npx -y "some server"'], { header: ['X-Team: blue'], env: ['A=1'] })
    expect(server?.own).toEqual({ run: 'unattended' })
    expect(server?.table).toEqual({
      command: 'npx',
      args: ['-y', 'some server'],
      env: { A: '1' },
      protocol_version: '2025-11-25',
      timeout_ms: 3_600_000,
    })
    expect(read([WEB], { env: ['A=1'] })[0]?.table).toEqual({
      url: WEB,
      protocol_version: 'auto',
      timeout_ms: 3_600_000,
    })
  })

  test('a name stands before the address or the command line, and two servers have two names', () => {
    const [web, program] = read([`web=${WEB}?a=b`, 'files=npx -y server'])
    expect(web).toMatchObject({ name: 'web', table: { url: `${WEB}?a=b` } })
    expect(program).toMatchObject({ name: 'files', table: { command: 'npx' } })
    expect(web?.toolNames).toBeUndefined()
    expect(readTypedServers([WEB, WEB], '/w', {})).toEqual({
      ok: false,
      message: '--server: two servers are named "mcp_example"; write NAME=ADDRESS',
    })
  })

  test.for([
    [WEB, 'mcp_example'],
    ['npx -y @scope/server-files@1.2 .', 'server_files'],
  ])('%s is named %s', ([address, name]) => {
    expect(read([address ?? ''])[0]?.name).toBe(name)
  })

  test.for([
    [['npx "some'], {}, '--server "npx \\"some": a quote is not closed; expected an address'],
    [[''], {}, '--server "": expected an address'],
    [[WEB], { header: ['X-Team'] }, '--header "X-Team": expected "Name: value"'],
    [[WEB], { env: ['=1'] }, '=1'],
  ] as const)('%j with %j is refused', ([typed, options, why]) => {
    expect(readTypedServers(typed, '/w', options)).toEqual({
      ok: false,
      message: expect.stringContaining(why) as string,
    })
  })
})

test('--policy is the policy of a tool, whose name may contain an equals sign', () => {
  expect(readPolicies(['read=ask', 'a=b=deny'])).toEqual({
    ok: true,
    policies: new Map([
      ['read', 'ask'],
      ['a=b', 'deny'],
    ]),
  })
  for (const odd of ['read', '=ask', 'read=never'])
    expect(readPolicies([odd])).toEqual({
      ok: false,
      message: `--policy ${JSON.stringify(odd)}: expected TOOL=POLICY, with one of ask, unattended, deny, skip`,
    })
})
