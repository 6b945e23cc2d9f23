import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readStatus } from '@toolblocks/protocol'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { McpServer } from './client/mcp-server.ts'
import {
  answering,
  call,
  connectPublished,
  getContext,
  firstText,
} from './testing/servers.support.ts'

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-mcp-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

function getNames(server: McpServer): (string | undefined)[] {
  return server.tools().map(({ name }) => server.nameOnServer(name))
}

describe('server-everything', () => {
  test('has its tools, including those that it announces after initialize, and each one answers', async () => {
    const { promise: changed, resolve } = Promise.withResolvers<void>()
    const server = await connectPublished('everything', ['stdio'], {
      canAsk: true,
      onToolsChanged: () => resolve(),
      listRoots: async () => ({ roots: [] }),
      createMessage: async () => ({
        model: 'm',
        role: 'assistant',
        content: { type: 'text', text: 'sampled' },
      }),
    })
    await changed
    const names = getNames(server)
    const progress: unknown[] = []
    const { ask } = answering(({ url, schema }) => {
      const { properties } = schema as {
        properties?: Record<string, { oneOf?: { const: string }[] }>
      }
      if (url !== undefined || properties === undefined) return { action: 'accept', value: true }
      const first = properties['interpretation']?.oneOf?.[0]?.const
      return {
        action: 'accept',
        value: first === undefined ? { name: 'Ann' } : { interpretation: first },
      }
    })
    const context = { ask, onProgress: (report: object) => void progress.push(report) }
    const expected: Record<string, [Record<string, unknown>, (text: string) => void]> = {
      echo: [{ message: 'hi' }, (text) => expect(text).toBe('Echo: hi')],
      'get-annotated-message': [
        { messageType: 'error', includeImage: true },
        (text) => expect(text).toBe('Error: Operation failed'),
      ],
      'get-env': [{}, (text) => expect(text).toContain('PATH')],
      'get-resource-links': [{ count: 3 }, (text) => expect(text).toContain('3 resource links')],
      'get-resource-reference': [
        { resourceType: 'Blob', resourceId: 2 },
        (text) => expect(text).toContain('Resource 2'),
      ],
      'get-structured-content': [
        { location: 'New York' },
        (text) => expect(text).toContain('temperature'),
      ],
      'get-sum': [{ a: 2, b: 3 }, (text) => expect(text).toContain('5')],
      'get-tiny-image': [{}, (text) => expect(text).toContain('image')],
      'gzip-file-as-resource': [
        { name: 'y.gz', data: 'data:text/plain,abc', outputType: 'resourceLink' },
        () => undefined,
      ],
      'toggle-simulated-logging': [{}, (text) => expect(text).toContain('logging')],
      'toggle-subscriber-updates': [{}, (text) => expect(text).toContain('updates')],
      'trigger-long-running-operation': [
        { duration: 0.2, steps: 4 },
        (text) => expect(text).toContain('completed'),
      ],
      'get-roots-list': [{}, (text) => expect(text).toContain('oots')],
      'trigger-elicitation-request': [{}, (text) => expect(text).toContain('User provided')],
      'trigger-url-elicitation': [
        { url: 'https://example.com', message: 'go', elicitationId: 'e', errorPath: true },
        (text) => expect(text).toContain('completed'),
      ],
      'trigger-sampling-request': [
        { prompt: 'p', maxTokens: 10 },
        (text) => expect(text).toContain('sampled'),
      ],
      'simulate-research-query': [
        { topic: 'x', ambiguous: true },
        (text) => expect(text).toContain('Research Report'),
      ],
    }
    expect(new Set(names)).toEqual(new Set(Object.keys(expected)))
    for (const [name, [values, check]] of Object.entries(expected)) {
      const result = await call(server, name, values, context)
      expect([name, result.isError, result.metadata]).toEqual([name, false, undefined])
      check(firstText(result))
    }
    expect(progress).toEqual(
      expect.arrayContaining([{ progress: 4, total: 4 }, { message: 'Gathering sources...' }]),
    )
    expect(server.problems).toEqual([])
  }, 60_000)

  test('has a task that stays alive: it reports its progress, asks, and ends with its result', async () => {
    const server = await connectPublished(
      'everything',
      ['stdio'],
      { canAsk: true },
      {},
      {
        'simulate-research-query': { stateful: true },
      },
    )
    const tool = server.tools().find(({ name }) => name.endsWith('simulate-research-query'))
    const toolCall = { id: '1', name: tool?.name ?? '', arguments: { topic: 'x', ambiguous: true } }
    const live = await tool?.spawn?.(toolCall, getContext())
    if (!live) throw new Error('not stateful')
    const { signal } = new AbortController()
    const seen = new Set<string>()
    let result = live.started
    while (readStatus(result) !== 'stopped') {
      const last = result.content.at(-1)
      const isAsked = readStatus(result) === 'waiting' && last?.type === 'question'
      result = isAsked
        ? await live.apply(
            { answers: { [last.question.id]: { interpretation: 'technical' } } },
            { signal },
          )
        : await live.fetch({ signal })
      for (const block of result.content) if (block.type === 'text') seen.add(block.text)
    }
    expect([...seen].join('\n')).toMatch(/Gathering sources[^]*Research Report/)
  })

  test('answers without loss: annotations, images, links, resources, structured content', async () => {
    const server = await connectPublished('everything', ['stdio'])
    expect(
      (await call(server, 'get-annotated-message', { messageType: 'error', includeImage: true }))
        .content,
    ).toMatchObject([
      { type: 'text', annotations: { priority: 1, audience: ['user', 'assistant'] } },
      { type: 'image', mimeType: 'image/png', annotations: { priority: 0.5, audience: ['user'] } },
    ])
    const links = await call(server, 'get-resource-links', { count: 2 })
    expect(links.content.slice(1)).toMatchObject([
      { type: 'resource_link', uri: 'demo://resource/dynamic/blob/1', name: 'Blob Resource 1' },
      { type: 'resource_link', uri: 'demo://resource/dynamic/text/2' },
    ])
    expect(server.hasLinked('demo://resource/dynamic/blob/1')).toBe(true)
    expect(await server.readResource('demo://resource/dynamic/text/2', getContext())).toMatchObject(
      {
        isError: false,
        content: [
          {
            type: 'resource',
            resource: {
              uri: 'demo://resource/dynamic/text/2',
              text: expect.stringContaining('Resource 2'),
            },
          },
        ],
      },
    )
    const unread = await server.readResource('demo://nope/1', getContext())
    expect(unread).toMatchObject({ isError: true, metadata: { outcome: 'failed' } })
    expect(firstText(unread)).toMatch(
      /^Reading "?demo:\/\/nope\/1"? from the MCP server "?everything"? failed/,
    )
    expect(JSON.stringify(unread)).not.toMatch(/executed/i)
    expect(
      (await call(server, 'get-structured-content', { location: 'Chicago' })).structuredContent,
    ).toMatchObject({ conditions: expect.any(String) })
    expect(await call(server, 'echo', { message: 3 })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('Invalid arguments') }],
    })
  })
})

