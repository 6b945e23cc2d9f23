import { type ConversationEvent, createReadToolResult } from '@toolblocks/conversation-store'
import type { McpServer } from '@toolblocks/mcp-bridge'
import type { Gateway } from '@toolblocks/mcp-bridge/gateway'
import { type StartingServers, type ToolService } from '@toolblocks/mcp-bridge/server'
import {
  type AnswerQuestion,
  type Approval,
  type ExecuteCall,
  type JsonObject,
  type ToolCall,
  booleanQuestion,
  createFailure,
} from '@toolblocks/protocol'
import {
  type AllowCall,
  type ApproveCall,
  type ToolEntry,
  createToolExecutor,
} from '@toolblocks/tool-executor'
import {
  beginConversation,
  type ConversationOrigin,
} from '../../workspace/conversations/conversation-origin.ts'
import type { CallRecord } from '../../workspace/conversations/record-call.ts'
import { flushBeforeRead, type GroupedRecord } from './group-record.ts'
import { limitResults } from './limit-results.ts'
import { createReadSharedResult } from './shared-results.ts'

/** The tools that are served, and how. */
export interface ServiceOptions {
  version: string
  root: string
  /** The instructions for the client's model. */
  instructions?: string
  /** Whether the causes of an error follow its text. Default: true. */
  errorTrace?: boolean
  /** Whether results have the form that the host of the client needs. Default: as they are. */
  results?: 'host' | 'as-is'
  /** The servers whose links can be read. */
  servers: readonly McpServer[]
  /** Who approves calls of tools with the policy `ask`: the user, who is asked through the client, or the client itself. */
  approval: 'user' | 'client'
  /** Whether a rule of the user allows a call of a tool with the policy `ask`; then nobody is asked. Default: no call. */
  allow?: (call: ToolCall, entry: ToolEntry) => boolean
  record: CallRecord & Partial<Pick<GroupedRecord, 'flush'>>
  /** The conversation in which the calls are recorded. Default: they are not recorded. */
  conversation?: string
  /** Whether other processes may read the results of this conversation for the client. Default: false. */
  isShared?: boolean
  /** The number of tools above which the client's model finds them with `search_tools`. Default: all tools are listed. */
  deferAbove?: number
  /** Passes what servers offer besides tools on to the client. Default: only tools are offered. */
  gateway?: Gateway
  /** The server that the client sees, with further fields. Default: Toolblocks itself. */
  identity?: JsonObject & { name: string; version: string }
  /** Maximum characters of a result. The model reads the rest in the record with `read_tool_result`. Default: no limit. */
  maxResult?: number
  /** The servers that are still starting. Default: none. */
  starting?: StartingServers
  /** What the client says of itself, for the record. */
  client?: JsonObject
  /** The turns of the conversation, if several services record it. Default: those of this service. */
  turns?: ServiceTurns
}

/** The turns of a recorded conversation. */
export interface ServiceTurns {
  /** The number of the last one. */
  last: number
  /** The number of calls that run. */
  running: number
}

/** A service and how to change and close it. */
export interface CreatedService {
  service: ToolService
  /** Whether a tool with this name needs no server. */
  isLocal(name: string): boolean
  /** Offers other tools from now on, and tells the clients. */
  setEntries(entries: readonly ToolEntry[]): void
  /** Settles when the results of all calls are recorded, at most after 3 seconds: a tool may ignore that its call was cancelled. */
  settled(): Promise<void>
  close(): Promise<void>
}

const SETTLE_MS = 3000

