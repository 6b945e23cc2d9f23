import { createSuccessResult, type Tool, type ToolDefinition } from '@toolblocks/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createToolExecutor, type ToolExecutorOptions } from './create-tool-executor.ts'
import { context, getText, makeCall } from './executor.support.ts'
import type { ToolEntry } from './tool-entry.ts'

const ISSUE: ToolDefinition = {
  name: 'github__createIssue',
  title: 'New issue',
  description: 'Opens an issue in a repository.',
  inputSchema: {
    type: 'object',
    properties: {
      repository: { type: 'string', description: 'Such as owner/name.' },
      title: { type: 'string' },
    },
    required: ['repository'],
    additionalProperties: false,
  },
}

const OTHERS: readonly ToolDefinition[] = [
  ['slack__post_message', 'Sends a text to a channel.'],
  ['calendar__list_events', 'Lists the events of a day.'],
  ['files__read', 'Reads a file.'],
].map(([name = '', description = '']) => ({ name, description, inputSchema: { type: 'object' } }))

function toEntry(definition: ToolDefinition, settings: Partial<ToolEntry> = {}): ToolEntry {
  const tool: Tool = {
    ...definition,
    execute: async (call) =>
      createSuccessResult([
        { type: 'text', text: `${call.name} ${JSON.stringify(call.arguments)}` },
      ]),
  }
  return {
    tool,
    policy: 'unattended',
    source: `mcp.${definition.name.split('__')[0]}`,
    ...settings,
  }
}

const deferred = [ISSUE, ...OTHERS].map((each) => toEntry(each, { defer: true }))

function open(options: Partial<ToolExecutorOptions> = {}) {
  const executor = createToolExecutor({ tools: deferred, ...options })
  const search = async (query: string, limit?: number) =>
    await executor.execute(
      makeCall('search_tools', { query, ...(limit !== undefined && { limit }) }),
      context,
    )
  const names = (foundNames?: readonly string[]): readonly string[] =>
    executor.definitions(foundNames).map(({ name }) => name)
  return { ...executor, search, names }
}

test('deferred tools are not listed; search_tools and call_tool are listed in their place', () => {
  const { names, definitions } = open({
    tools: [...deferred, toEntry({ name: 'plain', inputSchema: true })],
  })
  expect(names()).toEqual(['plain', 'search_tools', 'call_tool'])
  const { description } = definitions().find(({ name }) => name === 'search_tools') ?? {}
  expect(description).toContain(
    '4 tools can be found: mcp.github (1), mcp.slack (1), mcp.calendar (1), mcp.files (1).',
  )
})

test.for(['search_tools', 'call_tool'])(
  'a tool that is itself named %s is kept, and all tools are listed',
  (name) => {
    const { names } = open({ tools: [...deferred, toEntry({ name, inputSchema: true })] })
    expect(names()).toEqual([...[ISSUE, ...OTHERS].map((each) => each.name), name])
  },
)

test('tools are deferred by their number, except those that are not to be deferred', () => {
  const tools = [...OTHERS.map((each) => toEntry(each)), toEntry(ISSUE, { defer: false })]
  expect(open({ tools, deferAbove: 3 }).names()).toHaveLength(4)
  expect(open({ tools, deferAbove: 2 }).names()).toEqual([ISSUE.name, 'search_tools', 'call_tool'])
})

test.for<[string, string]>([
  ['words of its name in another spelling', 'create issue'],
  ['its exact name', ISSUE.name],
  ['a word of its description', 'repository'],
  ['a name of an argument, misspelled', 'repositry'],
  ['the beginning of a word', 'iss'],
  ['its server', 'github'],
])('a tool is found by %s', async ([, query]) => {
  const { content, metadata } = await open().search(query)
  expect(metadata?.['foundTools']).toEqual([ISSUE.name])
  expect(content[0]).toMatchObject({ text: '1 of 4 tools. Call them with call_tool.' })
  const [, described] = content
  expect(described?.type === 'text' && JSON.parse(described.text)).toEqual({
    name: ISSUE.name,
    description: ISSUE.description,
    inputSchema: ISSUE.inputSchema,
  })
})

test('call_tool runs the named tool with its checks, policy and approval', async () => {
  const approved: unknown[] = []
  const { execute } = open({
    tools: [...deferred.slice(1), toEntry(ISSUE, { defer: true, policy: 'ask' })],
    approve: async (call) => {
      approved.push(call)
      return { decision: 'allowed' }
    },
  })
  const named = (values: unknown) => makeCall('call_tool', { name: ISSUE.name, arguments: values })
  const done = await execute(named({ repository: 'a/b' }), context)
  expect(done).toMatchObject({ id: 'call-1', isError: false })
  expect(getText(done)).toBe(`${ISSUE.name} {"repository":"a/b"}`)
  expect(approved).toEqual([{ id: 'call-1', name: ISSUE.name, arguments: { repository: 'a/b' } }])
  const wrong = await execute(named({ title: 'x' }), context)
  expect(wrong.isError).toBe(true)
  expect(getText(wrong)).toContain('repository')
  const odd = await execute(named('{"repository":"c/d"}'), context)
  expect(getText(odd)).toBe(`${ISSUE.name} {"repository":"c/d"}`)
  expect(getText(await execute(named(7), context))).toContain('Expected an object, got')
})

test.for<[string, Record<string, unknown>]>([
  ['no name', {}],
  ['a name that is not a text', { name: 7 }],
  ['its own name', { name: 'call_tool' }],
])('call_tool with %s runs nothing and says what it expects', async ([, values]) => {
  const result = await open().execute(makeCall('call_tool', values), context)
  expect(result.isError).toBe(true)
  expect(getText(result)).toContain('Expected {"name": the name of a tool')
})

