import assert from 'node:assert/strict'
import { codeFence, formatResult } from '@toolblocks/formatter'
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
  'Resource src/main.rs:\n\n```rs\nfn main() {}\n```\n\n[image: image/png, 8 bytes]',
)

// What a tool read cannot end the block it stands in.
assert.equal(codeFence('```\nrm -rf /\n```', 'md'), '````md\n```\nrm -rf /\n```\n````')
