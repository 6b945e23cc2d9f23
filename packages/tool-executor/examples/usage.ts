import assert from 'node:assert/strict'
import { createSuccessResult, type Tool } from '@toolblocks/protocol'
import { createToolExecutor } from '@toolblocks/tool-executor'

const readLines: Tool = {
  name: 'read_lines',
  summary: 'Read the first lines of a poem.',
  inputSchema: {
    type: 'object',
    properties: { limit: { type: 'integer', minimum: 1, default: 2 } },
    additionalProperties: false,
  },
  execute: async (call) => {
    const lines = ['O Captain!', 'my Captain!', 'our fearful trip', 'is done']
    const text = lines.slice(0, Number(call.arguments['limit'])).join(' ')
    return createSuccessResult([
      { type: 'resource', resource: { uri: 'poem://captain', mimeType: 'text/plain', text } },
    ])
  },
}

const executor = createToolExecutor({
  tools: [{ tool: readLines, policy: 'ask' }],
  // A terminal or a page would ask the person here.
  approve: async (call) => ({ decision: call.name.startsWith('read_') ? 'allowed' : 'denied' }),
})
const context = { signal: AbortSignal.timeout(5000), root: process.cwd() }

// The model wrote the number as a string. It is read as the schema requires.
const call = { id: 'call-1', name: 'read_lines', arguments: { limit: '1' } }
const result = await executor.execute(call, context)
assert.equal(result.metadata?.outcome, 'completed')
assert.equal(result.metadata.resources?.[0]?.bytes, 'O Captain!'.length)

// An invalid call returns a result that tells the model how to correct it.
const bad = await executor.execute({ ...call, arguments: { limit: 0 } }, context)
assert(bad.isError)
console.log(bad.content)
