// An MCP server whose results mix kinds of content, as real servers do. Each tool takes no arguments; its text, structure, picture, link and file have
// contents that are found again in a request of a model. The tool `wait` answers late, and `long_text` has the characters that it is asked for.
// An argument names a file to which the server appends each message that it receives, with its time.
import { appendFileSync } from 'node:fs'

export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const PDF = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj 3 0 obj<</Type/Page/MediaBox[0 0 9 9]/Parent 2 0 R>>endobj\ntrailer<</Root 1 0 R>>\n',
).toString('base64')

const text = (value, annotations) => ({
  type: 'text',
  text: value,
  ...(annotations && { annotations }),
})
const picture = { type: 'image', data: PNG, mimeType: 'image/png' }

/** The result of each tool, with the texts that its model must receive (`says`) and must not receive (`hides`), by the name of the check. */
export const MIXED = {
  text_and_structure: {
    result: { content: [text('alpha-text')], structuredContent: { value: 'alpha-structure' } },
    says: { 'text beside structure': 'alpha-text', 'structure beside text': 'alpha-structure' },
  },
  picture_and_structure: {
    result: { content: [picture], structuredContent: { value: 'beta-structure' } },
    says: { 'picture beside structure': PNG, 'structure beside picture': 'beta-structure' },
  },
  error_and_structure: {
    result: {
      content: [text('gamma-error')],
      structuredContent: { value: 'gamma-structure' },
      isError: true,
    },
    says: { 'text of an error': 'gamma-error', 'structure of an error': 'gamma-structure' },
  },
  structure_alone: {
    result: { content: [], structuredContent: { value: 'delta-structure' } },
    says: { 'structure alone': 'delta-structure' },
  },
  for_the_user: {
    result: {
      content: [text('epsilon-model'), text('epsilon-user', { audience: ['user'] })],
    },
    says: { 'text beside one for the user': 'epsilon-model' },
    hides: { 'text for the user alone': 'epsilon-user' },
  },
  link: {
    result: {
      content: [
        text('zeta-text'),
        { type: 'resource_link', uri: 'demo://zeta-link', name: 'zeta-name' },
      ],
    },
    says: { link: 'demo://zeta-link' },
  },
  document: {
    result: {
      content: [
        {
          type: 'resource',
          resource: { uri: 'demo://eta-file.pdf', mimeType: 'application/pdf', blob: PDF },
        },
      ],
    },
    says: { 'address of a PDF': 'demo://eta-file.pdf' },
  },
  resource_and_structure: {
    result: {
      content: [
        {
          type: 'resource',
          resource: { uri: 'demo://theta', mimeType: 'text/plain', text: 'theta-text' },
        },
      ],
      structuredContent: { value: 'theta-structure' },
    },
    says: { 'resource beside structure': 'theta-text' },
  },
}

/** The most characters of `long_text`. Its pieces of 10 characters are numbered, so it can be counted which of them a model received. */
export const LONG_CHARACTERS = 200_000
const PIECE = /~\d{8}/g

function writeLongText({ characters = LONG_CHARACTERS } = {}) {
  const pieces = Array.from(
    { length: characters / 10 },
    (_, index) => `~${String(index).padStart(8, '0')}${index % 10 === 9 ? '\n' : ' '}`,
  )
  return pieces.join('')
}

/** Counts the characters of `long_text` in a request. */
export function countLongText(request) {
  return new Set(request.match(PIECE)).size * 10
}

/** Milliseconds between the progress of `wait`. */
const PROGRESS_MS = 5000
const WAIT_ARGUMENTS = {
  type: 'object',
  properties: { seconds: { type: 'number' }, progress: { type: 'boolean' } },
  required: ['seconds', 'progress'],
}

const LENGTH_ARGUMENTS = { type: 'object', properties: { characters: { type: 'number' } } }

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

async function wait({ arguments: { seconds, progress }, _meta: meta }) {
  const token = meta?.progressToken
  let made = 0
  const timer =
    progress && token !== undefined
      ? setInterval(() => {
          const params = { progressToken: token, progress: (made += 1), message: 'Still at work.' }
          send({ method: 'notifications/progress', params })
        }, PROGRESS_MS)
      : undefined
  await new Promise((done) => setTimeout(done, seconds * 1000))
  clearInterval(timer)
  return { content: [text('Waited.')] }
}

async function call(params) {
  if (params.name === 'wait') return await wait(params)
  if (params.name === 'long_text') return { content: [text(writeLongText(params.arguments))] }
  return MIXED[params.name].result
}

const NO_ARGUMENTS = { type: 'object', properties: {} }

function describeTool(name, inputSchema = NO_ARGUMENTS) {
  const description = `Returns the result ${name}.`
  return { name, description, inputSchema, annotations: { readOnlyHint: true } }
}

function listTools() {
  const mixed = Object.keys(MIXED).map((name) => describeTool(name))
  return [
    ...mixed,
    describeTool('wait', WAIT_ARGUMENTS),
    describeTool('long_text', LENGTH_ARGUMENTS),
  ]
}

async function answer({ method, params }) {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'mixed', version: '1.0.0' },
      }
    case 'tools/list':
      return { tools: listTools() }
    case 'tools/call':
      return await call(params)
    default:
      return {}
  }
}

if (process.argv[1] === import.meta.filename) {
  const [, , log] = process.argv
  const note = (message) => {
    if (log) appendFileSync(log, `${JSON.stringify({ time: Date.now(), ...message })}\n`)
  }
  process.stdin.setEncoding('utf8')
  let rest = ''
  process.stdin.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines.filter((each) => each.trim() !== '')) {
      const message = JSON.parse(line)
      note(message)
      if (message.id === undefined || message.method === undefined) continue
      void answer(message).then((result) => send({ id: message.id, result }))
    }
  })
  process.stdin.on('end', () => {
    note({ method: 'end' })
    process.exit()
  })
}
