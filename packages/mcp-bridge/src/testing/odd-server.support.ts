// A server that behaves as the name of the called tool says. Started by tests: node odd-server.support.ts
import { createLineReader } from '../wire/line-reader.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- whatever a server may say
type Json = Record<string, any>
const write = (message: Json): void =>
  void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const waiting = new Map<string, (message: Json) => void>()
let asked = 0
let calls = 0

async function ask(
  method: string,
  params: Json,
  id: string | number = `s${(asked += 1)}`,
): Promise<Json> {
  write({ id, method, params })
  return await new Promise((resolve) => waiting.set(String(id), resolve))
}

const text = (value: unknown): Json => ({
  content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }],
})
const form = (properties: Json, required: string[] = []): Json => ({
  message: 'Who?',
  requestedSchema: { type: 'object', properties, required },
})

const TAKEN_BACK: Json = {
  method: 'notifications/cancelled',
  params: { requestId: 0, reason: 'changed my mind' },
}

const TOOLS: Record<string, (id: number, params: Json) => Promise<Json | undefined>> = {
  echo: async (_id, params) => text(params['arguments']),
  // The result is the argument, unchanged.
  answer: async (_id, params) => params['arguments'].result,
  crash: async () => process.exit(3),
  // Its process id is in the file when it waits.
  'answer-at-signal': async (id, { arguments: { file } }) => {
    const { writeFileSync } = await import('node:fs')
    process.once('SIGUSR2', () => {
      write({ id, result: text('all of it') })
      process.exit(0)
    })
    writeFileSync(file, String(process.pid))
    return undefined
  },
  // `first` comes at once, `rest` at the signal; ID is the id of the request. Its process id is in the file when it waits.
  'rest-at-signal': async (id, { arguments: { file, first, rest } }) => {
    const { writeFileSync } = await import('node:fs')
    const say = (line: string): void => void process.stdout.write(line.replace('ID', String(id)))
    process.once('SIGUSR2', () => say(rest))
    say(first)
    writeFileSync(file, String(process.pid))
    return undefined
  },
  'crash-once': async () => {
    if (process.env['MARK'] === undefined) return text('no mark')
    const { existsSync, writeFileSync } = await import('node:fs')
    if (existsSync(process.env['MARK'])) return text('second time')
    writeFileSync(process.env['MARK'], '')
    process.exit(3)
  },
  'cry-and-crash': async () => {
    process.stderr.write('the disk is on fire\n')
    process.exit(4)
  },
  hang: async () => undefined,
  garbage: async () => {
    process.stdout.write(
      'Loading model...\n{"half":\n[1,2]\n"text"\n\n{"id":"nobody","result":{}}\n',
    )
    return text('after garbage')
  },
  large: async (_id, { arguments: { bytes } }) => text('x'.repeat(bytes)),
  dense: async (_id, { arguments: { values } }) => ({
    content: [],
    structuredContent: { a: Array.from({ length: values }, () => ({})) },
  }),
  images: async (_id, { arguments: { count, bytes } }) => ({
    content: Array.from({ length: count }, () => ({
      type: 'image',
      mimeType: 'image/png',
      data: Buffer.alloc(bytes, 7).toString('base64'),
    })),
  }),
  burst: async (id, { _meta: { progressToken } }) => {
    const messages = [1, 2, 3].map((progress) => ({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken, progress, total: 3 },
    }))
    process.stdout.write(
      [...messages, { jsonrpc: '2.0', id, result: text('done') }]
        .map((message) => `${JSON.stringify(message)}\n`)
        .join(''),
    )
    return undefined
  },
  'foreign-progress': async () => {
    write({ method: 'notifications/progress', params: { progressToken: 'somebody', progress: 1 } })
    write({ method: 'notifications/progress', params: {} })
    return text('done')
  },
  error: async (id, { arguments: { error } }) => {
    write({ id, error })
    return undefined
  },
  twice: async (id) => {
    write({ id, result: text('first') })
    return text('second')
  },
  envelope: async (id) => {
    process.stdout.write(`${JSON.stringify({ id, result: text('no version'), extra: 1 })}\n`)
    return undefined
  },
  elicit: async (_id, { arguments: { params } }) =>
    text((await ask('elicitation/create', params)).result ?? 'refused'),
  'visit-page': async (_id, { arguments: { params } }) => {
    const { result } = await ask('elicitation/create', params)
    const { elicitationId } = params
    write({ method: 'notifications/elicitation/complete', params: { elicitationId } })
    return text(result)
  },
  'elicit-error': async (_id, { arguments: { params } }) =>
    text((await ask('elicitation/create', params)).error),
  'ask-method': async (_id, { arguments: { method } }) => text(await ask(method, {})),
  'ask-many': async () => {
    const actions: string[] = []
    for (let count = 0; count < 20; count++)
      actions.push(
        (await ask('elicitation/create', form({ name: { type: 'string' } }))).result.action,
      )
    return text(actions)
  },
  // Asks with the id 0, cancels the question at the first echo, and ends at the second.
  'take-back': async () => {
    void ask('elicitation/create', form({ name: { type: 'string' } }), 0)
    await waitFor('echo')
    write(TAKEN_BACK)
    await waitFor('echo')
    return text('taken back')
  },
  // Both in one write, so that they are read together.
  'take-back-at-once': async () => {
    const question = { id: 0, method: 'elicitation/create', params: form({}) }
    process.stdout.write(
      [question, TAKEN_BACK]
        .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
        .join(''),
    )
    await waitFor('echo')
    return text('taken back')
  },
  visit: async (id) => {
    calls += 1
    if (calls > 1) return text('visited')
    write({
      id,
      error: {
        code: -32042,
        message: 'Visit first',
        data: {
          elicitations: [
            {
              mode: 'url',
              url: 'https://example.com/login',
              message: 'Log in',
              elicitationId: 'e1',
            },
          ],
        },
      },
    })
    return undefined
  },
  rounds: async (_id, { inputResponses, requestState }) => {
    if (inputResponses === undefined)
      return {
        resultType: 'input_required',
        inputRequests: {
          who: { method: 'elicitation/create', params: form({ name: { type: 'string' } }) },
        },
        requestState: 'one',
      }
    if (requestState === 'one')
      return {
        resultType: 'input_required',
        inputRequests: {
          sure: { method: 'elicitation/create', params: form({ sure: { type: 'boolean' } }) },
        },
        requestState: `two:${inputResponses.who.content?.name}`,
      }
    return text({ inputResponses, requestState })
  },
  'rounds-for-ever': async () => ({
    resultType: 'input_required',
    inputRequests: { who: { method: 'elicitation/create', params: form({}) } },
  }),
  grow: async () => {
    TOOLS['grown'] = async () => text('grown')
    write({ method: 'notifications/tools/list_changed' })
    return text('grew')
  },
  cancelled: async () =>
    await new Promise((resolve) => (onCancelled = () => resolve(text('never seen')))),
  'was-cancelled': async () => text(String(wasCancelled)),
}
let onCancelled: () => void = () => {}
let wasCancelled = false
const waitingFor = new Map<string, () => void>()
const waitFor = async (name: string): Promise<true> =>
  await new Promise((resolve) => waitingFor.set(name, () => resolve(true)))

