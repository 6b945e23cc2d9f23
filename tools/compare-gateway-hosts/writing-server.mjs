// An MCP server with one tool, which appends a line to a file after some seconds: an argument names the file.
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'

const [file] = process.argv.slice(2)
const TOOL = {
  name: 'write_line',
  inputSchema: {
    type: 'object',
    properties: { line: { type: 'string' }, seconds: { type: 'number' } },
    required: ['line'],
  },
}

async function answer({ method, params }) {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'writing', version: '1' },
      }
    case 'tools/list':
      return { tools: [TOOL] }
    case 'tools/call':
      await pause((params.arguments.seconds ?? 0) * 1000)
      appendFileSync(file, `${params.arguments.line}\n`)
      return { content: [{ type: 'text', text: `wrote ${params.arguments.line}` }] }
    default:
      return {}
  }
}

for await (const text of createInterface({ input: process.stdin })) {
  const message = JSON.parse(text)
  if (message.id === undefined) continue
  const reply = { jsonrpc: '2.0', id: message.id, result: await answer(message) }
  process.stdout.write(`${JSON.stringify(reply)}\n`)
}
