import { anthropicProfile } from '@toolblocks/formatter/anthropic'
import { getPictureLimits } from '@toolblocks/formatter/pictures'
import { findHostProfile, type ServeCall, type ServedClient } from '@toolblocks/mcp-bridge/server'
import type { ToolDefinition, ToolResult } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { makePng } from '../../../../../packages/formatter/src/pictures/pictures.support.ts'
import { limitResults } from './limit-results.ts'

const picture = { type: 'image', data: makePng(3456, 100), mimeType: 'image/png' } as const
const lines = { type: 'text', text: 'A line.\n'.repeat(1000) } as const
const result: ToolResult = { id: 'c1', content: [lines, picture], isError: false }
const readTool: ToolDefinition = { name: 'read_tool_result', inputSchema: { type: 'object' } }

/** Calls a tool as a client, and returns what the client receives. */
async function callAs(
  name: string,
  options: {
    budget?: number
    results?: 'host' | 'as-is'
    tool?: string
    shared?: string
    /** The tool that the client gets for originals. */
    offered?: string
    whole?: ToolResult
    /** Whether the record fails. */
    isFailing?: boolean
  } = {},
): Promise<ToolResult> {
  const { budget = Infinity, results = 'host', tool = 'look', shared } = options
  const { offered = readTool.name, whole = result } = options
  const callTool: ServeCall = async () => whole
  const limited = limitResults(callTool, {
    budget,
    results,
    readers: [{ tool: { ...readTool, execute: async () => result }, policy: 'unattended' }],
    isFailing: () => options.isFailing === true,
    findDefinition: (called) => (called === offered ? readTool : undefined),
    ...(shared !== undefined && { conversation: shared }),
  })
  const call = { id: 'c1', name: tool, arguments: {} }
  const client = { info: { name, version: '1' } } as unknown as ServedClient
  return await limited(call, {} as Parameters<ServeCall>[1], client)
}

function readWidth({ content }: ToolResult): number | undefined {
  const block = content.find(({ type }) => type === 'image')
  return block?.type === 'image' ? Buffer.from(block.data, 'base64').readUInt32BE(16) : undefined
}

test('a picture that is too large for a known host is scaled, with a text that names the original; the record has it whole', async () => {
  const received = await callAs('claude-code')
  expect(readWidth(received)).toBe(2000)
  expect(received.content).toMatchObject([
    lines,
    { type: 'image' },
    {
      text: '[The image above was scaled from 3456 × 100 px to 2000 × 58 px. You get it only like this. A person sees the original: call "c1", block 2.]',
    },
  ])
  expect(readWidth(result)).toBe(3456)
})

test('without a record of the original, no text names it', async () => {
  const received = await callAs('claude-code', { isFailing: true })
  expect(received.id).toBe('c1')
  expect(received.content.at(-1)).toEqual({
    type: 'text',
    text: '[The image above was scaled from 3456 × 100 px to 2000 × 58 px. You get it only like this.]',
  })
})

test('the tool that reads results gives the picture scaled too', async () => {
  const received = await callAs('claude-code', { tool: readTool.name })
  expect(readWidth(received)).toBe(2000)
})

test('the number of the block and the name of the conversation are right if texts are cut too', async () => {
  const received = await callAs('claude-code', { budget: 600, shared: 'chat' })
  expect(received.id).toBe('c1')
  expect(received.content.at(-1)).toMatchObject({
    text: expect.stringContaining('call "chat/c1", block 2.'),
  })
})

test('other hosts and results as they are have the picture whole', async () => {
  expect(await callAs('another-host')).toBe(result)
  expect(await callAs('claude-code', { results: 'as-is' })).toBe(result)
})

test('the limits of hosts are those of the providers of their models', () => {
  const host = findHostProfile({ name: 'claude-code' })
  const { types: _types, ...limits } = getPictureLimits(anthropicProfile) ?? {}
  expect(host?.pictures).toEqual(limits)
})

/** Returns the bytes of the texts of a result. */
function countBytes({ content }: ToolResult): number {
  return content.reduce(
    (sum, block) => sum + (block.type === 'text' ? Buffer.byteLength(block.text) : 0),
    0,
  )
}

const HOST = 'codex-mcp-client'
const { resultCharacters: HOST_LIMIT = 0 } = findHostProfile({ name: HOST }) ?? {}
const NOTE = /left out at "…", in the middle\. The tool read_tool_result reads all of it: call "c1"/

test('a text that a known host would cut is cut, and a text says which call reads the rest', async () => {
  const long = (text: string): ToolResult => ({
    ...result,
    content: [{ type: 'text', text: text.repeat(20_000) }],
  })
  for (const text of ['ab', 'ö', '漢'])
    for (const budget of [15_000, 100_000]) {
      const received = await callAs(HOST, { budget, whole: long(text) })
      expect(countBytes(received)).toBeLessThan(HOST_LIMIT)
      expect(countBytes(received)).toBeGreaterThan(HOST_LIMIT / 4)
      expect(received.content.at(-1)).toMatchObject({ text: expect.stringMatching(NOTE) })
    }
})

test('texts beside structured content, which the host gets as a text too, share its limit', async () => {
  const whole: ToolResult = {
    ...result,
    content: [
      { type: 'text', text: 'a'.repeat(8000) },
      { type: 'text', text: 'b'.repeat(8000) },
    ],
    structuredContent: { c: 'c'.repeat(8000) },
  }
  const received = await callAs(HOST, { budget: 100_000, whole })
  expect(countBytes(received)).toBeLessThan(HOST_LIMIT)
  expect('structuredContent' in received).toBe(false)
  expect(received.content.at(-1)).toMatchObject({
    text: expect.stringContaining('call "c1", structured content'),
  })
})

test('a host cuts what no tool could read, what it gets as it is, and what the user wants whole', async () => {
  const whole: ToolResult = { ...result, content: [{ type: 'text', text: 'a'.repeat(60_000) }] }
  const budget = 100_000
  expect(await callAs(HOST, { whole })).toBe(whole)
  expect(await callAs(HOST, { budget, whole, offered: 'none' })).toEqual(whole)
  expect(await callAs(HOST, { budget, whole, results: 'as-is' })).toEqual(whole)
  expect(await callAs('another-host', { budget, whole })).toEqual(whole)
})

test('a result of the tool that reads results is cut too, and a text says how to read all of it', async () => {
  const whole: ToolResult = { ...result, content: [{ type: 'text', text: 'a'.repeat(60_000) }] }
  const received = await callAs(HOST, { budget: 100_000, whole, tool: readTool.name })
  expect(countBytes(received)).toBeLessThan(HOST_LIMIT)
  expect(received.content.at(-1)).toMatchObject({ text: expect.stringContaining('fewer lines') })
})
