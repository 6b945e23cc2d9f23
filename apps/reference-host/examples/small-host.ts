import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatResult } from '@toolblocks/formatter'
import { toAnthropicRequest } from '@toolblocks/formatter/anthropic'
import { createLocalTool } from '@toolblocks/local-executor'
import { booleanQuestion } from '@toolblocks/protocol'
import { renderTerminal } from '@toolblocks/renderer'
import { renderHtml, renderPage } from '@toolblocks/renderer/html'
import { createToolExecutor } from '@toolblocks/tool-executor'

// A workspace with one tool. The tool is a program: it reads JSON, asks a question, and prints JSON with blocks.
const question = booleanQuestion({ id: 'blank', text: 'Count blank lines too?' })
const root = mkdtempSync(join(tmpdir(), 'small-host-'))
writeFileSync(join(root, 'notes.txt'), 'one\n\ntwo\n')
writeFileSync(
  join(root, 'count-lines.mjs'),
  `import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
const { tool } = JSON.parse(readFileSync(0, 'utf8'))
const text = readFileSync(tool.arguments.path, 'utf8')
const lines = text.trimEnd().split('\\n')
const { blank } = tool.answers
const uri = pathToFileURL(tool.arguments.path).href
const counted = blank ? lines : lines.filter((line) => line !== '')
console.log(JSON.stringify({
  content: blank === undefined
    ? [{ type: 'question', question: ${JSON.stringify(question)} }]
    : [{ type: 'text', text: counted.length + ' lines' }, { type: 'resource', resource: { uri, text } }],
}))
`,
)

// 1. The tool: how it is started, and which arguments a model may give it.
const countLines = createLocalTool({
  name: 'count_lines',
  summary: 'Count the lines of a file.',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string' } },
    required: ['path'],
    additionalProperties: false,
  },
  command: [process.execPath, 'count-lines.mjs'],
})

// 2. The executor: it checks arguments, decides whether a call may run, runs the tool and gets its questions answered.
const executor = createToolExecutor({
  tools: [{ tool: countLines, policy: 'ask' }],
  // A terminal or a page would ask the person here, with the arguments.
  approve: async (call) => ({ decision: call.name === 'count_lines' ? 'allowed' : 'denied' }),
})

// 3. A call, as a model requests it. A failed, denied or invalid call is a result too; nothing is thrown.
const call = { id: 'call-1', name: 'count_lines', arguments: { path: 'notes.txt' } }
const result = await executor.execute(call, {
  root,
  signal: AbortSignal.timeout(10_000),
  // The questions of the tool come here. The answer is checked against the schema of the question.
  ask: { user: async () => ({ action: 'accept', value: false }) },
})
assert.equal(result.metadata?.outcome, 'completed')

// 4. For the model: the text, or the complete request of its provider.
const text = formatResult(result, { root, resourceHeader: 'name' })
assert.equal(text, '2 lines\n\nResource notes.txt:\n\n```\none\n\ntwo\n```')
const { messages } = toAnthropicRequest({
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'How long are my notes?' }] },
    { role: 'assistant', content: [], calls: [call] },
    { role: 'tool', results: [{ call, result }] },
  ],
  tools: executor.definitions(),
})
assert.equal(messages[2]?.content[0]?.type, 'tool_result')

// 5. For the person: at a terminal, or as a page. Nothing that the tool printed can act there.
console.log(renderTerminal(result, { root, columns: 80 }))
const page = renderPage(renderHtml(result, { root }), { title: 'count_lines' })
assert.match(page, /2 lines/)

await executor.close()
rmSync(root, { recursive: true })
