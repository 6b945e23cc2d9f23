import {
  type Approval,
  createErrorResult,
  createFailure,
  type Problem,
  type ToolCall,
  type ToolContext,
  type ToolResult,
} from '@toolblocks/protocol'
import {
  type QueueAbort,
  PORT_GRACE_MS,
  withinGrace,
  createNotSettledWarning,
} from '@toolblocks/protocol/internal'
import { checkResult } from './finish-result.ts'
import type { ToolEntry } from './tool-entry.ts'

/** The data on which a person decides about a call. */
export interface ApprovalMaterial {
  /** The tool's own rendering of the call. It is untrusted: sanitize it before display. */
  formatted?: ToolResult
  /** The tool that would run, with its settings. */
  entry: ToolEntry
  /** The conversation of the call, whose id is unique only in it. Absent: unknown. */
  conversationId?: string
}

/** The call that asks a person. */
export interface AskingCall {
  /** The id of the call, which is unique only in its conversation. */
  callId: string
  /** The conversation of the call. Absent: unknown. */
  conversationId?: string
}

/**
 * Asks whether a call may run. Called once for each call of policy `ask`, after its arguments were checked. Calls of one
 * conversation that run in parallel are asked about one at a time, unless `askPeople` is `at-once`. A rejection fails the call. Should settle once `signal` aborts.
 */
export type ApproveCall = (
  call: ToolCall,
  material: ApprovalMaterial & { signal: AbortSignal },
) => Promise<Approval>

/**
 * Decides whether a call may run without asking a person. Called for each call of policy `ask` before `approve`, immediately and in parallel, also
 * while a person is asked about another call. A rejection fails the call.
 */
export type AllowCall = (
  call: ToolCall,
  material: Pick<ApprovalMaterial, 'entry' | 'conversationId'>,
) => Promise<boolean>

/**
 * Receives a call and its wait for a person: for its turn, and for the decision or answer. A host that shows durations can subtract this
 * time. Should return what `wait` returns. Several waits of one call may overlap.
 */
export type WrapWait = <Value>(call: AskingCall, wait: () => Promise<Value>) => Promise<Value>

/** Asks the person of a call, by default one thing at a time. */
export type AskInTurn = <Value>(
  work: () => Promise<Value>,
  leaving: QueueAbort<Value>,
) => Promise<Value>

/** The call that may run, another one if a person edited it, or the result that replaces it. */
type Permission = { ok: true; call: ToolCall } | CallRefusal
interface CallRefusal {
  ok: false
  result: ToolResult
}

/** The functions that decide about a call. */
interface PermissionRequest {
  allow: AllowCall | undefined
  approve: ApproveCall | undefined
  people: AskInTurn
  context: ToolContext
  /** The decision of a person from before the call. */
  approval?: Approval
  /** Receives a warning about a port that did not settle after an abort. */
  warn: (problem: Problem) => void
}

/** Applies the tool's policy. `ask` without a way to ask is a denial. */
export async function permitCall(
  call: ToolCall,
  entry: ToolEntry,
  asking: PermissionRequest,
): Promise<Permission> {
  switch (entry.policy ?? 'ask') {
    case 'unattended':
      return { ok: true, call }
    case 'deny':
      return denied(`The configuration denies the tool "${call.name}"; the call was not run.`)
    case 'skip':
      return skipped(call)
    case 'ask': {
      const { allow, approve } = asking
      const allowed =
        allow &&
        (await waitSettled(
          () => allow(call, getMaterial(entry, asking)),
          asking,
          'the rule that allows calls',
        ))
      if (allowed === LATE) return cancelled(call)
      if (allowed) return { ok: true, call }
      if (asking.approval) return apply(asking.approval, call)
      return approve
        ? await askApproval(call, entry, asking, approve)
        : denied(
            `The tool "${call.name}" needs a person's approval and no person is available; the call was not run.`,
          )
    }
  }
}

