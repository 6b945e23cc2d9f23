import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { configurationSchema } from '../configuration/configuration-schema.ts'
import { parameterSchema } from '../configuration/tool-schema.ts'
import { parseConfiguration } from '../configuration/parse-configuration.ts'
import { readWrittenServers } from '../servers/written-servers.ts'
import { type Wants, createWants } from './wants.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolblocks-wants-')))
afterAll(() => rmSync(root, { recursive: true }))
const programs = join(root, 'bin')
mkdirSync(programs)
for (const name of ['sh', 'npx']) writeFileSync(join(programs, name), '', { mode: 0o755 })

const ENVIRONMENT = { PATH: `.:${programs}`, HOME_TOOLS: programs }

async function makeWants(
  toml: string,
  { beside, environment = ENVIRONMENT }: { beside?: object; environment?: NodeJS.ProcessEnv } = {},
): Promise<Wants> {
  const file = join(root, '.mcp.json')
  rmSync(file, { force: true })
  if (beside) writeFileSync(file, JSON.stringify({ mcpServers: beside }))
  const parsed = await parseConfiguration(toml, join(root, 'toolblocks.toml'))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  const { configuration } = parsed
  const { servers } = await readWrittenServers(configuration)
  return createWants({ configuration, servers, environment })
}

/** Returns the listed entries without the one about the store. */
async function listEntries(
  toml: string,
  more: Parameters<typeof makeWants>[1] = {},
): Promise<unknown> {
  return (await makeWants(toml, more))
    .list()
    .filter(({ part }) => part !== 'store')
    .map(({ effect, text }) => `${effect} ${text}`)
}

const TOOL = '[tools.a]\nsource = "local"\ncommand = "sh a.sh"\n'

describe('a tool', () => {
  test('starts its command, by the program that is found for it', async () => {
    expect(await listEntries(`${TOOL}parameters = {}\n`)).toEqual([
      `starts a: sh a.sh (${programs}/sh)`,
    ])
    expect(
      await listEntries('[tools.a]\nsource = "local"\ncommand = "nothing"\nparameters = {}\n'),
    ).toEqual(['starts a: nothing (no such program)'])
  })

  test('shows the further reasons for which it is started', async () => {
    const toml = `${TOOL}format_arguments = true\nstateful = true\npin = true\noptions = { b = 1, a = "x" }\n`
    expect(await listEntries(toml.replace('"local"', '"local.other"'))).toEqual([
      `starts a: sh a.sh (${programs}/sh), as other, also to ask for its description, also to format the arguments of a call before you approve it, it may stay alive between calls, its options are {"a":"x","b":1}, its description is pinned`,
    ])
  })

  test('reads variables besides the usual ones', async () => {
    expect(
      await listEntries(`${TOOL}parameters = {}\nenv = ["GITHUB_TOKEN", "AWS_*"]\n`),
    ).toContain('reads a: the variables GITHUB_TOKEN, AWS_*')
  })

  test('shows the decisions that its table makes without a person', async () => {
    const toml = `${TOOL}run = "unattended"
on_turn_end = "keep"
parameters = { path = { type = "string", default = "x" }, deep = { type = "object", properties = { "in" = { type = "integer", default = 3 } } } }
[tools.a.questions]
sure = { answer = true }
how = { target = "assistant" }
who = { target = { name = "small" }, fallback = "default" }
why = { fallback = "assistant" }
plain = { target = "user", fallback = "fail" }
`
    expect(await listEntries(toml)).toEqual([
      `starts a: sh a.sh (${programs}/sh)`,
      'loosens a: its calls run without asking you',
      'loosens a: its question sure is answered with true',
      'loosens a: its question how is answered by a model',
      'loosens a: its question who is answered by a model with the settings {"name":"small"}',
      'loosens a: its question who is answered with its default if you cannot be asked',
      'loosens a: its question why is answered by a model if you cannot be asked',
      'loosens a: the argument path is "x" if a call does not set it',
      'loosens a: the argument deep.in is 3 if a call does not set it',
      'loosens a: live calls continue after the end of a turn',
    ])
  })

  test.for([TOOL, '[tools.a]\nsource = "mcp.s.read"\n'])(
    'shows the arguments that every call gets: %j',
    async (table) => {
      const entries = await listEntries(
        `${table}fixed = { owner = "acme", deep = { b = 1, a = [] } }\n`,
      )
      expect(entries).toEqual(
        expect.arrayContaining([
          'loosens a: the argument owner is "acme" in every call',
          'loosens a: the argument deep is {"a":[],"b":1} in every call',
        ]),
      )
    },
  )

  test('shows if its table lets a model write programs or options', async () => {
    const toml = `[tools.a]\nsource = "local"\ncommand = ["sh", "-c", "{{tool.arguments.script}}"]\nparameters = { script = { type = "string", code = true }, list = { type = "array", items = { type = "string", allow_dash = true } } }\n`
    expect(await listEntries(toml)).toEqual([
      `starts a: sh -c {{tool.arguments.script}} (${programs}/sh)`,
      'loosens a: the argument script is run as program text, which a model writes',
      'loosens a: the argument list.* may begin with a dash, which the program can read as an option',
    ])
  })

  test('of a server is shown with its source, and with what its table loosens', async () => {
    expect(await listEntries('[tools.look]\nsource = "mcp.s.read"\nrun = "unattended"\n')).toEqual([
      'reaches look: the tool read of the server s',
      'loosens look: its calls run without asking you',
    ])
    expect(await listEntries('[tools.look]\nsource = "mcp.s.read"\nrun = "deny"\n')).toEqual([
      'reaches look: the tool read of the server s',
    ])
  })
})

