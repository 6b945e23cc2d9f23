import type { JsonValue, Problem, ToolResult } from '@toolblocks/protocol'
import { checkResult } from '../results/check-result.ts'
import { answerWaiting, type Answered } from './answer-waiting.ts'
import { applyInput } from './apply-input.ts'
import { describeHandle, refuse } from './describe-handle.ts'
import type { Handle, HandleLimits } from './handle.ts'
import { createHandleRegistry } from './handle-registry.ts'
import type { LiveUse } from './live-use.ts'
import { concludeForModel, isForModel, putToModel } from './questions-for-model.ts'
import type { LiveAction } from './read-live-action.ts'
import { readResponse } from './read-response.ts'
import { createStarts } from './start-handle.ts'

/** The live calls of an executor. */
export interface LiveCalls {
  /** Does one action; a spawn is checked and permitted by the caller. */
  act(action: LiveAction, use: LiveUse): Promise<ToolResult>
  find(conversationId: string | undefined, id: string): Handle | undefined
  hasStopped(conversationId: string | undefined, id: string): boolean
  /** Fetches without delivering: what comes is kept for the next result. Nothing but the handle's own end stops it. */
  poll(handle: Handle): Promise<void>
  /** Aborts the handles of a conversation, but for those of tools that are kept. */
  endTurn(conversationId: string | undefined): Promise<void>
  /** Aborts all handles. */
  close(): Promise<void>
}

/** Keeps live calls under the names models give them. */
export function createLiveCalls(limits: HandleLimits): LiveCalls {
  const registry = createHandleRegistry(limits, (handle) => void endQuietly(handle))
  const starts = createStarts(registry)

  /** Keeps where a handle stands; one that has stopped stays so, whatever a late answer says. What is odd about the response comes back. */
  async function note(
    handle: Handle,
    response: ToolResult,
    signal: AbortSignal,
  ): Promise<readonly Problem[]> {
    const { status, questions, warnings } = readResponse(response, handle.pending)
    if (handle.status === 'stopped') return warnings
    handle.status = status
    handle.pending = status === 'stopped' ? [] : questions
    if (status === 'stopped') {
      handle.hasFailed = response.isError
      registry.remove(handle)
      await concludeForModel(handle, () => ({ action: 'cancel', reason: 'aborted' }), signal)
    } else registry.touch(handle)
    return warnings
  }

  async function abort(handle: Handle): Promise<ToolResult> {
    handle.status = 'stopped'
    try {
      return await handle.live.abort()
    } finally {
      registry.remove(handle)
      handle.end.abort()
      const { signal } = handle.end
      await concludeForModel(handle, () => ({ action: 'cancel', reason: 'aborted' }), signal)
    }
  }

  /** A tool that fails to abort has stopped all the same; nobody is there to be told. */
  async function endQuietly(handle: Handle): Promise<void> {
    await abort(handle).catch(() => undefined)
  }

  async function endAll(
    isEnding: (handle: Pick<Handle, 'conversationId' | 'entry'>) => boolean,
  ): Promise<void> {
    await starts.end(isEnding)
    await Promise.all(registry.all().filter(isEnding).map(endQuietly))
  }

  async function deliver(handle: Handle, answered: Answered, use: LiveUse): Promise<ToolResult> {
    if (answered.kind === 'ended') {
      await endQuietly(handle)
      handle.hasFailed = true
      return describeHandle(handle, answered.result)
    }
    await note(handle, answered.response, use.context.signal)
    if (handle.status === 'waiting') await putToModel(handle, use)
    return describeHandle(handle, answered.response)
  }

  async function answerAndDeliver(
    handle: Handle,
    response: ToolResult,
    use: LiveUse,
  ): Promise<ToolResult> {
    return await deliver(handle, await answerWaiting(handle, response, use), use)
  }

  async function spawn(id: string, use: LiveUse): Promise<ToolResult> {
    const started = await starts.start(id, use)
    if (started.kind === 'refused') return started.result
    const { handle } = started
    return await inTurn(handle, () => answerAndDeliver(handle, handle.live.started, use))
  }

  async function apply(handle: Handle, input: JsonValue, use: LiveUse): Promise<ToolResult> {
    const applied = await applyInput(handle, input, use)
    switch (applied.kind) {
      case 'refused':
        return refuse(applied.message)
      case 'response':
        return await answerAndDeliver(handle, applied.response, use)
      case 'ended':
        return await deliver(handle, applied, use)
    }
  }

  async function actOn(
    handle: Handle,
    action: Exclude<LiveAction, { action: 'spawn' }>,
    use: LiveUse,
  ): Promise<ToolResult> {
    if (handle.status === 'stopped') return refuse(hasStoppedAlready(action.id))
    switch (action.action) {
      case 'fetch':
        return await answerAndDeliver(handle, await handle.live.fetch(use.context.signal), use)
      case 'apply':
        return await apply(handle, action.input, use)
      case 'abort': {
        const lastWords = await abort(handle)
        return describeHandle(handle, lastWords)
      }
    }
  }

  return {
    act: async (action, use) => {
      if (action.action === 'spawn') return await spawn(action.id, use)
      const { conversationId } = use.context
      const handle = registry.find(conversationId, action.id)
      if (!handle)
        return refuse(
          registry.hasStopped(conversationId, action.id)
            ? hasStoppedAlready(action.id)
            : `there is no handle "${action.id}"; spawn it first`,
        )
      const { name } = handle.entry.tool
      if (name !== use.entry.tool.name)
        return refuse(`the handle "${action.id}" belongs to the tool "${name}"`)
      return await inTurn(handle, () => actOn(handle, action, use))
    },
    find: registry.find,
    hasStopped: registry.hasStopped,
    poll: (handle) =>
      inTurn(handle, async () => {
        if (handle.status !== 'running') return
        const given = await handle.live.fetch(handle.end.signal)
        const response = checkResult(given, handle.entry.tool.name)
        const odd = await note(handle, response, handle.end.signal)
        const warnings = [...odd, ...(response.metadata?.warnings ?? [])]
        handle.kept.add({ content: waitsForPeople(handle) ? [] : response.content, warnings })
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

function hasStoppedAlready(id: string): string {
  return `the handle "${id}" has stopped already`
}
