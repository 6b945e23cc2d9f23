import { setTimeout as sleep } from 'node:timers/promises'
import {
  createSuccessResult,
  type ContentBlock,
  type Tool,
  type ToolContext,
} from '@toolblocks/protocol'
import type { LiveCalls } from './create-live-calls.ts'
import { refuse } from './describe-handle.ts'
import type { Handle } from './handle.ts'

/** How often awaited handles are asked for news, in milliseconds. */
const POLL_MS = 100

const ids = (description: string) => ({ type: 'array', items: { type: 'string' }, description })

/** A built-in tool that waits until live calls have stopped; offered where a tool is live. */
export function createAwaitTool(live: LiveCalls): Tool {
  return {
    name: 'await',
    summary: 'Wait until live calls have stopped, and get what they said.',
    inputSchema: {
      type: 'object',
      properties: {
        any: ids('Handles of which one must stop.'),
        all: ids('Handles which must all stop.'),
        timeout_secs: { type: 'number', exclusiveMinimum: 0, description: 'Default: 60.' },
      },
      additionalProperties: false,
    },
    execute: async (call, context) => {
      const { any = [], all = [], timeout_secs: seconds = 60 } = call.arguments
      const wanted = { any: toIds(any), all: toIds(all) }
      const named = [...new Set([...wanted.any, ...wanted.all])]
      if (named.length === 0) return refuse('name at least one handle in any or all')
      const unknown = named.find((id) => !isKnown(live, context, id))
      if (unknown !== undefined) return refuse(`there is no handle "${unknown}"`)
      const handles = named.flatMap((id) => live.find(context.conversationId, id) ?? [])
      const timedOut = await waitUntil(() => isOver(wanted, live, context), {
        milliseconds: Number(seconds) * 1000,
        signal: context.signal,
        between: () => Promise.all(handles.map((handle) => live.poll(handle, context.signal))),
      })
      return report(named, handles, timedOut)
    },
  }
}

function toIds(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : []
}

function isKnown(live: LiveCalls, { conversationId }: ToolContext, id: string): boolean {
  return live.find(conversationId, id) !== undefined || live.hasStopped(conversationId, id)
}

function isOver(
  { any, all }: { any: readonly string[]; all: readonly string[] },
  live: LiveCalls,
  { conversationId }: ToolContext,
): boolean {
  const hasStopped = (id: string): boolean => live.find(conversationId, id) === undefined
  return all.every(hasStopped) && (any.length === 0 || any.some(hasStopped))
}

/** Answers whether the time ran out first. */
async function waitUntil(
  isDone: () => boolean,
  {
    milliseconds,
    signal,
    between,
  }: { milliseconds: number; signal: AbortSignal; between: () => Promise<unknown> },
): Promise<boolean> {
  const end = performance.now() + milliseconds
  while (!isDone()) {
    if (performance.now() >= end || signal.aborted) return true
    await between()
    if (!isDone()) await sleep(POLL_MS)
  }
  return false
}

/** What the stopped ones said; a waiting handle counts as pending, and the timeout aborts nothing. */
function report(named: readonly string[], handles: readonly Handle[], timedOut: boolean) {
  const pending = handles.filter(({ status }) => status !== 'stopped')
  const completed = named.filter((id) => !pending.some((handle) => handle.id === id))
  const said = handles
    .filter(({ status }) => status === 'stopped')
    .flatMap(({ id, kept }): ContentBlock[] => [
      { type: 'text', text: `[handle "${id}": stopped]` },
      ...kept.take(),
    ])
  return {
    ...createSuccessResult(said),
    structuredContent: {
      completed: completed.map((id) => ({ id, status: 'stopped' })),
      pending: pending.map(({ id, status }) => ({ id, status })),
      ...(timedOut && { timed_out: true }),
    },
  }
}
