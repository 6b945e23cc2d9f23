import {
  type ContentBlock,
  createSuccessResult,
  isContentBlock,
  isJsonObject,
  type Meta,
  type ToolResult,
} from '@toolblocks/protocol'

/** A result as a tool writes it; `Structured` is the type of what goes to programs. */
export interface Output<Structured = unknown> {
  readonly content: readonly ContentBlock[]
  readonly isError: boolean
  readonly structuredContent?: Structured
  readonly _meta?: Meta
}

/** What a tool returns: one block, several, or a whole result (`error`, `value`). */
export type Returned<Structured = unknown> =
  | ContentBlock
  | readonly ContentBlock[]
  | Output<Structured>

/** Reads what a tool returned, with the blocks it had shown before. Throws for what is none of it. */
export function toResult(returned: unknown, shown: readonly ContentBlock[] = []): ToolResult {
  if (isContentBlock(returned)) return createSuccessResult([...shown, returned])
  if (Array.isArray(returned) && returned.every(isContentBlock))
    return createSuccessResult([...shown, ...returned])
  if (!isOutput(returned)) throw new TypeError(explain(returned))
  const { content, isError, _meta: meta } = returned
  return {
    content: [...shown, ...content],
    isError,
    ...('structuredContent' in returned && { structuredContent: returned.structuredContent }),
    ...(meta && { _meta: meta }),
  }
}

function isOutput(value: unknown): value is Output {
  if (!isJsonObject(value)) return false
  const { content, isError } = value
  return Array.isArray(content) && content.every(isContentBlock) && typeof isError === 'boolean'
}

function explain(returned: unknown): string {
  const got = returned === null ? 'null' : Array.isArray(returned) ? 'an array' : typeof returned
  return `a tool returns a block, an array of blocks, error(…) or value(…), got ${got}`
}
