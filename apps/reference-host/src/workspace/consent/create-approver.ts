import type { AskApproval } from '../../terminal/share-screen.ts'
import type { AgentPorts, CallOrigin } from '@toolblocks/agent'
import type { ApprovalEvent } from '@toolblocks/conversation-store'
import type { JsonSchema, ToolCall } from '@toolblocks/protocol'
import type { ApplyRules, RuleVerdict, ToolEntry } from '@toolblocks/tool-executor'
import { type IsBelow, isRuleOfCall } from '@toolblocks/tool-executor/internal/rules'
import { hashJson } from '../files/hash-json.ts'
import { type PlacedRule, type RuleDecision, toDecision } from './rule-sources.ts'
import type { LockWait } from '../locks/with-lock.ts'
import { createIsBelow } from './is-below.ts'
import { openRules, type RuleStore, rulesFile, type StoredRule } from './stored-rules.ts'
import { listToolParts, type Want } from './wants.ts'
import type { WantedPart } from './want-sources.ts'

/** The rules about the calls of a workspace, of programs or of servers. */
export interface CallRules {
  /** What stored rules are for: the folder of the workspace, or the servers that were typed. */
  root: string
  isBelow: IsBelow
  /** The rules of the command line, the configuration and the settings, in this order. */
  rules: readonly PlacedRule[]
  store: Pick<RuleStore, 'list'>
  /** Returns the hash of the tool's definition and of what is started for it. */
  describeTool(entry: ToolEntry): string
}

/** Receives what a person is told about a call that a rule denies. */
export type OnDenied = (
  call: Pick<ToolCall, 'id' | 'name'>,
  denial: RuleDecision,
  agents: readonly string[],
) => void

/** Settings of the decisions about calls. */
interface ApproverOptions extends CallRules {
  store: RuleStore
  /** Called when a rule denies a call. Default: the result of the call says it. */
  onDenied?: OnDenied
  /** Asks a person. Absent: calls that need one are denied. */
  ask?: AskApproval
}

