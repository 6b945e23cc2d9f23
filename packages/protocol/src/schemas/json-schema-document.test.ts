import { Check } from 'typebox/schema'
import { describe, expect, test } from 'vitest'
import * as schemas from './schemas.support.ts'
import { fileName, jsonSchemaDocument } from './json-schema-document.support.ts'

describe('every schema as a document', () => {
  test.for(Object.entries(schemas))('%s needs no other document', ([name, schema]) => {
    const title = name.replace(/Schema$/, '')
    const document = jsonSchemaDocument(title, schema)
    expect(document).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: `urn:toolblocks:protocol:${fileName(title)}`,
      title,
    })
    const text = JSON.stringify(document)
    expect(text.match(/"\$id"/g)).toHaveLength(1)
    const references = [...text.matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)].map(([, to]) => to)
    expect(text.match(/"\$ref"/g) ?? []).toHaveLength(references.length)
    expect(Object.keys(document['$defs'] ?? {})).toEqual([...new Set(references)])
  })
})

test('a document with references validates like its schema', () => {
  const document = jsonSchemaDocument('ToolDescriptions', schemas.ToolDescriptionsSchema)
  const tool = {
    name: 'a',
    parameters: { b: { items: { properties: { c: { type: 'string' } } } } },
  }
  expect(Check(document, { tools: [tool] })).toBe(true)
  expect(
    Check(document, { tools: [{ ...tool, parameters: { b: { items: { items: 1 } } } }] }),
  ).toBe(false)
})

test('a file has the name of its type', () => {
  expect(['ToolResult', 'Problem', 'JsonSchema'].map(fileName)).toEqual([
    'tool-result',
    'problem',
    'json-schema',
  ])
})
