import {
  type ParameterDefinition,
  type ToolDefinition,
  type ToolResult,
} from '@toolblocks/protocol'
import { toToolContext } from '@toolblocks/protocol/internal'
import { expect, test } from 'vitest'
import { createToolExecutor } from './create-tool-executor.ts'
import { createDescribeTools, describeParameter } from './describe-tools.ts'
import { answering, makeCall, context, getText } from './executor.support.ts'

const READ: ToolDefinition = {
  name: 'read',
  summary: 'Read files.',
  description: 'They are read one by one.',
  examples: '`read {"paths":["a.txt"]}` reads one.',
  inputSchema: {
    type: 'object',
    properties: {
      paths: { type: 'array', items: { type: 'string' }, description: 'Relative\nto here.' },
      mode: { enum: ['text', 'bytes'], default: 'text' },
      range: {
        type: ['object', 'null'],
        properties: { from: { type: 'integer', description: 'Counted from 1.' } },
        required: ['from'],
      },
    },
    required: ['paths'],
    additionalProperties: false,
  },
}

const PLAIN: ToolDefinition = { name: 'plain', inputSchema: true }

async function describeTools(...tools: readonly string[]): Promise<ToolResult> {
  const tool = createDescribeTools(() => [READ, PLAIN])
  return tool.execute(makeCall('describe_tools', { tools }), toToolContext(context, {}))
}

test('describes a tool completely, in one block of Markdown for each tool', async () => {
  const { content, isError } = await describeTools('read', 'plain', 'read')
  expect(isError).toBe(false)
  expect(content).toEqual([
    {
      type: 'text',
      mimeType: 'text/markdown',
      text: `# read

Read files.

They are read one by one.

## Examples

\`read {"paths":["a.txt"]}\` reads one.

## Arguments

- \`paths\` (array, required): Relative to here.
  - each element (string)
- \`mode\` ("text" | "bytes", default "text")
- \`range\` (object or null, optional)
  - \`from\` (integer, required): Counted from 1.`,
    },
    { type: 'text', mimeType: 'text/markdown', text: '# plain\n\n## Arguments\n\nNone.' },
  ])
})

test('an unknown name gets a list of the existing tools', async () => {
  const some = await describeTools('read', 'wirte')
  expect(some).toMatchObject({ isError: false, content: [{ mimeType: 'text/markdown' }, {}] })
  const missing = 'There is no tool "wirte"; the tools are: plain, read.'
  expect(some.content[1]).toEqual({ type: 'text', text: missing })
  const none = await describeTools('wirte', 'x')
  expect(none).toMatchObject({ isError: true, metadata: { outcome: 'failed' } })
  expect(getText(none)).toBe('There is no tool "wirte", "x"; the tools are: plain, read.')
  const empty = createDescribeTools(() => [])
  const about = makeCall('describe_tools', { tools: ['a'] })
  expect(getText(await empty.execute(about, toToolContext(context, {})))).toBe(
    'There is no tool "a"; there are no tools.',
  )
  const odd = makeCall('describe_tools', { tools: 'read' })
  expect(await empty.execute(odd, toToolContext(context, {}))).toMatchObject({
    content: [],
    isError: false,
  })
})

const described = (fields: Partial<ToolDefinition>) => {
  const { tool } = answering({ content: [], isError: false })
  return { tool: { ...tool, ...fields } }
}

test.for<[string, Partial<ToolDefinition>, readonly string[]]>([
  ['a summary and a description', { summary: 'S', description: 'D' }, ['answer', 'describe_tools']],
  ['a summary and examples', { summary: 'S', examples: 'E' }, ['answer', 'describe_tools']],
  ['a description only', { description: 'D' }, ['answer']],
  ['a summary only', { summary: 'S' }, ['answer']],
  [
    'its name already',
    { name: 'describe_tools', summary: 'S', description: 'D' },
    ['describe_tools'],
  ],
])('with a tool that has %s an executor has these', ([, fields, expected]) => {
  const definitions = createToolExecutor({ tools: [described(fields)] }).definitions()
  expect(definitions.map(({ name }) => name)).toEqual(expected)
})

