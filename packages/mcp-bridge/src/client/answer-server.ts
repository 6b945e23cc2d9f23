import {
  type Answer,
  type InputRequest,
  isSecret,
  type JsonObject,
  type JsonValue,
  type Problem,
  type ToolCall,
  isJsonObject,
} from '@toolblocks/protocol'
import { MAX_INQUIRY_ROUNDS, getErrorText } from '@toolblocks/protocol/internal'
import { compileSchema } from '@toolblocks/schema-check'
import { INTERNAL_ERROR, METHOD_NOT_FOUND, RpcError } from '../wire/message.ts'
import type { BridgeProblem } from './failures.ts'
import type { ServerHooks } from './mcp-server.ts'
import type { RunningCall, RunningCalls } from './running-calls.ts'

/** The server that asks, and its running calls. */
export interface AskingServer {
  /** The configured name: the name that the server sends is not trusted. */
  server: string
  calls: RunningCalls
  hooks: ServerHooks
}

/** The fields to add when the same call is made again. */
export interface Retry {
  inputResponses?: JsonObject
  requestState?: string
}

/**
 * Answers the `inputRequests` of a result one after the other, in order. Only the answers of this round are sent; the server keeps earlier ones in
 * the `requestState`, which it gets back unchanged.
 */
export async function answerInputRequired(
  document: JsonObject,
  running: RunningCall,
  asking: AskingServer & Pick<ServerQuestion, 'isRepeated'>,
): Promise<Retry> {
  const { inputRequests, requestState } = document
  const requests = Object.entries(isJsonObject(inputRequests) ? inputRequests : {})
  const responses: [string, JsonObject][] = []
  for (const [index, [key, request]] of requests.entries()) {
    const more = requests.length - index - 1
    responses.push([key, await answerOne(key, request, { running, asking, more })])
  }
  return {
    ...(responses.length > 0 && { inputResponses: Object.fromEntries(responses) }),
    ...(typeof requestState === 'string' && { requestState }),
  }
}

async function answerOne(
  key: string,
  request: unknown,
  {
    running,
    asking,
    more,
  }: {
    running: RunningCall
    asking: Parameters<typeof answerInputRequired>[2]
    more: number
  },
): Promise<JsonObject> {
  const { method, params: sentParams } = isJsonObject(request) ? request : {}
  const params = isJsonObject(sentParams) ? sentParams : {}
  const { signal } = running.deadline
  if (method === 'elicitation/create') {
    const elicitation = readElicitation(params)
    if (!elicitation) return { action: 'cancel' }
    const { isRepeated = false } = asking
    const question = { id: key, signal, isRepeated, more }
    return { ...(await answerElicitation(elicitation, running, asking, question)) }
  }
  return typeof method === 'string'
    ? await answerByHook(method, { params, signal, call: running.call }, asking).catch(
        createEmptyResponse,
      )
    : {}
}

/** A response cannot express a refusal, so it is empty. */
function createEmptyResponse(): JsonObject {
  return {}
}

/** Answers a request of a server to its host that needs no person. Rejects with an `RpcError` if the capability was not declared. */
export async function answerByHook(
  method: string,
  {
    params,
    signal,
    call,
  }: { params: JsonObject; signal: AbortSignal; call?: ToolCall | undefined },
  { hooks: { listRoots, createMessage } }: AskingServer,
): Promise<JsonObject> {
  const asked = method === 'sampling/createMessage' ? createMessage : undefined
  const hook = method === 'roots/list' ? listRoots : asked
  if (!hook) throw new RpcError(METHOD_NOT_FOUND, `Method not found: ${method}`)
  try {
    return await hook(params, signal, call)
  } catch (error) {
    if (error instanceof RpcError) throw error
    // The server does not receive internals of the host.
    throw new RpcError(INTERNAL_ERROR, 'The host could not answer.')
  }
}

/** A question of a server to a person. */
export type Elicitation =
  | { mode: 'form'; message: string; schema: JsonObject }
  /** `elicitationId`: how the server announces later that the visit is complete. */
  | { mode: 'url'; message: string; url: string; elicitationId?: string }

/** Reads the parameters of `elicitation/create` without loss: the SDKs drop `pattern` and some kinds of fields. */
export function readElicitation(params: unknown): Elicitation | undefined {
  if (!isJsonObject(params)) return undefined
  const { mode = 'form', url, requestedSchema, elicitationId: id } = params
  const message = typeof params['message'] === 'string' ? params['message'] : ''
  if (mode === 'url')
    return typeof url === 'string'
      ? { mode, message, url, ...(typeof id === 'string' && { elicitationId: id }) }
      : undefined
  if (mode !== 'form' || !isJsonObject(requestedSchema)) return undefined
  return { mode, message, schema: { type: 'object', ...requestedSchema } }
}

/** The answer as MCP's `ElicitResult`. */
export type ElicitResult =
  | { action: 'accept'; content?: Readonly<Record<string, JsonValue>> }
  | { action: 'decline' }
  | { action: 'cancel' }

