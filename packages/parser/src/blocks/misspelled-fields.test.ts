import { expect, test } from 'vitest'
import { parseToolOutput } from '../parse-tool-output.ts'

const content = [{ type: 'text', text: 'a' }]
const value = { lamps: 2 }

test('"structured_content" is read as "structuredContent", with a warning', () => {
  const { result, warnings } = parseToolOutput(
    JSON.stringify({ content, structured_content: value }),
  )
  expect(result.structuredContent).toEqual(value)
  expect(warnings).toEqual([
    {
      code: 'renamed-field',
      path: '/structured_content',
      message: '"structured_content" was read as "structuredContent".',
      expected: '"structuredContent"',
      got: '"structured_content"',
    },
  ])
})

test.for([
  ['strucutredContent', 'structuredContent'],
  ['structuredContents', 'structuredContent'],
  ['StructuredContent', 'structuredContent'],
  ['structured-content', 'structuredContent'],
  ['structureContnet', 'structuredContent'],
  ['isErorr', 'isError'],
  ['iserror', 'isError'],
  ['is-error', 'isError'],
] as const)('%s is kept, with a warning that names %s', ([name, meant]) => {
  const { result, warnings } = parseToolOutput(JSON.stringify({ content, [name]: value }))
  expect(result).toMatchObject({ content, isError: false, [name]: value })
  expect(warnings).toEqual([
    {
      code: 'misspelled-field',
      path: `/${name}`,
      message: `The field "${name}" has no effect; did you mean "${meant}"?`,
      expected: `"${meant}"`,
      got: `"${name}"`,
    },
  ])
})

test.for([
  { error: true },
  { errors: [] },
  { structure: value },
  { contents: [] },
  { meta: {} },
  { ['x'.repeat(100_000)]: 1 },
  { structuredContent: value, structured_content: value },
  { isError: false, is_error: false },
])('a field of a tool itself, or one beside the right one, has no warning (%#)', (fields) => {
  const { result, warnings } = parseToolOutput(JSON.stringify({ content, ...fields }))
  expect([result, warnings]).toEqual([{ content, isError: false, ...fields }, []])
})
