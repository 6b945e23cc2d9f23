import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toolblocks, visit, withoutTrust } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import { STORE } from '../stage/rows.ts'
import { getScreen } from '../stage/screen.ts'

const SERVERS = `
[mcp.servers.broken]
command = "sh"
args = ["-c", "echo no such harbour >&2; exit 3"]
[mcp.servers.silent]
command = "sh"
args = ["-c", "echo starting up >&2; sleep 100"]
connect_timeout_secs = 1
[mcp.servers.silent.env]
TOKEN = "secret value"
`
const MODEL = '[model]\nprovider = "anthropic"\nname = "m"\napi_key_env = "KEY_OF_THIS_TEST"\n'

function makeWorkspace(): string {
  return makeFolder({
    'plain.sh': 'echo hello',
    'toolblocks.toml':
      STORE + MODEL + tool('fine', ['true']) + tool('mute', ['sh', 'plain.sh'], '') + SERVERS,
  })
}

test('promise doctor: every missing or wrong setting is reported with its correction and exit code, and with the output of a server that failed', async () => {
  const { code, stdout, stderr } = await toolblocks(makeWorkspace(), 'doctor')
  expect(stderr).toBe('')
  expect(stdout).toMatch(/✓ node +toolblocks \S+ runs with Node/)
  expect(stdout).toMatch(/✓ configuration +\S+toolblocks\.toml: 2 tools, 2 servers, 0 agents/)
  expect(stdout).toMatch(
    /✗ model +anthropic m needs a key, and the variable KEY_OF_THIS_TEST is not set/,
  )
  expect(stdout).toMatch(/fix: export KEY_OF_THIS_TEST=… .* \(exit code 2\)/)
  expect(stdout).toMatch(/✓ store +\S+kept\.db \(everything\), created when something is stored/)
  expect(stdout).toMatch(
    /✗ servers +MCP server "broken" .* ended with code 3; it said "no such harbour"; it was started as sh -c/,
  )
  expect(stdout).toMatch(/"silent" .* did not answer "initialize" in time; it said "starting up"/)
  expect(stdout).toMatch(/✓ tools +fine\n/)
  expect(stdout).toMatch(/✗ tools +\S+: tools\.mute: .*"parameters"/)
  expect(stdout).toMatch(/· terminal +standard input or output is not a terminal/)
  expect(stdout).not.toContain('secret value')
  expect(code).toBe(2)
})

test('promise doctor: settings that wait for agreement are named, and none of them is started', async () => {
  const folder = makeFolder({
    'toolblocks.toml': tool('touch', ['touch', 'started'], '') + MODEL,
  })
  const { code, stdout } = await withoutTrust(folder, 'doctor', '--output', 'json')
  const findings: unknown = JSON.parse(stdout)
  expect(findings).toContainEqual({
    area: 'trust',
    state: 'problem',
    message: 'you have not agreed to the tool touch, the model',
    fix: 'run "toolblocks trust" to see what this folder wants to do, and agree to it',
    code: 3,
  })
  expect(findings).toContainEqual({
    area: 'configuration',
    state: 'ok',
    message: `${folder}/toolblocks.toml: nothing of it is counted or used until you agree to it`,
  })
  expect(findings).not.toContainEqual(expect.objectContaining({ area: 'tools' }))
  expect(code).toBe(3)
})

test('promise doctor: a tool whose program is missing, not executable, or names a missing interpreter is a problem, in the words of its call', async () => {
  const folder = makeFolder({
    'plain.sh': 'echo hello',
    'orphan.sh': '#!/not/there\n',
    'toolblocks.toml':
      tool('fine', ['true']) +
      tool('missing', ['./missing.sh']) +
      tool('lost', ['no-such-program-anywhere']) +
      tool('plain', ['./plain.sh']) +
      tool('orphan', ['./orphan.sh']),
  })
  chmodSync(join(folder, 'orphan.sh'), 0o755)
  chmodSync(join(folder, 'plain.sh'), 0o644)
  const { code, stdout } = await toolblocks(folder, 'doctor')
  expect(code).toBe(1)
  expect(stdout).toMatch(/✓ tools +fine\n/)
  expect(stdout.match(/· tools +PATH, where programs are searched by name: (.*)/)?.[1]).toBe(
    process.env['PATH'],
  )
  for (const name of ['missing', 'lost', 'plain', 'orphan']) {
    const reason = new RegExp(`✗ tools +\\S+: tools\\.${name}: (.*)`).exec(stdout)?.[1] ?? 'none'
    const called = await toolblocks(folder, 'call', name)
    expect([name, called.stdout + called.stderr]).toEqual([name, expect.stringContaining(reason)])
  }
})

test('promise doctor: an error in the configuration is reported with its line', async () => {
  const folder = makeFolder({ 'toolblocks.toml': '[model]\nprovidr = "x"\n' })
  const { code, stdout } = await toolblocks(folder, 'doctor')
  expect(stdout).toMatch(/✗ configuration +\S+toolblocks\.toml:2: model\.providr: .*"provider"/)
  expect(code).toBe(2)
})

test.for([40, 80])(
  'promise doctor: at %d columns no line is wider than the terminal',
  async (columns) => {
    const { code, written } = await visit(makeFolder({}), ['doctor'], [], { columns })
    expect(code).toBe(0)
    expect(written).toMatch(/columns, .*colours/)
    const screen = await getScreen(written, 200)
    for (const line of screen.split('\n')) expect(line.length).toBeLessThanOrEqual(columns)
  },
)

test('promise doctor: config show lists each effective setting with its file and line', async () => {
  const home = makeFolder({
    'toolblocks/config.toml':
      'theme = "dark"\n[model]\nprovider = "openai"\nname = "mine"\n[prices."m*"]\ninput = 3\n',
  })
  const folder = makeFolder({
    'toolblocks.toml': `[model]\nprovider = "scripted"\n[budget]\nper_turn = 9000\n${SERVERS}`,
  })
  const environment = { XDG_CONFIG_HOME: home, NO_COLOR: '1' }
  const { code, written } = await visit(folder, ['config', 'show'], [], {
    environment,
    columns: 200,
  })
  const screen = await getScreen(written, 200)
  const file = join(folder, 'toolblocks.toml')
  const own = join(home, 'toolblocks/config.toml')
  expect(screen).toContain(`model.provider = "scripted" # ${file}:2`)
  expect(screen).not.toContain('mine')
  expect(screen).toContain(`budget.per_turn = 9000 # ${file}:4`)
  expect(screen).toContain(`mcp.servers.silent.env.TOKEN = "(set)" # ${file}:`)
  expect(screen).not.toContain('secret value')
  expect(screen).toContain(`theme = "dark" # ${own}:1`)
  expect(screen).toContain(`prices."m*".input = 3 # ${own}:6`)
  expect(screen).toContain('deduplication.min_bytes = 300 # default')
  expect(code).toBe(0)
})
