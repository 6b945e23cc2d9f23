import {
  type Answers,
  type ContentBlock,
  type JsonValue,
  type Problem,
  type ToolCall,
  type ToolResult,
  createFailure,
  isSecret,
} from '@toolblocks/protocol'
import {
  type LiveHandle,
  describeEndedCall,
  readLiveResponse,
  quoteBriefly,
} from '@toolblocks/protocol/internal'
import { checkResult } from './finish-result.ts'
import {
  type Handle,
  type HandleLimits,
  type LiveActionContext,
  createHandles,
  refuse,
} from './handle.ts'
import type { WantedAction } from './live-schema.ts'
import {
  type InputOutcome,
  concludeForModel,
  applyPeopleAnswers,
  applyModelInput,
  isForModel,
  putToModel,
  waitsForPeople,
} from './live-questions.ts'

/** The running calls of an executor. */
export interface LiveCalls {
  /** Runs one action. The caller has checked and permitted a spawn. */
  act(action: WantedAction, use: LiveActionContext): Promise<ToolResult>
  /**
   * Asks people the questions that a handle waits for, and applies the answers. `undefined`: no question waits, nobody could answer, or the
   * question was cancelled.
   */
  answer(handle: Handle, use: LiveActionContext): Promise<AnsweredWait | undefined>
  find(conversationId: string | undefined, id: string): Handle | undefined
  hasStopped(conversationId: string | undefined, id: string): boolean
  /** Fetches without delivering. The output is kept for the next result. Only the end of the handle stops it. */
  poll(handle: Handle): Promise<void>
  /** Aborts the handles of a conversation, except those of tools that are kept. */
  endTurn(conversationId: string | undefined): Promise<void>
  /** Aborts all handles. */
  close(): Promise<void>
}

/** The arguments of a call made with people's answers, and its result. */
interface AnsweredWait {
  arguments: ToolCall['arguments']
  result: ToolResult
}