/** Creates the decision about calls: by the first rule that fits, and then by asking a person if none does or the rule says so. */
export function createApprover(
  options: ApproverOptions,
): Required<Pick<AgentPorts, 'decide' | 'approve'>> {
  const { ask, store, root, describeTool, onDenied } = options
  const decideByRules = (
    call: ToolCall,
    material: Partial<CallOrigin> & { entry: ToolEntry },
  ): RuleVerdict | undefined => {
    const decided = findVerdict(call, material, options)
    if (decided?.verdict.effect === 'deny') onDenied?.(call, decided, material.agents ?? [])
    return decided?.verdict
  }
  const queue = createQueueCount()
  return {
    decide: async (call, material) => {
      const verdict = decideByRules(call, material)
      const isAsked =
        verdict?.effect === 'ask' || (!verdict && (material.entry.policy ?? 'ask') === 'ask')
      if (isAsked) queue.add(call.id)
      return verdict
    },
    approve: async (call, material) => {
      const queuePosition = await queue.take(call.id, material.signal)
      // While this call waited, the person may have made a rule for it.
      const verdict = decideByRules(call, material)
      if (verdict && verdict.effect !== 'ask') {
        const { rule, source } = verdict
        return verdict.effect === 'allow'
          ? { decision: 'allowed', by: 'rule', rule, source }
          : { decision: 'denied', by: 'rule', rule, source, reason: `by the rule ${rule}` }
      }
      if (!ask) {
        const reason = `no person can be asked; use --allow-tool ${call.name} to allow this tool`
        return { decision: 'denied', reason, by: 'rule' }
      }
      const { remember, ...approval } = await ask(call, { ...material, ...queuePosition })
      if (remember)
        await store.remember({
          root,
          rule: { effect: 'allow', tool: call.name, conditions: [] },
          definitions: { [call.name]: describeTool(material.entry) },
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

/** Opens the rules of this user that are stored for `root`, after those of this run. The file is read at each call, so a new rule counts at once. */
export function openCallRules(
  {
    root,
    folder = root,
    ...rules
  }: Pick<CallRules, 'root' | 'rules' | 'describeTool'> & {
    /** Where relative paths of rules start. Default: `root`. */
    folder?: string
  },
  wait: LockWait = {},
): CallRules & { store: RuleStore } {
  return { ...rules, root, isBelow: createIsBelow(folder), store: openRules(rulesFile(), wait) }
}

/** Creates the decision by rules alone, for a host without people of its own. */
export function decideByCallRules(rules: CallRules, onDenied: OnDenied = () => {}): ApplyRules {
  return async (call, { entry, conversationId: conversation }) => {
    const about = { entry, ...(conversation !== undefined && { conversation }) }
    const decided = findVerdict(call, about, rules)
    if (decided?.verdict.effect === 'deny') onDenied(call, decided, [])
    return decided?.verdict
  }
}

/**
 * Finds what the rules decide about a call: the first one that fits, of the command line, the configuration, the settings, and then of the stored
 * ones. What the user's own rules deny is not loosened by a folder's file, whose rules that ask need no agreement.
 */
export function findVerdict(
  call: ToolCall,
  about: Partial<Pick<CallOrigin, 'conversation'>> & { entry: ToolEntry },
  callRules: CallRules,
): RuleDecision | undefined {
  const { rules, isBelow } = callRules
  const schema = getSchema(about.entry)
  const fits = ({ rule }: PlacedRule): boolean => isRuleOfCall(rule, call, { isBelow, schema })
  const first = rules.find(fits)
  if (first && (first.source !== 'configuration' || first.rule.effect === 'deny'))
    return toDecision(first)
  const own = rules.find((each) => each.source === 'settings' && fits(each))
  const decided = own ? toDecision(own) : findStoredVerdict(call, about, callRules)
  return first && decided?.verdict.effect !== 'deny' ? toDecision(first) : decided
}

/** Returns the schema of the arguments that a tool itself gets. */
function getSchema({ tool, shape }: ToolEntry): JsonSchema {
  return (shape ?? tool).inputSchema
}

function findStoredVerdict(
  call: ToolCall,
  { entry, conversation }: Parameters<typeof findVerdict>[1],
  { store, root, isBelow, describeTool }: CallRules,
): RuleDecision | undefined {
  const stored = listStored(store, root).find(
    (each) =>
      (each.conversation === undefined || each.conversation === conversation) &&
      isRuleOfCall(each.rule, call, { isBelow, schema: getSchema(entry) }) &&
      (each.rule.effect !== 'allow' || isKnown(each, entry, describeTool)),
  )
  return stored && toDecision({ rule: stored.rule, source: 'stored', id: stored.id })
}

/** Returns the stored rules in the order in which they decide: the newest first, so that a later rule replaces an earlier one. */
export function listStored(store: CallRules['store'], root?: string): readonly StoredRule[] {
  return store.list(root).toReversed()
}

/** Whether the tool is as it was when the person made the rule. A later tool that the name of the rule includes is unknown. */
function isKnown(
  { definitions }: StoredRule,
  entry: ToolEntry,
  describeTool: CallRules['describeTool'],
): boolean {
  const { name } = entry.tool
  return Object.hasOwn(definitions, name) && definitions[name] === describeTool(entry)
}

/** Records what rules decide. If the client itself approves calls, rules that ask have no effect. */
export function recordVerdicts(
  decide: ApplyRules,
  {
    record,
    approval,
  }: { record: (event: ApprovalEvent) => Promise<void>; approval: 'user' | 'client' },
): ApplyRules {
  return async (call, material) => {
    const verdict = await decide(call, material)
    if (verdict?.effect === 'ask') return approval === 'user' ? verdict : undefined
    if (!verdict) return undefined
    const { effect, rule, source } = verdict
    const decision = effect === 'allow' ? 'allowed' : 'denied'
    await record({ type: 'approval', callId: call.id, decision, by: 'rule', rule, source })
    return verdict
  }
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
  const wants = listWants(listToolParts(tool.name, written))
  return hashTool(
    { tool, ...(shape && { shape }) },
    wants.map(({ hash }) => hash),
  )
}

/** Returns the hash of the tool's definition and of what is started for it. */
export function hashTool(
  { tool, shape }: Pick<ToolEntry, 'tool' | 'shape'>,
  start: readonly string[],
): string {
  const { name, title, summary, description, inputSchema, outputSchema, annotations } = tool
  const definition = { name, title, summary, description, inputSchema, outputSchema, annotations }
  const fixed = shape?.fixed
  return hashJson({ said: definition, start, ...(fixed && { fixed }) })
}
