import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** One message of a request, as OpenAI's Chat API has them. */
export interface AskedMessage {
  role: string
  content: unknown
  tool_call_id?: string
}

/** What a provider answers: words, and names of tools to call, each with its arguments. */
export interface Said {
  text?: string
  calls?: readonly (readonly [name: string, values: object])[]
  /** Nothing is said before. */
  after?: Promise<void>
  /** Instead: an HTTP status. */
  status?: number
}

/** A provider on loopback that speaks as OpenAI does, and ends with the test. */
export async function startProvider(answer: (messages: readonly AskedMessage[]) => Said): Promise<{
  url: string
  asked: (readonly AskedMessage[])[]
}> {
  const asked: (readonly AskedMessage[])[] = []
  let calls = 0
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      const { messages } = JSON.parse(body)
      asked.push(messages)
      const { text = '', calls: named = [], status, after } = answer(messages)
      if (status !== undefined) {
        response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' })
        response.end(JSON.stringify({ error: { message: 'not now' } }))
        return
      }
      const write = (): void => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const say = (delta: object, finish: string | null = null): void =>
          void response.write(
            `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
          )
        for (const word of text.split(/(?<= )/)) say({ role: 'assistant', content: word })
        for (const [index, [name, values]] of named.entries())
          say({
            tool_calls: [
              {
                index,
                id: `call_${(calls += 1)}`,
                function: { name, arguments: JSON.stringify(values) },
              },
            ],
          })
        say({}, named.length > 0 ? 'tool_calls' : 'stop')
        response.end('data: [DONE]\n\n')
      }
      if (after) void after.then(write)
      else write()
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
