import {
  createFailure,
  type ContentBlock,
  type LiveHandle,
  quoteBriefly,
  type ToolResult,
} from '@toolblocks/protocol'
import { waitsForPeople } from './give-input.ts'
import type { Handle } from './handle.ts'
import { isForModel } from './questions-for-model.ts'

/** A response of a live call as a result: a line on where the handle stands, then what it said, and what it asks. */
export function describeHandle(handle: Handle, response: ToolResult): ToolResult {
  const { id, status, kept } = handle
  const text = `[handle "${id}": ${explain(handle)}]`
  const before = kept.take()
  const warnings = [...before.warnings, ...(response.metadata?.warnings ?? [])]
  const said = [...before.content, ...response.content]
  const asks = waitsForPeople(handle) ? 'user' : 'assistant'
  const described: LiveHandle = { id, status, ...(status === 'waiting' && { asks }) }
  return {
    ...response,
    content: [{ type: 'text', text }, ...said, ...unsaid(handle, said)],
    metadata: {
      ...response.metadata,
      ...(warnings.length > 0 && { warnings }),
      handle: described,
    },
  }
}

/** A tool need not repeat what it waits for, and whoever reads this result alone must know it. */
function unsaid(
  { status, pending }: Handle,
  said: readonly ContentBlock[],
): readonly ContentBlock[] {
  if (status !== 'waiting') return []
  const ids = new Set(said.flatMap((block) => (block.type === 'question' ? block.question.id : [])))
  return pending.flatMap(({ request }) =>
    ids.has(request.id) ? [] : [{ type: 'question', question: request } as const],
  )
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
        return `waiting for the user to answer ${named(pending)}; a fetch asks the user`
      const forModel = pending.filter(({ request }) => isForModel(request, entry.routes ?? {}))
      return `waiting for an answer to ${named(forModel)}; apply it`
    }
  }
}

function named(questions: Handle['pending']): string {
  return questions.map(({ request: { id } }) => quoteBriefly(id)).join(', ')
}

/** An action that cannot be done, and why. Nothing happened to any handle. */
export function refuse(reason: string): ToolResult {
  return createFailure(`Nothing was done: ${reason}.`)
}
