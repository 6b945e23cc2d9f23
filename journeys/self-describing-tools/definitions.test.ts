import { expect, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import { startProvider } from '../stage/provider.ts'

/** A program with two tools. One has recursive arguments; the description of the other has a mistake. */
const PROGRAM = `import { defineTool, describeTools, runTools, text } from '@toolblocks/tool-sdk'
const chart = defineTool({
  name: 'chart',
  inputSchema: {
    type: 'object',
    properties: { root: { $ref: '#/$defs/node' }, scale: { $ref: '#/$defs/scale' } },
    required: ['root'],
    $defs: {
      scale: { type: 'integer', default: 2 },
      node: { type: 'object', properties: { name: { type: 'string' }, next: { $ref: '#/$defs/node' } }, required: ['name'], additionalProperties: false },
    },
  },
  run: (given) => text(JSON.stringify(given)),
})
const { tools: [said] } = describeTools([chart])
const { inputSchema, ...parametersAlone } = said
const asks = JSON.parse(await new Promise((done) => { let all = ''; process.stdin.on('data', (data) => { all += data; try { JSON.parse(all); done(all) } catch {} }) }))
if (asks.context.action === 'schema')
  process.stdout.write(JSON.stringify({ tools: [parametersAlone, { name: 'other', summary: 7 }] }), () => process.exit(0))
else process.stdout.write(JSON.stringify({ content: [{ type: 'text', text: JSON.stringify(asks.tool.arguments) }] }), () => process.exit(0))
`

test('001 parameters: the definitions of a schema are in the parameters: the model receives them, and a nested error is reported at its place', async () => {
  const model = await startProvider([
    { calls: [['chart', { root: { name: 'a', next: { nme: 'b' } } }]] },
    { calls: [['chart', { root: { name: 'a', next: { name: 'b' } } }]] },
    { text: 'Drawn.' },
  ])
  const table = (name: string): string =>
    `[tools.${name}]\nsource = "local"\ncommand = ["node", "chart.mjs"]\nrun = "unattended"\n`
  const folder = makeFolder({
    'chart.mjs': PROGRAM,
    'toolblocks.toml': `${model.settings}${table('chart')}`,
  })
  const { stderr } = await toolblocks(folder, 'run', 'Draw it.')
  // A mistake in another entry of the program is not reported for this tool.
  expect(stderr).not.toContain('/tools/1')
  const results = model.requestMessages.flatMap((messages) =>
    messages.filter(({ role }) => role === 'tool'),
  )
  expect(JSON.stringify(results)).toContain('/root/next/nme')
  expect(JSON.parse(model.results().at(-1) ?? '')).toMatchObject({
    root: { name: 'a', next: { name: 'b' } },
    scale: 2,
  })
})