/** Creates the tools of an MCP server. Tools with the policy `deny` or `skip` are not offered. */
export function createService(
  entries: readonly ToolEntry[],
  {
    version,
    root,
    instructions,
    errorTrace = true,
    results = 'as-is',
    servers,
    approval,
    allow,
    record,
    conversation,
    isShared = false,
    deferAbove,
    gateway,
    identity = { name: 'toolblocks', version },
    maxResult = Infinity,
    client,
    turns,
    starting,
  }: ServiceOptions,
): CreatedService {
  const { store, isFailing = () => false } = record
  const createReader = isShared ? createReadSharedResult : createReadToolResult
  const readers: readonly ToolEntry[] =
    store && conversation !== undefined && maxResult < Infinity
      ? [{ tool: createReader(store, conversation), policy: 'unattended', defer: false }]
      : []
  const offerAll = (newEntries: readonly ToolEntry[]): readonly ToolEntry[] => {
    const offered = newEntries.flatMap((entry) => offer(entry, approval))
    return [...offered, ...readers.filter(({ tool }) => !hasName(offered, tool.name))]
  }
  const { approve, during } = createClientApproval(record.record)
  let offered = offerAll(entries)
  const executor = createToolExecutor({
    tools: offered,
    ...(allow && { allow: recordAllowed(allow, record) }),
    approve,
    recordInquiry: async (event) => await record.record(event),
    liveSchema: 'flat',
    receivedText: 'description',
    // Clients have people of their own, who do not wait for each other.
    askPeople: 'at-once',
    ...(deferAbove !== undefined && { deferAbove }),
  })
  const listeners = new Set<() => void>()
  let definitions = executor.definitions()
  const mayRead =
    servers.some(({ capabilities }) => capabilities['resources'] !== undefined) ||
    (starting?.names() ?? []).length > 0
  const { name, version: identityVersion, ...info } = identity
  const { callTool: tracked, settled } = trackCalls(
    recordCalls(executor.execute, record, { folder: root, ...(client && { client }) }, turns),
  )
  const recorded = during(tracked)
  const flushed = record.flush ? flushBeforeRead(recorded, { flush: record.flush }) : recorded
  const callTool = limitResults(gateway ? gateway.during(flushed) : flushed, {
    budget: maxResult,
    results,
    readers,
    isFailing,
    findDefinition: (called) => definitions.find(({ name: each }) => each === called),
    ...(isShared && conversation !== undefined && { conversation }),
    ...(record.flush && { flush: record.flush }),
  })
  return {
    service: {
      name,
      version: identityVersion,
      info,
      root,
      errorTrace,
      results,
      ...(instructions !== undefined && { instructions }),
      ...(starting && { starting }),
      definitions: () => definitions,
      onDefinitionsChanged: (changed) => {
        listeners.add(changed)
        return () => void listeners.delete(changed)
      },
      callTool,
      ...(gateway && { features: gateway.features }),
      ...(mayRead && {
        readResource: async (uri, signal) => {
          const server = servers.find((each) => each.hasLinked(uri))
          return server
            ? await server.readResource(uri, { signal })
            : createFailure(`No tool has returned a link to ${JSON.stringify(uri)}.`)
        },
      }),
    },
    isLocal: (called) => {
      const entry = offered.find(({ tool }) => tool.name === called)
      return entry !== undefined && !entry.source?.startsWith('mcp')
    },
    setEntries: (newEntries) => {
      offered = offerAll(newEntries)
      executor.setTools(offered)
      definitions = executor.definitions()
      for (const changed of listeners) changed()
    },
    settled,
    close: executor.close,
  }
}

/** Tracks the calls that run. */
function trackCalls(execute: ExecuteCall): {
  callTool: ExecuteCall
  settled: CreatedService['settled']
} {
  const running = new Set<Promise<unknown>>()
  return {
    callTool: async (call, context) => {
      const result = execute(call, context)
      running.add(result)
      try {
        return await result
      } finally {
        running.delete(result)
      }
    },
    settled: async () => {
      const { promise: late, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, SETTLE_MS)
      await Promise.race([Promise.allSettled(running), late])
      clearTimeout(timer)
    },
  }
}

function hasName(entries: readonly ToolEntry[], name: string): boolean {
  return entries.some(({ tool }) => tool.name === name)
}

