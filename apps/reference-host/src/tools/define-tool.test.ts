import type { ToolDescription } from '@toolblocks/protocol'
import { describe, expect, test } from 'vitest'
import type { ToolConfiguration } from '../configuration/configuration.ts'
import type { Description } from './descriptions/describe.ts'
import {
  defineFromConfiguration,
  defineFromDescription,
  needsDescription,
  originsOf,
} from './define-tool.ts'

const table: ToolConfiguration = { source: 'local', command: './a' }
const said = (...tools: ToolDescription[]): Description => ({
  ok: true,
  tools,
  warnings: [],
  unusable: {},
})

test('a program is asked what it is where its table has no parameters, or asks for it', () => {
  expect(needsDescription(table)).toBe(true)
  expect(needsDescription({ ...table, parameters: {} })).toBe(false)
  expect(needsDescription({ ...table, parameters: {}, describe: true })).toBe(true)
  expect(needsDescription({ ...table, describe: false })).toBe(true)
})

describe('from its table alone', () => {
  test('a tool is what that says, and nothing else', () => {
    const words = { title: 'T', summary: 'S', description: 'D', examples: 'E' }
    const tool = { ...table, ...words, parameters: { a: { type: 'string' as const } }, env: ['X'] }
    expect(defineFromConfiguration('b', tool)).toEqual({
      definition: {
        name: 'b',
        ...words,
        inputSchema: {
          type: 'object',
          properties: { a: { type: 'string' } },
          required: ['a'],
          additionalProperties: false,
        },
      },
      entry: 'b',
      origins: {
        title: 'configuration',
        summary: 'configuration',
        description: 'configuration',
        examples: 'configuration',
        inputSchema: 'configuration',
      },
    })
  })

  test('it is called in its program as its source says, else as here', () => {
    const entry = (source: string): string =>
      defineFromConfiguration('b', { ...table, source }).entry
    expect([entry('local'), entry('local.x.y'), entry('localx')]).toEqual(['b', 'x.y', 'b'])
  })
})

describe('from what its program says', () => {
  const define = (tool: object, described: Description): ReturnType<typeof defineFromDescription> =>
    defineFromDescription('b', { ...table, ...tool }, described)

  test('a tool is that, under its own name, with the words of its table over it', () => {
    const described = said(
      { name: 'other' },
      {
        name: 'x',
        title: 'X',
        summary: 'Reads.',
        parameters: { a: { type: 'string' } },
        stateful: true,
        actions: ['spawn', 'abort'],
      },
    )
    const tool = { source: 'local.x', title: 'B', summary: 'Quick: {{ description }}' }
    const defined = define(tool, described)
    expect(defined).toMatchObject({
      ok: true,
      problems: [],
      defined: {
        definition: { name: 'b', title: 'B' },
        entry: 'x',
        described: {
          name: 'b',
          title: 'X',
          summary: 'Reads.',
          stateful: true,
          actions: ['spawn', 'abort'],
        },
        stateful: true,
        actions: ['spawn', 'abort'],
        origins: { title: 'configuration', summary: 'both', inputSchema: 'executable' },
      },
    })
  })

  test('it is no live tool unless the program says so', () => {
    const defined = define({}, said({ name: 'b' }))
    const keys = defined.ok && Object.keys(defined.defined)
    expect(keys).toEqual(['definition', 'entry', 'described', 'origins'])
  })

  test('parameters of its table are overrides, and those that do not fit are told', () => {
    const described = said({ name: 'b', parameters: { a: { type: 'string' } } })
    expect(define({ parameters: { a: { summary: 'A.' } } }, described)).toMatchObject({
      ok: true,
      problems: [],
      defined: { origins: { inputSchema: 'both' } },
    })
    const odd = define({ parameters: { z: { summary: 'Z.' } } }, described)
    expect(odd.ok && odd.problems.map(({ path }) => path)).toEqual(['/parameters/z'])
    expect(define({ parameters: {}, describe: true }, described)).toMatchObject({
      defined: { origins: { inputSchema: 'executable' } },
    })
  })

  test('what the program does not describe is told, with what it does', () => {
    expect(define({ source: 'local.reed' }, said({ name: 'read' }, { name: 'write' }))).toEqual({
      ok: false,
      message:
        'its executable describes no tool "reed"; did you mean "read"? It describes read, write. Name one of them: source = "local.NAME"',
    })
  })

  test('what cannot be used of it, and what could not be asked, is told as it was', () => {
    const [tools, why] = [[{ name: 'b' }], 'its schema is none']
    const only = (unusable: Readonly<Record<string, string>>): Description => ({
      ok: true,
      tools,
      warnings: [],
      unusable,
    })
    expect(define({}, only({ b: why }))).toEqual({ ok: false, message: why })
    expect(define({}, only({ c: why }))).toMatchObject({ ok: true })
    const failed = { ok: false, message: 'it did not start' } as const
    expect(define({}, failed)).toBe(failed)
  })
})

describe('who said what', () => {
  const definition = { name: 'a', inputSchema: {}, title: 'T', summary: 'S' }
  test.for<[object, 'configuration' | 'executable' | 'server', object]>([
    [{}, 'server', { title: 'server', summary: 'server', inputSchema: 'server' }],
    [
      { title: 'T' },
      'server',
      { title: 'configuration', summary: 'server', inputSchema: 'server' },
    ],
    [
      { title: 'a {{description}} b' },
      'server',
      { title: 'both', summary: 'server', inputSchema: 'server' },
    ],
    [
      { title: '{{description}}' },
      'configuration',
      { title: 'configuration', summary: 'configuration', inputSchema: 'configuration' },
    ],
    [
      { parameters: { a: {} } },
      'configuration',
      { title: 'configuration', summary: 'configuration', inputSchema: 'configuration' },
    ],
    [
      { parameters: { a: {} } },
      'executable',
      { title: 'executable', summary: 'executable', inputSchema: 'both' },
    ],
    [
      { title: '{description}', parameters: {} },
      'executable',
      { title: 'configuration', summary: 'executable', inputSchema: 'executable' },
    ],
  ])('%j of a tool described by its %s: %j', ([tool, describer, origins]) => {
    expect(originsOf(definition, tool, describer)).toEqual(origins)
  })
})
