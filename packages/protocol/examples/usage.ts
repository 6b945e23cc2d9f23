import assert from 'node:assert/strict'
import {
  canonicalUri,
  createErrorResult,
  isEmbeddedResource,
  isToolResult,
  type ToolResult,
  toWorkspacePath,
  readErrorDetails,
  withErrorDetails,
} from '@toolblocks/protocol'

// A tool that is a function returns typed blocks. A failure is a result too.
function readPage(page: number): ToolResult {
  if (page > 1) {
    const failed = createErrorResult(`There is no page ${page}.`)
    return withErrorDetails(failed, { transient: false, trace: ['RangeError: page'] })
  }
  const uri = 'file:///home/ada/docs/./intro.md'
  const resource = { uri, mimeType: 'text/markdown', text: '# Hello' }
  return { content: [{ type: 'resource', resource }], isError: false }
}

// A host reads a result from its store. It is unknown data until the guard accepts it.
const stored: unknown = JSON.parse(JSON.stringify(readPage(1)))
assert(isToolResult(stored))

// The resource is identified by its canonical URI, and shown by its path in the workspace.
const [block] = stored.content
assert(isEmbeddedResource(block))
const identity = canonicalUri(block.resource.uri, '/home/ada')
assert.deepEqual(identity, { ok: true, uri: 'file:///home/ada/docs/intro.md' })
assert.equal(toWorkspacePath(block.resource.uri, '/home/ada'), 'docs/intro.md')

// The details of a failure say whether a retry may help.
assert.equal(readErrorDetails(readPage(2)).transient, false)
