import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { toolblocks, visit } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import { connectClient } from '../stage/mcp-client.ts'
import { hasResults, startProvider } from '../stage/provider.ts'
import { getScreen } from '../stage/screen.ts'

test('promise approvals: a permanent approval holds for the tool as it is defined: not for another tool of that name, and not after it is revoked', async () => {
  const model = await startProvider((messages) =>
    hasResults(messages) ? { text: 'Done.' } : { calls: [['clean', {}]] },
  )
  const folder = makeFolder({})
  const write = (text: string): void =>
    writeFileSync(
      `${folder}/toolblocks.toml`,
      `${model.settings}[tools.clean]\nsource = "local"\ncommand = ["echo", "${text}"]\nparameters = {}\n`,
    )
  const ask = async (): Promise<string> => {
    await toolblocks(folder, 'run', 'Clean up.', '--no-input')
    return model.results().join('')
  }
  write('swept')
  expect(await ask()).toMatch(/denied/)
  await visit(
    folder,
    ['run', 'Clean up.'],
    [[/Run clean\?[^]*never ask again/, '\u001b[B'.repeat(4) + '\r']],
  )
  expect(await ask()).toBe('swept\n')

  write('burnt')
  expect(await ask()).toMatch(/denied/)
  write('swept')
  expect(await ask()).toBe('swept\n')
  const listed = await toolblocks(folder, 'approvals', '--output', 'json')
  const [, id = ''] = /"id": "(\w+)"/.exec(listed.stdout) ?? []
  expect((await toolblocks(folder, 'approvals', 'revoke', id)).code).toBe(0)
  expect(await ask()).toMatch(/denied/)
})

test('promise approvals: a rule that a person makes while serve runs holds for a client that cannot ask, only within the rule, until it is revoked', async () => {
  const folder = makeFolder({ 'toolblocks.toml': DELETE })
  const client = await connectClient(folder)
  const remove = async (path: string): Promise<string> =>
    JSON.stringify((await client.callTool({ name: 'delete', arguments: { path } })).content)
  expect(await remove('old.txt')).toContain('approvals allow')
  const allowed = await toolblocks(folder, 'approvals', 'allow', 'delete(path=old.txt)')
  expect(allowed.stdout).toContain('run without asking now')
  expect(await remove('old.txt')).toContain('deleted old.txt')
  expect(await remove('new.txt')).not.toContain('deleted')
  const listed = await toolblocks(folder, 'approvals', '--output', 'json')
  const [, id = ''] = /"id": "(\w+)"/.exec(listed.stdout) ?? []
  await toolblocks(folder, 'approvals', 'revoke', id)
  expect(await remove('old.txt')).not.toContain('deleted')
})

const DELETE = `
[tools.delete]
source = "local"
command = ["echo", "deleted {{tool.arguments.path}}"]
parameters = { path = { type = "string" } }
`
const DOWN = '\u001b[B'

test("promise approvals: waiting calls are asked about one by one, each with its name, its position and all arguments; a refusal is reported as the user's", async () => {
  const model = await startProvider((messages) =>
    hasResults(messages)
      ? { text: 'Done.' }
      : {
          calls: [
            ['delete', { path: 'one.txt' }],
            ['delete', { path: 'two.txt' }],
          ],
        },
  )
  const folder = makeFolder({ 'toolblocks.toml': model.settings + DELETE })
  const { written } = await visit(
    folder,
    ['run', 'Clean up.'],
    [
      [
        /delete[^\n]*needs your approval[^\n]*1 of 2[^]*one\.txt[^]*Run delete\?[^]*No: the model is told/,
        '\r',
      ],
      [
        /delete[^\n]*needs your approval[^\n]*2 of 2[^]*two\.txt[^]*Run delete\?[^]*never ask again/,
        `${DOWN}\r`,
      ],
    ],
  )
  expect(await getScreen(written)).not.toContain('Go on without it')
  const [first, second] = model.results()
  expect(first).toContain('was denied (by the user)')
  expect(second).toBe('deleted two.txt\n')
})

test('promise approvals: arguments that were changed in the editor are shown and asked about again before the call runs', async () => {
  const model = await startProvider((messages) =>
    hasResults(messages) ? { text: 'Done.' } : { calls: [['delete', { path: 'one.txt' }]] },
  )
  const folder = makeFolder({
    'toolblocks.toml': model.settings + DELETE,
    'edit.sh': 'sed s/one/other/ "$1" > edited && cat edited > "$1"\n',
    'keep.sh': ': > "$1"\n',
  })
  const change = `${DOWN}${DOWN}\r`
  await visit(
    folder,
    ['run', 'Clean up.'],
    [
      [/one\.txt[^]*Run delete\?[^]*never ask again/, change],
      [/as you changed them[^]*other\.txt[^]*Run delete\?[^]*never ask again/, `${DOWN}\r`],
    ],
    { environment: { EDITOR: `sh '${folder}/edit.sh'` } },
  )
  expect(model.results()).toEqual(['deleted other.txt\n'])
})

