import {
  type CallContext,
  type ContentBlock,
  createFailure,
  type ToolCall,
  type ToolResult,
} from '@toolblocks/protocol'
import { AWAIT_DEFINITION } from '@toolblocks/tool-executor/internal'
import type { KeptCall, KeptCalls } from './kept-call.ts'

const DEFAULT_SECONDS = 60

/** Returns how many calls a call of `await` names, and the work that waits for them. Each result is returned once. */
export function awaitCalls(
  call: ToolCall,
  { signal }: Pick<CallContext, 'signal'>,
  {
    calls,
    limitMs,
    hasHandles,
  }: {
    calls: KeptCalls
    limitMs: number
    /** Whether handles of stateful tools are awaited with the same tool. */
    hasHandles: boolean
  },
): { names: number; answer: () => Promise<ToolResult> } {
  const { any = [], all = [], timeout_secs: seconds = DEFAULT_SECONDS } = call.arguments
  const [oneOf, allOf] = [toIds(any), toIds(all)]
  const ids = [...new Set([...oneOf, ...allOf])]
  const known = ids.flatMap((id) => calls.findById(id) ?? [])
  const answer = async (): Promise<ToolResult> => {
    if (ids.length === 0) return createFailure('Name at least one call in "any" or "all".')
    const unknown = ids.filter((id) => !calls.findById(id))
    if (unknown.length > 0) return createFailure(describeUnknown(unknown, hasHandles))
    const find = (wanted: readonly string[]): readonly KeptCall[] =>
      known.filter((kept) => wanted.includes(kept.call.id))
    const milliseconds = Math.min(Number(seconds) * 1000, limitMs)
    await waitFor(
      find(oneOf),
      find(allOf),
      AbortSignal.any([signal, AbortSignal.timeout(milliseconds)]),
    )
    // A client that has stopped to wait gets nothing, so nothing is lost.
    if (signal.aborted)
      return createFailure('Waiting was cancelled; the calls continue.', 'cancelled')
    const ended = known.filter(({ endedAt }) => endedAt !== undefined)
    for (const kept of ended) await kept.forget()
    return await report(known, ended)
  }
  return { names: known.length, answer }
}

function toIds(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : []
}

function describeUnknown(ids: readonly string[], hasHandles: boolean): string {
  const names = ids.map((id) => JSON.stringify(id)).join(', ')
  const hint = hasHandles ? ' Wait for handles in another call.' : ''
  return `No call waits under ${names}: its result was delivered before, or there was no such call.${hint}`
}

async function waitFor(
  any: readonly KeptCall[],
  all: readonly KeptCall[],
  signal: AbortSignal,
): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => resolve(), { once: true })
  if (signal.aborted) resolve()
  const settled = [
    Promise.allSettled(all.map(async ({ result }) => await result)),
    ...(any.length === 0 ? [] : [Promise.race(any.map(async ({ result }) => await result))]),
  ]
  await Promise.race([Promise.allSettled(settled), over])
}

/** One call that was awaited alone has its own result; of several, each has a heading. */
async function report(known: readonly KeptCall[], ended: readonly KeptCall[]): Promise<ToolResult> {
  const [only] = ended
  if (known.length === 1 && only) return await only.result
  const parts: ContentBlock[] = []
  let hasFailed = false
  for (const kept of known) {
    const { id, name } = kept.call
    if (!ended.includes(kept)) {
      const state = kept.question
        ? `waits for a person: question ${kept.question.id}`
        : 'still running'
      parts.push({
        type: 'text',
        text: `[call ${id} of ${name}: ${state}; call ${AWAIT_DEFINITION.name} again]`,
      })
      continue
    }
    const { content, structuredContent, isError } = await kept.result
    hasFailed ||= isError
    const state = isError ? 'ended with an error' : 'ended'
    parts.push({ type: 'text', text: `[call ${id} of ${name}: ${state}]` }, ...content)
    if (structuredContent !== undefined)
      parts.push({ type: 'text', text: JSON.stringify(structuredContent) })
  }
  return { content: parts, isError: hasFailed }
}
