import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parseConfiguration } from '../configuration/parse-configuration.ts'
import { readWrittenServers } from '../servers/written-servers.ts'
import { createWants, type Want } from './wants.ts'

const root = mkdtempSync(join(tmpdir(), 'toolblocks-rule-wants-'))
afterAll(() => rmSync(root, { recursive: true }))
mkdirSync(join(root, 'bin'))
writeFileSync(join(root, 'bin/sh'), '', { mode: 0o755 })

/** The wants about the only rule of a configuration. */
async function findRuleWants(rule: string, tables: string): Promise<readonly Want[]> {
  const toml = `[approvals]\nrules = [${JSON.stringify(rule)}]\n${tables}`
  const parsed = await parseConfiguration(toml, join(root, 'toolblocks.toml'))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  const { configuration } = parsed
  const { servers } = await readWrittenServers(configuration)
  const environment = { PATH: join(root, 'bin') }
  return createWants({ configuration, servers, environment }).of(`rule ${rule}`)
}

const makeTool = (name: string, command = 'sh a.sh'): string =>
  `[tools.${name}]\nsource = "local"\ncommand = "${command}"\nparameters = {}\n`
const makeServer = (name: string, command = 'sh'): string =>
  `[mcp.servers.${name}]\ncommand = "${command}"\n`

test('a rule that allows is a want, and one that asks or denies needs no agreement', async () => {
  expect(await findRuleWants('allow git(command^=git log)', makeTool('git'))).toMatchObject([
    { effect: 'loosens', text: 'rule: calls of git(command^=git log) run without asking you' },
  ])
  expect(await findRuleWants('deny git', makeTool('git'))).toEqual([])
  expect(await findRuleWants('ask *', makeTool('git'))).toEqual([])
})

test.for<[string, string, string]>([
  ['the program of its tool', makeTool('git'), makeTool('git', 'sh b.sh')],
  ['the server of its tool', makeServer('git'), makeServer('git', 'bash')],
  ['a tool of that name that did not exist', '', makeTool('git__log')],
  ['a server of that name that did not exist', '', makeServer('git')],
])('a rule is agreed to for %s', async ([, before, after]) => {
  const [was, is] = [
    await findRuleWants('allow git*', before),
    await findRuleWants('allow git*', after),
  ]
  expect(was).toHaveLength(1)
  expect(is[0]?.text).toBe(was[0]?.text)
  expect(is[0]?.hash).not.toBe(was[0]?.hash)
})

test('a rule for one tool of a server is agreed to for that server alone', async () => {
  const find = async (tables: string) => await findRuleWants('allow git__log', tables)
  const one = await find(makeServer('git'))
  expect(await find(makeServer('git') + makeServer('other') + makeTool('else'))).toEqual(one)
  expect(await find(makeServer('git', 'bash'))).not.toEqual(one)
})

test('a text that is not a rule is an error of the file, with its place', async () => {
  const toml = '[approvals]\nrules = ["deny git", "deny git("]\n'
  expect(await parseConfiguration(toml, '/w/toolblocks.toml')).toMatchObject({
    ok: false,
    problems: [{ key: 'approvals.rules.1', line: 2, message: expect.stringContaining('"git("') }],
  })
  const unknown = '[approvals]\nrules = ["git"]\n'
  expect(await parseConfiguration(unknown, '/w/toolblocks.toml')).toMatchObject({ ok: false })
})
