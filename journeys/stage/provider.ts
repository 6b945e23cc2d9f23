import { STORE } from './rows.ts'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { anthropic } from './providers/anthropic.ts'
import { google } from './providers/google.ts'
import { openaiChat } from './providers/openai-chat.ts'
import { openaiResponses } from './providers/openai-responses.ts'

/** One message of a request, whichever provider is asked. */
export interface AskedMessage {
  role: string
  /** Of a result of a tool: what the provider is given, as JSON where it is not text. */
  content: unknown
}

/** What a provider answers: words, and names of tools to call, each with its arguments; those in a string are not always JSON. */
export interface Said {
  text?: string
  calls?: readonly (readonly [name: string, values: object | string])[]
  /** What ended the message before its end. */
  cut?: Cut
  /** Tokens that it took. Default: what the provider says where it counts little. */
  usage?: SaidUsage
  /** Nothing is said before. */
  after?: Promise<void>
  /** Instead: an HTTP status. */
  status?: number
}

/** Tokens as every provider counts them: all that it read, how many of them from its cache, and what it wrote. */
export interface SaidUsage {
  input: number
  cached: number
  output: number
}

/** Why a message of a model ends before its end. */
export type Cut = 'tokens' | 'filter' | 'error'

/** How a provider is asked, and how it streams what it says. */
export interface Wire {
  read(body: never): readonly AskedMessage[]
  /** All events of its stream; every call gets an id. */
  write(said: {
    words: readonly string[]
    calls: readonly SaidCall[]
    cut?: Cut
    usage?: SaidUsage
  }): readonly string[]
}

/** A call as it is streamed. */
interface SaidCall {
  id: string
  name: string
  /** As they come. */
  values: string
}

/** The providers that the command can talk to, by their names in its configuration. */
export const PROVIDERS = {
  anthropic,
  openai: openaiResponses,
  google,
  'openai-compatible': openaiChat,
} as const satisfies Record<string, Wire>

/** As the provider would fail; the fields of each are beside each other. */
const FAILURE = { message: 'not now', type: 'some_error', param: null, code: 429, status: 'SOME' }

/** A provider on loopback, with all that it was asked. */
export interface Provider {
  url: string
  /** For `toolblocks.toml`: it is the workspace's model. */
  settings: string
  /** The messages of each request. */
  asked: (readonly AskedMessage[])[]
  /** The body of each request, as it came. */
  requests: Readonly<Record<string, unknown>>[]
  /** What the model was given as results of tools in the last request. */
  results(): readonly string[]
}

/**
 * Starts a provider that says these messages one after the other, or what it makes of a request; by default it speaks as OpenAI's Chat
 * API does. It ends with the test.
 */
export async function startProvider(
  answer: readonly Said[] | ((messages: readonly AskedMessage[]) => Said),
  name: keyof typeof PROVIDERS = 'openai-compatible',
): Promise<Provider> {
  const { read, write }: Wire = PROVIDERS[name]
  const asked: (readonly AskedMessage[])[] = []
  const requests: Readonly<Record<string, unknown>>[] = []
  const answerTo =
    typeof answer === 'function'
      ? answer
      : () => answer[asked.length - 1] ?? { text: 'I have nothing more to say.' }
  let made = 0
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      requests.push(JSON.parse(body))
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each wire reads its own
      const messages = read(JSON.parse(body) as never)
      asked.push(messages)
      const { text = '', calls: named = [], status, after, cut, usage } = answerTo(messages)
      if (status !== undefined) {
        response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' })
        response.end(JSON.stringify({ type: 'error', error: { ...FAILURE, code: status } }))
        return
      }
      const calls = named.map(([tool, values]) => ({
        id: `call_${(made += 1)}`,
        name: tool,
        values: typeof values === 'string' ? values : JSON.stringify(values),
      }))
      const say = (): void => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const words = text === '' ? [] : text.split(/(?<= )/)
        response.end(write({ words, calls, ...(cut && { cut }), ...(usage && { usage }) }).join(''))
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
  const url = `http://127.0.0.1:${port}/v1`
  // The key is the name of a variable that every process has.
  const key = name === 'openai-compatible' ? '' : 'api_key_env = "PATH"\n'
  return {
    url,
    settings: `${STORE}[model]\nprovider = "${name}"\nname = "m"\nbase_url = "${url}"\n${key}`,
    asked,
    requests,
    results: () => (asked.at(-1) ?? []).filter(isResult).map(({ content }) => String(content)),
  }
}

function isResult({ role }: AskedMessage): boolean {
  return role === 'tool'
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

/** What a model of OpenAI's Chat API was told of each tool in a request, by the tool's name. */
export function getTold(
  request: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, object>> {
  const tools = (request['tools'] ?? []) as readonly { function: { name: string } }[]
  return Object.fromEntries(tools.map((each) => [each.function.name, each.function]))
}
