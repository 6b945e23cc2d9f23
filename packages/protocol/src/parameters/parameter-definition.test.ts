import { describe, expect, test } from 'vitest'
import { descriptionToDefinition } from '../wire/tool-description.ts'
import {
  type ParameterDefinition,
  findMarkedArguments,
  isParameterDefinition,
} from './parameter-definition.ts'
import { mergeToolOverrides } from './merge-tool-overrides.ts'
import { parametersToSchema, schemaToParameters } from './parameters-to-schema.ts'

const parameters: Record<string, ParameterDefinition> = {
  code: { type: 'string', code: true },
  flag: { type: 'string', allow_dash: true },
  plain: { type: 'string', code: false },
  range: { type: 'object', properties: { first: { code: true }, 'a.b': { code: true } } },
  cells: { type: 'array', items: { properties: { source: { code: true }, id: {} } } },
  lines: { type: 'array', items: { code: true } },
  whole: { type: 'object', code: true, properties: { part: { code: true } } },
  'with.dot': { code: true },
  '*': { code: true },
}

test('arguments are named by path, like placeholders', () => {
  expect(findMarkedArguments(parameters, 'code')).toEqual([
    'code',
    'range.first',
    'cells.*.source',
    'lines.*',
    'whole',
  ])
  expect(findMarkedArguments(parameters, 'allow_dash')).toEqual(['flag'])
})

describe('a keyword for the host only', () => {
  const KEYWORDS = /"code":|allow_dash/

  test('is not in the schema for a model', () => {
    const { code: _name, ...others } = parameters
    expect(JSON.stringify(parametersToSchema(others))).not.toMatch(KEYWORDS)
    const inputSchema = parametersToSchema({ flag: { type: 'string' } })
    for (const schema of [inputSchema, {}]) {
      const overrides = { parameters: { flag: { code: true, allow_dash: true, minLength: 1 } } }
      const { definition } = mergeToolOverrides({ name: 't', inputSchema: schema }, overrides)
      expect(definition.inputSchema).toHaveProperty('properties.flag.minLength', 1)
      expect(JSON.stringify(definition.inputSchema)).not.toMatch(KEYWORDS)
    }
  })

  test('is not read from a description or schema of a tool', () => {
    const { inputSchema } = descriptionToDefinition({
      name: 't',
      parameters: { x: { type: 'string', code: true, allow_dash: true } },
    })
    expect(inputSchema).toEqual(parametersToSchema({ x: { type: 'string' } }))
    const schema = { properties: { x: { type: 'string', code: true, allow_dash: true } } }
    expect(findMarkedArguments(schemaToParameters(schema), 'code')).toEqual([])
    expect(findMarkedArguments(schemaToParameters(schema), 'allow_dash')).toEqual([])
  })

  test('is a boolean', () => {
    expect(isParameterDefinition({ code: true, allow_dash: false })).toBe(true)
    for (const keyword of ['code', 'allow_dash'])
      expect(isParameterDefinition({ [keyword]: 'yes' })).toBe(false)
  })
})
