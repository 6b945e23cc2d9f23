import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLocalTool } from '@toolblocks/local-executor'

// Any executable works: this one reads JSON from stdin and prints blocks.
const script = `#!/usr/bin/env node
import { readFileSync } from 'node:fs'
const { context, tool } = JSON.parse(readFileSync(0, 'utf8'))
const uri = 'file://' + context.root + '/' + tool.arguments.path
const text = readFileSync(tool.arguments.path, 'utf8')
console.log(JSON.stringify({ content: [{ type: 'resource', resource: { uri, text } }] }))
`
const root = mkdtempSync(join(tmpdir(), 'workspace-'))
writeFileSync(join(root, 'read-file.mjs'), script, { mode: 0o755 })
writeFileSync(join(root, 'main.rs'), 'fn main() {}\n')

const tool = createLocalTool({ name: 'read_file', inputSchema: {}, command: './read-file.mjs' })
const context = { root, signal: new AbortController().signal, answers: {} }
const call = { id: 'call-1', name: 'read_file', arguments: { path: 'main.rs' } }

const { content, metadata } = await tool.execute(call, context)
console.log(content)
assert(content[0]?.type === 'resource')
assert.equal(content[0].resource.text, 'fn main() {}\n')
assert.equal(metadata?.outcome, 'completed')

// A failing tool also returns a result: its output, then its exit code and stderr.
const lost = await tool.execute({ ...call, arguments: { path: 'lost.rs' } }, context)
assert.equal(lost.isError, true)

rmSync(root, { recursive: true })
