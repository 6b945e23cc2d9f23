import { expect, test } from 'vitest'
import { toolblocks, visit } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import { startProvider, getToolDefinitions } from '../stage/provider.ts'

/** A program with two tools whose arguments are defined once. */
const CHECK = `
import { defineTool, runTools, text } from '@toolblocks/tool-sdk'
import { Type } from '@toolblocks/tool-sdk/typebox'

const check = defineTool({
  name: 'cargo_check',
  title: 'Check a package',
  summary: 'Run cargo check for a package.',
  description: 'It compiles nothing.',
  inputSchema: Type.Object({
    package: Type.Optional(Type.String({ description: 'Package to check.' })),
    jobs: Type.Optional(Type.Integer({ minimum: 1, default: 4, description: 'How many at a time.' })),
    target: Type.Union([Type.Literal('host'), Type.Literal('wasm')], { description: 'What for.' }),
  }),
  formatArguments: ({ target }) => 'cargo check --target ' + target,
  run: (given) => text(JSON.stringify(given) + typeof given.jobs),
})
const clean = defineTool({
  name: 'cargo_clean',
  summary: 'Delete what was built.',
  run() {
    console.log('a line for the log')
    throw new Error('the folder is locked', { cause: new Error('EBUSY') })
  },
})
await runTools([check, clean])
`
const program = (name: string, more = ''): string =>
  tool(name, [process.execPath, 'cargo.ts'], more)

test('004 schema generation: the model receives the description, optional arguments, defaults and choices of the definition', async () => {
  const model = await startProvider([
    { calls: [['cargo_check', { target: 'wasm', jobs: 2 }]] },
    { text: 'Checked.' },
  ])
  const folder = makeFolder({
    'cargo.ts': CHECK,
    'toolblocks.toml': model.settings + program('cargo_check'),
  })
  const { code } = await toolblocks(folder, 'run', 'Check it.')
  expect([code, model.results()]).toEqual([0, ['{"target":"wasm","jobs":2}number']])
  expect(getToolDefinitions(model.requests[0])['cargo_check']).toMatchObject({
    description: 'Run cargo check for a package.',
    parameters: {
      type: 'object',
      properties: {
        package: { type: 'string', description: 'Package to check.' },
        jobs: { type: 'integer', minimum: 1, default: 4, description: 'How many at a time.' },
        target: { description: 'What for.' },
      },
      required: ['target'],
      additionalProperties: false,
    },
  })
})

test('004 typed arguments: arguments have their types and defaults, and a person who types wrong ones reads each field with its error', async () => {
  const folder = makeFolder({ 'cargo.ts': CHECK, 'toolblocks.toml': program('cargo_check') })
  const right = ['--arg', 'target=host']
  const ran = await toolblocks(folder, 'call', 'cargo_check', ...right)
  const wrong = ['--arguments', '{"target":"mars","jobs":0,"packge":"a"}']
  const refused = await toolblocks(folder, 'call', 'cargo_check', ...wrong)
  expect(ran).toMatchObject({ code: 0, stdout: '{"target":"host","jobs":4}number\n' })
  expect([refused.code, refused.stdout]).toEqual([2, ''])
  expect(refused.stderr).toContain('/target: expected "host" or "wasm", got string "mars"')
  expect(refused.stderr).toContain('/jobs: expected a number >= 1, got number 0')
  expect(refused.stderr).toContain('did you mean "package"?')
})

test('004 typed arguments: a model that calls with wrong ones reads each field, the expected value and the actual value', async () => {
  const model = await startProvider([
    { calls: [['cargo_check', { target: 'mars', jobs: 0, packge: 'a' }]] },
    { text: 'I see.' },
  ])
  const folder = makeFolder({
    'cargo.ts': CHECK,
    'toolblocks.toml': model.settings + program('cargo_check'),
  })
  await toolblocks(folder, 'run', 'Check it.')
  const [result = ''] = model.results()
  expect(result).toMatch(/^\[The tool call failed\.\][^]*the call was not run/)
  expect(result).toContain('/target: expected "host" or "wasm", got string "mars"')
  expect(result).toContain('/jobs: expected a number >= 1, got number 0')
  expect(result).toContain('/packge: is not a known property')
})

test('004 dispatch: one program describes itself, formats a call for an approval, and runs the named tool', async () => {
  const model = await startProvider([
    { calls: [['cargo_check', { target: 'wasm' }]] },
    { calls: [['cargo_clean', {}]] },
    { text: 'Done.' },
  ])
  const asking = (name: string): string => program(name).replace('unattended', 'ask')
  const folder = makeFolder({
    'cargo.ts': CHECK,
    'toolblocks.toml':
      model.settings + asking('cargo_check') + 'format_arguments = true\n' + program('cargo_clean'),
  })
  await visit(
    folder,
    ['run', 'Check, then clean.'],
    [[/cargo check --target wasm[^]*Run cargo_check\?[^]*No/, '\u001b[B\r']],
  )
  expect(model.results()).toEqual([
    '{"target":"wasm","jobs":4}number',
    '[The tool call failed.]\n\nThe tool "cargo_clean" failed: the folder is locked\n\n[Causes of the error, outermost first:]\n\n```\nError: EBUSY\n```',
  ])
  const { stdout } = await toolblocks(folder, 'call', 'cargo_clean', '--output', 'json')
  const failed = JSON.parse(stdout)
  expect(failed._meta['computer.jp/error'].trace).toEqual([
    'Error: the folder is locked',
    'Error: EBUSY',
  ])
  expect(failed.metadata.stderr).toMatch(/^a line for the log\n/)
})