const list = (): Json => ({
  tools: [
    ...Object.keys(TOOLS).map((name) => ({
      name,
      inputSchema: { type: 'object' },
      ...(name.endsWith('-once') && { annotations: { readOnlyHint: true } }),
    })),
    {
      name: 'typed',
      inputSchema: { type: 'object' },
      outputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
    },
    ...(process.argv[2] === 'plain' ? [] : [{ name: 'no schema' }, 'no tool']),
  ],
})
// Not node:readline, which also ends lines at U+2028.
const read = createLineReader((line) => void answer(JSON.parse(line)))
process.stdin.on('data', read)

async function answer(message: Json): Promise<void> {
  const { id, method, params } = message
  if (method === undefined) return waiting.get(String(id))?.(message)
  if (method === 'notifications/cancelled') {
    wasCancelled = true
    onCancelled()
  }
  if (id === undefined) return
  if (process.argv[2] === 'mute') return
  switch (method) {
    case 'initialize':
      return write({
        id,
        result: {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'odd', version: '1' },
        },
      })
    case 'tools/list':
      if (process.argv[2] === 'end-at-list') {
        process.stderr.write('no list today\n')
        process.exit(5)
      }
      return write({ id, result: list() })
    case 'tools/call': {
      waitingFor.get(params.name)?.()
      const isAnswer = ['answer', 'typed'].includes(params.name)
      const result = await TOOLS[isAnswer ? 'answer' : params.name]?.(id, params)
      if (result !== undefined || isAnswer) write({ id, result: result ?? null })
      return undefined
    }
    default:
      return write({ id, error: { code: -32601, message: 'Method not found' } })
  }
}
