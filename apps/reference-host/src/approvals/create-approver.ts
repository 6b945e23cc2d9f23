import type { AgentPeople, CallOrigin } from '@toolblocks/agent'
import type { Approval, ToolCall } from '@toolblocks/protocol'
import type { ApproveCall, ToolEntry } from '@toolblocks/tool-executor'
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
  material: Parameters<ApproveCall>[1] & {
    /** Where it stands among those that wait for the same person. Default: it is alone. */
    place?: { number: number; of: number }
    /** The agents by which it was started. Default: the call is of the conversation's model. */
    agents?: readonly string[]
  },
) => Promise<LastingApproval>

/** How calls of policy `ask` are decided about. */
export interface ApproverOptions {
  /** The folder of the workspace. */
  root: string
  isBelow: IsBelow
  /** For this run only. */
  rules: readonly ApprovalRule[]
  store: ApprovalStore
  /** The hash of what a tool says it is, and of what is started for it. */
  definitionOf(entry: ToolEntry): string
  /** Absent: what no rule allows is denied. */
  ask?: AskApproval
}

/** Decides by the rules of this run, then by what people agreed to before, then by asking. */
export function createApprover(
  options: ApproverOptions,
): Required<Pick<AgentPeople, 'allow' | 'approve'>> {
  const { ask, store, root, definitionOf } = options
  const queue = createQueueCount()
  return {
    allow: async (call, material) => {
      const isFree = isAllowed(call, material, options)
      if (!isFree) queue.add(call.id)
      return isFree
    },
    approve: async (call, material) => {
      const place = await queue.take(call.id, material.signal)
      // While this call waited, the answer about another one may have been for all of them.
      if (isAllowed(call, material, options)) return { decision: 'allowed', by: 'rule' }
      if (!ask) {
        const reason = `nobody can be asked; --allow-tool ${call.name} allows it`
        return { decision: 'denied', reason, by: 'rule' }
      }
      const { remember, ...approval } = await ask(call, { ...material, ...place })
      if (remember)
        store.remember({
          root,
          rule: { tool: call.name, conditions: [] },
          definition: definitionOf(material.entry),
          ...(remember === 'conversation' && { conversation: material.conversation }),
        })
      return approval
    },
  }
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

function isAllowed(
  call: ToolCall,
  { entry, conversation }: Pick<CallOrigin, 'conversation'> & { entry: ToolEntry },
  { rules, store, root, isBelow, definitionOf }: ApproverOptions,
): boolean {
  if (rules.some((rule) => allowsCall(rule, call, isBelow))) return true
  return store
    .list(root)
    .filter((each) => each.conversation === undefined || each.conversation === conversation)
    .filter((each) => allowsCall(each.rule, call, isBelow))
    .some((each) => each.definition === definitionOf(entry))
}
