import {
  type Approval,
  createErrorResult,
  createFailure,
  PORT_GRACE_MS,
  type Problem,
  type ToolCall,
  type ToolContext,
  type ToolResult,
  withinGrace,
} from '@toolblocks/protocol'
import { notSettled } from '../executor-problem.ts'
import type { Queue } from '../queue.ts'
import type { ToolEntry } from '../tools/tool-entry.ts'
import { checkResult } from '../results/check-result.ts'
import type { AllowCall, ApproveCall } from './approve-call.ts'

/** Either the call as it may run, or the result that stands for it. */
export type Permission =
  | { permitted: true; call: ToolCall; edited: boolean }
  | { permitted: false; result: ToolResult }

/** Who may be asked about a call. */
interface Asking {
  allow: AllowCall | undefined
  approve: ApproveCall | undefined
  people: Queue
  context: ToolContext
  /** Gets who did not settle after an abort. */
  warn: (problem: Problem) => void
}

/** Applies the tool's policy; `ask` without anyone to ask is a denial. */
export async function permitCall(
  call: ToolCall,
  entry: ToolEntry,
  { allow, approve, ...asking }: Asking,
): Promise<Permission> {
  switch (entry.policy ?? 'ask') {
    case 'unattended':
      return { permitted: true, call, edited: false }
    case 'deny':
      return denied(`The configuration denies the tool "${call.name}"; the call was not run.`)
    case 'skip':
      return skipped(call)
    case 'ask':
      if (allow) {
        const allowed = await settled(async () => await allow(call, { entry }), {
          ...asking,
          who: 'what allows calls',
        })
        if (allowed === LATE) return cancelled(call)
        if (allowed) return { permitted: true, call, edited: false }
      }
      return approve
        ? await askApproval(call, entry, { ...asking, approve })
        : denied(
            `The tool "${call.name}" needs a person's approval and nobody can be asked; the call was not run.`,
          )
  }
}

async function askApproval(
  call: ToolCall,
  entry: ToolEntry,
  { approve, people, context, warn }: Omit<Asking, 'allow'> & { approve: ApproveCall },
): Promise<Permission> {
  const format = async (): Promise<ToolResult | undefined> => {
    const given: unknown = await entry.tool.formatArguments?.(call, context)
    return given === undefined ? undefined : checkResult(given, call.name)
  }
  const formatted = await settled(format, {
    context,
    warn,
    who: `the tool "${call.name}", asked how to show the call,`,
  })
  if (formatted === LATE) return cancelled(call)
  if (formatted?.isError) return unformatted(call, formatted)
  const { signal } = context
  const material = { entry, ...(formatted && { formatted }), signal }
  const ask = async (): Promise<Permission> => applyApproval(call, await approve(call, material))
  const asked = async (): Promise<Permission> =>
    await people(ask, { signal, whenAborted: () => cancelled(call) })
  const permission = await settled(asked, { context, warn, who: 'who approves calls' })
  if (permission === LATE) return cancelled(call)
  return permission.permitted || !formatted ? permission : withShown(permission)
}

const LATE = Symbol('late')

/** What a port comes to; `LATE` where it does not settle after the abort, which is a warning too. */
async function settled<Value>(
  work: () => Promise<Value>,
  { context, warn, who }: Pick<Asking, 'context' | 'warn'> & { who: string },
): Promise<Value | typeof LATE> {
  return await withinGrace<Value | typeof LATE>(work, {
    signal: context.signal,
    ms: PORT_GRACE_MS,
    whenLate: () => {
      warn(notSettled(who, PORT_GRACE_MS))
      return LATE
    },
  })
}

/** The call was not run, but the tool was: it was asked how a person is to be shown the call. */
function withShown({ result }: Extract<Permission, { permitted: false }>): Permission {
  const note = { type: 'text', text: WAS_SHOWN } as const
  return { permitted: false, result: { ...result, content: [...result.content, note] } }
}

const WAS_SHOWN =
  'The tool was asked how to show the call to a person, and the call itself was not run.'

function cancelled(call: ToolCall): Permission {
  const text = `The call of "${call.name}" was cancelled before it was approved; the call was not run.`
  return { permitted: false, result: createFailure(text, 'cancelled') }
}

function applyApproval(call: ToolCall, approval: Approval): Permission {
  switch (approval.decision) {
    case 'allowed':
      return approval.arguments
        ? { permitted: true, call: { ...call, arguments: approval.arguments }, edited: true }
        : { permitted: true, call, edited: false }
    case 'denied':
      return denied(
        `The call of "${call.name}" was denied${because(approval.reason)}; the call was not run.`,
      )
    case 'cancelled':
      return cancelled(call)
  }
}

/** What cannot be shown to a person cannot be approved by one. */
function unformatted(call: ToolCall, formatted: ToolResult): Permission {
  const note = {
    type: 'text',
    text: `The call of "${call.name}" was not run, because the tool was asked how to show it to a person and could not:`,
  } as const
  const content = [note, ...formatted.content]
  return {
    permitted: false,
    result: createErrorResult(content, undefined, { ...formatted.metadata, outcome: 'failed' }),
  }
}

function denied(text: string): Permission {
  return { permitted: false, result: createFailure(text, 'denied') }
}

function skipped(call: ToolCall): Permission {
  const text = `The call of "${call.name}" was skipped by configuration; go on without its result.`
  const result = createFailure(text, 'denied')
  return {
    permitted: false,
    result: { ...result, metadata: { ...result.metadata, skipped: true } },
  }
}

function because(reason: string | undefined): string {
  return reason ? ` (${reason})` : ''
}
