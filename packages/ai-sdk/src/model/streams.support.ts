import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { ModelResponse, ModelMessage, ModelRequest } from '@toolblocks/formatter'
import type { ContentBlock, ToolResult } from '@toolblocks/protocol'
import { onTestFinished } from 'vitest'
import type { ModelEvent } from '@toolblocks/agent'
import { createAiSdkModel } from './create-ai-sdk-model.ts'

/** One HTTP response of a provider on loopback. */
export interface Served {
  status?: number
  headers?: Readonly<Record<string, string>>
  lines: readonly string[]
  /** The connection is closed after the lines, without an end. */
  breaks?: boolean
}

/** Starts a provider that sends these responses in order, and then repeats the last one. It ends with the test. */
export async function serve(...answers: readonly [Served, ...Served[]]): Promise<{
  url: string
  bodies: unknown[]
  paths: (string | undefined)[]
  stop: () => Promise<void>
}> {
  const bodies: unknown[] = []
  const paths: (string | undefined)[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      const {
        status = 200,
        headers = {},
        lines,
        breaks,
      } = answers[bodies.length] ?? answers.at(-1)!
      bodies.push(JSON.parse(body))
      paths.push(request.url)
      const type = status === 200 ? 'text/event-stream' : 'application/json'
      response.writeHead(status, { 'content-type': type, ...headers })
      response.write(lines.join(''), () => {
        if (breaks) response.destroy()
        else response.end()
      })
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const stop = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
  onTestFinished(stop)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v1`, bodies, paths, stop }
}

/** Formats one event of a stream. */
export const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

const HELLO: ModelMessage = { role: 'user', content: [{ type: 'text', text: 'Hi.' }] }
const READ = { name: 'fs.read', summary: 'Reads.', inputSchema: { type: 'object', properties: {} } }

/** Returns all events of a model. */
export async function ask(
  model: LanguageModelV4,
  messages: readonly ModelMessage[] = [HELLO],
): Promise<ModelEvent[]> {
  const request: ModelRequest = { messages, tools: [READ], instructions: 'Be brief.' }
  const { signal } = new AbortController()
  const events: ModelEvent[] = []
  for await (const event of createAiSdkModel(model, {})(request, signal)) events.push(event)
  return events
}

/** Returns the complete message. */
export function makeMessage(events: readonly ModelEvent[]): ModelResponse {
  const last = events.at(-1)
  if (last?.type !== 'message') throw new Error('there is no message')
  return last.message
}

export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Adds results to the calls of a message: a picture to the first one, text to the others. */
export async function answerWithPicture(
  model: LanguageModelV4,
  message: ModelResponse,
): Promise<ModelEvent[]> {
  const results = message.calls.map(({ id, name }, index) => {
    const content: ContentBlock[] =
      index === 0
        ? [
            { type: 'text', text: 'A pixel:' },
            { type: 'image', data: PNG, mimeType: 'image/png' },
          ]
        : [{ type: 'text', text: `No ${name}.` }]
    const result: ToolResult = { id, content, isError: index > 0 }
    return { call: { id, name }, result }
  })
  return await ask(model, [HELLO, message, { role: 'tool', results }])
}

/** Refusals that every provider sends before a response, and the resulting errors. */
export const REFUSALS = [
  [429, 'unavailable'],
  [500, 'unavailable'],
  [401, 'refused'],
  [400, 'refused'],
] as const
