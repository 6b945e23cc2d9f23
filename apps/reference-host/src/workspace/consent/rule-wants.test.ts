import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parseConfiguration } from '../configuration/parse-configuration.ts'
import { readWrittenServers } from '../servers/written-servers.ts'
import { openDecisions } from './decisions.ts'
import { createWants, type Want, type Wants } from './wants.ts'

const root = mkdtempSync(join(tmpdir(), 'toolblocks-rule-wants-'))
afterAll(() => rmSync(root, { recursive: true }))
mkdirSync(join(root, 'bin'))
writeFileSync(join(root, 'bin/sh'), '', { mode: 0o755 })

/** The wants about a rule of a configuration, which is the only one unless all are given. */
async function findRuleWants(
  rule: string,
  tables: string,
  rules: readonly string[] = [rule],
): Promise<readonly Want[]> {
  return (await makeWants(rules, tables)).of(`rule ${rule}`)
}

/** Stores an agreement to wants. Returns whether others need none. */
async function agreeTo(wants: readonly Want[]): Promise<(others: readonly Want[]) => boolean> {
  const decisions = openDecisions(join(mkdtempSync(join(root, 'd')), 'trust.json'))
  await decisions.agree('/w', wants)
  return (others) => decisions.findNew('/w', others).length === 0
}

async function makeWants(rules: readonly string[], tables: string): Promise<Wants> {
  const toml = `[approvals]\nrules = ${JSON.stringify(rules)}\n${tables}`
  const parsed = await parseConfiguration(toml, join(root, 'toolblocks.toml'))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  const { configuration } = parsed
  const { servers } = await readWrittenServers(configuration)
  const environment = { PATH: join(root, 'bin') }
  return createWants({ configuration, servers, environment })
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

describe('without a rule that asks or denies, the calls that run without a person are others:', () => {
  const PUSH = 'deny git(command^=git push)'

  test('a rule that allows is agreed to with those before it', async () => {
    const find = async (rules: readonly string[]) =>
      await findRuleWants('allow git', makeTool('git'), rules)
    const agreed = await find([PUSH, 'allow git'])
    expect(agreed).toMatchObject([
      { text: 'rule: calls of git run without asking you, except: deny git(command^=git push)' },
    ])
    const isAgreed = await agreeTo(agreed)
    for (const lost of [
      ['allow git'],
      ['allow git', PUSH],
      ['deny git(command^=git pull)', 'allow git'],
      ['ask git(command^=git push)', 'allow git'],
    ])
      expect(isAgreed(await find(lost)), String(lost)).toBe(false)
    const kept = await find(['deny gi*', PUSH, 'allow git'])
    expect(isAgreed(kept)).toBe(true)
    const isAskedAgreed = await agreeTo(await find(['ask git(command^=git push)', 'allow git']))
    expect(isAskedAgreed(agreed)).toBe(true)
  })

  test('rules about other tools, and those that allow, are not part of it', async () => {
    const rules = ['deny other', 'ask gi', 'deny github*', 'allow gi*', 'allow git']
    expect(await findRuleWants('allow git', makeTool('git'), rules)).toMatchObject([
      { text: 'rule: calls of git run without asking you' },
    ])
  })

  test.each(['deny *', 'ask gi*', 'deny git__a*', 'ask git__a(b=c)'])(
    'a rule for several tools is agreed to with each that is for one of them: %s',
    async (other) => {
      const [want] = await findRuleWants('allow git__*', makeServer('git'), [other, 'allow git__*'])
      expect(want?.text).toBe(`rule: calls of git__* run without asking you, except: ${other}`)
    },
  )

  test.each([
    ['tool git', `${makeTool('git')}run = "unattended"\n`, 'git: its calls'],
    ['server git', `${makeServer('git')}run = "unattended"\n`, 'server git: calls of its tools'],
  ] as const)('so is "run" of a table: %s', async (part, tables, what) => {
    const rules = ['allow other', 'deny git*', 'ask *', 'deny x']
    const texts = (await makeWants(rules, tables)).of(part).map(({ text }) => text)
    expect(texts).toContain(`${what} run without asking you, except: deny git*, ask *`)
    expect((await makeWants([], tables)).of(part).map(({ text }) => text)).toContain(
      `${what} run without asking you`,
    )
  })
})

describe('of a server whose calls run without asking,', () => {
  const WEB = `${makeServer('web')}run = "unattended"\n`
  const TABLE = '[tools.del]\nsource = "mcp.web.delete"\n'

  async function findNew(
    [rules, tables]: readonly [readonly string[], string],
    [laterRules, laterTables]: readonly [readonly string[], string],
  ): Promise<readonly string[]> {
    const isAgreed = await agreeTo((await makeWants(rules, tables)).list())
    const later = (await makeWants(laterRules, laterTables)).list()
    return later.filter((want) => !isAgreed([want])).map(({ text }) => text)
  }

  const RUNS = 'del: its calls run without asking you'

  test.for([
    ['a rule that denies it', [['deny del(force=true)'], WEB + TABLE], RUNS],
    ['"run" of its table', [[], `${WEB}${TABLE}run = "deny"\n`], RUNS],
    ['an argument of each call', [[], `${WEB}${TABLE}fixed = { repo = "x" }\n`], RUNS],
  ] as const)('a tool with a table that loses %s is a new want', async ([, before, text]) => {
    expect(await findNew(before, [[], WEB + TABLE])).toEqual([text])
  })

  test('a tool with another name than in the rule that denies it is a new want', async () => {
    const rules = ['deny web__delete']
    expect(await findNew([rules, WEB], [rules, WEB + TABLE])).toEqual([
      'del: the tool delete of the server web',
      RUNS,
    ])
  })

  test('a rule of a client is agreed to with its tools', async () => {
    const client = '[serve.clients.joe]\ntoken_env = "T"\nrules = ["deny web__delete", "allow *"]\n'
    const texts = await findNew(
      [[], client + makeServer('web')],
      [[], client + makeServer('web') + TABLE],
    )
    expect(texts).toEqual([
      'del: the tool delete of the server web',
      expect.stringContaining('serve: the client joe may use'),
    ])
  })
})

test('a rule that allows is agreed to with the arguments that each call has or has not', async () => {
  const find = async (more: string) => await findRuleWants('allow git', makeTool('git') + more)
  const limited = await find('fixed = { mode = "r" }\nhidden = ["force"]\n')
  expect(limited).toMatchObject([
    {
      text: 'rule: calls of git run without asking you, always with mode = "r" in git, no force in git',
    },
  ])
  const isAgreed = await agreeTo(limited)
  expect(isAgreed(await find('fixed = { mode = "r" }\n'))).toBe(false)
  expect(isAgreed(await find('hidden = ["force"]\n'))).toBe(false)
  expect(isAgreed(await find('fixed = { mode = "r", x = 1 }\nhidden = ["force"]\n'))).toBe(true)
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
