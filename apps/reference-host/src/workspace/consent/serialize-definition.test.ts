import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSuccessResult, type Tool } from '@toolblocks/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { parseConfiguration } from '../configuration/parse-configuration.ts'
import { readWrittenServers } from '../servers/written-servers.ts'
import { createWants } from './wants.ts'
import { hashDefinition } from './create-approver.ts'

const tool: Tool = {
  name: 'a',
  inputSchema: { type: 'object' },
  execute: async () => createSuccessResult([]),
}

/** Returns the hash that an approval of the tool is bound to, in a folder with these files. */
async function hash({
  definition = {},
  toml = LOCAL,
  beside,
}: { definition?: Partial<Tool>; toml?: string; beside?: object } = {}): Promise<string> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolblocks-definition-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  if (beside) writeFileSync(join(root, '.mcp.json'), JSON.stringify({ mcpServers: beside }))
  const parsed = await parseConfiguration(toml, join(root, 'toolblocks.toml'))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  const { configuration } = parsed
  const { servers } = await readWrittenServers(configuration)
  const environment = { PATH: process.env['PATH'] }
  const wants = createWants({ configuration, servers, environment })
  return hashDefinition(
    { tool: { ...tool, ...definition } },
    {
      written: { configuration, servers },
      listWants: (parts) => parts.flatMap((part) => wants.of(part)),
    },
  )
}

async function readWritten(): Promise<Parameters<typeof hashDefinition>[1]['written']> {
  const parsed = await parseConfiguration('', join(tmpdir(), 'toolblocks.toml'))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return { configuration: parsed.configuration, servers: [] }
}

const LOCAL = '[tools.a]\nsource = "local"\ncommand = "sh a.sh"\nparameters = {}\n'

test.for<[string, Partial<Tool>]>([
  ['title', { title: 'A' }],
  ['summary', { summary: 'A' }],
  ['description', { description: 'A' }],
  ['arguments', { inputSchema: { type: 'object', minProperties: 1 } }],
  ['results', { outputSchema: true }],
  ['hints', { annotations: { readOnlyHint: true } }],
])('a change of its %s makes it another tool', async ([, definition]) => {
  expect(await hash({ definition })).not.toBe(await hash())
})

test('a key with no effect on the model changes nothing', async () => {
  const definition = { _meta: { a: 1 }, execute: async () => createSuccessResult([]) }
  expect(await hash({ definition })).toBe(await hash())
})

test.for<[string, string]>([
  ['its command', LOCAL.replace('a.sh', 'b.sh')],
  ['the program that the command finds', LOCAL.replace('sh a.sh', '/usr/bin/env a.sh')],
  ['the variables that it sees', `${LOCAL}env = ["SECRET"]\n`],
  ['an argument that every call gets', `${LOCAL}fixed = { owner = "acme" }\n`],
  ['its options', `${LOCAL}options = { force = true }\n`],
])('%s is part of the approved definition', async ([, toml]) => {
  expect(await hash({ toml })).not.toBe(await hash())
})

test('the value that every call gets is part of it, also where no file says so', async () => {
  const how = { written: await readWritten(), listWants: () => [] }
  const hashes = ['a', 'b', undefined].map((owner) =>
    hashDefinition({ tool, ...(owner && { shape: { fixed: { owner }, inputSchema: true } }) }, how),
  )
  expect(new Set(hashes).size).toBe(3)
})

test('another tool is not part of it', async () => {
  const toml = `${LOCAL}[tools.b]\nsource = "local"\ncommand = "sh b.sh"\nparameters = {}\n`
  expect(await hash({ toml })).toBe(await hash())
})

test('a tool of a server is bound to how its server is started or reached, in either file', async () => {
  const definition = { name: 's__a' }
  const server = (command: string): string => `[mcp.servers.s]\ncommand = "${command}"\n`
  const known = await hash({ definition, toml: server('x') })
  expect(await hash({ definition, toml: server('x') })).toBe(known)
  expect(await hash({ definition, toml: server('y') })).not.toBe(known)
  expect(await hash({ definition, toml: `${server('x')}[mcp.servers.t]\ncommand = "z"\n` })).toBe(
    known,
  )
  const beside = async (table: object): Promise<string> =>
    await hash({ definition, toml: '', beside: { s: table } })
  expect(await beside({ command: 'x' })).toBe(known)
  expect(await beside({ command: 'y' })).not.toBe(known)
  expect(await beside({ url: 'https://a.example' })).not.toBe(
    await beside({ url: 'https://b.example' }),
  )
})

test('a tool with the name of a property of every object is bound to no table', async () => {
  expect(await hash({ definition: { name: 'toString' }, toml: '' })).toBe(
    await hash({ definition: { name: 'toString' } }),
  )
})
