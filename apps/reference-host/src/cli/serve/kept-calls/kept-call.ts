import type { PendingQuestion } from '@toolblocks/inquiry/pending'
import type { CallContext, Progress, ToolCall, ToolResult } from '@toolblocks/protocol'
import { CALL_TOOL } from '@toolblocks/tool-executor/internal'

/** A call of a client, which may continue without the request that made it. */
export interface KeptCall {
  /** The call as it is executed. Its id is also the handle by which a model waits for it. */
  readonly call: ToolCall
  /** Equal for the same call of the same client: who calls, which tool, which arguments. */
  readonly key: string
  readonly startedAt: Date
  /** Ends the call. */
  readonly ending: AbortController
  /** Whether a second execution does no harm: the tool says that it only reads, or that a repetition has no effect. */
  readonly isHarmless: boolean
  result: Promise<ToolResult>
  /** Absent: it runs, or waits. */
  endedAt?: Date
  /** What the tool last said of its progress. */
  progress?: Progress
  /** The question for which it waits. */
  question?: PendingQuestion
  /** The request that waits for it. Absent: its client has stopped to wait, and has not received the result. */
  request?: Pick<CallContext, 'onProgress'>
  /** Whether its question stays open, and another host may make it again. */
  isParked: boolean
  /** Whether a newer session of its client has taken it. It then outlives its own session. */
  isTaken?: boolean
  /** Writes that it runs from now on, for a later host. Rejects if the store fails. */
  saveRunning(): Promise<void>
  /** Forgets it, because its result is sent now. */
  forget(): Promise<void>
  /** Called when it begins or stops to wait for a person. */
  onChange?: () => void
}

/** The calls of one client that have not ended, or whose result it has not received. */
export interface KeptCalls {
  add(kept: KeptCall): void
  /** Returns the results that nobody will get: too old, or too many. */
  listForgotten(): readonly KeptCall[]
  remove(kept: KeptCall): void
  /** Returns a call for whose result no request waits. */
  findLeft(key: string): KeptCall | undefined
  findById(id: string): KeptCall | undefined
  /** Settles when those of these calls have ended that a newer session has taken, or when the service ends. */
  waitForTaken(kept: readonly KeptCall[]): Promise<void>
  all(): readonly KeptCall[]
}

/** Results for which no client asks. Above this number the oldest is forgotten. */
const MAX_LEFT = 200
/** Milliseconds after which the same call is a new one, and not a repetition of a call whose result did not arrive. */
export const REPETITION_MS = 60 * 60 * 1000

/** Creates the list of a client's calls. */
export function createKeptCalls(): KeptCalls {
  const calls = new Set<KeptCall>()
  return {
    add: (kept) => void calls.add(kept),
    listForgotten: () => {
      const left = [...calls].filter((each) => each.endedAt && !each.request)
      return [...new Set([...left.filter(isOld), ...left.slice(0, -MAX_LEFT)])]
    },
    remove: (kept) => void calls.delete(kept),
    findLeft: (key) => [...calls].find((kept) => kept.key === key && !kept.request && !isOld(kept)),
    findById: (id) => [...calls].find(({ call }) => call.id === id),
    waitForTaken: async () => undefined,
    all: () => [...calls],
  }
}

function isOld({ endedAt }: KeptCall): boolean {
  return endedAt !== undefined && Date.now() - endedAt.getTime() > REPETITION_MS
}

/** Returns the name of the tool that a call is for, also through `call_tool`. */
export function nameTool({ name, arguments: values }: ToolCall): string {
  return name === CALL_TOOL && typeof values['name'] === 'string' ? values['name'] : name
}
