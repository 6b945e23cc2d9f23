// A server that uses every field that MCP has for its own data, and reports its input. Started by tests: node recording-server.support.ts
import { existsSync, writeFileSync } from 'node:fs'
import { createLineReader } from '../wire/line-reader.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- whatever a server may say
type Json = Record<string, any>
const write = (message: Json): void =>
  void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const text = (value: unknown): Json => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
})
const waiting = new Map<unknown, (message: Json) => void>()
// The text that an earlier start was told to leave.
const isClosed = existsSync('closed')
if (isClosed && process.argv[2] !== 'slow-when-closed') {
  process.stderr.write('the berth is closed\n')
  process.exit(5)
}
let client: Json = {}
let polls = 0

async function ask(method: string, params: Json): Promise<Json> {
  const id = `s${waiting.size}`
  write({ id, method, params })
  return await new Promise((resolve) => waiting.set(id, resolve))
}

const form = (message: string): Json => ({
  message,
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
})

const TOOLS: Record<string, (params: Json, id: unknown) => Promise<Json | undefined>> = {
  start: async () =>
    text({
      args: process.argv.slice(2),
      folder: process.cwd(),
      own: process.env['OWN'],
      clientInfo: client['clientInfo'],
      capabilities: client['capabilities'],
    }),
  given: async ({ _meta, ...params }) => text({ ...params, token: typeof _meta?.progressToken }),
  report: async ({ _meta }) => {
    const report = { progress: 2, total: 5, message: 'two of five' }
    const params = { progressToken: _meta.progressToken, ...report }
    write({ method: 'notifications/progress', params })
    return text('reported')
  },
  log: async () => {
    const params = { level: 'warning', logger: 'deck', data: { berth: 4 } }
    write({ method: 'notifications/message', params })
    return text('logged')
  },
  rename: async () => {
    write({ method: 'notifications/tools/list_changed' })
    return text('renamed')
  },
  'ask-host': async ({ arguments: { method, params } }) => text(await ask(method, params)),
  'ask-all': async () => ({
    resultType: 'input_required',
    inputRequests: {
      roots: { method: 'roots/list', params: { cursor: 'c1' } },
      model: { method: 'sampling/createMessage', params: { maxTokens: 7 } },
    },
  }),
  say: async ({ arguments: { result } }) => result,
  promise: async ({ arguments: { result } }) => result,
  stop: async () => {
    process.stderr.write('no water left\n')
    process.exit(6)
  },
  close: async () => {
    writeFileSync('closed', '')
    process.exit(7)
  },
  hang: async () => undefined,
  task: async ({ task }) => (task ? { task: getTask('working', 'casting off') } : text('no task')),
}

function getTask(status: string, statusMessage: string): Json {
  return { taskId: 't1', status, statusMessage, pollInterval: 250 }
}

async function answer({ id, method, params, ...message }: Json): Promise<void> {
  if (method === undefined) return waiting.get(id)?.(message)
  if (id === undefined) return
  const result = await makeResult(method, params, id)
  if (result !== undefined) write({ id, result })
}

async function makeResult(method: string, params: Json, id: unknown): Promise<Json | undefined> {
  switch (method) {
    case 'initialize':
      if (isClosed) return undefined
      client = params
      return {
        protocolVersion: params['protocolVersion'],
        capabilities: {
          tools: { listChanged: true },
          tasks: { requests: { tools: { call: {} } } },
        },
        serverInfo: { name: 'recorder', version: '4.2', title: 'The Recorder' },
        instructions: 'Call "start" first.',
      }
    case 'tools/list':
      return {
        tools: Object.keys(TOOLS).map((name) => ({
          name,
          inputSchema: { type: 'object' },
          ...(name === 'promise' && {
            outputSchema: { type: 'object', properties: { n: { type: 'integer' } } },
          }),
          ...(name === 'task' && { execution: { taskSupport: 'optional' } }),
        })),
      }
    case 'tools/call':
      return await TOOLS[params['name']]?.(params, id)
    case 'tasks/get': {
      polls += 1
      if (polls === 1) {
        const related = { 'io.modelcontextprotocol/related-task': { taskId: 't1' } }
        await ask('elicitation/create', { ...form('Which berth?'), _meta: related })
      }
      return getTask('completed', 'all fast')
    }
    case 'tasks/result':
      return text('moored')
    case 'resources/read':
      if (params['uri'] === 'a:hang') return undefined
      if (params['uri'] === 'a:bytes')
        return { contents: [{ uri: 'a:bytes', mimeType: 'image/png', blob: 'AAAA' }] }
      return {
        contents: [{ uri: params['uri'], mimeType: 'text/plain', text: 'x'.repeat(3000) }],
        _meta: { 'example.com/read': 1 },
      }
    default:
      return {}
  }
}

process.stdin.on(
  'data',
  createLineReader((line) => void answer(JSON.parse(line))),
)
