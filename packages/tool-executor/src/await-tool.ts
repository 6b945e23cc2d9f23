import { setTimeout as sleep } from 'node:timers/promises'
import {
  createFailure,
  type Tool,
  type ToolDefinition,
  type ToolResult,
} from '@toolblocks/protocol'
import type { LiveCalls } from './live-calls.ts'
import { type Handle, refuse } from './handle.ts'

/** Milliseconds between two fetches of awaited handles. */
const POLL_MS = 100

const ids = (description: string) =>
  ({ type: 'array', items: { type: 'string' }, description }) as const

/** The definition of the built-in tool that waits for running calls. */
export const AWAIT_DEFINITION = {
  name: 'await',
  summary: 'Wait until running calls have stopped, and get their output.',
  inputSchema: {
    type: 'object',
    properties: {
      any: ids('Handles; wait until one of them has stopped.'),
      all: ids('Handles; wait until all of them have stopped.'),
      timeout_secs: { type: 'number', exclusiveMinimum: 0, description: 'Default: 60.' },
    },
    additionalProperties: false,
  },
} as const satisfies ToolDefinition

/** Creates the built-in tool that waits until stateful calls have stopped. It is offered if a tool is stateful. */
export function createAwaitTool(live: LiveCalls): Tool {
  return {
    ...AWAIT_DEFINITION,
    execute: async (call, context) => {
      const { any = [], all = [], timeout_secs: seconds = 60 } = call.arguments
      const wanted = { any: toIds(any), all: toIds(all) }
      const named = [...new Set([...wanted.any, ...wanted.all])]
      if (named.length === 0) return refuse('name at least one handle in any or all')
      const { conversationId } = context
      const find = (id: string): Handle | undefined => live.find(conversationId, id)
      const unknown = named.find((id) => !find(id) && !live.hasStopped(conversationId, id))
      if (unknown !== undefined) return refuse(`there is no handle "${unknown}"`)
      const handles = named.flatMap((id) => find(id) ?? [])
      const timeout = AbortSignal.timeout(Number(seconds) * 1000)
      const end = AbortSignal.any([timeout, context.signal])
      await waitUntil(
        () =>
          wanted.all.every((id) => !find(id)) &&
          (wanted.any.length === 0 || wanted.any.some((id) => !find(id))),
        async () => void (await Promise.all(handles.map(live.poll))),
        end,
      )
      return context.signal.aborted ? cancelled(named) : report(named, handles, timeout.aborted)
    },
  }
}

function toIds(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : []
}

/** Ends early with the signal. A running fetch continues. */
async function waitUntil(
  isDone: () => boolean,
  poll: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve())
  })
  while (!isDone() && !signal.aborted) {
    await Promise.race([poll(), ended])
    if (!isDone()) await sleep(POLL_MS, undefined, { signal }).catch(() => undefined)
  }
}

function cancelled(named: readonly string[]): ToolResult {
  const text = `Waiting for ${named.map((id) => `"${id}"`).join(', ')} was cancelled; the handles are still running.`
  return createFailure(text, 'cancelled')
}

/**
 * Reports the output of stopped handles. A waiting handle counts as pending, and a timeout aborts nothing. If the last response of a handle was an
 * error, the result is an error.
 */
function report(
  named: readonly string[],
  handles: readonly Handle[],
  timedOut: boolean,
): ToolResult {
  const pending = handles.filter(({ status }) => status !== 'stopped')
  const stopped = handles.filter(({ status }) => status === 'stopped')
  const completed = named.filter((id) => !pending.some((handle) => handle.id === id))
  const failed = new Set(stopped.filter(({ hasFailed }) => hasFailed).map(({ id }) => id))
  const outputs = stopped.map(({ id, kept, hasFailed }) => {
    const text = `[handle "${id}": stopped${hasFailed ? ' with an error' : ''}]`
    const { content, warnings } = kept.take()
    return { content: [{ type: 'text', text } as const, ...content], warnings }
  })
  const warnings = outputs.flatMap((each) => each.warnings)
  return {
    content: outputs.flatMap(({ content }) => content),
    ...(warnings.length > 0 && { metadata: { warnings } }),
    isError: failed.size > 0,
    structuredContent: {
      completed: completed.map((id) => ({
        id,
        status: 'stopped',
        ...(failed.has(id) && { isError: true }),
      })),
      pending: pending.map(({ id, status }) => ({ id, status })),
      ...(timedOut && { timed_out: true }),
    },
  }
}
