// The MCP server of the picture in the README: its tool returns a text, a photo and structured content, as a server may in one result.
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const photo = new URL('../../examples/harbour-tools/pier.png', import.meta.url)

/** What the tool returns. */
export const RESULT = {
  content: [
    { type: 'text', text: 'Berth 3 is free, but a red boat blocks it. See the photo.' },
    { type: 'image', data: readFileSync(photo).toString('base64'), mimeType: 'image/png' },
  ],
  structuredContent: { berth: 3, free: true, depth: 4.5 },
}

const TOOL = {
  name: 'inspect_pier',
  description: 'Inspects the pier.',
  inputSchema: { type: 'object', properties: {} },
  annotations: { readOnlyHint: true },
}

function answer({ method, params }) {
  if (method === 'tools/list') return { tools: [TOOL] }
  if (method === 'tools/call') return RESULT
  if (method !== 'initialize') return {}
  const serverInfo = { name: 'pier', version: '1.0.0' }
  return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo }
}

if (process.argv[1] === import.meta.filename)
  for await (const line of createInterface(process.stdin)) {
    const message = JSON.parse(line)
    if (message.id === undefined) continue
    const response = { jsonrpc: '2.0', id: message.id, result: answer(message) }
    process.stdout.write(`${JSON.stringify(response)}\n`)
  }
