import { findQuestions, type RecordInquiry } from '@toolblocks/inquiry'
import {
  createErrorResult,
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
import type { Handle, HandleLimits, StartingHandle } from './handle.ts'
import { createHandleRegistry } from './handle-registry.ts'
import { createKeptOutput } from './kept-output.ts'
import type { LiveAction } from './read-live-action.ts'

/** What one action works with. */
interface LiveUse {
  entry: ToolEntry
  call: ToolCall
  context: ToolContext
  /** Asks people, already routed, checked and recorded. */
  ask: AnswerQuestion
  /** Gets the answers that the driving model gives. */
  record: RecordInquiry
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
  const registry = createHandleRegistry(limits, (handle) => void endQuietly(handle))
  const starting = new Set<StartingHandle>()

  /** Keeps where a handle stands; one that has stopped stays so, whatever a late answer says. */
  function note(handle: Handle, response: ToolResult): void {
    if (handle.status === 'stopped') return
    const questions = findQuestions(response)
    const status = readStatus(response)
    // A tool that waits need not repeat its questions; without any it is running.
    if (status !== 'waiting' || questions.length > 0) handle.pending = questions
    handle.status = status === 'waiting' && handle.pending.length === 0 ? 'running' : status
    if (handle.status === 'stopped') registry.remove(handle)
    else registry.touch(handle)
  }

  async function abort(handle: Handle): Promise<ToolResult> {
    handle.status = 'stopped'
    try {
      return await handle.live.abort()
    } finally {
      registry.remove(handle)
      handle.end.abort()
    }
  }

  /** A tool that fails to abort has stopped all the same; nobody is there to be told. */
  async function endQuietly(handle: Handle): Promise<void> {
    await abort(handle).catch(() => undefined)
  }

  async function endAll(isEnding: (handle: Handle | StartingHandle) => boolean): Promise<void> {
    const starts = [...starting].filter(isEnding)
    for (const { end } of starts) end.abort()
    await Promise.allSettled(starts.map(({ done }) => done))
    await Promise.all(registry.all().filter(isEnding).map(endQuietly))
  }

  async function spawn(id: string, use: LiveUse): Promise<ToolResult> {
    const { entry, context } = use
    const { conversationId } = context
    const refusal = registry.reserve(conversationId, id)
    if (refusal !== undefined) return refuse(refusal)
    const end = new AbortController()
    const stop = (): void => end.abort()
    if (context.signal.aborted) stop()
    context.signal.addEventListener('abort', stop, { once: true })
    const start = { conversationId, entry, end, done: begin(id, use, end) }
    starting.add(start)
    const handle = await start.done.finally(() => {
      context.signal.removeEventListener('abort', stop)
      starting.delete(start)
      registry.release(conversationId, id)
    })
    if (!handle)
      return createErrorResult(`The start of the handle "${id}" was aborted.`, undefined, {
        outcome: 'cancelled',
      })
    return await inTurn(handle, () => deliver(handle, handle.live.started, use))
  }

  async function begin(
    id: string,
    { entry, call, context, ask }: LiveUse,
    end: AbortController,
  ): Promise<Handle | undefined> {
    const live = await entry.tool.spawn?.(call, { ...context, ask, signal: end.signal })
    if (!live || end.signal.aborted) {
      await live?.abort()
      return undefined
    }
    const { conversationId } = context
    const handle: Handle = {
      id,
      conversationId,
      entry,
      call,
      live,
      end,
      status: 'running',
      pending: [],
      kept: createKeptOutput(),
      busy: Promise.resolve(),
    }
    registry.add(handle)
    return handle
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
      return describeHandle(handle, given.ended)
    }
    if ('refused' in given) return refuse(given.refused)
    handle.pending = []
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
        note(handle, response)
        if (!waitsForPeople(handle)) handle.kept.add(response.content)
      }),
    endTurn: (conversationId) =>
      endAll(
        (handle) => handle.conversationId === conversationId && handle.entry.onTurnEnd !== 'keep',
      ),
    close: () => endAll(() => true),
  }
}

/** Actions on one handle wait for each other; those on others do not. */
function inTurn<Value>(handle: Handle, work: () => Promise<Value>): Promise<Value> {
  const turn = handle.busy.then(work)
  handle.busy = turn.catch(() => undefined)
  return turn
}

/** Such a question is put by the next fetch, with what it says before it. */
function waitsForPeople({ status, pending, entry }: Handle): boolean {
  const routes = entry.routes ?? {}
  return status === 'waiting' && !pending.some(({ request }) => isForModel(request, routes))
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
  { ask, call, context, record }: LiveUse,
): Promise<{ input: LiveInput } | { refused: string } | { ended: ToolResult }> {
  if (handle.status !== 'waiting') return { input: { input } }
  const routes = handle.entry.routes ?? {}
  const read = readModelAnswers(handle, input)
  if (!read.ok) return { refused: read.message }
  const forPeople = handle.pending.filter(({ request }) => !isForModel(request, routes))
  const unseen = forPeople.map((question, index) => ({
    ...question,
    shown: forPeople[index - 1]?.blocks.length ?? 0,
  }))
  const asked = await askPeople(handle, unseen, { ask, signal: context.signal })
  if (!asked.ok) return { ended: asked.ended }
  for (const { request } of handle.pending.filter(({ request: { id } }) =>
    Object.hasOwn(read.answers, id),
  )) {
    const fields = { id: `${call.id}.${request.id}.1`, callId: call.id }
    await record({ type: 'question', ...fields, question: request, asked: 'assistant' })
    const value = read.answers[request.id] ?? null
    await record({ type: 'answer', ...fields, outcome: 'answered', value })
  }
  return { input: { answers: { ...asked.answers, ...read.answers } } }
}
