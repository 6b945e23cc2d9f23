import type { Outcome } from '@toolblocks/protocol'
import type { UsedCall } from './call-list.ts'
import type { ToolUser } from './find-user.ts'

/** The place of a call. */
export interface CallPlace {
  conversation: string
  seq: number
  /** When it was made, in milliseconds since 1970. */
  at: number
  tool: string
}

/** What one user has called. */
export interface UserSum {
  user: ToolUser
  calls: number
  failures: number
  last: CallPlace
}

/** How one tool was called. */
export interface ToolSum {
  tool: string
  calls: number
  failures: number
  /** Milliseconds from a call to its result, without those that people took: the middle one, that which 95 of 100 calls do not exceed, and the slowest call. Absent: no call has a result. */
  times?: { middle: number; most: number; slowest: CallPlace & { took: number } }
}

/** The calls that failed in the same way. */
export interface FailureSum {
  kind: Exclude<Outcome, 'completed'>
  calls: number
  /** The newest ones, the newest first. */
  newest: readonly CallPlace[]
}

/** The use of tools since a time. */
export interface UseSummary {
  calls: number
  /** The number of conversations with calls. */
  conversations: number
  /** Those with the most calls first. */
  users: readonly UserSum[]
  /** Those with the most calls first. */
  tools: readonly ToolSum[]
  /** The most frequent kind first. */
  failures: readonly FailureSum[]
  /** The number of conversations of which some events cannot be read. */
  damaged: number
  /** Why earlier calls are not counted. `unread`: reading again reads more of them. `many`: there are more than are counted. Absent: all are counted. */
  uncounted?: 'unread' | 'many'
}

/** The calls of a conversation. */
interface ConversationCalls {
  id: string
  user: ToolUser
  calls: readonly UsedCall[]
}

const NEWEST = 3
const MOST = 0.95

/** Sums the calls since a time, in milliseconds since 1970. A call fails unless its outcome is `completed`; one without a result has not failed. */
export function sumUse(
  conversations: readonly ConversationCalls[],
  since: number,
): Omit<UseSummary, 'damaged' | 'uncounted'> {
  const users = new Map<string, UserSum>()
  const tools = new Map<
    string,
    Omit<ToolSum, 'times'> & { taken: number[]; slowest?: CallPlace & { took: number } }
  >()
  const failures = new Map<FailureSum['kind'], { calls: number; newest: CallPlace[] }>()
  let count = 0
  let used = 0
  for (const { id, user, calls } of conversations) {
    const counted = calls.filter(({ at }) => at >= since)
    if (counted.length > 0) used += 1
    for (const { seq, at, tool, outcome = 'completed', took } of counted) {
      count += 1
      const callPlace = { conversation: id, seq, at, tool }
      const failed = outcome === 'completed' ? 0 : 1
      const ofUser = users.get(user.key) ?? { user, calls: 0, failures: 0, last: callPlace }
      ofUser.calls += 1
      ofUser.failures += failed
      if (at >= ofUser.last.at) ofUser.last = callPlace
      users.set(user.key, ofUser)
      const ofTool = tools.get(tool) ?? { tool, calls: 0, failures: 0, taken: [] }
      ofTool.calls += 1
      ofTool.failures += failed
      if (took !== undefined) {
        ofTool.taken.push(took)
        if (took >= (ofTool.slowest?.took ?? 0)) ofTool.slowest = { ...callPlace, took }
      }
      tools.set(tool, ofTool)
      if (outcome === 'completed') continue
      const ofKind = failures.get(outcome) ?? { calls: 0, newest: [] }
      ofKind.calls += 1
      ofKind.newest = [...ofKind.newest, callPlace]
        .toSorted((one, other) => other.at - one.at)
        .slice(0, NEWEST)
      failures.set(outcome, ofKind)
    }
  }
  return {
    calls: count,
    conversations: used,
    users: [...users.values()].toSorted(byCalls),
    tools: [...tools.values()]
      .map(({ taken, slowest, ...sum }) => ({
        ...sum,
        ...(slowest && { times: getTimes(taken, slowest) }),
      }))
      .toSorted(byCalls),
    failures: [...failures].map(([kind, sum]) => ({ kind, ...sum })).toSorted(byCalls),
  }
}

function byCalls(one: { calls: number }, other: { calls: number }): number {
  return other.calls - one.calls
}

function getTimes(
  taken: readonly number[],
  slowest: CallPlace & { took: number },
): NonNullable<ToolSum['times']> {
  const sorted = taken.toSorted((one, other) => one - other)
  const get = (share: number): number =>
    sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
  return { middle: get(0.5), most: get(MOST), slowest }
}
