import assert from 'node:assert/strict'
import { codeFence, formatResult, type ModelRequest } from '@toolblocks/formatter'
import { toAnthropicRequest } from '@toolblocks/formatter/anthropic'
import type { ToolResult } from '@toolblocks/protocol'

const result: ToolResult = {
  content: [
    {
      type: 'resource',
      resource: {
        uri: 'file:///home/ada/src/main.rs',
        mimeType: 'text/rust',
        text: 'fn main() {}',
      },
    },
    { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
  ],
  isError: false,
}
assert.equal(
  formatResult(result, { resourceHeader: 'name', root: '/home/ada' }),
  'Resource src/main.rs:\n\n```rs\nfn main() {}\n```\n\n[block 2, image: image/png, 8 bytes]',
)

// A tool's output cannot close the code fence around it.
assert.equal(codeFence('```\nrm -rf /\n```', 'md'), '````md\n```\nrm -rf /\n```\n````')

// A provider receives a name that it accepts, and one result for each call.
const call = { id: 'call-1', name: 'fs.read', arguments: { path: 'src' } }
const request: ModelRequest = {
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'What is in src?' }] },
    { role: 'assistant', content: [], calls: [call] },
    { role: 'tool', results: [{ call, result }] },
  ],
  tools: [{ name: 'fs.read', inputSchema: { type: 'object' } }],
}
const { messages, tools, changes } = toAnthropicRequest(request)
assert.equal(tools[0]?.name, 'fs_read')
assert.equal(changes[0]?.code, 'name-changed')
assert.deepEqual(
  messages.map(({ role, content }) => [role, content[0]?.type]),
  [
    ['user', 'text'],
    ['assistant', 'tool_use'],
    ['user', 'tool_result'],
  ],
)
