import { isToolResult, type ToolResult as Result, isJsonObject } from '@toolblocks/protocol'
import { getOwnField } from '@toolblocks/protocol/internal'
import { showArguments, summarizeArguments } from '@toolblocks/renderer/internal'
import {
  sanitizePageDecision,
  sanitizePageLine,
  sanitizePageText,
} from '@toolblocks/renderer/internal/html'
import { createElement as h, type ReactElement, type ReactNode } from 'react'
import { ApprovalCard, type Decision } from '../question/approval-card.ts'
import type { AnswerRefusal } from '../question/refusal.ts'
import { renderParts } from '../result/render-part.ts'
import { WHOLE, type ResultOptions, ToolResult } from '../result/tool-result.ts'

/** All states of a call in a message. */
const TOOL_STATES = [
  'input-streaming',
  'input-available',
  'approval-requested',
  'approval-responded',
  'output-available',
  'output-error',
  'output-denied',
] as const

/** The state of a call in a message. */
export type ToolPartState = (typeof TOOL_STATES)[number]

/** A call in a message: what a tool part of a `UIMessage` of the AI SDK has, static (`tool-NAME`) and dynamic (`dynamic-tool`). */
export interface ToolPartData {
  /** `dynamic-tool`, or `tool-` and the name of the tool. */
  type: string
  /** Unique in the conversation. */
  toolCallId: string
  state: ToolPartState
  /** The name of the tool, of a dynamic part. */
  toolName?: string | undefined
  title?: string | undefined
  /** The arguments. */
  input?: unknown
  /** The text of the arguments until now. */
  rawInput?: unknown
  /** A `ToolResult`, or any value of another tool. */
  output?: unknown
  /** Why the call failed, with the state `output-error`. */
  errorText?: string | undefined
  /** Whether more output follows. Default: false. */
  preliminary?: boolean | undefined
  approval?:
    | {
        id: string
        /** Absent: nobody has decided. */
        approved?: boolean | undefined
        /** The comment of the person who decided. */
        reason?: string | undefined
        /** Why it is asked. */
        requestReason?: string | undefined
      }
    | undefined
}

/** Whether a part of a message is a call of a tool. */
export function isToolPart(part: { type: string }): part is ToolPartData {
  if (!part.type.startsWith('tool-') && part.type !== 'dynamic-tool') return false
  return (
    isJsonObject(part) &&
    typeof getOwnField(part, 'toolCallId') === 'string' &&
    TOOL_STATES.some((state) => state === getOwnField(part, 'state'))
  )
}

/** What `addToolApprovalResponse` of the AI SDK takes. */
export interface ApprovalResponse {
  /** The id of the approval. */
  id: string
  /** Whether the call may run. */
  approved: boolean
  /** The person's comment. */
  reason?: string
}

/** The properties of `ToolPart`. */
export interface ToolPartProps extends ResultOptions {
  part: ToolPartData
  /** Receives the decision about the call. It may return why the decision does not count. Absent: the call is shown, and cannot be decided about. */
  onApproval?(response: ApprovalResponse): void | AnswerRefusal | PromiseLike<void | AnswerRefusal>
}

/** A call in a message: its name and state, its arguments, the question whether it may run, and its result. */
export function ToolPart({ part, onApproval, ...options }: ToolPartProps): ReactElement {
  const name = getToolName(part)
  const title = part.title ?? name
  const isFailed =
    part.state === 'output-error' ||
    (part.state === 'output-available' && isToolResult(part.output) && part.output.isError)
  return h(
    'div',
    {
      role: 'group',
      className: 'tb tb-call',
      'data-state': part.state,
      'data-outcome': isFailed ? 'error' : undefined,
      'aria-label': `Call of ${sanitizePageLine(title)}`,
    },
    h(
      'p',
      { className: 'tb-call-head' },
      h('strong', null, sanitizePageLine(title)),
      title === name ? null : h('code', null, sanitizePageLine(name)),
      h('span', { role: 'status', className: 'tb-facts' }, describeState(part, isFailed)),
    ),
    renderBody(part, { name, onApproval, options }),
  )
}

function getToolName({ type, toolName }: ToolPartData): string {
  return type === 'dynamic-tool' ? (toolName ?? 'tool') : type.slice('tool-'.length)
}