function offer(entry: ToolEntry, approval: ServiceOptions['approval']): readonly ToolEntry[] {
  switch (entry.policy ?? 'ask') {
    case 'deny':
    case 'skip':
      return []
    case 'unattended':
      return [entry]
    case 'ask':
      return [approval === 'client' ? { ...entry, policy: 'unattended' } : entry]
  }
}

/** Records every call of tools that work in a folder, and its result. Calls that run at the same time are one turn. */
export function recordCalls(
  callTool: ExecuteCall,
  { record, keepBytes }: CallRecord,
  origin: Omit<ConversationOrigin, 'command'>,
  turns: ServiceTurns = { last: 0, running: 0 },
): ExecuteCall {
  return async (call, context) => {
    turns.running += 1
    const starts: ConversationEvent[] = []
    if (turns.running === 1) {
      turns.last += 1
      const turn = turns.last
      const first = turn === 1 ? [beginConversation({ command: 'serve', ...origin })] : []
      starts.push(...first, { type: 'turn_start', turn })
    }
    try {
      await record(...starts, { type: 'tool_call', call })
      const result = await callTool(call, { ...context, ...(keepBytes && { keepBytes }) })
      await record({ type: 'tool_result', result })
      return result
    } finally {
      turns.running -= 1
    }
  }
}

/** Records the calls that a rule allows. */
function recordAllowed(
  allow: NonNullable<ServiceOptions['allow']>,
  { record }: Pick<CallRecord, 'record'>,
): AllowCall {
  return async (call, { entry }) => {
    const isFree = allow(call, entry)
    if (isFree) await record({ type: 'approval', callId: call.id, decision: 'allowed', by: 'rule' })
    return isFree
  }
}

/** Asks the user of a client, through the call itself, whether the call may run. */
interface ClientApproval {
  approve: ApproveCall
  /** Wraps the execution of calls, so that their clients can be asked. The ids of calls are unique. */
  during(callTool: ExecuteCall): ExecuteCall
}

const HOW_TO_SETTLE =
  'the user of the client could not be asked; to allow this call, set run = "unattended" for the tool, add a rule with "toolblocks approvals allow", or start "toolblocks serve" with --trust-client, which accepts the approval of the client'

/**
 * Creates an approval that asks the client that made the call, and records the decision. A client that cannot ask receives an explanation of how to
 * allow the call.
 */
function createClientApproval(record: CallRecord['record']): ClientApproval {
  const running = new Map<string, Parameters<ExecuteCall>[1]>()
  return {
    during: (callTool) => async (call, context) => {
      running.set(call.id, context)
      try {
        return await callTool(call, context)
      } finally {
        running.delete(call.id)
      }
    },
    approve: async (call, material): Promise<Approval> => {
      const approval = await askClient(running.get(call.id)?.ask?.user, call, material)
      const { decision } = approval
      const reason = 'reason' in approval ? approval.reason : undefined
      await record({
        type: 'approval',
        callId: call.id,
        decision,
        by: 'user',
        ...(reason !== undefined && { reason }),
      })
      return approval
    },
  }
}

async function askClient(
  user: AnswerQuestion | undefined,
  call: ToolCall,
  { formatted, signal }: Parameters<ApproveCall>[1],
): Promise<Approval> {
  if (!user) return { decision: 'denied', reason: HOW_TO_SETTLE }
  const text = `Run ${call.name}?`
  const answer = await user(booleanQuestion({ id: 'run', text }), {
    blocks: formatted?.content ?? [{ type: 'text', text: JSON.stringify(call.arguments, null, 2) }],
    source: { kind: 'question', call },
    signal,
  })
  switch (answer.action) {
    case 'accept':
      return answer.value === true
        ? { decision: 'allowed' }
        : { decision: 'denied', reason: 'by the user' }
    case 'decline':
      return { decision: 'denied', reason: 'by the user' }
    case 'cancel':
      return answer.reason === 'nobody' || answer.reason === 'failed'
        ? { decision: 'denied', reason: HOW_TO_SETTLE }
        : { decision: 'cancelled' }
  }
}