describe('a server', () => {
  test('is started as written in either file, with its variables by name', async () => {
    const table = {
      command: 'npx',
      args: ['-y', 'a b', '${TOKEN}'],
      env: { LEVEL: 'debug ${LEVEL}' },
    }
    const text = `starts server s: npx -y 'a b' '\${TOKEN}' (${programs}/npx), LEVEL is "debug \${LEVEL}"`
    expect(await listEntries('', { beside: { s: table } })).toEqual([
      text,
      'reads server s: the variables TOKEN, LEVEL',
    ])
    const toml = `[mcp.servers.s]\ncommand = "npx"\nargs = ["-y", "a b", "\${TOKEN}"]\nenv = { LEVEL = "debug \${LEVEL}" }\n`
    expect(await listEntries(toml)).toEqual(await listEntries('', { beside: { s: table } }))
  })

  test('is started by the program that its own PATH, folder and variables select', async () => {
    writeFileSync(join(root, 'npx'), '', { mode: 0o755 })
    expect(
      await listEntries('[mcp.servers.s]\ncommand = "npx"\nenv = { PATH = "${HOME_TOOLS}" }\n', {
        environment: { ...ENVIRONMENT, PATH: '' },
      }),
    ).toEqual([
      `starts server s: npx (${programs}/npx), PATH is "\${HOME_TOOLS}"`,
      'reads server s: the variables HOME_TOOLS',
    ])
    expect(await listEntries('[mcp.servers.s]\ncommand = "./sh"\ncwd = "bin"\n')).toEqual([
      `starts server s: ./sh (${programs}/sh), in bin`,
    ])
  })

  test('shows the settings of a login without a secret, and the hosts inside the network that it may reach', async () => {
    const oauth =
      'oauth = { client_id = "c", client_secret = "of mine", scopes = ["s"], allow_hosts = ["a.internal"] }'
    expect(await listEntries(`[mcp.servers.s]\nurl = "https://a.example/mcp"\n${oauth}\n`)).toEqual(
      [
        'reaches server s: https://a.example/mcp',
        'sends server s: a login with {"client_id":"c","client_secret":"***","scopes":["s"]}',
        'loosens server s: a login may reach a.internal inside your network, if the server names it',
      ],
    )
    const hidden = oauth.replace('of mine', '${SECRET}')
    expect(
      await listEntries(`[mcp.servers.s]\nurl = "https://a.example/mcp"\n${hidden}\n`),
    ).toEqual([
      'reaches server s: https://a.example/mcp',
      'sends server s: a login with {"client_id":"c","client_secret":"${SECRET}","scopes":["s"]}',
      'loosens server s: a login may reach a.internal inside your network, if the server names it',
      'reads server s: the variables SECRET',
    ])
  })

  test('is reached at its address, and its headers are sent', async () => {
    const toml =
      '[mcp.servers.s]\nurl = "https://a.example/mcp"\nheaders = { X-Key = "${KEY}" }\nrun = "unattended"\ntrusted = true\nshare = true\n'
    expect(await listEntries(toml)).toEqual([
      'reaches server s: https://a.example/mcp',
      'sends server s: the header X-Key: ${KEY}',
      'reads server s: the variables KEY',
      'loosens server s: calls of its tools run without asking you',
      'loosens server s: after a lost connection, calls of tools that it marks as read-only or idempotent are repeated',
      'loosens server s: all clients of serve share one connection, and so what the server keeps',
    ])
  })

  test('has no entries if it is disabled', async () => {
    expect(await listEntries('', { beside: { s: { command: 'x', disabled: true } } })).toEqual([])
  })
})

