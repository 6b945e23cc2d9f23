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
import type { RuleEffect } from './rules.ts'
import type { ToolEntry } from './tool-entry.ts'

/** The data on which a person decides about a call. */
export interface ApprovalMaterial {
  /** The tool's own rendering of the call. It is untrusted: sanitize it before display. */
  formatted?: ToolResult
  /** The tool that would run, with its settings. */
  entry: ToolEntry
  /** The conversation of the call, whose id is unique only in it. Absent: unknown. */
  conversationId?: string
  /** The rule by which a person is asked. Absent: the policy asks. */
  verdict?: RuleVerdict
}

/** The call that asks a person. */
export interface AskingCall {
  /** The id of the call, which is unique only in its conversation. */
  callId: string
  /** The conversation of the call. Absent: unknown. */
  conversationId?: string
}

/**
 * Asks whether a call may run. Called once for each call that needs a person by its policy or a rule, after its arguments were checked. Calls of one
 * conversation that run in parallel are asked about one at a time, unless `askPeople` is `at-once`. A rejection fails the call. Should settle once `signal` aborts.
 */
export type ApproveCall = (
  call: ToolCall,
  material: ApprovalMaterial & { signal: AbortSignal },
) => Promise<Approval>

/** What a rule decides about a call. */
export interface RuleVerdict {
  /** `ask`: a person is asked, also about a call that would run otherwise. */
  effect: RuleEffect
  /** The calls of the rule, as it was written: `git(command^=git log)`. */
  rule: string
  /** Where the rule is, for people: `configuration`. */
  source: string
}

/**
 * Decides about a call by rules, without asking a person. Called for each call of policy `ask` or `unattended` before `approve`, immediately and in parallel, also
 * while a person is asked about another call, and again if a person edited the arguments. The call is the one that runs: of `call_tool`, the call of the named tool.
 * `undefined`: no rule fits, so the policy decides. A rejection fails the call.
 */
export type ApplyRules = (
  call: ToolCall,
  material: Pick<ApprovalMaterial, 'entry' | 'conversationId'>,
) => Promise<RuleVerdict | undefined>

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
  decide: ApplyRules | undefined
  approve: ApproveCall | undefined
  people: AskInTurn
  context: ToolContext
  /** The decision of a person from before the call. */
  approval?: Approval
  /** Receives a warning about a port that did not settle after an abort. */
  warn: (problem: Problem) => void
}

/** Applies the tool's policy and the rules. `deny` and `skip` are final. If a person is needed and cannot be asked, the call is denied. */
export async function permitCall(
  call: ToolCall,
  entry: ToolEntry,
  asking: PermissionRequest,
): Promise<Permission> {
  const policy = entry.policy ?? 'ask'
  if (policy === 'deny')
    return denied(`The configuration denies the tool "${call.name}"; the call was not run.`)
  if (policy === 'skip') return skipped(call)
  const verdict = await findVerdict(call, entry, asking)
  if (verdict === LATE) return cancelled(call)
  switch (verdict?.effect ?? (policy === 'unattended' ? 'allow' : 'ask')) {
    case 'deny':
      return deniedByRule(call, verdict)
    case 'allow':
      return { ok: true, call }
    case 'ask': {
      const { approve, approval } = asking
      if (approval) return apply(approval, call)
      if (approve) return await askApproval(call, { entry, verdict }, asking, approve)
      const by = verdict ? ` by the rule ${describeVerdict(verdict)}` : ''
      return denied(
        `The tool "${call.name}" needs a person's approval${by} and no person is available; the call was not run.`,
      )
    }
  }
}

/** Applies the rules that deny to a call whose arguments a person has edited: what the person allowed runs otherwise. */
export async function permitEditedCall(
  call: ToolCall,
  entry: ToolEntry,
  asking: Omit<PermissionRequest, 'approve' | 'people'>,
): Promise<Permission> {
  const verdict = await findVerdict(call, entry, asking)
  if (verdict === LATE) return cancelled(call)
  return verdict?.effect === 'deny' ? deniedByRule(call, verdict) : { ok: true, call }
}

async function findVerdict(
  call: ToolCall,
  entry: ToolEntry,
  asking: Omit<PermissionRequest, 'approve' | 'people'>,
): Promise<RuleVerdict | undefined | typeof LATE> {
  const { decide } = asking
  return (
    decide &&
    (await waitSettled(
      async () => await decide(call, getMaterial({ entry }, asking)),
      asking,
      'the decision by rules',
    ))
  )
}

function describeVerdict({ rule, source }: RuleVerdict): string {
  return `${JSON.stringify(rule)} (${source})`
}

function deniedByRule(call: ToolCall, verdict: RuleVerdict | undefined): CallRefusal {
  const which = verdict ? ` ${describeVerdict(verdict)}` : ''
  return denied(`The rule${which} denies this call of "${call.name}"; the call was not run.`)
}

function getMaterial(
  { entry, verdict }: { entry: ToolEntry; verdict?: RuleVerdict | undefined },
  { context: { conversationId } }: Pick<PermissionRequest, 'context'>,
): Pick<ApprovalMaterial, 'entry' | 'conversationId' | 'verdict'> {
  return {
    entry,
    ...(conversationId !== undefined && { conversationId }),
    ...(verdict && { verdict }),
  }
}

async function askApproval(
  call: ToolCall,
  by: { entry: ToolEntry; verdict: RuleVerdict | undefined },
  asking: PermissionRequest,
  approve: ApproveCall,
): Promise<Permission> {
  const { entry } = by
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
  const material = { ...getMaterial(by, asking), ...(formatted && { formatted }), signal }
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
  { context: { signal }, warn }: Pick<PermissionRequest, 'context' | 'warn'>,
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
