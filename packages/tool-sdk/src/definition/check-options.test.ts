import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool, type ToolOptions } from '../define-tool.ts'
import { Type } from '../typebox.ts'

const run = (): string => 'ran'

/** What `defineTool` throws for options that no compiler has seen. */
function getRefusal(options: object): unknown {
  try {
    defineTool(options as ToolOptions)
    return undefined
  } catch (error) {
    return error
  }
}

const refusal = (code: string, message: string): unknown =>
  expect.objectContaining({ name: 'ToolDefinitionError', code, message })

describe('an option of another library is an error that names the right option', () => {
  test.for([
    ['arguments', 'inputSchema'],
    ['args', 'inputSchema'],
    ['input', 'inputSchema'],
    ['schema', 'inputSchema'],
    ['paramsSchema', 'inputSchema'],
    ['input_schema', 'inputSchema'],
    ['output', 'outputSchema'],
    ['execute', 'run'],
    ['handler', 'run'],
    ['callback', 'run'],
    ['id', 'name'],
    ['inputExamples', 'examples'],
  ])('%s is called %s', ([wrong = '', right]) => {
    expect(getRefusal({ name: 'a', run, [wrong]: {} })).toEqual(
      refusal('unknown-option', `defineTool("a"): "${wrong}" is called "${right}" here`),
    )
  })

  test('a schema under parameters is an error that names inputSchema', () => {
    for (const parameters of [Type.Object({}), z.object({}), { type: 'object', properties: {} }])
      expect(getRefusal({ name: 'a', run, parameters })).toEqual(
        refusal(
          'bad-option',
          'defineTool("a"): parameters: expected a table of parameters by name, got a schema; a schema is given as inputSchema',
        ),
      )
    const parameters = { type: { type: 'string' } } as const
    expect(defineTool({ name: 'a', run, parameters }).description.parameters).toHaveProperty('type')
  })

  test('a hint beside annotations is an error that names annotations', () => {
    expect(getRefusal({ name: 'a', run, readOnlyHint: true })).toEqual(
      refusal(
        'unknown-option',
        'defineTool("a"): "readOnlyHint" belongs into annotations: annotations: { readOnlyHint: … }',
      ),
    )
  })
})

describe('a misspelled option', () => {
  test.for([
    ['sumary', 'summary'],
    ['desciption', 'description'],
    ['inputschema', 'inputSchema'],
    ['anotations', 'annotations'],
  ])('%s: did you mean %s?', ([wrong = '', right]) => {
    expect(getRefusal({ name: 'a', run, [wrong]: 'x' })).toEqual(
      refusal(
        'unknown-option',
        `defineTool("a"): unknown option "${wrong}"; did you mean "${right}"?`,
      ),
    )
  })

  test('without a similar name gets all names', () => {
    expect(getRefusal({ name: 'a', run, xyzzy: 1 })).toMatchObject({
      message: expect.stringMatching(
        /^defineTool\("a"\): unknown option "xyzzy"; expected one of name, .*, run$/,
      ),
    })
  })

  test('does not compile', () => {
    // @ts-expect-error -- summary
    expect(() => defineTool({ name: 'a', sumary: 'x', run: () => '' })).toThrow('did you mean')
    // @ts-expect-error -- description
    expect(() => defineTool({ name: 'a', desciption: 'x', run: () => '' })).toThrow('did you mean')
    const inputSchema = Type.Object({ path: Type.String() })
    expect(() =>
      // @ts-expect-error -- with a schema too
      defineTool({ name: 'a', inputSchema, desciption: 'x', run: ({ path }) => path }),
    ).toThrow('did you mean')
    // @ts-expect-error -- run
    expect(() => defineTool({ name: 'a', execute: () => '' })).toThrow('"run"')
    // @ts-expect-error -- inputSchema
    expect(() => defineTool({ name: 'a', arguments: inputSchema, run: () => '' })).toThrow(
      'inputSchema',
    )
    // @ts-expect-error -- a schema is no table
    expect(() => defineTool({ name: 'a', parameters: inputSchema, run: () => '' })).toThrow(
      'inputSchema',
    )
  })
})

describe('a value of the wrong type is refused', () => {
  test.for([
    [undefined, 'defineTool: expected an object with a name and run, got nothing'],
    [{ name: 'a' }, 'defineTool("a"): run: expected a function, got nothing'],
    [{ name: 'a', run, summary: 1 }, 'defineTool("a"): summary: expected a text, got number 1'],
    [
      { name: 'a', run, stateful: 'yes' },
      'defineTool("a"): stateful: expected true or false, got string "yes"',
    ],
    [
      { name: 'a', run, examples: '`a`' },
      'defineTool("a"): examples: expected an array, got string "`a`"',
    ],
    [
      { name: 'a', run, inputSchema: 'text' },
      'defineTool("a"): inputSchema: expected a schema of TypeBox, Zod, ArkType or Valibot, or a JSON Schema, got string "text"',
    ],
  ] as const)('%j', ([options, message]) => {
    expect(getRefusal(options as object)).toEqual(refusal('bad-option', message))
  })
})

describe('annotations', () => {
  test("have MCP's names", () => {
    const known = 'title, readOnlyHint, destructiveHint, idempotentHint, openWorldHint'
    expect(getRefusal({ name: 'a', run, annotations: { readonly: true } })).toEqual(
      refusal(
        'bad-annotation',
        `defineTool("a"): annotations: unknown name "readonly"; expected ${known}`,
      ),
    )
    const misspelt = (): unknown =>
      // @ts-expect-error -- readOnlyHint
      defineTool({ name: 'a', annotations: { readonlyHint: true }, run: () => '' })
    expect(misspelt).toThrow('unknown name "readonlyHint"')
  })

  test("have MCP's types", () => {
    expect(getRefusal({ name: 'a', run, annotations: { readOnlyHint: 'yes' } })).toEqual(
      refusal(
        'bad-annotation',
        'defineTool("a"): annotations.readOnlyHint: expected a boolean, got string "yes"',
      ),
    )
  })
})

describe('actions', () => {
  test('belong to a stateful tool', () => {
    expect(getRefusal({ name: 'a', run, actions: ['spawn'] })).toMatchObject({
      code: 'bad-actions',
    })
    // @ts-expect-error -- stateful is missing
    expect(() => defineTool({ name: 'a', actions: ['spawn'], run: () => '' })).toThrow(
      'stateful: true',
    )
  })

  test.for([[['fetch']], [['spawn', 'kill']], [[]]])('%j are refused', ([actions]) => {
    expect(getRefusal({ name: 'a', run, stateful: true, actions })).toEqual(
      refusal(
        'bad-actions',
        `defineTool("a"): actions: expected "spawn" and any of fetch, apply, abort, got ${JSON.stringify(actions)}`,
      ),
    )
  })
})