test('a name that does not exist gets the listed tools, and how to find more', async () => {
  const { execute } = open()
  const result = await execute(makeCall('call_tool', { name: 'nothing' }), context)
  expect(getText(result)).toBe(
    'There is no tool "nothing". The tools are: call_tool, search_tools.\nsearch_tools finds 4 more.',
  )
})

test('a search without a match names the groups of tools', async () => {
  const result = await open().search('zeppelin')
  expect(result.metadata?.['foundTools']).toBeUndefined()
  expect(getText(result)).toContain(
    'No tool matches. Search with other words. 4 tools can be found',
  )
})

test('the best matches come first, and no more than the limit', async () => {
  const tools = Array.from({ length: 50 }, (_, index) =>
    toEntry({ name: `list_${index}`, description: 'Lists.', inputSchema: true }, { defer: true }),
  )
  const { search } = open({ tools: [...tools, ...deferred] })
  expect((await search('list')).metadata?.['foundTools']).toHaveLength(5)
  expect((await search('list', 20)).metadata?.['foundTools']).toHaveLength(20)
  expect((await search('list', 21)).isError).toBe(true)
  const { metadata } = await search('events of a day')
  expect(metadata?.['foundTools']).toMatchObject({ 0: 'calendar__list_events' })
  expect((await search('list_7', 1)).metadata?.['foundTools']).toEqual(['list_7'])
})

test('of a description and of the arguments, the first 4000 characters are searched', async () => {
  const long = `${'a '.repeat(1990)}near ${'a '.repeat(20)}far`
  const properties = { path: { type: 'string', description: long } }
  const inputSchema = { type: 'object', properties }
  const definitions: ToolDefinition[] = [
    { name: 'described', description: long, inputSchema: true },
    { name: 'taken', inputSchema },
  ]
  const tools = definitions.map((each) => toEntry(each, { defer: true }))
  const { search } = open({ tools })
  const { metadata } = await search('near')
  expect(metadata?.['foundTools']).toEqual(expect.arrayContaining(['described', 'taken']))
  expect((await search('far')).metadata?.['foundTools']).toBeUndefined()
})

test('found tools that are listed come last, in the order in which they were found, and are called by their names', async () => {
  const { names, search, execute } = open({
    tools: [toEntry({ name: 'plain', inputSchema: true }), ...deferred],
    foundTools: 'listed',
  })
  expect(names()).toEqual(['plain', 'search_tools'])
  expect(names(['files__read', 'gone', ISSUE.name, 'files__read', 'plain'])).toEqual([
    'plain',
    'search_tools',
    'files__read',
    ISSUE.name,
  ])
  const result = await search('issue')
  expect(getText(result)).toBe(
    `1 of 4 tools. You can call them by their names from now on.\n${ISSUE.name}: Opens an issue in a repository.`,
  )
  expect((await execute(makeCall('files__read'), context)).isError).toBe(false)
  expect(getText(await execute(makeCall('call_tool', { name: 'x' }), context))).toContain(
    'There is no tool "call_tool".',
  )
})

test('a search reads the tools that the executor has at the time', async () => {
  const { search, setTools } = open()
  setTools(deferred.slice(1))
  expect((await search('issue')).metadata?.['foundTools']).toBeUndefined()
})

test('a host may have a tool with the name call_tool while nothing is deferred', async () => {
  const { execute } = open({ tools: [toEntry({ name: 'call_tool', inputSchema: true })] })
  const result = await execute(makeCall('call_tool', { name: 'x' }), context)
  expect(getText(result)).toBe('call_tool {"name":"x"}')
})

test('law: any definitions can be searched with any words', async () => {
  const texts = fc.string({ unit: 'binary' })
  const definitions = fc.uniqueArray(
    fc.record({ name: texts, description: texts, inputSchema: fc.constant(true) }),
    { selector: ({ name }) => name, maxLength: 8 },
  )
  await fc.assert(
    fc.asyncProperty(definitions, texts, async (generated, query) => {
      const tools = generated
        .filter(({ name }) => !['search_tools', 'call_tool'].includes(name))
        .map((each) => toEntry(each, { defer: true }))
      fc.pre(tools.length > 0 && query !== '')
      const foundTools = (await open({ tools }).search(query)).metadata?.['foundTools'] ?? []
      expect(tools.map(({ tool }) => tool.name)).toEqual(
        expect.arrayContaining(foundTools as string[]),
      )
    }),
    { numRuns: 30 },
  )
})

test('a tool that is only for pages of its server is not found, and call_tool does not call it; its page calls it by its name', async () => {
  const refresh = { ...ISSUE, name: 'github__refresh', _meta: { ui: { visibility: ['app'] } } }
  const both = { ...ISSUE, name: 'github__both', _meta: { ui: { visibility: ['model', 'app'] } } }
  const { search, names, execute } = open({
    tools: [...deferred, ...[refresh, both].map((each) => toEntry(each, { defer: true }))],
  })
  const { metadata, content } = await search('github', 20)
  expect(metadata?.['foundTools']).toEqual(expect.arrayContaining([ISSUE.name, both.name]))
  expect(JSON.stringify(content)).not.toContain(refresh.name)
  expect(names()).toEqual([refresh.name, 'search_tools', 'call_tool'])
  const values = { repository: 'a/b' }
  const refused = await execute(
    makeCall('call_tool', { name: refresh.name, arguments: values }),
    context,
  )
  expect(getText(refused)).toContain('There is no tool "github__refresh"')
  expect((await execute(makeCall(refresh.name, values), context)).isError).toBe(false)
})
