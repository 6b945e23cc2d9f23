import {
  createFailure,
  type ContentBlock,
  type InputRequest,
  type Status,
  type ToolResult,
} from '@toolblocks/protocol'
import { isForModel } from './questions-for-model.ts'
import type { Handle } from './handle.ts'

/** A response of a live call as a result: a line on where the handle stands, then what it said, and what the model must answer. */
export function describeHandle(handle: Handle, response: ToolResult): ToolResult {
  const { id, status, kept, pending, entry } = handle
  const line = textBlock(`[handle "${id}": ${explain(status)}]`)
  const questions =
    status === 'waiting'
      ? pending.filter(({ request }) => isForModel(request, entry.routes ?? {}))
      : []
  const asked = questions.map(({ request }) => textBlock(phrase(request)))
  const before = kept.take()
  const warnings = [...before.warnings, ...(response.metadata?.warnings ?? [])]
  return {
    ...response,
    content: [line, ...before.content, ...response.content, ...asked],
    metadata: {
      ...response.metadata,
      ...(warnings.length > 0 && { warnings }),
      handle: { id, status },
    },
  }
}

/** All of a question: its block is one line to a model. */
function phrase({ id, text, schema, default: preselected }: InputRequest): string {
  const lines = [
    `[question "${id}", to be answered with apply]`,
    text,
    `[its answer fits this JSON Schema: ${JSON.stringify(schema)}]`,
    ...(preselected === undefined ? [] : [`[its default: ${JSON.stringify(preselected)}]`]),
  ]
  return lines.join('\n')
}

function textBlock(text: string): ContentBlock {
  return { type: 'text', text }
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
  return createFailure(`Nothing was done: ${reason}.`)
}
