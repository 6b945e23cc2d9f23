import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parseConfiguration } from '../configuration/parse-configuration.ts'
import { readWrittenServers } from '../servers/written-servers.ts'
import { type Wants, createWants } from './wants.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolblocks-changed-')))
afterAll(() => rmSync(root, { recursive: true }))
writeFileSync(join(root, 'sh'), '', { mode: 0o755 })

async function makeWants(toml: string): Promise<Wants> {
  const parsed = await parseConfiguration(toml, join(root, 'toolblocks.toml'))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  const { configuration } = parsed
  const { servers } = await readWrittenServers(configuration)
  return createWants({ configuration, servers, environment: { PATH: root } })
}

describe('what was agreed to for one program or address', () => {
  /** Returns the texts of the wants in the second configuration that are new after the first one was agreed to. */
  async function listNew(agreed: string, later: string): Promise<readonly string[]> {
    const known = new Set((await makeWants(agreed)).list().map(({ hash }) => hash))
    const wants = (await makeWants(later)).list()
    return wants
      .filter(({ hash }) => !known.has(hash))
      .map(({ effect, text }) => `${effect} ${text}`)
  }

  const SERVER = `[mcp.servers.web]
url = "https://one.example/mcp"
headers = { Authorization = "Bearer \${GITHUB_TOKEN}" }
run = "unattended"

[tools.look]
source = "mcp.web.look"
run = "unattended"
`

  test('is asked again for another address: variables, headers, and what runs without asking', async () => {
    const other = SERVER.replace('one.example', 'two.example')
    expect(await listNew(SERVER, other)).toEqual([
      'reaches server web: https://two.example/mcp',
      'sends server web: the header Authorization: Bearer ${GITHUB_TOKEN}',
      'reads server web: the variables GITHUB_TOKEN',
      'loosens server web: calls of its tools run without asking you',
      'loosens look: its calls run without asking you',
    ])
    expect(await listNew(SERVER, SERVER)).toEqual([])
  })

  test.for([
    [
      'a host that a client reads before a name',
      'glpat-abcdefgh@one.example',
      'glpat-x.evil.example\\\\@one.example',
    ],
    ['another token before the host', 'glpat-abcdefgh@one.example', 'glpat-hijklmno@one.example'],
    ['another value of the query', 'one.example/?api_key=a', 'one.example/?api_key=b'],
  ] as const)('is asked again for %s, also if the text is masked', async ([, before, after]) => {
    const table = (address: string): string => SERVER.replace('one.example/mcp', address)
    expect((await listNew(table(before), table(after))).length).toBe(5)
    expect(await listNew(table(after), table(after))).toEqual([])
  })

  test('is asked again for another header, a model and a database whose masked values are others', async () => {
    const table = (token: string): string =>
      `[mcp.servers.web]\nurl = "https://one.example/mcp"\nheaders = { X-Api-Key = "${token}" }\n[model]\nprovider = "openai"\nname = "m"\nbase_url = "https://ada:${token}@m.example/v1"\n[store]\nurl = "postgres://ada:${token}@db.example/x"\n`
    const texts = await listNew(table('one'), table('two'))
    expect(texts).toEqual([
      'sends server web: the header X-Api-Key: ***',
      expect.stringContaining('https://ada:***@m.example/v1'),
      expect.stringContaining('postgres://ada:***@db.example/x'),
    ])
  })

  test('is asked again if its tools are not pinned any more, although its address says so', async () => {
    const pinned = '[mcp.servers.web]\nurl = "https://one.example/mcp#"\npin = true\n'
    const unpinned =
      '[mcp.servers.web]\nurl = "https://one.example/mcp#, the descriptions of its tools are pinned"\n'
    expect(await listNew(pinned, unpinned)).toEqual([
      'reaches server web: https://one.example/mcp#,%20the%20descriptions%20of%20its%20tools%20are%20pinned',
    ])
  })

  test('is asked again if a variable or a header has another name, although it reads alike', async () => {
    const table = (env: string): string => `[mcp.servers.a]\ncommand = "sh"\nenv = { ${env} }\n`
    const one = table('A = "x", LD_PRELOAD = "y"')
    expect(await listNew(one, table('"A is x, LD_PRELOAD" = "y"'))).toHaveLength(1)
    const web = (headers: string): string =>
      `[mcp.servers.web]\nurl = "https://one.example"\nheaders = { ${headers} }\n`
    expect(await listNew(web('A = "b: c"'), web('"A: b" = "c"'))).toHaveLength(1)
  })

  test('is asked again when a call that runs without asking loses a fixed or a hidden argument', async () => {
    const limited = `${SERVER}fixed = { folder = "/tmp" }\nhidden = ["mode"]\n`
    const text = 'loosens look: its calls run without asking you'
    expect(await listNew(SERVER, limited)).toEqual([
      `${text}, always with folder = "/tmp", no mode`,
      'loosens look: the argument folder is "/tmp" in every call',
    ])
    expect(await listNew(limited, SERVER)).toEqual([text])
    expect(await listNew(limited, limited.replace(/hidden.*/, ''))).toEqual([
      `${text}, always with folder = "/tmp"`,
    ])
  })

  test('is asked again if it was agreed to for an address of before', async () => {
    const bare = '[mcp.servers.web]\nurl = "https://two.example/mcp"\n'
    const both = new Set(
      (await Promise.all([makeWants(SERVER), makeWants(bare)])).flatMap((wants) =>
        wants.list().map(({ hash }) => hash),
      ),
    )
    const later = (await makeWants(SERVER.replace('one.example', 'two.example'))).of('server web')
    expect(later.filter(({ hash }) => !both.has(hash)).map(({ effect }) => effect)).toEqual([
      'sends',
      'reads',
      'loosens',
    ])
  })

  test('is asked again for another program, and not for another part', async () => {
    const tool = `[tools.a]\nsource = "local"\ncommand = "sh a.sh"\nenv = ["GITHUB_TOKEN"]\nrun = "unattended"\nparameters = {}\n`
    const two = tool.replace('[tools.a]', '[tools.b]')
    expect(await listNew(tool + two, tool.replace('a.sh', 'c.sh') + two)).toEqual([
      `starts a: sh c.sh (${root}/sh)`,
      'reads a: the variables GITHUB_TOKEN',
      'loosens a: its calls run without asking you',
    ])
  })
})
