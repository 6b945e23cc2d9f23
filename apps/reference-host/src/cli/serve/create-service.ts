import { createReadToolResult } from '@toolblocks/conversation-store'
import type { McpServer } from '@toolblocks/mcp-bridge'
import type { Gateway } from '@toolblocks/mcp-bridge/gateway'
import type { ClientIdentity } from '@toolblocks/mcp-bridge/identity'
import {
  type ResultsForm,
  type StartingServers,
  type ToolService,
} from '@toolblocks/mcp-bridge/server'
import {
  type ExecuteCall,
  type JsonObject,
  type Telemetry,
  type ToolCall,
  type ToolDefinition,
  type ToolResult,
  createFailure,
} from '@toolblocks/protocol'
import { type ApplyRules, type ToolEntry, createToolExecutor } from '@toolblocks/tool-executor'
import { AWAIT_DEFINITION } from '@toolblocks/tool-executor/internal'
import { recordVerdicts } from '../../workspace/consent/create-approver.ts'
import type { CallRecord } from '../../workspace/conversations/record-call.ts'
import { flushBeforeRead, type GroupedRecord } from './group-record.ts'
import { inConversation } from '../../process/telemetry/in-conversation.ts'
import { hashJson } from '../../workspace/files/hash-json.ts'
import { getWaitLimits } from './kept-calls/wait-limits.ts'
import {
  askClient,
  type CallPeople,
  askThroughStore,
  readAskingClient,
  type StoredQuestions,
  type UndecidedCalls,
} from './kept-calls/ask-people.ts'
import { keepCalls } from './kept-calls/keep-calls.ts'
import { keepConversation, type KeptConversation } from './kept-calls/kept-conversation.ts'
import { describeUnoffered, recordRefusals, type RefusalRecord } from './record-refusals.ts'
import { limitResults } from './limit-results.ts'
import { recordAnswers, recordCalls, type ServiceTurns, toApprovalEvent } from './record-calls.ts'
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
  results?: ResultsForm
  /** The servers whose links can be read. */
  servers: readonly McpServer[]
  /** Who approves calls of tools with the policy `ask`: the user, who is asked through the client, or the client itself. */
  approval: 'user' | 'client'
  /** Decides about calls by rules. Default: the policies of the tools decide. */
  decide?: ApplyRules
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
  /** Who the client is, as far as it is proved, for the record. */
  identified?: ClientIdentity
  /** The IP address of the client, for the record. */
  address?: string
  /** The turns of the conversation, if several services record it. Default: those of this service. */
  turns?: ServiceTurns
  /** The calls of the client, if several services execute them. Default: those of this service. */
  kept?: KeptConversation
  /** Milliseconds after which a request gets an answer although its call continues; `Infinity`: never. Default: by the host of the client. */
  answerWithinMs?: number
  /** Whether questions and approvals wait in the store for a person. Default: those of a client that cannot ask its user. */
  park?: boolean
  /** Names what is served, for calls that a later service continues. Default: the root. */
  scope?: string
  /** Identifies a tool and what is started for it; an answer for another one does not count. Default: its definition. */
  describeTool?: (entry: ToolEntry) => string
  /** Runs a call, or returns why it may not run now. Default: each runs. */
  limitCall?: (call: ToolCall, run: () => Promise<ToolResult>) => Promise<ToolResult>
  /** Where calls of tools that are not offered are recorded. Default: in the conversation. */
  refusals?: RefusalRecord
  /** How questions wait in the store, by default for a day. `folder`: where a person answers them; absent: anywhere. */
  waiting?: Pick<StoredQuestions, 'expireMs' | 'notify'> & { folder?: string }
  /** Returns the address of the page on which a question is answered. Absent: there are no such pages. */
  getQuestionAddress?: (id: string) => string
  /** Reports calls that were denied because nobody could decide. Default: they are not reported. */
  report?: UndecidedCalls['report']
  /** Reports requests and calls. Default: nothing is reported. */
  telemetry?: Telemetry
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
  /** Whether a call runs or waits, perhaps without a request of the client. */
  isBusy(): boolean
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
    decide,
    record,
    conversation,
    isShared = false,
    deferAbove,
    gateway,
    identity = { name: 'toolblocks', version },
    maxResult = Infinity,
    client,
    identified,
    address,
    turns = { last: 0, running: 0 },
    kept = keepConversation(
      conversation ?? '',
      conversation === undefined ? undefined : record.store,
    ),
    answerWithinMs,
    park,
    scope = root,
    describeTool = ({ tool: { execute: _execute, ...definition } }) => hashJson(definition),
    waiting = { expireMs: () => undefined },
    getQuestionAddress,
    starting,
    report,
    telemetry,
    limitCall = async (_call, run) => await run(),
    refusals: refusalRecord,
  }: ServiceOptions,
): CreatedService {
  const { store, isFailing = () => false } = record
  const createReader = isShared ? createReadSharedResult : createReadToolResult
  const readers: readonly ToolEntry[] =
    store && conversation !== undefined
      ? [{ tool: createReader(store, conversation), policy: 'unattended', defer: false }]
      : []
  const offerAll = (newEntries: readonly ToolEntry[]): readonly ToolEntry[] => {
    const offered = newEntries.flatMap((entry) => offer(entry, approval))
    const isNeeded = maxResult < Infinity || offered.some(({ shape }) => shape?.select)
    const needed = isNeeded ? readers : []
    return [...offered, ...needed.filter(({ tool }) => !hasName(offered, tool.name))]
  }
  let offered = offerAll(entries)
  const { calls, stored } = kept
  const asking = new Map<string, CallPeople>()
  const isParked = (id: string): boolean => calls.findById(id)?.isParked === true
  const getDefinition = (called: string): string | undefined => {
    const entry = offered.find(({ tool }) => tool.name === called)
    return entry && describeTool(entry)
  }
  const executor = createToolExecutor({
    tools: offered,
    ...(decide && { decide: recordVerdicts(decide, { record: record.record, approval }) }),
    approve: async (call, material) => {
      const decided = await (asking.get(call.id) ?? NOBODY).approve(call, material)
      if (!isParked(call.id)) await record.record(toApprovalEvent(call, decided))
      return decided
    },
    recordInquiry: async (event) => {
      if (!isParked(event.callId)) await record.record(event)
    },
    liveSchema: 'flat',
    receivedText: 'description',
    // Clients have people of their own, who do not wait for each other.
    askPeople: 'at-once',
    ...(telemetry && { telemetry: inConversation(telemetry, conversation) }),
    ...(deferAbove !== undefined && { deferAbove }),
  })
  const listeners = new Set<() => void>()
  /** A client whose requests end before its calls gets their results with `await`. */
  const isCut = getWaitLimits(client, { results, answerWithinMs }).runningMs < Infinity
  const awaits = (): 'handles' | 'other' | 'none' => {
    if (hasName(offered, AWAIT_DEFINITION.name)) return 'other'
    const isListed = executor.definitions().some((each) => each.name === AWAIT_DEFINITION.name)
    return isListed ? 'handles' : 'none'
  }
  const listDefinitions = (): readonly ToolDefinition[] => {
    const listed = executor.definitions()
    return isCut && awaits() === 'none' ? [...listed, AWAIT_DEFINITION] : listed
  }
  let definitions = listDefinitions()
  const findDefinition = (called: string): ToolDefinition | undefined =>
    definitions.find((each) => each.name === called)
  const mayRead =
    servers.some(({ capabilities }) => capabilities['resources'] !== undefined) ||
    (starting?.names() ?? []).length > 0
  const { name, version: identityVersion, ...info } = identity
  const executeAsked: ExecuteCall = async (call, context) => {
    try {
      return await limitCall(call, async () => await executor.execute(call, context))
    } finally {
      asking.delete(call.id)
    }
  }
  const recordEach = (execute: ExecuteCall): ExecuteCall =>
    recordCalls(
      execute,
      record,
      {
        folder: root,
        ...(client && { client }),
        ...(identified && { identified }),
        ...(address !== undefined && { address }),
      },
      { turns, isParked },
    )
  const refusals = recordRefusals(
    refusalRecord ?? {
      recordEach,
      record: record.record,
      describe: describeUnoffered,
      close: async () => undefined,
    },
    { root, limitCall },
  )
  const { track, settled } = trackCalls()
  const tracked = track(recordEach(recordAnswers(executeAsked, record)))
  const flushed = record.flush ? flushBeforeRead(tracked, { flush: record.flush }) : tracked
  const keeping = keepCalls(gateway ? gateway.during(flushed) : flushed, {
    calls,
    getLimits: ({ info: caller }) => getWaitLimits(caller, { results, answerWithinMs }),
    scope,
    findDefinition,
    getDefinition,
    awaits,
    findTool: (called) => offered.find(({ tool }) => tool.name === called)?.tool,
    recordAnswered: async (call, context, answer) =>
      await recordEach(async () => ({ ...(await answer()), id: call.id }))(call, context),
    connect: (call, { context, client: caller }, resumed) => {
      const user = context.ask?.user
      const asker = readAskingClient(caller.info ?? client)
      const isStored = resumed !== undefined || park === true || (park !== false && !user)
      const people =
        stored && conversation !== undefined && isStored
          ? askThroughStore(call, {
              stored: {
                ...stored,
                conversation,
                getDefinition,
                turn: () => turns.last,
                ...(asker && { client: asker }),
                ...waiting,
                expireMs: (tool) => waiting.expireMs(tool) ?? DAY_MS,
              },
              user,
              ...(resumed && { earlier: resumed.questions }),
            })
          : askClient(user, { unstored: park === false ? 'of --no-park' : record.unstored, report })
      asking.set(call.call.id, people)
      const { ask: _client, ...rest } = context
      return {
        ...rest,
        ...(people.user && { ask: { ...context.ask, user: people.user } }),
        ...(resumed && { answered: resumed.answered }),
      }
    },
    ...(stored && { parked: stored.parked }),
    ...(waiting.folder !== undefined && { folder: waiting.folder }),
    ...(getQuestionAddress && { getQuestionAddress }),
  })
  const callTool = limitResults(track(keeping.callTool), {
    budget: maxResult,
    results,
    readers,
    isFailing,
    findDefinition,
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
      ...(telemetry && { telemetry }),
      definitions: () => definitions,
      onDefinitionsChanged: (changed) => {
        listeners.add(changed)
        return () => void listeners.delete(changed)
      },
      callTool,
      onUnknownTool: refusals.add,
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
      definitions = listDefinitions()
      for (const changed of listeners) changed()
    },
    settled,
    isBusy: keeping.isBusy,
    close: async () => {
      await keeping.end()
      await executor.close()
      await refusals.close()
    },
  }
}

const DAY_MS = 24 * 60 * 60 * 1000

const NOBODY = askClient(undefined)

/** Tracks the calls that run. */
function trackCalls(): {
  track: <Call extends readonly unknown[]>(
    execute: (...call: Call) => Promise<ToolResult>,
  ) => (...call: Call) => Promise<ToolResult>
  settled: CreatedService['settled']
} {
  const running = new Set<Promise<unknown>>()
  return {
    track:
      (execute) =>
      async (...call) => {
        const result = execute(...call)
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
