import type { ContentBlock, ToolResult } from '@toolblocks/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ConversationStore } from '../store/conversation-store.ts'
import { openStore } from '../open-store.ts'
import { createReadToolResult } from './create-read-tool-result.ts'

const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('')

let store: ConversationStore
beforeEach(async () => {
  store = await openStore('memory:')
  const content: ContentBlock[] = [
    { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    { type: 'text', text: lines(1000) },
    { type: 'resource', resource: { uri: 'file:///a', text: `${'x'.repeat(3000)}\nneedle` } },
  ]
  await store.append('c', 0, [
    { type: 'tool_result', result: { id: 'c1', content: [], isError: false } },
    {
      type: 'tool_result',
      result: { id: 'c1', content, isError: false, structuredContent: { a: 1 } },
    },
    ...Array.from({ length: 300 }, (_, turn) => ({ type: 'turn_start', turn }) as const),
  ])
})
afterEach(async () => await store.close())

async function read(values: Readonly<Record<string, unknown>>): Promise<ToolResult> {
  const tool = createReadToolResult(store, 'c')
  const call = { id: 'r', name: tool.name, arguments: values }
  return await tool.execute(call, { signal: new AbortController().signal, root: '/', answers: {} })
}

async function getTexts(values: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  const { content } = await read(values)
  return content.map((block) => (block.type === 'text' ? block.text : block.type))
}

test('reads a range of lines of one block, with line numbers', async () => {
  expect(await getTexts({ call: 'c1', block: 2, from: 500, lines: 2 })).toEqual([
    'Block 2, from line 500 to 501, 2 of 1000 lines:\n500: line 500\n501: line 501',
  ])
})

test('returns a picture or a file whole if it is asked for by its block, but not one for the person alone', async () => {
  const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const
  const file = { type: 'resource', resource: { uri: 'file:///b', blob: 'AAAA' } } as const
  const hidden = { ...image, annotations: { audience: ['user'] } } as const
  const content: ContentBlock[] = [image, file, hidden]
  await store.append('c', 302, [
    { type: 'tool_result', result: { id: 'c2', content, isError: false } },
  ])
  expect((await read({ call: 'c2', block: 1 })).content).toEqual([image])
  expect((await read({ call: 'c2', block: 2 })).content).toEqual([file])
  expect((await read({ call: 'c2', block: 3 })).isError).toBe(true)
})

test('names a picture among the blocks, with what reads it', async () => {
  const [first] = await getTexts({ call: 'c1', lines: 1 })
  expect(first).toBe('Block 1 is no text (image). Read it with "block": 1.')
})

test('reads the end by negative numbers, and 200 lines by default', async () => {
  expect(await getTexts({ call: 'c1', block: 2, from: -1 })).toEqual([
    'Block 2, from line 1000 to 1000, 1 of 1000 lines:\n1000: line 1000',
  ])
  const [text = ''] = await getTexts({ call: 'c1', block: 2 })
  expect(text.split('\n')).toHaveLength(201)
})

test('finds lines that contain a text in every block, and cuts long lines', async () => {
  expect(await getTexts({ call: 'c1', containing: 'needle' })).toEqual([
    'Block 2, no line of 0 lines that contain the text:',
    'Block 3, from line 2 to 2, 1 of 1 lines that contain the text:\n2: needle',
    'Block 4, no line of 0 lines that contain the text:',
  ])
  const [long = ''] = await getTexts({ call: 'c1', block: 3, lines: 1 })
  expect(long).toBe(
    `Block 3, from line 1 to 1, 1 of 2 lines:\n1: ${'x'.repeat(2000)}… (3000 characters)`,
  )
})

test('reads structured content as JSON, after the blocks', async () => {
  expect(await getTexts({ call: 'c1', block: 4 })).toEqual([
    'Block 4, from line 1 to 3, 3 of 3 lines:\n1: {\n2:   "a": 1\n3: }',
  ])
})

test('reads the text that the model received of a resource that its tool formatted', async () => {
  const resource = { uri: 'file:///a', text: 'raw\n' }
  const content: ContentBlock[] = [{ type: 'resource', resource, formatted: '1 numbered\n' }]
  await store.append('c', 302, [
    { type: 'tool_result', result: { id: 'c3', content, isError: false } },
  ])
  expect(await getTexts({ call: 'c3' })).toEqual([
    'Block 1, from line 1 to 1, 1 of 1 lines:\n1: 1 numbered',
  ])
})

test('never returns a value that only the person is shown, whatever its hints are', async () => {
  const structuredContent = { kind: 'a.b', data: 'needle', display: { preferredView: 'chart' } }
  const content: ContentBlock[] = [{ type: 'text', text: 'words' }]
  await store.append('c', 302, [
    { type: 'tool_result', result: { id: 'c4', content, isError: false, structuredContent } },
  ])
  expect((await getTexts({ call: 'c4' })).join()).not.toContain('needle')
})

test('a missing call or block is an error with a reason', async () => {
  expect(await read({ call: 'c2' })).toMatchObject({
    isError: true,
    content: [{ text: 'This conversation has no result for the call "c2".' }],
  })
  expect(await read({ call: 'c1', block: 9 })).toMatchObject({ isError: true })
})

test('does not read what is only for the person: blocks that are marked so, and a value that the person is shown beside a text', async () => {
  const annotations = { audience: ['user' as const] }
  const value = { kind: 'file', summary: 'a file', data: { secret: 'needle' } }
  const content: ContentBlock[] = [
    { type: 'text', text: 'needle', annotations },
    { type: 'resource', resource: { uri: 'file:///a', text: 'needle' }, annotations },
    { type: 'text', text: 'for both' },
  ]
  await store.append('d', 0, [
    {
      type: 'tool_result',
      result: { id: 'c1', content, isError: false, structuredContent: value },
    },
    {
      type: 'tool_result',
      result: { id: 'c2', content: [], isError: false, structuredContent: value },
    },
  ])
  const asked = async (call: string, tool = createReadToolResult(store, 'd')) =>
    await tool.execute(
      { id: 'r', name: tool.name, arguments: { call } },
      { signal: new AbortController().signal, root: '/', answers: {} },
    )
  expect((await asked('c1')).content).toEqual([
    { type: 'text', text: 'Block 3, from line 1 to 1, 1 of 1 lines:\n1: for both' },
  ])
  expect(JSON.stringify(await asked('c2'))).toContain('needle')
  const always = createReadToolResult(store, 'd', { semantic: 'always' })
  expect(JSON.stringify(await asked('c1', always))).toContain('needle')
})

const ISSUES = {
  total: 2,
  items: [
    { id: 1, body: 'one\ntwo' },
    { id: 2, body: 'three' },
  ],
}

test.for([
  ['/items/1', '1: {\n2:   "id": 2,\n3:   "body": "three"\n4: }'],
  ['items/*/id', '"id": 2'],
  ['/items/0/body', '1: one\n2: two'],
  ['/total', '1: 2'],
] as const)('reads the data at the path %s', async ([path, expected]) => {
  const content: ContentBlock[] = [{ type: 'text', text: JSON.stringify(ISSUES) }]
  await store.append('c', 302, [
    { type: 'tool_result', result: { id: 'j', content, isError: false } },
  ])
  const [text] = await getTexts({ call: 'j', path })
  expect(text).toContain(expected)
  expect(text).toContain(`Data at ${JSON.stringify(path)}`)
})

test('a path without a value is an error that names what there is', async () => {
  const [text] = await getTexts({ call: 'c1', path: '/b' })
  expect(text).toBe('The data has nothing at "/b". At its top it has /a.')
})

test('a result without data has no paths, also if the value is only for the person', async () => {
  const structuredContent = {
    kind: 'a.b',
    data: { rows: ['secret'] },
    display: { preferredView: 'chart' },
  }
  await store.append('c', 302, [
    {
      type: 'tool_result',
      result: {
        id: 'v',
        content: [{ type: 'text', text: 'One row.' }],
        isError: false,
        structuredContent,
      },
    },
  ])
  const result = await read({ call: 'v', path: '/data' })
  expect(result).toMatchObject({
    isError: true,
    content: [{ text: 'The result has no JSON data; leave path out.' }],
  })
})
