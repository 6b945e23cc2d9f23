import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { openaiChat } from './openai-chat.suite.ts'

/** One message of a request, whichever provider is asked. */
export interface AskedMessage {
  role: string
  /** Of a result of a tool: what the provider is given, as JSON where it is no text. */
  content: unknown
}

/** What a provider answers: words, and names of tools to call, each with its arguments; those in a string are no JSON. */
export interface Said {
  text?: string
  calls?: readonly (readonly [name: string, values: object | string])[]
  /** Nothing is said before. */
  after?: Promise<void>
  /** Instead: an HTTP status. */
  status?: number
}

/** How a provider is asked, and how it streams what it says. */
export interface Wire {
  read(body: never): readonly AskedMessage[]
  /** All events of its stream; every call gets an id. */
  write(said: { words: readonly string[]; calls: readonly SaidCall[] }): readonly string[]
}

/** A call as it is streamed. */
interface SaidCall {
  id: string
  name: string
  /** As they come. */
  values: string
}

/** As the provider would fail; the fields of each are beside each other. */
const FAILURE = { message: 'not now', type: 'some_error', param: null, code: 429, status: 'SOME' }

/** A provider on loopback, by default one that speaks as OpenAI's Chat API does; it ends with the test. */
export async function startProvider(
  answer: (messages: readonly AskedMessage[]) => Said,
  { read, write }: Wire = openaiChat,
): Promise<{
  url: string
  asked: (readonly AskedMessage[])[]
}> {
  const asked: (readonly AskedMessage[])[] = []
  let made = 0
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each wire reads its own
      const messages = read(JSON.parse(body) as never)
      asked.push(messages)
      const { text = '', calls: named = [], status, after } = answer(messages)
      if (status !== undefined) {
        response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' })
        response.end(JSON.stringify({ type: 'error', error: { ...FAILURE, code: status } }))
        return
      }
      const calls = named.map(([name, values]) => ({
        id: `call_${(made += 1)}`,
        name,
        values: typeof values === 'string' ? values : JSON.stringify(values),
      }))
      const say = (): void => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end(write({ words: text.split(/(?<= )/), calls }).join(''))
      }
      if (after) void after.then(say)
      else say()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v1`, asked }
}

/** The last thing that a person said. */
export function lastWords(messages: readonly AskedMessage[]): string {
  const { content } = messages.findLast(({ role }) => role === 'user') ?? {}
  return typeof content === 'string' ? content : JSON.stringify(content)
}

/** Whether tools have answered since. */
export function hasResults(messages: readonly AskedMessage[]): boolean {
  return messages.at(-1)?.role === 'tool'
}
