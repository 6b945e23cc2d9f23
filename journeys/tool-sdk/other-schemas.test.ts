import { expect, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import { startProvider, getToolDefinitions } from '../stage/provider.ts'

const WITH_ZOD = `
import { defineTool, runTools, text } from '@toolblocks/tool-sdk'
import { z } from 'zod'

const plan = defineTool({
  name: 'plan',
  summary: 'Plan a trip.',
  inputSchema: z.object({
    to: z.string().min(2).describe('Where to.'),
    days: z.coerce.number().int().default(3),
    stops: z.array(z.object({ name: z.string(), at: z.iso.date().optional() })).optional(),
  }),
  run: ({ to, days, stops = [] }) => text([to, days + 1, ...stops.map((stop) => stop.name)].join(' ')),
})
await runTools([plan])
`

/** A tree: a recursive schema. */
const WITH_TREE = `
import { defineTool, runTools, text } from '@toolblocks/tool-sdk'

const grow = defineTool({
  name: 'grow',
  summary: 'Counts a tree.',
  inputSchema: {
    type: 'object',
    properties: { tree: { $ref: '#/$defs/tree' } },
    required: ['tree'],
    $defs: {
      tree: {
        type: 'object',
        properties: { name: { type: 'string' }, below: { type: 'array', items: { $ref: '#/$defs/tree' } } },
        required: ['name'],
        additionalProperties: false,
      },
    },
  },
  run: ({ tree }) => text(JSON.stringify(tree)),
})
await runTools([grow])
`

test('004 standard schemas: a Zod schema describes the tool, checks a call and fills in defaults', async () => {
  const model = await startProvider([
    {
      calls: [
        ['plan', { to: 'Rome', stops: [{ name: 'Pisa' }] }],
        ['plan', { to: 'R', stops: [{ at: 'May' }] }],
      ],
    },
    { text: 'Planned.' },
  ])
  const folder = makeFolder({
    'plan.ts': WITH_ZOD,
    'toolblocks.toml': model.settings + tool('plan', [process.execPath, 'plan.ts'], ''),
  })
  await toolblocks(folder, 'run', 'To Rome.')
  const [planned, refused] = model.results()
  expect(planned).toBe('Rome 4 Pisa')
  for (const problem of ['/to: expected at least 2', '/stops/0/name: is required', '/stops/0/at:'])
    expect(refused).toContain(problem)
  expect(getToolDefinitions(model.requests[0])).toMatchObject({
    plan: {
      parameters: {
        properties: {
          to: { type: 'string', minLength: 2, description: 'Where to.' },
          days: { type: 'integer', default: 3 },
          stops: { items: { properties: { name: {}, at: { format: 'date' } } } },
        },
        required: ['to'],
      },
    },
  })
})

test('004 nested types: a recursive definition reaches the model completely, and its calls are checked at every level', async () => {
  const right = { name: 'a', below: [{ name: 'b', below: [{ name: 'c' }] }] }
  const wrong = { name: 'a', below: [{ name: 'b', below: [{ nam: 'c' }] }] }
  const model = await startProvider([
    {
      calls: [
        ['grow', { tree: right }],
        ['grow', { tree: wrong }],
      ],
    },
    { text: 'Grown.' },
  ])
  const folder = makeFolder({
    'grow.ts': WITH_TREE,
    'toolblocks.toml': model.settings + tool('grow', [process.execPath, 'grow.ts'], ''),
  })
  await toolblocks(folder, 'run', 'Grow.')
  const [grown, refused] = model.results()
  expect(grown).toBe(JSON.stringify(right))
  expect(refused).toContain('/tree/below/0/below/0/name: is required and missing')
  const below = { type: 'array', items: { $ref: '#/$defs/tree' } }
  expect(getToolDefinitions(model.requests[0])).toMatchObject({
    grow: {
      parameters: {
        properties: { tree: { $ref: '#/$defs/tree' } },
        $defs: { tree: { properties: { name: { type: 'string' }, below } } },
      },
    },
  })
})
