import { createErrorResult, type Status, type ToolResult } from '@toolblocks/protocol'
import type { Handle } from './handle.ts'

/** A response of a live call as a result: a line on where the handle stands, then what it said. */
export function describeHandle(handle: Handle, response: ToolResult): ToolResult {
  const { id, status, kept } = handle
  const line = { type: 'text', text: `[handle "${id}": ${explain(status)}]` } as const
  return {
    ...response,
    content: [line, ...kept.take(), ...response.content],
    metadata: { ...response.metadata, handle: { id, status } },
  }
}

function explain(status: Status): string {
  switch (status) {
    case 'running':
      return 'running'
    case 'waiting':
      return 'waiting for an answer; apply it'
    case 'stopped':
      return 'stopped'
  }
}

/** An action that cannot be done, and why. Nothing happened to any handle. */
export function refuse(reason: string): ToolResult {
  return createErrorResult(`Nothing was done: ${reason}.`, undefined, { outcome: 'failed' })
}