/** Creates the store of running calls, under the names that models give them. */
export function createLiveCalls(limits: HandleLimits): LiveCalls {
  const handles = createHandles(limits, (handle) => void endQuietly(handle))

  return {
    act: async (action, use) => {
      if (action.action === 'spawn') return await spawn(action.id, use)
      const { conversationId } = use.context
      const handle = handles.find(conversationId, action.id)
      if (!handle)
        return refuse(
          handles.hasStopped(conversationId, action.id)
            ? hasStoppedAlready(action.id)
            : `there is no handle "${action.id}"; spawn it first`,
        )
      const { name } = handle.entry.tool
      if (name !== use.entry.tool.name)
        return refuse(`the handle "${action.id}" belongs to the tool "${name}"`)
      return await handle.inTurn(async () => await actOn(handle, action, use))
    },
    answer: async (handle, use) => await handle.inTurn(async () => await answer(handle, use)),
    find: handles.find,
    hasStopped: handles.hasStopped,
    poll: (handle) =>
      handle.inTurn(async () => {
        if (handle.status !== 'running') return
        const fetched = await handle.live.fetch({ signal: handle.end.signal })
        const response = checkResult(fetched, handle.entry.tool.name)
        const odd = await note(handle, response, handle.end.signal)
        const warnings = [...odd, ...(response.metadata?.warnings ?? [])]
        // Only a waiting call asks. Otherwise a host that reads the result would ask the same question again.
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

  async function spawn(id: string, use: LiveActionContext): Promise<ToolResult> {
    const started = await handles.start(id, use)
    if ('refused' in started) return started.refused
    const { handle } = started
    return await handle.inTurn(async () => await deliver(handle, handle.live.started, use))
  }

  async function actOn(
    handle: Handle,
    action: Exclude<WantedAction, { action: 'spawn' }>,
    use: LiveActionContext,
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

  async function fetch(handle: Handle, use: LiveActionContext): Promise<ToolResult> {
    return waitsForPeople(handle)
      ? await deliverInput(handle, await applyPeopleAnswers(handle, use), use)
      : await deliver(handle, await handle.live.fetch({ signal: use.context.signal }), use)
  }

  async function apply(
    handle: Handle,
    input: JsonValue,
    use: LiveActionContext,
  ): Promise<ToolResult> {
    const outcome = await applyModelInput(handle, input, use)
    return outcome.kind === 'refused'
      ? refuse(outcome.message)
      : await deliverInput(handle, outcome, use)
  }

  async function answer(handle: Handle, use: LiveActionContext): Promise<AnsweredWait | undefined> {
    if (!waitsForPeople(handle)) return undefined
    const { id, pending } = handle
    const outcome = await applyPeopleAnswers(handle, use)
    const result = async (): Promise<ToolResult> => await deliverInput(handle, outcome, use)
    switch (outcome.kind) {
      case 'left':
      case 'unanswered':
        return undefined
      case 'response': {
        const input = withoutSecrets(outcome.answers ?? {}, pending)
        return { arguments: { action: 'apply', id, input }, result: await result() }
      }
      case 'ended':
        return { arguments: { action: 'abort', id }, result: await result() }
    }
  }

  async function deliverInput(
    handle: Handle,
    outcome: Exclude<InputOutcome, { kind: 'refused' }>,
    use: LiveActionContext,
  ): Promise<ToolResult> {
    switch (outcome.kind) {
      case 'left':
        return describeHandle(handle, createFailure(LEFT, 'cancelled'))
      case 'unanswered':
        return describeHandle(handle, createFailure([], 'unanswered'))
      case 'response':
        return await deliver(handle, outcome.response, use)
      case 'ended':
        return await end(handle, outcome.result)
    }
  }

  /** Converts a response into the result of one interaction. */
  async function deliver(
    handle: Handle,
    result: ToolResult,
    use: LiveActionContext,
  ): Promise<ToolResult> {
    const response = checkResult(result, handle.entry.tool.name)
    const warnings = await note(handle, response, use.context.signal)
    warnings.forEach(use.warn)
    if (handle.status === 'waiting') await putToModel(handle, use)
    return describeHandle(handle, response)
  }

  /** Stores the state of a handle. A stopped handle stays stopped, even if a late response says otherwise. Returns the problems of the response. */
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
      handles.remove(handle)
      await concludeForModel(handle, () => ({ action: 'cancel', reason: 'aborted' }), signal)
    } else handles.touch(handle)
    return warnings
  }

  /** The tool's last response becomes the result, even if a person or a limit ended the call. */
  async function end(handle: Handle, reason: ToolResult): Promise<ToolResult> {
    const isGone = handle.status === 'stopped'
    const lastWords = isGone ? undefined : await abort(handle).catch(() => undefined)
    handle.hasFailed = true
    return describeHandle(handle, describeEndedCall(reason, lastWords))
  }

  async function abort(handle: Handle): Promise<ToolResult> {
    handle.status = 'stopped'
    try {
      return await handle.live.abort()
    } finally {
      handles.remove(handle)
      handle.end.abort()
      const { signal } = handle.end
      await concludeForModel(handle, () => ({ action: 'cancel', reason: 'aborted' }), signal)
    }
  }

  async function endAll(
    isEnding: (handle: Pick<Handle, 'conversationId' | 'entry'>) => boolean,
  ): Promise<void> {
    await Promise.all((await handles.endStarts(isEnding)).map(endQuietly))
  }

  /** A tool that fails to abort counts as stopped. No caller is left to receive the error. */
  async function endQuietly(handle: Handle): Promise<void> {
    await abort(handle).catch(() => undefined)
  }
}

function hasStoppedAlready(id: string): string {
  return `the handle "${id}" has stopped already`
}

/** Returns people's answers without secrets, as they may be recorded and given to a model. */
function withoutSecrets(answers: Answers, pending: Handle['pending']): Answers {
  const secrets = new Set(
    pending.filter(({ request }) => isSecret(request)).map(({ request }) => request.id),
  )
  const entries = Object.entries(answers)
  return Object.fromEntries(
    entries.map(([id, value]) => [id, secrets.has(id) ? '[a secret, which is not shown]' : value]),
  )
}

const LEFT = 'The call was cancelled before an answer came; the handle keeps waiting.'

/** Converts a response of a running call into a result: a line with the state of the handle, then the output, then the questions. */
function describeHandle(handle: Handle, response: ToolResult): ToolResult {
  const { id, status, kept } = handle
  const text = `[handle "${id}": ${explain(handle)}]`
  const before = kept.take()
  const warnings = [...before.warnings, ...(response.metadata?.warnings ?? [])]
  const output = [...before.content, ...response.content]
  const asks = waitsForPeople(handle) ? 'user' : 'assistant'
  const described: LiveHandle = { id, status, ...(status === 'waiting' && { asks }) }
  return {
    ...response,
    content: [{ type: 'text', text }, ...output, ...getUnreportedQuestions(handle, output)],
    metadata: {
      ...response.metadata,
      ...(warnings.length > 0 && { warnings }),
      handle: described,
    },
  }
}

function explain(handle: Handle): string {
  const { status, pending, entry } = handle
  switch (status) {
    case 'running':
    case 'stopped':
      return status
    case 'waiting': {
      if (pending.length === 0) return 'waiting for input; apply it'
      if (waitsForPeople(handle))
        return `waiting for the user to answer ${listIds(pending)}; a fetch asks the user`
      const forModel = pending.filter(({ request }) => isForModel(request, entry))
      return `waiting for an answer to ${listIds(forModel)}; apply it`
    }
  }
}

function listIds(questions: Handle['pending']): string {
  return questions.map(({ request: { id } }) => quoteBriefly(id)).join(', ')
}

/** A tool need not repeat its open questions, but a reader of this result alone must see them. */
function getUnreportedQuestions(
  { status, pending }: Handle,
  output: readonly ContentBlock[],
): readonly ContentBlock[] {
  if (status !== 'waiting') return []
  const ids = new Set(
    output.flatMap((block) => (block.type === 'question' ? block.question.id : [])),
  )
  return pending.flatMap(({ request }) =>
    ids.has(request.id) ? [] : [{ type: 'question', question: request } as const],
  )
}
