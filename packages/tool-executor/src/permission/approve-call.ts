import type { Approval, ToolCall, ToolResult } from '@toolblocks/protocol'
import type { ToolEntry } from '../tools/tool-entry.ts'

/** What a person is shown before deciding. */
export interface ApprovalMaterial {
  /** The tool's own rendering of the call; untrusted, so sanitize it before display. */
  formatted?: ToolResult
  /** The tool that would run, with its settings. */
  entry: ToolEntry
}

/**
 * Asks whether a call may run. Called once for each call of policy `ask`, after its arguments were checked; calls that run side by
 * side are asked about one at a time. May reject, which fails the call. Should settle once `signal` aborts.
 */
export type ApproveCall = (
  call: ToolCall,
  material: ApprovalMaterial & { signal: AbortSignal },
) => Promise<Approval>

/**
 * Says whether a call may run without a person being asked. Called for each call of policy `ask` before `approve`, at once and side
 * by side, also while a person is being asked about another call. May reject, which fails the call.
 */
export type AllowCall = (
  call: ToolCall,
  material: Pick<ApprovalMaterial, 'entry'>,
) => Promise<boolean>