test('server-filesystem: every tool is there, and files are returned byte by byte', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'a.txt'), 'one\ntwo\n')
  writeFileSync(join(folder, 'b.wav'), 'RIFFxxxxWAVE')
  writeFileSync(join(folder, 'c.bin'), Buffer.from([0xad, 0x14, 0x7f]))
  const server = await connectPublished('filesystem', [folder])
  const withPath = (name: string) => ({ path: join(folder, name) })
  expect(firstText(await call(server, 'read_text_file', withPath('a.txt')))).toBe('one\ntwo\n')
  expect((await call(server, 'read_media_file', withPath('b.wav'))).content).toMatchObject([
    { type: 'audio', data: Buffer.from('RIFFxxxxWAVE').toString('base64') },
  ])
  expect((await call(server, 'read_media_file', withPath('c.bin'))).content).toMatchObject([
    { type: 'resource', resource: { blob: 'rRR/' } },
  ])
  const calls: [string, Record<string, unknown>][] = [
    ['read_file', withPath('a.txt')],
    ['read_multiple_files', { paths: [join(folder, 'a.txt')] }],
    ['write_file', { ...withPath('new.txt'), content: 'x' }],
    ['edit_file', { ...withPath('a.txt'), edits: [{ oldText: 'two', newText: '2' }] }],
    ['create_directory', withPath('d')],
    ['list_directory', { path: folder }],
    ['list_directory_with_sizes', { path: folder }],
    ['directory_tree', { path: folder }],
    ['move_file', { source: join(folder, 'new.txt'), destination: join(folder, 'd/new.txt') }],
    ['search_files', { path: folder, pattern: '*.txt' }],
    ['get_file_info', withPath('a.txt')],
    ['list_allowed_directories', {}],
  ]
  for (const [name, values] of calls)
    expect([name, await call(server, name, values)]).toMatchObject([name, { isError: false }])
  const called = [...calls.map(([name]) => name), 'read_text_file', 'read_media_file']
  expect(new Set(getNames(server))).toEqual(new Set(called))
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one\n2\n')
  expect(await call(server, 'read_text_file', { path: '/etc/passwd' })).toMatchObject({
    isError: true,
  })
  expect(await server.readResource('file:///a', getContext())).toMatchObject({
    isError: true,
    metadata: { outcome: 'failed' },
  })
})

test('server-memory: every tool is there, and its graph grows and shrinks', async () => {
  const file = join(temporaryFolder(), 'memory.json')
  const server = await connectPublished('memory', [], {}, { MEMORY_FILE_PATH: file })
  const entity = { name: 'Ann', entityType: 'person', observations: ['tall'] }
  const relation = { from: 'Ann', to: 'Ann', relationType: 'knows' }
  const calls: [string, Record<string, unknown>][] = [
    ['create_entities', { entities: [entity] }],
    ['create_relations', { relations: [relation] }],
    ['add_observations', { observations: [{ entityName: 'Ann', contents: ['kind'] }] }],
    ['read_graph', {}],
    ['search_nodes', { query: 'Ann' }],
    ['open_nodes', { names: ['Ann'] }],
    ['delete_observations', { deletions: [{ entityName: 'Ann', observations: ['kind'] }] }],
    ['delete_relations', { relations: [relation] }],
    ['delete_entities', { entityNames: ['Ann'] }],
  ]
  for (const [name, values] of calls) {
    const result = await call(server, name, values)
    expect([name, result.isError, result.metadata]).toEqual([name, false, undefined])
    expect(result.structuredContent).toBeDefined()
  }
  expect(new Set(getNames(server))).toEqual(new Set(calls.map(([name]) => name)))
})

test('a default that the user sets for a parameter is sent to the server', async () => {
  const tools = { echo: { parameters: { message: { default: 'said by the user' } } } }
  const server = await connectPublished('everything', ['stdio'], {}, {}, tools)
  expect(firstText(await call(server, 'echo'))).toContain('said by the user')
  expect(firstText(await call(server, 'echo', { message: 'given' }))).toContain('given')
})