test('for models that receive descriptions, an executor describes only tools with examples', () => {
  const names = (fields: Partial<ToolDefinition>): readonly string[] =>
    createToolExecutor({ tools: [described(fields)], receivedText: 'description' })
      .definitions()
      .map(({ name }) => name)
  expect(names({ summary: 'S', description: 'D' })).toEqual(['answer'])
  expect(names({ summary: 'S', description: 'D', examples: 'E' })).toContain('describe_tools')
})

test('after an invalid call, a model that received the description is referred to examples only', async () => {
  const { examples: _, ...withoutExamples } = READ
  const executor = createToolExecutor({
    tools: [described({ ...withoutExamples, name: 'plain' }), described(READ)],
    receivedText: 'description',
  })
  const callTool = async (name: string): Promise<string> =>
    getText(await executor.execute(makeCall(name), context))
  expect(await callTool('read')).toContain('Call describe_tools with {"tools":["read"]}')
  expect(await callTool('plain')).not.toContain('describe_tools')
})

test('a summary that is the first sentence of the description is not repeated', async () => {
  const description = `Reads files. ${'They are read one by one. '.repeat(5)}`.trim()
  const long = { ...PLAIN, summary: 'Reads files.', description }
  const tool = createDescribeTools(() => [long])
  const result = await tool.execute(
    makeCall('describe_tools', { tools: ['plain'] }),
    toToolContext(context, {}),
  )
  expect(getText(result)).toContain(`# plain\n\n${description}\n\n## Arguments`)
})

test('an executor describes its current tools, and refers to them after an invalid call', async () => {
  const executor = createToolExecutor({ tools: [described({ ...READ, name: 'old' })] })
  executor.setTools([
    { ...described(READ), policy: 'unattended' },
    { ...described({ name: 'brief', summary: 'S', inputSchema: READ.inputSchema }) },
  ])
  const about = makeCall('describe_tools', { tools: ['read', 'old'] })
  const text = getText(await executor.execute(about, context))
  expect(text).toContain('They are read one by one.')
  expect(text).toContain('There is no tool "old"; the tools are: brief, read.')
  expect(getText(await executor.execute(makeCall('read'), context))).toContain(
    'Call describe_tools with {"tools":["read"]} for its full description.',
  )
  expect(getText(await executor.execute(makeCall('brief'), context))).not.toContain(
    'describe_tools',
  )
})

test('it is a read-only tool that accepts names of tools', () => {
  const { execute: _execute, ...definition } = createDescribeTools(() => [])
  expect(definition).toEqual({
    name: 'describe_tools',
    summary: 'Get the full description of tools, with examples, before you use them.',
    inputSchema: {
      type: 'object',
      properties: {
        tools: {
          type: 'array',
          items: { type: 'string' },
          minItems: 1,
          description: 'Names of tools.',
        },
      },
      required: ['tools'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
  })
})

test.for<[ParameterDefinition, string]>([
  [{}, 'any, required'],
  [{ type: 'string' }, 'string, required'],
  [{ type: 'string', required: false }, 'string, optional'],
  [{ type: ['string', 'null'] }, 'string or null, optional'],
  [{ type: ['string', 'null'], required: true }, 'string or null, required'],
  [{ type: 'integer', default: 3, required: true }, 'integer, default 3'],
  [{ enum: ['a', 1, null] }, '"a" | 1 | null, required'],
  [{ const: 'on' }, '"on", required'],
  [
    { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'string' }] },
    'string or integer, required',
  ],
  [
    { oneOf: [{ enum: ['a', 'b'] }, { type: 'null' }], required: false },
    '"a" | "b" or null, optional',
  ],
  [{ anyOf: [{ type: 'string' }, {}] }, 'any, required'],
  [{ allOf: [{ description: 'x' }, { type: 'number' }] }, 'number, required'],
  [{ properties: {} }, 'object, required'],
  [{ items: {} }, 'array, required'],
  [
    {
      anyOf: [{ $ref: '#/properties/at/$defs/Tree' }, { $ref: '#/properties/at/$defs/Leaf' }],
      $defs: { Tree: { type: 'object' }, Leaf: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
    },
    'object or string or null, required',
  ],
  [{ $ref: 'https://schemas.example/Point' }, 'Point, required'],
  [{ $ref: '#/$defs/Loop', $defs: { Loop: { $ref: '#/$defs/Loop' } } }, 'Loop, required'],
])('%j is described as "%s"', ([parameter, description]) => {
  expect(describeParameter(parameter)).toBe(description)
})