describe('a model', () => {
  test.for<[string, string]>([
    [
      'provider = "anthropic"\nname = "m"',
      'anthropic m at https://api.anthropic.com/v1, with the key in ANTHROPIC_API_KEY',
    ],
    [
      'provider = "openai"\nname = "m"\nbase_url = "https://evil.example"',
      'openai m at https://evil.example, with the key in OPENAI_API_KEY',
    ],
    [
      'provider = "google"\nname = "m"\napi_key_env = "AWS_SECRET"',
      'google m at https://generativelanguage.googleapis.com/v1beta, with the key in AWS_SECRET',
    ],
    [
      'provider = "openai-compatible"\nname = "m"\nbase_url = "http://localhost:1"',
      'openai-compatible m at http://localhost:1',
    ],
  ])('from %s gets conversations and a key', async ([table, expected]) => {
    expect(await listEntries(`[model]\n${table}\n`)).toEqual([
      `sends model: conversations to ${expected}`,
    ])
  })

  test('from a script sends nothing, and neither does one without an address', async () => {
    expect(await listEntries('[model]\nprovider = "scripted"\n')).toEqual([])
    expect(await listEntries('[model]\nprovider = "openai-compatible"\nname = "m"\n')).toEqual([])
  })

  test('is reached at the address in the variable of its provider', async () => {
    const environment = { OPENAI_BASE_URL: 'https://gateway.example/v1' }
    expect(
      await listEntries('[model]\nprovider = "openai"\nname = "m"\n', { environment }),
    ).toEqual([
      'sends model: conversations to openai m at https://gateway.example/v1, with the key in OPENAI_API_KEY',
    ])
  })
})

describe('conversations', () => {
  const stored = async (toml: string): Promise<unknown> =>
    (await makeWants(toml)).of('store').map(({ text }) => text)

  test('in a file are shown with its path; a link is shown with its target', async () => {
    expect(await stored('')).toEqual([])
    symlinkSync('/etc/passwd', join(root, 'linked.db'))
    expect(await stored('[store]\nurl = "sqlite:linked.db"\n')).toEqual([
      `conversations: the file ${root}/linked.db (/etc/passwd)`,
    ])
    symlinkSync('/nowhere/at/all', join(root, 'dangling.db'))
    expect(await stored('[store]\nurl = "sqlite:dangling.db"\n')).toEqual([
      `conversations: the file ${root}/dangling.db (a broken link)`,
    ])
  })

  test('in a database are shown with the complete address, without the password', async () => {
    const [text] = (
      await makeWants('[store]\nurl = "postgres://me:secret@host/db?host=evil&password=secret"\n')
    ).of('store')
    expect(text?.text).toMatch(
      /^conversations: the database postgres:\/\/me:\*\*\*@host\/db\?host=evil&password=\*\*\*, with the password in PGPASSWORD/,
    )
  })
})

test('an agent is shown with everything that is sent to it', async () => {
  const toml = `[agents.a]
summary = "Reads."
instructions = "Be brief."
tools = ["b", "c"]
model = "small"
max_depth = 2
[agents.d]
summary = "Writes."
`
  expect(await listEntries(toml)).toEqual([
    'sends agent a: work that a model hands to it, "Reads.", with the model small, the tools b, c, the instructions "Be brief.", started by agents too, 2 levels deep',
    'sends agent d: work that a model hands to it, "Writes.", with the model of the conversation, all tools',
  ])
})

test('prompts and resources are shown with the files that are sent, and with the targets of links', async () => {
  symlinkSync('/etc', join(root, 'linked'))
  writeFileSync(join(root, 'a.md'), '')
  expect(
    await listEntries(
      '[prompts.a]\nfile = "a.md"\n[prompts."b c"]\nfile = "/etc/passwd"\n[resources]\nfolder = "linked"\n',
    ),
  ).toEqual([
    `sends prompt a: the file ${root}/a.md to MCP clients`,
    'sends prompt "b c": the file /etc/passwd to MCP clients',
    `sends resources: the files in ${root}/linked (/etc) to MCP clients`,
  ])
})

