import assert from 'node:assert/strict'
import {
  canonicalUri,
  createErrorResult,
  isEmbeddedResource,
  isToolResult,
  readErrorDetails,
  type ToolResult,
  withErrorDetails,
  toWorkspacePath,
} from '@toolblocks/protocol'

// A tool that is a function answers with typed blocks; a failure is an answer too.
function readPage(page: number): ToolResult {
  if (page > 1) {
    const failed = createErrorResult(`There is no page ${page}.`)
    return withErrorDetails(failed, { transient: false, trace: ['RangeError: page'] })
  }
  const uri = 'file:///home/ada/docs/./intro.md'
  const resource = { uri, mimeType: 'text/markdown', text: '# Hello' }
  return { content: [{ type: 'resource', resource }], isError: false }
}

// A host reads a result back from its store: nothing about it is known until the guard says so.
const stored: unknown = JSON.parse(JSON.stringify(readPage(1)))
assert(isToolResult(stored))

// It names the resource by its one canonical uri, and shows it by its path in the workspace.
const [block] = stored.content
assert(isEmbeddedResource(block))
const identity = canonicalUri(block.resource.uri, '/home/ada')
assert.deepEqual(identity, { ok: true, uri: 'file:///home/ada/docs/intro.md' })
assert.equal(toWorkspacePath(block.resource.uri, '/home/ada'), 'docs/intro.md')

// It asks a failure whether a retry may help.
assert.equal(readErrorDetails(readPage(2)).transient, false)
