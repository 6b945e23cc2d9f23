import assert from 'node:assert/strict'
import { parseToolOutput, parseToolResult } from '@toolblocks/parser'

// The output of an executable: two valid blocks and one of an unknown type.
const printed = `{"content": [
  {"type": "text", "text": "Found one file."},
  {"type": "resource", "resource": {"uri": "file:///x.rs", "mimeType": "text/rust", "text": "fn main() {}"}},
  {"type": "hologram"}
]}`
const { result, warnings, format } = parseToolOutput(printed)
assert.equal(format, 'blocks')
assert.deepEqual(
  result.content.map(({ type }) => type),
  ['text', 'resource'],
)
assert.equal(warnings[0]?.path, '/content/2')
assert.match(warnings[0]?.message ?? '', /"hologram" is unknown/)

// Any other output is one text block, exactly as printed.
const plain = parseToolOutput(new TextEncoder().encode('3 tests passed\n'))
assert.equal(plain.format, 'raw')
assert.deepEqual(plain.result.content, [{ type: 'text', text: '3 tests passed\n' }])

// The response of an MCP server, with a mistake that real servers make.
const answered = parseToolResult({ content: 'done', isError: 'false' }, { from: 'mcp' })
assert(answered.kind === 'complete') // and not a request for input, or a running task
assert.deepEqual(answered.result.content, [{ type: 'text', text: 'done' }])
assert.equal(answered.result.isError, false)
assert.equal(answered.reversible, false) // repaired, so the original is worth storing
