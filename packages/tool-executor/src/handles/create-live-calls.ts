import {
  type Answers,
  createFailure,
  describeEndedCall,
  isSecret,
  type JsonValue,
  type Problem,
  readLiveResponse,
  type ToolCall,
  type ToolResult,
} from '@toolblocks/protocol'
import { checkResult } from '../results/check-result.ts'
import { describeHandle, refuse } from './describe-handle.ts'
import { type Given, giveAnswersOfPeople, giveInputOfModel, waitsForPeople } from './give-input.ts'
import type { Handle, HandleLimits } from './handle.ts'
import { createHandleRegistry } from './handle-registry.ts'
import type { LiveUse } from './live-use.ts'
import { concludeForModel, putToModel } from './questions-for-model.ts'
import type { LiveAction } from './read-live-action.ts'
import { createStarts } from './start-handle.ts'

/** The live calls of an executor. */
export interface LiveCalls {
  /** Does one action; a spawn is checked and permitted by the caller. */
  act(action: LiveAction, use: LiveUse): Promise<ToolResult>
  /** Asks people what a handle waits for, and applies what they answer. `undefined`: it waits for nobody, nobody could answer, or the asking was cancelled. */
  answer(handle: Handle, use: LiveUse): Promise<AnsweredWait | undefined>
  find(conversationId: string | undefined, id: string): Handle | undefined
  hasStopped(conversationId: string | undefined, id: string): boolean
  /** Fetches without delivering: what comes is kept for the next result. Nothing but the handle's own end stops it. */
  poll(handle: Handle): Promise<void>
  /** Aborts the handles of a conversation, but for those of tools that are kept. */
  endTurn(conversationId: string | undefined): Promise<void>
  /** Aborts all handles. */
  close(): Promise<void>
}

/** What was done with a live call for what people answered, in the arguments of a call, and what came of it. */
interface AnsweredWait {
  arguments: ToolCall['arguments']
  result: ToolResult
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
    const { status, questions, warnings } = readLiveResponse(response, handle.pending)
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

  /** A response as the result of one interaction. */
  async function deliver(handle: Handle, given: ToolResult, use: LiveUse): Promise<ToolResult> {
    const response = checkResult(given, handle.entry.tool.name)
    const warnings = await note(handle, response, use.context.signal)
    warnings.forEach(use.warn)
    if (handle.status === 'waiting') await putToModel(handle, use)
    return describeHandle(handle, response)
  }

  /** The tool has the last word also where a person or a bound has ended it. */
  async function end(handle: Handle, reason: ToolResult): Promise<ToolResult> {
    const isGone = handle.status === 'stopped'
    const lastWords = isGone ? undefined : await abort(handle).catch(() => undefined)
    handle.hasFailed = true
    return describeHandle(handle, describeEndedCall(reason, lastWords))
  }

  async function deliverGiven(
    handle: Handle,
    given: Exclude<Given, { kind: 'refused' }>,
    use: LiveUse,
  ): Promise<ToolResult> {
    switch (given.kind) {
      case 'left':
        return describeHandle(handle, createFailure(LEFT, 'cancelled'))
      case 'unanswered':
        return describeHandle(handle, createFailure([], 'unanswered'))
      case 'response':
        return await deliver(handle, given.response, use)
      case 'ended':
        return await end(handle, given.result)
    }
  }

  async function spawn(id: string, use: LiveUse): Promise<ToolResult> {
    const started = await starts.start(id, use)
    if (started.kind === 'refused') return started.result
    const { handle } = started
    return await inTurn(handle, () => deliver(handle, handle.live.started, use))
  }

  async function fetch(handle: Handle, use: LiveUse): Promise<ToolResult> {
    return waitsForPeople(handle)
      ? await deliverGiven(handle, await giveAnswersOfPeople(handle, use, limits), use)
      : await deliver(handle, await handle.live.fetch({ signal: use.context.signal }), use)
  }

  async function apply(handle: Handle, input: JsonValue, use: LiveUse): Promise<ToolResult> {
    const given = await giveInputOfModel(handle, input, { use, limits })
    return given.kind === 'refused' ? refuse(given.message) : await deliverGiven(handle, given, use)
  }

  async function answer(handle: Handle, use: LiveUse): Promise<AnsweredWait | undefined> {
    if (!waitsForPeople(handle)) return undefined
    const { id, pending } = handle
    const given = await giveAnswersOfPeople(handle, use, limits)
    const result = async (): Promise<ToolResult> => await deliverGiven(handle, given, use)
    switch (given.kind) {
      case 'left':
      case 'unanswered':
        return undefined
      case 'response': {
        const input = withoutSecrets(given.answers, pending)
        return { arguments: { action: 'apply', id, input }, result: await result() }
      }
      case 'ended':
        return { arguments: { action: 'abort', id }, result: await result() }
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
        return await fetch(handle, use)
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
    answer: async (handle, use) => await inTurn(handle, async () => await answer(handle, use)),
    find: registry.find,
    hasStopped: registry.hasStopped,
    poll: (handle) =>
      inTurn(handle, async () => {
        if (handle.status !== 'running') return
        const given = await handle.live.fetch({ signal: handle.end.signal })
        const response = checkResult(given, handle.entry.tool.name)
        const odd = await note(handle, response, handle.end.signal)
        const warnings = [...odd, ...(response.metadata?.warnings ?? [])]
        // Only what waits asks: elsewhere a question would be put again by whoever reads the result.
        const content = response.content.filter(
          ({ type }) => type !== 'question' || handle.status === 'waiting',
        )
        handle.kept.add({ content, warnings })
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

const LEFT = 'The call was cancelled before an answer came; the handle waits on.'

/** What people answered, as it may be recorded and given to a model. */
function withoutSecrets(answers: Answers, pending: Handle['pending']): Answers {
  const secrets = new Set(pending.filter(({ request }) => isSecret(request)).map(idOf))
  const entries = Object.entries(answers)
  return Object.fromEntries(
    entries.map(([id, value]) => [id, secrets.has(id) ? '[a secret, which is not shown]' : value]),
  )
}

function idOf({ request }: Handle['pending'][number]): string {
  return request.id
}

function hasStoppedAlready(id: string): string {
  return `the handle "${id}" has stopped already`
}
