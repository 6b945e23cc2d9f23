import {
  type ContentBlock,
  type InputRequest,
  isContentBlock,
  isInputRequest,
  type JsonValue,
  type ToolCall,
  isJsonObject,
} from '@toolblocks/protocol'
import { isToolCall } from '@toolblocks/protocol/internal'

/** The states of a pending question. It leaves `open` once, and never returns to it. */
export const PENDING_STATES = ['open', 'answered', 'declined', 'expired', 'withdrawn'] as const

/**
 * The state of a pending question. `answered` and `declined`: by a person. `expired`: no answer came in time, which is not an answer. `withdrawn`: its
 * host does not ask any more.
 */
export type PendingState = (typeof PENDING_STATES)[number]

/** A question or an approval that waits for a person. It is stored, so that it can be answered later and from anywhere, once. */
export interface PendingQuestion {
  /** A short name, unique in its store. */
  id: string
  state: PendingState
  /** `approval`: whether a call may run. Its answer is `true`; denying is declining. */
  kind: 'question' | 'approval'
  /** The call that asks, or the call to approve. */
  call: ToolCall
  /** The id of the conversation of the call. */
  conversation: string
  /** The turn of the call, counted from 1. */
  turn: number
  /** The agents that started the call, the outermost first. Absent: the conversation's own model made the call. */
  agents?: readonly string[]
  /** The configured name of the MCP server that asks, or with `approval` of the one whose tool is called. Absent: no server. */
  server?: string
  /** The MCP client that made the call, as it names itself. Absent: this program's own model made the call, or the client is unknown. */
  client?: AskingClient
  /** What is asked, without secrets. */
  request: InputRequest
  /** What a person must see before the answer: the blocks before the question, or the call as its tool formats it. */
  blocks: readonly ContentBlock[]
  /** The blocks after the question. */
  after?: readonly ContentBlock[]
  /** Whether only a person at the asking host can answer, because the answer is a secret or a page to visit. */
  isLocal: boolean
  /** Whether the call can be made again with the answer. If not, the question ends with its host. */
  isRepeatable: boolean
  /** Identifies the definition of the tool. If it has changed, an answer does not count. */
  definition: string
  /** The host that asks. */
  host: string
  /** ISO 8601, UTC. */
  askedAt: string
  /** From this time on it is `expired`: ISO 8601, UTC. Absent: it does not expire. */
  expiresAt?: string
  /** How it left the state `open`. */
  settled?: Settlement
}

/** An MCP client as it names itself, which nobody has checked. */
export interface AskingClient {
  name: string
  version?: string
}

/** How a question was answered, or why it is not asked any more. */
export interface Settlement {
  /** ISO 8601, UTC. */
  at: string
  /** Where: `terminal`, `page`, `command`, the name of a host, `time` with `expired`, or `lease` if its host has ended. */
  by: string
  /** With `answered`: the answer. Absent for a secret, which is never stored. */
  value?: JsonValue
  /** With `answered` of an approval: the arguments that a person changed. */
  arguments?: ToolCall['arguments']
  /** A person's comment, or why it was withdrawn. */
  reason?: string
}

/** Whether a value is a `PendingQuestion`. States of newer versions are not. */
export function isPendingQuestion(value: unknown): value is PendingQuestion {
  if (!isJsonObject(value)) return false
  const { state, kind, call, turn, agents = [], server = '', request, blocks, after = [] } = value
  const { isLocal, isRepeatable, expiresAt = '', settled = NOT_SETTLED, client = NO_CLIENT } = value
  const { id, conversation, definition, host, askedAt } = value
  return (
    [id, conversation, definition, host, askedAt, server, expiresAt].every(isText) &&
    PENDING_STATES.some((each) => each === state) &&
    (kind === 'question' || kind === 'approval') &&
    isToolCall(call) &&
    Number.isSafeInteger(turn) &&
    Array.isArray(agents) &&
    agents.every(isText) &&
    isAskingClient(client) &&
    isInputRequest(request) &&
    [blocks, after].every((list) => Array.isArray(list) && list.every(isContentBlock)) &&
    typeof isLocal === 'boolean' &&
    typeof isRepeatable === 'boolean' &&
    isSettlement(settled)
  )
}

const NOT_SETTLED = { at: '', by: '' }
const NO_CLIENT = { name: '' }

function isAskingClient(value: unknown): boolean {
  return isJsonObject(value) && isText(value['name']) && isText(value['version'] ?? '')
}

function isSettlement(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  const { at, by, arguments: changed = {}, reason = '' } = value
  return [at, by, reason].every(isText) && isJsonObject(changed)
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

/** Returns the question as it is at a time: an open one whose time is over has expired. */
export function toPresentState(question: PendingQuestion, now: Date): PendingQuestion {
  const { state, expiresAt } = question
  if (state !== 'open' || expiresAt === undefined || new Date(expiresAt) > now) return question
  return { ...question, state: 'expired', settled: { at: expiresAt, by: 'time' } }
}

/** The reason with which the signal of a question aborts when the question was settled elsewhere, or has expired. */
export class SettledElsewhere extends Error {
  override name = 'SettledElsewhere'
  /** The question in its final state. */
  readonly question: PendingQuestion

  constructor(question: PendingQuestion) {
    super(`The question "${question.id}" was settled elsewhere.`)
    this.question = question
  }
}
