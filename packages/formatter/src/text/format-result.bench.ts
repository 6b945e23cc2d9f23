import { createRequire } from 'node:module'
import type { ToolResult } from '@toolblocks/protocol'
import { test } from 'vitest'
import type * as formatter from '../index.ts'

// Node itself loads the formatter. In the runner, every import would be a proxy.
const { formatResult }: typeof formatter = createRequire(import.meta.url)('@toolblocks/formatter')
const documents = 64

/** Results of about 1 KB with a block of every kind. There are many, so that the engine caches none. */
const results: readonly ToolResult[] = Array.from({ length: documents }, (_, at) => ({
  content: [
    { type: 'text', text: `Found ${at} files that match.`, annotations: { priority: 0.5 } },
    { type: 'image', data: 'iVBORw0KGgo='.repeat(10), mimeType: 'image/png' },
    { type: 'audio', data: 'UklGRiQAAABXQVZF'.repeat(8), mimeType: 'audio/wav' },
    {
      type: 'resource',
      resource: { uri: `file:///a${at}.rs`, mimeType: 'text/rust', text: 'fn a() {}\n'.repeat(25) },
    },
    { type: 'resource', resource: { uri: `file:///a${at}.bin`, blob: 'AAAA'.repeat(20) } },
    { type: 'resource_link', uri: `file:///b${at}.rs`, name: 'b.rs', mimeType: 'text/rust' },
  ],
  isError: false,
}))
const structured = results.map((result, at) => ({
  ...result,
  structuredContent: { found: at, files: ['a.rs', 'a.bin', 'b.rs'], complete: true },
}))

// The goal is 5 µs for each, with and without structured content.
test('a result with a block of every kind, 1 KB', async ({ bench }) => {
  await bench.compare(
    bench('formatResult', run(results)),
    bench('formatResult, with structured content', run(structured)),
  )
})

function run(given: readonly ToolResult[]): () => void {
  let at = 0
  return () => void formatResult(given[at++ % documents]!)
}