function describeState(part: ToolPartData, isFailed: boolean): string {
  switch (part.state) {
    case 'input-streaming':
      return 'arguments arrive…'
    case 'input-available':
      return 'running…'
    case 'approval-requested':
      return 'waits for a decision'
    case 'approval-responded':
      return part.approval?.approved === false ? 'denied' : 'allowed, running…'
    case 'output-available':
      if (part.preliminary === true) return 'running…'
      return isFailed ? 'failed' : 'done'
    case 'output-error':
      return 'failed'
    case 'output-denied':
      return 'denied'
  }
}

/** What the body of a call needs besides its part. */
interface ToolPartContext {
  name: string
  onApproval: ToolPartProps['onApproval']
  options: ResultOptions
}

function renderBody(part: ToolPartData, { name, onApproval, options }: ToolPartContext): ReactNode {
  switch (part.state) {
    case 'input-streaming':
      return renderStreaming(part)
    case 'input-available':
      return renderArguments(part.input)
    case 'approval-requested':
      return renderApproval(part, { name, onApproval, options })
    case 'approval-responded':
    case 'output-denied':
      return [renderArguments(part.input), renderReason(part)]
    case 'output-available':
      return [
        renderArguments(part.input),
        renderProgress(part),
        h(ToolResult, { key: 'result', result: toResult(part.output), ...options }),
      ]
    case 'output-error': {
      const text = part.errorText ?? 'The call failed.'
      const result: Result = { content: [{ type: 'text', text }], isError: true }
      return [renderArguments(part.input), h(ToolResult, { key: 'result', result, ...options })]
    }
  }
}

/** The arguments until now, in a box of a fixed height that shows the end, so that nothing moves while they arrive. */
function renderStreaming({ rawInput, input }: ToolPartData): ReactElement {
  const text = typeof rawInput === 'string' ? rawInput : input === undefined ? '' : toText(input)
  return h('pre', { className: 'tb-arriving' }, sanitizePageText(text))
}

function toText(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2) ?? ''
  } catch {
    return ''
  }
}

/** The arguments in one line, which opens to all of them. */
function renderArguments(input: unknown): ReactNode {
  if (!isJsonObject(input) || Object.keys(input).length === 0) return null
  return h(
    'details',
    { key: 'arguments', className: 'tb-arguments' },
    h('summary', null, sanitizePageLine(summarizeArguments(input))),
    renderParts(showArguments(input), WHOLE),
  )
}

function renderApproval(
  part: ToolPartData,
  { name, onApproval, options }: ToolPartContext,
): ReactNode {
  const { input, approval } = part
  const args = isJsonObject(input) ? input : { input }
  if (!onApproval || !approval) return renderParts(showArguments(args), WHOLE)
  const { id, requestReason } = approval
  return h(ApprovalCard, {
    key: id,
    call: { name, arguments: args },
    ...(requestReason !== undefined && { reason: requestReason }),
    ...(options.readers && { readers: options.readers }),
    ...(options.root !== undefined && { root: options.root }),
    onDecide: async (decision: Decision) =>
      await onApproval({
        id,
        approved: decision.decision === 'allowed',
        ...(decision.decision === 'denied' &&
          decision.reason !== undefined && { reason: decision.reason }),
      }),
  })
}

function renderReason({ approval }: ToolPartData): ReactNode {
  if (approval?.approved !== false || approval.reason === undefined) return null
  return h('p', { key: 'reason' }, 'Reason: ', sanitizePageDecision(approval.reason))
}

/** The last report of progress: a part of preliminary results of `@toolblocks/ai-sdk`. */
function renderProgress({ preliminary, output }: ToolPartData): ReactNode {
  if (preliminary !== true || !isToolResult(output)) return null
  const { progress } = output.metadata ?? {}
  const [value, total, message] = ['progress', 'total', 'message'].map((name) =>
    isJsonObject(progress) ? getOwnField(progress, name) : undefined,
  )
  const isKnown = typeof value === 'number' && typeof total === 'number' && total > 0
  return h(
    'p',
    { key: 'progress', className: 'tb-progress' },
    isKnown ? h('progress', { value, max: total, 'aria-label': 'Progress' }) : null,
    typeof message === 'string' ? ` ${sanitizePageLine(message)}` : null,
  )
}

/** Returns the output of any tool as a result. */
function toResult(output: unknown): Result {
  if (isToolResult(output)) return output
  if (typeof output === 'string')
    return { content: [{ type: 'text', text: output }], isError: false }
  return { content: [], isError: false, structuredContent: output }
}
