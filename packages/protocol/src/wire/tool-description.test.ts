import { describe, expect, test } from 'vitest'
import { descriptionToDefinition, schemaToArguments } from './tool-description.ts'

describe('descriptionToDefinition', () => {
  test('parameters become the schema of the arguments; other fields are unchanged', () => {
    expect(
      descriptionToDefinition({
        name: 'check',
        title: 'Check',
        summary: 'Checks.',
        parameters: { package: { type: 'string', required: false } },
        annotations: { readOnlyHint: true },
        stateful: true,
        actions: ['spawn'],
      }),
    ).toEqual({
      name: 'check',
      title: 'Check',
      summary: 'Checks.',
      inputSchema: {
        type: 'object',
        properties: { package: { type: 'string' } },
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true },
    })
  })

  test('an inputSchema wins over parameters', () => {
    const inputSchema = { type: 'object', properties: { tree: { $ref: '#' } } }
    const definition = descriptionToDefinition({
      name: 'a',
      parameters: { tree: { type: 'object' } },
      inputSchema,
    })
    expect(definition).toEqual({ name: 'a', inputSchema })
  })

  test('without either the tool takes no arguments', () => {
    expect(descriptionToDefinition({ name: 'a' }).inputSchema).toEqual({
      type: 'object',
      properties: {},
      additionalProperties: false,
    })
  })

  test('the long text of a parameter with a summary is added to the description', () => {
    const { description, inputSchema } = descriptionToDefinition({
      name: 'a',
      description: 'Reads.',
      parameters: {
        path: { type: 'string', summary: 'A path.', description: 'Relative.\n\nNever above.' },
        brief: { summary: 'Brief.' },
        other: { description: 'Only this.' },
        depth: { summary: 'How deep.', description: '0 is all.' },
      },
    })
    expect(description).toBe(
      'Reads.\n\n### `path`\n\nRelative.\n\nNever above.\n\n### `depth`\n\n0 is all.',
    )
    expect(inputSchema).toMatchObject({
      properties: { path: { description: 'A path.' }, other: { description: 'Only this.' } },
    })
  })
})

describe('schemaToArguments', () => {
  test('returns only parameters if they give the same schema again', () => {
    const schema = {
      additionalProperties: false,
      type: 'object',
      properties: { a: { type: 'string', description: 'A.' } },
      required: ['a'],
    }
    expect(schemaToArguments(schema)).toEqual({
      parameters: { a: { type: 'string', summary: 'A.' } },
    })
  })

  test.for([
    { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { type: 'string' } } },
    { type: 'object', properties: {} },
    true,
  ])('also returns the schema if parameters cannot express it: %j', (schema) => {
    expect(schemaToArguments(schema)).toMatchObject({ inputSchema: schema })
  })
})