function getMaterial(
  entry: ToolEntry,
  { context: { conversationId } }: Pick<PermissionRequest, 'context'>,
): Pick<ApprovalMaterial, 'entry' | 'conversationId'> {
  return { entry, ...(conversationId !== undefined && { conversationId }) }
}

async function askApproval(
  call: ToolCall,
  entry: ToolEntry,
  asking: PermissionRequest,
  approve: ApproveCall,
): Promise<Permission> {
  const { people, context } = asking
  const { signal } = context
  const format = async (): Promise<ToolResult | undefined> => {
    const result: unknown = await entry.tool.formatArguments?.(call, context)
    return result === undefined ? undefined : checkResult(result, call.name)
  }
  const who = `the tool "${call.name}", which formats the call for a person,`
  const formatted = await waitSettled(format, asking, who)
  if (formatted === LATE) return cancelled(call)
  if (formatted?.isError) return unformatted(call, formatted)
  const material = { ...getMaterial(entry, asking), ...(formatted && { formatted }), signal }
  const ask = async (): Promise<Permission> => {
    const leaving = { signal, whenAborted: () => cancelled(call) }
    return await people(async () => apply(await approve(call, material), call), leaving)
  }
  const permission = await waitSettled(ask, asking, 'the approval of calls')
  if (permission === LATE) return cancelled(call)
  return permission.ok || !formatted ? permission : withShown(permission)
}

const LATE = Symbol('late')

/** Returns the port's value, or `LATE` with a warning if it does not settle after the abort. */
async function waitSettled<Value>(
  work: () => Promise<Value>,
  { context: { signal }, warn }: PermissionRequest,
  who: string,
): Promise<Value | typeof LATE> {
  const warnLate = (): typeof LATE => {
    warn(createNotSettledWarning(who, PORT_GRACE_MS))
    return LATE
  }
  return await withinGrace<Value | typeof LATE>(work, {
    signal,
    ms: PORT_GRACE_MS,
    whenLate: warnLate,
  })
}

function apply(approval: Approval, call: ToolCall): Permission {
  switch (approval.decision) {
    case 'allowed':
      return {
        ok: true,
        call: approval.arguments ? { ...call, arguments: approval.arguments } : call,
      }
    case 'denied': {
      const because = approval.reason ? ` (${approval.reason})` : ''
      return denied(`The call of "${call.name}" was denied${because}; the call was not run.`)
    }
    case 'cancelled':
      return cancelled(call)
    case 'expired':
      return expired(call)
  }
}

/** The call did not run, but the tool did: it formatted the call for the person. */
function withShown({ result }: CallRefusal): CallRefusal {
  const note = { type: 'text', text: WAS_SHOWN } as const
  return { ok: false, result: { ...result, content: [...result.content, note] } }
}

const WAS_SHOWN = 'The tool formatted the call for a person; the call itself was not run.'

/** A person cannot approve a call that cannot be shown. */
function unformatted(call: ToolCall, formatted: ToolResult): CallRefusal {
  const text = `The call of "${call.name}" was not run, because the tool failed to format it for a person:`
  const content = [{ type: 'text', text } as const, ...formatted.content]
  const metadata = { ...formatted.metadata, outcome: 'failed' } as const
  return { ok: false, result: createErrorResult(content, undefined, metadata) }
}

function cancelled(call: ToolCall): CallRefusal {
  const text = `The call of "${call.name}" was cancelled before it was approved; the call was not run.`
  return { ok: false, result: createFailure(text, 'cancelled') }
}

function expired(call: ToolCall): CallRefusal {
  const text = `No person decided in time whether "${call.name}" may run; the call was not run.`
  return { ok: false, result: createFailure(text, 'timeout') }
}

function denied(text: string): CallRefusal {
  return { ok: false, result: createFailure(text, 'denied') }
}

function skipped(call: ToolCall): CallRefusal {
  const text = `The call of "${call.name}" was skipped by the configuration; continue without its result.`
  const result = createFailure(text, 'denied')
  return { ok: false, result: { ...result, metadata: { ...result.metadata, skipped: true } } }
}
