import { STORE } from './rows.ts'
import { createServer } from 'node:http'
import { listen } from './listen.ts'
import { anthropic } from './providers/anthropic.ts'
import { google } from './providers/google.ts'
import { openaiChat } from './providers/openai-chat.ts'
import { openaiResponses } from './providers/openai-responses.ts'

/** One message of a request, in the same form for every provider. */
export interface RequestMessage {
  role: string
  /** For the result of a tool: the content that the provider receives; JSON if it is not text. */
  content: unknown
}

/** A response of a provider: text, and names of tools to call, each with its arguments. Arguments in a string may be invalid JSON. */
export interface ProviderResponse {
  text?: string
  calls?: readonly (readonly [name: string, values: object | string])[]
  /** The reason why the message was cut. */
  cut?: Cut
  /** The tokens of the message. Default: small counts in the provider's format. */
  usage?: ResponseUsage
  /** The response waits for this promise. */
  after?: Promise<void>
  /** Responds with this HTTP status instead. */
  status?: number
}

/** Tokens as every provider counts them: the input, the part of it that was cached, and the output. */
export interface ResponseUsage {
  input: number
  cached: number
  output: number
}

/** The reason why a message of a model is cut. */
export type Cut = 'tokens' | 'filter' | 'error'

/** How requests of a provider are read, and how its responses are streamed. */
export interface Wire {
  read(body: never): readonly RequestMessage[]
  /** Returns all events of the stream; every call gets an id. */
  write(response: {
    pieces: readonly string[]
    calls: readonly ResponseCall[]
    cut?: Cut
    usage?: ResponseUsage
  }): readonly string[]
}

/** A call in a stream. */
interface ResponseCall {
  id: string
  name: string
  /** The arguments as text, unchanged. */
  values: string
}

/** The providers that the command supports, by their names in its configuration. */
export const PROVIDERS = {
  anthropic,
  openai: openaiResponses,
  google,
  'openai-compatible': openaiChat,
} as const satisfies Record<string, Wire>

/** A failure response with the fields of all providers. */
const FAILURE = { message: 'not now', type: 'some_error', param: null, code: 429, status: 'SOME' }

/** A provider on loopback, with all of its requests. */
export interface Provider {
  url: string
  /** TOML for `toolblocks.toml` that makes it the workspace's model. */
  settings: string
  /** The messages of each request. */
  requestMessages: (readonly RequestMessage[])[]
  /** The unchanged body of each request. */
  requests: Readonly<Record<string, unknown>>[]
  /** Returns the tool results in the last request. */
  results(): readonly string[]
}

/**
 * Starts a provider that returns these messages one after the other, or the response of a function to each request. Default protocol: OpenAI's Chat
 * API. It ends with the test.
 */
export async function startProvider(
  answer: readonly ProviderResponse[] | ((messages: readonly RequestMessage[]) => ProviderResponse),
  name: keyof typeof PROVIDERS = 'openai-compatible',
): Promise<Provider> {
  const { read, write }: Wire = PROVIDERS[name]
  const asked: (readonly RequestMessage[])[] = []
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
        const pieces = text === '' ? [] : text.split(/(?<= )/)
        response.end(
          write({ pieces, calls, ...(cut && { cut }), ...(usage && { usage }) }).join(''),
        )
      }
      if (after) void after.then(say)
      else say()
    })
  })
  const url = `${await listen(server)}/v1`
  // The key is the name of a variable that every process has.
  const key = name === 'openai-compatible' ? '' : 'api_key_env = "PATH"\n'
  return {
    url,
    settings: `${STORE}[model]\nprovider = "${name}"\nname = "m"\nbase_url = "${url}"\n${key}`,
    requestMessages: asked,
    requests,
    results: () => (asked.at(-1) ?? []).filter(isResult).map(({ content }) => String(content)),
  }
}

function isResult({ role }: RequestMessage): boolean {
  return role === 'tool'
}

/** Returns the last message of the person. */
export function getLastMessage(messages: readonly RequestMessage[]): string {
  const { content } = messages.findLast(({ role }) => role === 'user') ?? {}
  return typeof content === 'string' ? content : JSON.stringify(content)
}

/** Whether tool results follow it. */
export function hasResults(messages: readonly RequestMessage[]): boolean {
  return messages.at(-1)?.role === 'tool'
}

/** Returns each tool's definition in a request of OpenAI's Chat API, by the tool's name. */
export function getToolDefinitions(
  request: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, object>> {
  const tools = (request['tools'] ?? []) as readonly { function: { name: string } }[]
  return Object.fromEntries(tools.map((each) => [each.function.name, each.function]))
}