describe('an entry', () => {
  const hashes = async (toml: string): Promise<ReadonlyMap<string, string>> =>
    new Map((await makeWants(toml)).list().map(({ part, hash }) => [part, hash]))

  test('keeps its hash when another one is added, and changes with its text', async () => {
    const before = await hashes(`${TOOL}parameters = {}\n`)
    const more = await hashes(`${TOOL}parameters = {}\n[mcp.servers.s]\ncommand = "x"\n`)
    expect(more.get('tool a')).toBe(before.get('tool a'))
    const changed = await hashes(`${TOOL.replace('a.sh', 'b.sh')}parameters = {}\n`)
    expect(changed.get('tool a')).not.toBe(before.get('tool a'))
  })

  test('names the links that a server reads without a question, with all limits', async () => {
    const server = '[mcp.servers.s]\nurl = "https://s.example/mcp"\n'
    const loosens = async (links: string): Promise<readonly string[]> =>
      ((await listEntries(`${server}links = ${links}\n`)) as string[]).filter((line) =>
        line.startsWith('loosens'),
      )
    expect(await loosens('{ mode = "inline", max_links = 3 }')).toEqual([
      'loosens server s: links in its results are read without asking you, with {"max_links":3,"mode":"inline"}',
    ])
    expect(await loosens('{ mode = "lazy" }')).toEqual([])
    expect(await loosens('{ max_bytes = 5 }')).toEqual([])
  })

  test('starts the program that learns of questions', async () => {
    expect(
      await listEntries('[questions]\nexpire_secs = 5\nnotify = ["sh", "notify.sh"]\n'),
    ).toEqual([
      `starts questions: sh notify.sh (${programs}/sh), when a question waits for you, with the question`,
    ])
    const program = process.platform === 'darwin' ? 'osascript' : 'notify-send'
    expect(await listEntries('[questions]\nnotify = "desktop"\n')).toEqual([
      expect.stringMatching(
        new RegExp(
          `^starts questions: ${program} \\(.+\\), a notification of the desktop when a question waits for you, with the question$`,
        ),
      ),
    ])
    expect(await listEntries('[questions]\nexpire_secs = 5\n')).toEqual([])
  })

  test('does not contain texts for people and models', async () => {
    const worded = `${TOOL}summary = "A."\ndescription = "B."\nparameters = {}\n[format]\nstructured = "both"\nresource_header = "none"\n`
    expect(await hashes(worded)).toEqual(await hashes(`${TOOL}parameters = {}\n`))
  })

  test('quotes names so that they cannot be read as other words', async () => {
    const toml =
      '[tools."a: sh b.sh (/bin/sh)\\nstarts c"]\nsource = "local"\ncommand = "sh a.sh"\nparameters = {}\n'
    expect(await listEntries(toml)).toEqual([
      `starts "a: sh b.sh (/bin/sh)\\nstarts c": sh a.sh (${programs}/sh)`,
    ])
  })
})

/**
 * Every key of the configuration, with its effect beyond the folder. A new key needs a decision: does it start, reach, read, send, write or loosen
 * anything? If so, `wants.ts` makes an entry of it.
 */
const KEYS = {
  tools: {
    entries:
      'source command run format_arguments env stateful pty on_turn_end questions options parameters describe replace pin fixed',
    harmless:
      'title summary description examples deduplicate defer dialect leftover_processes actions questions_expire_secs timeout_secs select hidden',
  },
  servers: {
    entries: 'command args env cwd url headers oauth trusted run pin share links',
    harmless: 'protocol_version defer required timeout_secs connect_timeout_secs disabled login',
  },
  model: {
    entries: 'provider name base_url api_key_env',
    harmless: 'instructions max_output_tokens',
  },
  questions: { entries: 'notify', harmless: 'expire_secs' },
  store: { entries: 'url', harmless: '' },
  parameters: {
    entries: 'default items properties code allow_dash',
    harmless: 'type summary description required enum examples',
  },
  agents: {
    entries: 'summary instructions tools model max_depth',
    harmless: 'max_output_tokens max_tokens timeout_secs',
  },
  prompts: { entries: 'file', harmless: 'title description arguments' },
  resources: { entries: 'folder', harmless: '' },
  approvals: { entries: 'rules', harmless: '' },
  serve: {
    entries: 'clients groups oauth credentials_key_file trusted_proxies',
    harmless: 'metrics',
  },
  top: {
    entries: 'tools mcp model agents prompts resources approvals questions serve store',
    harmless: 'format deduplication budget tool_search',
  },
} as const

test('every key of the configuration is an entry or is listed as one without an effect beyond the folder', () => {
  const { properties } = configurationSchema
  const { tools, mcp, model, agents, prompts, resources, approvals, questions, serve, store } =
    properties
  const schemas = {
    tools: tools.additionalProperties.properties,
    servers: mcp.properties.servers.additionalProperties.properties,
    model: model.properties,
    agents: agents.additionalProperties.properties,
    prompts: prompts.additionalProperties.properties,
    resources: resources.properties,
    approvals: approvals.properties,
    questions: questions.properties,
    serve: serve.properties,
    store: store.properties,
    parameters: parameterSchema.properties,
    top: properties,
  }
  for (const [name, { entries, harmless }] of Object.entries(KEYS)) {
    const known = `${entries} ${harmless}`.trim().split(/\s+/)
    const there = Object.keys(Object(Reflect.get(schemas, name)))
    expect(there.toSorted(), name).toEqual(known.toSorted())
  }
})
