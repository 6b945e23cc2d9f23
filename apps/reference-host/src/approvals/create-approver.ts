import type { Approval, ToolCall } from '@toolblocks/protocol'
import type { ConversationEvent } from '@toolblocks/conversation-store'
import type { AllowCall, ApprovalMaterial, ApproveCall, ToolEntry } from '@toolblocks/tool-executor'
import { allowsCall, type IsBelow } from './allows-call.ts'
import type { ApprovalRule } from './approval-rule.ts'
import type { ApprovalStore } from './approval-store.ts'

/** What a person decided, and for how long. */
export type LastingApproval = Approval & {
  /** Further calls of the tool run unasked, in this conversation or always. */
  remember?: 'conversation' | 'always'
}

/** Asks a person about one call; as `ApproveCall`. */
export type AskApproval = (
  call: ToolCall,
  material: ApprovalMaterial & {
    /** Where it stands among those that wait for the same person. Default: it is alone. */
    place?: { number: number; of: number }
    /** The agent whose call it is, behind those by which it was started. Default: the call is of the conversation's model. */
    agents?: readonly string[]
    signal: AbortSignal
  },
) => Promise<LastingApproval>

/** How calls of policy `ask` are decided about. */
export interface ApproverOptions {
  /** The folder of the workspace. */
  root: string
  conversation: string
  isBelow: IsBelow
  /** For this run only. */
  rules: readonly ApprovalRule[]
  store: ApprovalStore
  /** The hash of what a tool says it is, and of what is started for it. */
  definitionOf(entry: ToolEntry): string
  /** Absent: what no rule allows is denied. */
  ask?: AskApproval
  /** Told of each decision before anything comes of it. */
  record(event: Extract<ConversationEvent, { type: 'approval' }>): Promise<void>
}

/** What an executor asks about calls of policy `ask`. */
export interface Approver {
  allow: AllowCall
  approve: ApproveCall
}

/** Decides by the rules of this run, then by what people agreed to before, then by asking; each decision is recorded. */
export function createApprover(options: ApproverOptions): Approver {
  const { record, ask, store, root, conversation } = options
  const queue = createQueueCount()

  const allow: AllowCall = async (call, { entry }) => {
    if (!isAllowed(call, entry, options)) {
      queue.add(call.id)
      return false
    }
    await record({ type: 'approval', callId: call.id, decision: 'allowed', by: 'rule' })
    return true
  }

  const approve: ApproveCall = async (call, material) => {
    const place = await queue.take(call.id, material.signal)
    // While this call waited, the answer about another one may have been for all of them.
    if (isAllowed(call, material.entry, options)) {
      await record({ type: 'approval', callId: call.id, decision: 'allowed', by: 'rule' })
      return { decision: 'allowed' }
    }
    if (!ask) {
      const reason = `nobody can be asked; --allow-tool ${call.name} allows it`
      await record({ type: 'approval', callId: call.id, decision: 'denied', by: 'rule', reason })
      return { decision: 'denied', reason }
    }
    const { remember, ...approval } = await ask(call, { ...material, ...place })
    if (remember)
      store.remember({
        root,
        rule: { tool: call.name, conditions: [] },
        definition: options.definitionOf(material.entry),
        ...(remember === 'conversation' && { conversation }),
      })
    await record({ type: 'approval', callId: call.id, by: 'user', ...approval })
    return approval
  }

  return { allow, approve }
}

/** Counts the calls that wait for a person, so that each can be told how many there are. */
function createQueueCount() {
  const waiting = new Set<string>()
  let asked = 0
  return {
    add: (call: string): void => void waiting.add(call),
    take: async (
      call: string,
      signal: AbortSignal,
    ): Promise<{ place?: { number: number; of: number } }> => {
      // Calls of one message come to wait in the same moment.
      await new Promise(setImmediate)
      signal.addEventListener('abort', () => waiting.clear(), { once: true })
      waiting.delete(call)
      asked += 1
      const place = { number: asked, of: asked + waiting.size }
      if (waiting.size === 0) asked = 0
      return place.of === 1 ? {} : { place }
    },
  }
}

function isAllowed(call: ToolCall, entry: ToolEntry, options: ApproverOptions): boolean {
  const { rules, store, root, conversation, isBelow } = options
  if (rules.some((rule) => allowsCall(rule, call, isBelow))) return true
  return store
    .list(root)
    .filter((each) => each.conversation === undefined || each.conversation === conversation)
    .filter((each) => allowsCall(each.rule, call, isBelow))
    .some((each) => each.definition === options.definitionOf(entry))
}
