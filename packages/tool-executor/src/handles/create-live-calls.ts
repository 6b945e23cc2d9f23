import { findQuestions } from '@toolblocks/inquiry'
import {
  readStatus,
  type AnswerQuestion,
  type JsonValue,
  type LiveInput,
  type ToolCall,
  type ToolContext,
  type ToolResult,
} from '@toolblocks/protocol'
import type { ToolEntry } from '../tools/tool-entry.ts'
import { answerWaiting, askPeople, isForModel, readModelAnswers } from './answer-waiting.ts'
import { describeHandle, refuse } from './describe-handle.ts'
import type { Handle, HandleLimits } from './handle.ts'
import { createHandleRegistry } from './handle-registry.ts'
import type { LiveAction } from './read-live-action.ts'

/** What one action works with. */
interface LiveUse {
  entry: ToolEntry
  call: ToolCall
  context: ToolContext
  /** Asks people, already routed, checked and recorded. */
  ask: AnswerQuestion
}

/** The live calls of an executor. */
export interface LiveCalls {
  /** Does one action; a spawn is checked and permitted by the caller. */
  act(action: LiveAction, use: LiveUse): Promise<ToolResult>
  find(conversationId: string | undefined, id: string): Handle | undefined
  hasStopped(conversationId: string | undefined, id: string): boolean
  /** Fetches without delivering: what comes is kept for the next result. */
  poll(handle: Handle, signal: AbortSignal): Promise<void>
  /** Aborts the handles of a conversation, but for those of tools that are kept. */
  endTurn(conversationId: string | undefined): Promise<void>
  /** Aborts all handles. */
  close(): Promise<void>
}

/** Keeps live calls under the names models give them. */
export function createLiveCalls(limits: HandleLimits): LiveCalls {
  const registry = createHandleRegistry(limits, (handle) => void abort(handle))

  function note(handle: Handle, response: ToolResult): void {
    handle.status = readStatus(response)
    handle.pending = findQuestions(response).map(({ request }) => request)
    if (handle.status === 'stopped') registry.remove(handle)
    else registry.touch(handle)
  }

  async function abort(handle: Handle): Promise<ToolResult> {
    const response = await handle.live.abort()
    handle.status = 'stopped'
    registry.remove(handle)
    handle.end.abort()
    return response
  }

  async function spawn(id: string, use: LiveUse): Promise<ToolResult> {
    const { entry, call, context, ask } = use
    const { conversationId } = context
    const refusal = registry.refusal(conversationId, id)
    if (refusal !== undefined) return refuse(refusal)
    if (!entry.tool.spawn) return refuse(`the tool "${call.name}" does not stay alive`)
    const end = new AbortController()
    const stop = (): void => end.abort()
    context.signal.addEventListener('abort', stop, { once: true })
    const live = await entry.tool.spawn(call, { ...context, ask, signal: end.signal })
    context.signal.removeEventListener('abort', stop)
    const handle: Handle = {
      id,
      conversationId,
      entry,
      call,
      live,
      end,
      status: 'running',
      pending: [],
      kept: [],
      busy: Promise.resolve(),
    }
    registry.add(handle)
    return await inTurn(handle, () => deliver(handle, live.started, use))
  }

  async function deliver(handle: Handle, response: ToolResult, use: LiveUse): Promise<ToolResult> {
    const { ask, context } = use
    const settled = await answerWaiting(handle, response, { ask, signal: context.signal })
    note(handle, settled)
    return describeHandle(handle, settled)
  }

  async function apply(handle: Handle, input: JsonValue, use: LiveUse): Promise<ToolResult> {
    const given = await toLiveInput(handle, input, use)
    if ('ended' in given) {
      note(handle, given.ended)
      return given.ended
    }
    if ('refused' in given) return refuse(given.refused)
    return await deliver(handle, await handle.live.apply(given.input, use.context.signal), use)
  }

  return {
    act: async (action, use) => {
      const { conversationId } = use.context
      if (action.action === 'spawn') return await spawn(action.id, use)
      const handle = registry.find(conversationId, action.id)
      if (!handle)
        return refuse(whyNotFound(action.id, registry.hasStopped(conversationId, action.id)))
      if (handle.entry !== use.entry)
        return refuse(`the handle "${action.id}" belongs to the tool "${handle.entry.tool.name}"`)
      return await inTurn(handle, async () => {
        if (handle.status === 'stopped') return refuse(whyNotFound(action.id, true))
        switch (action.action) {
          case 'fetch':
            return await deliver(handle, await handle.live.fetch(use.context.signal), use)
          case 'apply':
            return await apply(handle, action.input, use)
          case 'abort':
            return describeHandle(handle, await abort(handle))
        }
      })
    },
    find: registry.find,
    hasStopped: registry.hasStopped,
    poll: (handle, signal) =>
      inTurn(handle, async () => {
        if (handle.status !== 'running') return
        const response = await handle.live.fetch(signal)
        handle.kept = [...handle.kept, ...response.content]
        note(handle, response)
      }),
    endTurn: async (conversationId) => {
      const ending = registry
        .all()
        .filter((handle) => handle.conversationId === conversationId)
        .filter(({ entry }) => entry.onTurnEnd !== 'keep')
      await Promise.all(ending.map(abort))
    },
    close: async () => {
      await Promise.all(registry.all().map(abort))
    },
  }
}

/** Actions on one handle wait for each other; those on others do not. */
function inTurn<Value>(handle: Handle, work: () => Promise<Value>): Promise<Value> {
  const turn = handle.busy.then(work)
  handle.busy = turn.catch(() => undefined)
  return turn
}

function whyNotFound(id: string, hasStopped: boolean): string {
  return hasStopped
    ? `the handle "${id}" has stopped already`
    : `there is no handle "${id}"; spawn it first`
}

/** Free input for a running call; for a waiting one the answers, the people's ones asked for first. */
async function toLiveInput(
  handle: Handle,
  input: JsonValue,
  { ask, context }: LiveUse,
): Promise<{ input: LiveInput } | { refused: string } | { ended: ToolResult }> {
  if (handle.status !== 'waiting') return { input: { input } }
  const routes = handle.entry.routes ?? {}
  const read = readModelAnswers(handle, input)
  if (!read.ok) return { refused: read.message }
  const forPeople = handle.pending
    .filter((request) => !isForModel(request, routes))
    .map((request) => ({ request, blocks: [], shown: 0, after: [] }))
  const asked = await askPeople(handle, forPeople, { ask, signal: context.signal })
  if (!asked.ok) return { ended: asked.ended }
  return { input: { answers: { ...asked.answers, ...read.answers } } }
}
