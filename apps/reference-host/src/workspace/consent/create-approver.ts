import type { AskApproval } from '../../terminal/share-screen.ts'
import type { AgentPorts, CallOrigin } from '@toolblocks/agent'
import type { ToolCall } from '@toolblocks/protocol'
import type { ToolEntry } from '@toolblocks/tool-executor'
import { hashJson } from '../files/hash-json.ts'
import { type IsBelow, type Rule, type RuleStore, allowsCall } from './rules.ts'
import { listToolParts, type Want, type WantedPart } from './wants.ts'

/** The rules of a workspace. */
interface WorkspaceRules {
  /** The folder of the workspace. */
  root: string
  isBelow: IsBelow
  /** Rules for this run only. */
  rules: readonly Rule[]
  store: Pick<RuleStore, 'list'>
  /** Returns the hash of the tool's definition and of what is started for it. */
  describeTool(entry: ToolEntry): string
}

/** Settings of the decisions about calls with the policy `ask`. */
interface ApproverOptions extends WorkspaceRules {
  store: RuleStore
  /** Asks a person. Absent: calls that no rule allows are denied. */
  ask?: AskApproval
}

/** Creates the decision about calls: first by the rules of this run, then by stored rules, then by asking a person. */
export function createApprover(
  options: ApproverOptions,
): Required<Pick<AgentPorts, 'allow' | 'approve'>> {
  const { ask, store, root, describeTool } = options
  const queue = createQueueCount()
  return {
    allow: async (call, material) => {
      const isFree = isAllowed(call, material, options)
      if (!isFree) queue.add(call.id)
      return isFree
    },
    approve: async (call, material) => {
      const queuePosition = await queue.take(call.id, material.signal)
      // While this call waited, the person may have allowed all calls of the tool.
      if (isAllowed(call, material, options)) return { decision: 'allowed', by: 'rule' }
      if (!ask) {
        const reason = `no person can be asked; use --allow-tool ${call.name} to allow this tool`
        return { decision: 'denied', reason, by: 'rule' }
      }
      const { remember, ...approval } = await ask(call, { ...material, ...queuePosition })
      if (remember)
        await store.remember({
          root,
          rule: { tool: call.name, conditions: [] },
          definition: describeTool(material.entry),
          ...(remember === 'conversation' && { conversation: material.conversation }),
        })
      return approval
    },
  }
}

/** Counts the calls that wait for a person, so that each prompt can show the number. */
function createQueueCount() {
  const waiting = new Set<string>()
  let asked = 0
  return {
    add: (call: string): void => void waiting.add(call),
    take: async (
      call: string,
      signal: AbortSignal,
    ): Promise<{ position?: { number: number; of: number } }> => {
      // Calls of one message start to wait at the same time.
      await new Promise(setImmediate)
      signal.addEventListener('abort', () => waiting.clear(), { once: true })
      waiting.delete(call)
      asked += 1
      const position = { number: asked, of: asked + waiting.size }
      if (waiting.size === 0) asked = 0
      return position.of === 1 ? {} : { position }
    },
  }
}

/** Whether a rule of this run, or a stored one, allows a call. A rule for one conversation counts only in it. */
export function isAllowed(
  call: ToolCall,
  { entry, conversation }: Partial<Pick<CallOrigin, 'conversation'>> & { entry: ToolEntry },
  { rules, store, root, isBelow, describeTool }: WorkspaceRules,
): boolean {
  if (rules.some((rule) => allowsCall(rule, call, isBelow))) return true
  return store
    .list(root)
    .filter((each) => each.conversation === undefined || each.conversation === conversation)
    .filter((each) => allowsCall(each.rule, call, isBelow))
    .some((each) => each.definition === describeTool(entry))
}

/**
 * Returns the hash of the tool's definition and of everything that is started, reached or sent for it, from all files. A stored rule is for
 * these, not for a name.
 */
export function hashDefinition(
  { tool, shape }: Pick<ToolEntry, 'tool' | 'shape'>,
  {
    listWants,
    written,
  }: {
    listWants(parts: readonly WantedPart[]): readonly Want[]
    /** The configuration and the servers as written in the files. */
    written: Parameters<typeof listToolParts>[1]
  },
): string {
  const { name, title, summary, description, inputSchema, outputSchema, annotations } = tool
  const definition = { name, title, summary, description, inputSchema, outputSchema, annotations }
  const wants = listWants(listToolParts(name, written))
  const fixed = shape?.fixed
  return hashJson({
    said: definition,
    start: wants.map(({ hash }) => hash),
    ...(fixed && { fixed }),
  })
}
