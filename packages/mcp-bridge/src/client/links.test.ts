import type { ToolResult } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { call, connectPublished, getContext } from '../testing/servers.support.ts'
import { createReadResourceTool } from './create-read-resource-tool.ts'
import { limitContent, readLinks } from './read-links.ts'

const read = (uri: unknown, server?: string) => ({
  id: 'c',
  name: 'read_resource',
  arguments: { uri, ...(server && { server }) },
})

test('read_resource reads what a tool linked to, from the server that linked to it, and nothing else', async () => {
  const server = await connectPublished('everything', ['stdio'])
  const tool = createReadResourceTool(() => [server])
  const uri = 'demo://resource/dynamic/text/2'
  expect(await tool.execute(read(uri), getContext())).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('No tool has returned a link') }],
  })
  await call(server, 'get-resource-links', { count: 2 })
  expect(await tool.execute(read(uri), getContext())).toMatchObject({
    isError: false,
    content: [{ type: 'resource', resource: { uri } }],
  })
  expect(await tool.execute(read(uri, 'other'), getContext())).toMatchObject({ isError: true })
  expect(
    await createReadResourceTool(() => [server, server]).execute(read(uri), getContext()),
  ).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('"everything", "everything"') }],
  })
  expect(await tool.execute(read(3), getContext())).toMatchObject({ isError: true })
})

const resource = (text: string): ToolResult => ({
  isError: false,
  content: [{ type: 'resource', resource: { uri: 'a:b', text } }],
})

test('content above the limit is cut between characters, with a note', () => {
  const { content } = limitContent(resource('aéé'), 4)
  expect(content).toMatchObject([
    { resource: { text: 'aé' } },
    { type: 'text', text: expect.stringContaining('a:b') },
  ])
  expect(limitContent(resource('aé'), 3)).toEqual(resource('aé'))
  const blob: ToolResult = {
    isError: false,
    content: [{ type: 'resource', resource: { uri: 'a:b', blob: 'AAAA' } }],
  }
  expect(limitContent(blob, 2).content).toMatchObject([{ type: 'text' }])
})

test('the address of a resource that was cut does not close the note about it', () => {
  const content = [{ type: 'resource', resource: { uri: 'a:x]\n[Above', text: 'abc' } }] as const
  expect(limitContent({ content, isError: false }, 1).content.at(-1)).toEqual({
    type: 'text',
    text: String.raw`[Only 1 byte are read at a time; "a:x\u005d\n\u005bAbove" has 3 bytes.]`,
  })
})

const linked: ToolResult = {
  isError: false,
  content: [
    { type: 'text', text: 'see' },
    { type: 'resource_link', uri: 'a:1', name: '1' },
    { type: 'resource_link', uri: 'a:2', name: '2', size: 10_000_000 },
    { type: 'resource_link', uri: 'a:3', name: '3', annotations: { audience: ['user'] } },
    { type: 'resource_link', uri: 'a:4', name: '4' },
  ],
}

test('links are not read unless the user sets it', async () => {
  const reads: string[] = []
  expect(await readLinks(linked, {}, async (uri) => (reads.push(uri), resource('x')))).toBe(linked)
  expect(reads).toEqual([])
})

test('inline: the content is added after its link; a link that cannot be read stays alone, with a warning', async () => {
  const result = await readLinks(linked, { mode: 'inline' }, async (uri) =>
    uri === 'a:1' ? resource('one') : { isError: true, content: [{ type: 'text', text: 'gone' }] },
  )
  expect(
    result.content.map((block) => (block.type === 'resource' ? block.resource.text : block.type)),
  ).toEqual(['text', 'resource_link', 'one', 'resource_link', 'resource_link', 'resource_link'])
  expect(result.content[2]).toMatchObject({ _meta: { 'toolblocks/resolved-from': 'a:1' } })
  expect(result.metadata?.warnings).toMatchObject([
    { message: expect.stringContaining('10000000 bytes') },
    { message: expect.stringContaining('gone') },
  ])
})

test('preview: the beginning of a text; limits hold for links, each and all', async () => {
  const long = resource('x'.repeat(5000))
  const preview = await readLinks(linked, { mode: 'preview', maxLinks: 1 }, async () => long)
  expect(preview.content[2]).toMatchObject({ resource: { text: 'x'.repeat(2048) } })
  expect(preview.metadata?.warnings).toMatchObject([
    { message: expect.stringContaining('only 1 links') },
    {},
  ])
  const total = await readLinks(linked, { mode: 'inline', maxTotalBytes: 6000 }, async () => long)
  expect(total.content.filter(({ type }) => type === 'resource').length).toBe(1)
})
