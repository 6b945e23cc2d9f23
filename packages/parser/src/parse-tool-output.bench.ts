import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { test } from 'vitest'
import type * as parser from './index.ts'

// Node itself loads the parser, as it loads the SDK. In the runner, every import would be a proxy.
const { parseToolOutput }: typeof parser = createRequire(import.meta.url)('@toolblocks/parser')
const documents = 64

/** All block types that a local tool may print and the SDK knows: no links and no questions. */
const inputs: Readonly<Record<string, readonly string[]>> = {
  'text, 72 B': write((at) => [{ type: 'text', text: `line ${at}: all is well`.padEnd(33, '.') }]),
  'every kind, 1 KB': write((at) => [
    { type: 'text', text: `Found ${at}.`, annotations: { audience: ['user'], priority: 0.5 } },
    { type: 'image', data: base64(120), mimeType: 'image/png' },
    { type: 'audio', data: base64(120), mimeType: 'audio/wav' },
    {
      type: 'resource',
      resource: { uri: `file:///a${at}.rs`, mimeType: 'text/rust', text: code(250) },
    },
    {
      type: 'resource',
      resource: { uri: `file:///a${at}.bin`, blob: base64(60) },
      _meta: { at },
    },
  ]),
  '8 files, 34 KB': write((at) =>
    Array.from({ length: 8 }, (_, file) => ({
      type: 'resource',
      resource: {
        uri: `file:///src/${at}/${file}.ts`,
        mimeType: 'text/typescript',
        text: code(4000),
      },
    })),
  ),
  '4 images, 800 KB': write(() =>
    Array.from({ length: 4 }, () => ({
      type: 'image',
      data: base64(150_000),
      mimeType: 'image/png',
    })),
  ),
}

for (const [name, texts] of Object.entries(inputs)) {
  test(`${name} (${texts[0]?.length} characters)`, async ({ bench }) => {
    await bench.compare(
      bench(
        'parseToolOutput',
        overAll(texts, (text) => parseToolOutput(text).result),
      ),
      bench(
        'JSON.parse alone',
        overAll(texts, (text) => JSON.parse(text) as unknown),
      ),
      bench(
        'MCP SDK schema after JSON.parse',
        overAll(texts, (text) => CallToolResultSchema.parse(JSON.parse(text))),
      ),
    )
  })
}

for (const [name, texts] of Object.entries(inputs)) {
  const outputs = texts.map((text) => new TextEncoder().encode(text))
  const decoder = new TextDecoder()
  test(`${name}, from bytes (${outputs[0]?.length})`, async ({ bench }) => {
    await bench.compare(
      bench(
        'parseToolOutput',
        overAll(outputs, (bytes) => parseToolOutput(bytes).result),
      ),
      bench(
        'decode and JSON.parse alone',
        overAll(outputs, (bytes) => JSON.parse(decoder.decode(bytes)) as unknown),
      ),
    )
  })
}

/** Reads the next document on each call, and all fields of the result. */
function overAll<Output>(
  outputs: readonly Output[],
  read: (output: Output) => unknown,
): () => void {
  let next = 0
  return () => {
    const output = outputs[next % outputs.length]
    next += 1
    if (output === undefined || touch(read(output)) === 0) throw new Error('nothing was read')
  }
}

function touch(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 1
  let sum = 0
  for (const field of Object.values(value)) sum += touch(field)
  return sum
}

function write(content: (at: number) => unknown): string[] {
  return Array.from({ length: documents }, (_, at) => JSON.stringify({ content: content(at) }))
}

function base64(bytes: number): string {
  return randomBytes(bytes).toString('base64')
}

function code(length: number): string {
  const line = `  const name = read("${randomBytes(6).toString('hex')}") // what the "user" said\n`
  return line.repeat(Math.ceil(length / line.length)).slice(0, length)
}
