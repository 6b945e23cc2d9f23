import { type JsonSchema } from '@toolblocks/protocol'
import { parametersToSchema } from '@toolblocks/protocol/internal'
import { expect, test } from 'vitest'
import { parseConfiguration } from './parse-configuration.ts'

const PARAMETERS = `a.type = "string"
b = { type = "string", required = true }
c = { type = "object", properties = { d = { type = "string" }, e = { type = "string", required = true } } }
f = { type = "array", items = { type = "object", properties = { g = { type = "string" } } } }
`

async function makeSchema(table: string, more = ''): Promise<JsonSchema> {
  const text = `[${table}.t]\nsource = "local"\ncommand = "./t"\n${more}\n[${table}.t.parameters]\n${PARAMETERS}`
  const parsed = await parseConfiguration(text, '/w/toolblocks.toml')
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return parametersToSchema(parsed.configuration.tools['t']?.parameters ?? {})
}

test('in the older table a parameter is optional unless it says otherwise, at any depth', async () => {
  expect(await makeSchema('conversation.tools')).toMatchObject({
    required: ['b'],
    properties: {
      c: { required: ['e'] },
      f: { items: { properties: { g: { type: 'string' } } } },
    },
  })
  expect(await makeSchema('conversation.tools')).not.toHaveProperty('properties.f.items.required')
})

test('in other tables a parameter is required unless it has a default or may be null, also if it overrides a description', async () => {
  const needed = { required: ['a', 'b', 'c', 'f'], properties: { c: { required: ['d', 'e'] } } }
  expect(await makeSchema('tools')).toMatchObject(needed)
  expect(await makeSchema('conversation.tools', 'describe = true')).toMatchObject(needed)
})

test('an older table with a model asks the model of the conversation, with a warning', async () => {
  const text = `[conversation.tools.t]
source = "local"
command = "./t"
[conversation.tools.t.questions]
old = { target = { model = { id = "haiku" } } }
new = { target = { name = "small" } }
`
  const parsed = await parseConfiguration(text, '/w/toolblocks.toml')
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  expect(parsed.configuration.tools['t']?.questions).toEqual({
    old: { target: 'assistant' },
    new: { target: { name: 'small' } },
  })
  expect(parsed.warnings.map(({ key }) => key)).toEqual([
    'conversation.tools.t.questions.old.target',
  ])
})