/** One question of a server during a call. */
export interface ServerQuestion {
  /** Unique within the call. Default: `elicitation`, `elicitation-2` and so on; routes may name it. */
  id?: string
  signal: AbortSignal
  /** Whether the server asks while several calls run and its message does not identify the call. */
  isOfAnyCall?: boolean
  /** Whether the server asks again if the call is made again. Default: false. */
  isRepeated?: boolean
  /** How many more questions the server has asked together with this one. Default: 0. */
  more?: number
}

/**
 * Asks a person a server's question; the timeouts of the server's calls are paused meanwhile. After too many questions of one call, no person is
 * asked. Declining and cancelling are answers too. An accepted form has the defaults of omitted fields, unless they were shown elsewhere, only fields that were asked for,
 * and valid values. A form that asks for secrets is declined without asking.
 */
export async function answerElicitation(
  elicitation: Elicitation,
  running: RunningCall,
  { server, calls, hooks }: AskingServer,
  { id, signal, isOfAnyCall = false, isRepeated = false, more = 0 }: ServerQuestion,
): Promise<ElicitResult> {
  running.asked += 1
  if (running.asked > MAX_INQUIRY_ROUNDS) return { action: 'cancel' }
  const { context, call } = running
  const warn = (message: string): void => void running.warnings.push(refused(message))
  const elicitationId = id ?? questionId(running)
  const source = {
    kind: 'elicitation',
    server,
    ...(!isOfAnyCall && { call }),
    ...(isRepeated && { isRepeated }),
    ...(elicitation.mode === 'url' &&
      elicitation.elicitationId !== undefined && { elicitationId: elicitation.elicitationId }),
  } as const

  /** If the port fails there is no answer; the server does not receive the reason. */
  async function ask(request: Omit<InputRequest, 'id'>): Promise<Answer> {
    if (!context.ask) return { action: 'cancel', reason: 'nobody' }
    try {
      const asking = { blocks: [], source, signal, ...(more > 0 && { more }) }
      return await context.ask({ id: elicitationId, ...request }, asking)
    } catch (error) {
      const why = getErrorText(error)
      warn(`Asking for the server "${server}" failed: ${why}.`)
      return { action: 'cancel', reason: 'failed' }
    }
  }

  const resume = calls.pause()
  try {
    switch (elicitation.mode) {
      case 'url': {
        const { message, url } = elicitation
        const answer = await ask({ text: message, schema: { type: 'boolean' }, url })
        if (answer.action !== 'accept') return { action: answer.action }
        return { action: answer.value === false ? 'decline' : 'accept' }
      }
      case 'form':
        return await answerForm(elicitation, { server, ask, warn, hooks })
    }
  } finally {
    resume()
  }
}

/** Returns the id of the next question of a call. */
export function questionId({ asked }: RunningCall): string {
  return asked < 2 ? 'elicitation' : `elicitation-${asked}`
}

async function answerForm(
  { message, schema }: Extract<Elicitation, { mode: 'form' }>,
  {
    server,
    ask,
    warn,
    hooks: { areDefaultsShown = false },
  }: {
    server: string
    hooks: ServerHooks
    ask: (request: Omit<InputRequest, 'id'>) => Promise<Answer>
    warn: (message: string) => void
  },
): Promise<ElicitResult> {
  // Decided by its fields, not by words in its text.
  if (isSecret({ id: '', schema })) {
    warn(`The server "${server}" asked for a secret in a form. It was declined without asking.`)
    return { action: 'decline' }
  }
  const compiled = compileSchema(schema)
  if (!compiled.ok) {
    warn(
      `The server "${server}" asked with a form that is not a valid JSON Schema: ${inOneLine(compiled.problems)}.`,
    )
    return { action: 'cancel' }
  }
  const defaults = getDefaults(schema)
  const isWhole = compiled.check(defaults).verdict === 'valid' && Object.keys(defaults).length > 0
  const answer = await ask({ text: message, schema, ...(isWhole && { default: { ...defaults } }) })
  if (answer.action !== 'accept') return { action: answer.action }
  const answered = pickAskedProperties(answer.value, schema)
  const content = areDefaultsShown ? answered : { ...defaults, ...answered }
  const { verdict, problems } = compiled.check(content)
  if (verdict !== 'invalid') return { action: 'accept', content }
  warn(
    `The answer for the server "${server}" does not match its form and was not sent: ${inOneLine(problems)}.`,
  )
  return { action: 'cancel' }
}

function inOneLine(problems: readonly Problem[]): string {
  return problems.map(({ message }) => message).join('; ')
}

/** Returns the defaults of a form's fields, by name. */
function getDefaults({ properties }: JsonObject): Readonly<Record<string, JsonValue>> {
  const defaults: [string, JsonValue][] = []
  for (const [name, property] of Object.entries(isJsonObject(properties) ? properties : {}))
    if (isJsonObject(property) && property['default'] !== undefined)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it came as JSON
      defaults.push([name, property['default'] as JsonValue])
  return Object.fromEntries(defaults)
}

function pickAskedProperties(
  value: JsonValue,
  { properties }: JsonObject,
): Readonly<Record<string, JsonValue>> {
  if (!isJsonObject(value)) return {}
  const names = new Set(isJsonObject(properties) ? Object.keys(properties) : [])
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.has(name)))
}

function refused(message: string): BridgeProblem {
  return { path: '', message, code: 'elicitation-refused' }
}