test.for([
  ['Ctrl-C', '\u0003'],
  ['Esc, and then Decline', '\u001b'],
] as const)(
  'promise approvals: after %s at an approval no choice on the screen looks like an answer',
  async ([, key]) => {
    const model = await startProvider((messages) =>
      hasResults(messages) ? { text: 'Done.' } : { calls: [['delete', { path: 'one.txt' }]] },
    )
    const folder = makeFolder({ 'toolblocks.toml': model.settings + DELETE })
    const { written } = await visit(
      folder,
      ['chat'],
      [
        [/› /, 'Clean up.\r'],
        [/Run delete\?[^]*never ask again/, DOWN],
        [/●[^\n]* Run it/, key],
        ...(key === '\u001b'
          ? ([[/What do you want to do\?[^]*Decline/, `${DOWN}\r`]] as const)
          : []),
        [/Done\.[^]*› /, '\u0004'],
      ],
    )
    const screen = await getScreen(written)
    expect(screen).toContain('■  Run delete?')
    expect(screen).toContain('▸ delete needs your approval\npath: one.txt')
    expect(screen).not.toMatch(/Run it|│ {2}No/)
    expect(model.results()[0]).toMatch(/cancelled before it was approved|denied \(by the user\)/)
  },
)

test.for(['what is this?', 'jjj', 'hhh', 'okay then'])(
  'promise approvals: a sentence at an approval runs nothing; it is offered as the reason of a denial, which the model reads: %j',
  async (typed) => {
    const model = await startProvider((messages) =>
      hasResults(messages) ? { text: 'Done.' } : { calls: [['delete', { path: 'one.txt' }]] },
    )
    const folder = makeFolder({ 'toolblocks.toml': model.settings + DELETE })
    const { written } = await visit(
      folder,
      ['chat'],
      [
        [/› /, 'Clean up.\r'],
        [/Run delete\?[^]*never ask again/, `${typed}\r`],
        [/Is it your reason\?[^]*No, and tell the model this reason/, '\r'],
        [/Done\.[^]*› /, '\u0004'],
      ],
    )
    expect(await getScreen(written)).not.toContain('deleted one.txt')
    expect(model.results()).toHaveLength(1)
    expect(model.results()[0]).toContain(
      `The call of "delete" was denied (by the user: ${typed}); the call was not run.`,
    )
  },
)

test.for([80, 40])(
  'promise approvals: a pasted reason of several lines keeps its lines, on a screen of %d columns and for the model',
  async (columns) => {
    const model = await startProvider((messages) =>
      hasResults(messages) ? { text: 'Done.' } : { calls: [['delete', { path: 'one.txt' }]] },
    )
    const folder = makeFolder({ 'toolblocks.toml': model.settings + DELETE })
    const { written } = await visit(
      folder,
      ['chat'],
      [
        [/› /, 'Clean up.\r'],
        [
          /Run delete\?[^]*never ask again/,
          '\u001B[200~Not now:\r\n  first the tests\r\nyes\u001B[201~',
        ],
        [/Not now:⏎[^]*first the tests⏎[^]*yes█/, '\r'],
        [/Is it your reason\?[^]*No, and tell the model this reason/, '\r'],
        [/Done\.[^]*› /, '\u0004'],
      ],
      { columns },
    )
    expect(await getScreen(written)).not.toContain('deleted one.txt')
    expect(model.results()).toHaveLength(1)
    expect(model.results()[0]).toContain('Not now:\n  first the tests\nyes')
  },
)

test('promise approvals: what was typed while the model or a tool worked approves nothing', async () => {
  const model = await startProvider([
    { calls: [['slow', {}]] },
    { calls: [['delete', { path: 'a' }]] },
    { text: 'Done.' },
  ])
  const slow =
    '[tools.slow]\nsource = "local"\ncommand = ["sleep", "1"]\nrun = "unattended"\nparameters = {}\n'
  const folder = makeFolder({ 'toolblocks.toml': model.settings + DELETE + slow })
  const { written } = await visit(
    folder,
    ['run', 'Clean up.'],
    [
      [/slow/, `${DOWN}\ry\r`],
      [
        /What was typed before this question was discarded[^]*●[^]*No: the[^]*never ask again/,
        '\r',
      ],
    ],
  )
  expect(written).toContain('Done.')
  expect(model.results().at(-1)).toContain('was denied (by the user)')
})
