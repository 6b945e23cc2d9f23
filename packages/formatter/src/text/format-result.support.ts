import {
  type ContentBlock,
  type Resource,
  type ToolResult,
  createSuccessResult,
} from '@toolblocks/protocol'
import type { FormatOptions } from './format-block.ts'
import { formatResult } from './format-result.ts'

/** Formats a result with this block alone. */
export const format = (block: ContentBlock, options?: FormatOptions): string =>
  formatResult(createSuccessResult([block]), options)

export function resource(fields: Resource, formatted?: string): ContentBlock {
  return { type: 'resource', resource: fields, ...(formatted !== undefined && { formatted }) }
}

export const rust = resource({
  uri: 'file:///w/src/main.rs',
  mimeType: 'text/rust',
  text: 'fn main() {}',
})
export const png: ContentBlock = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' }
export const weather = { temperature: 33, conditions: 'Cloudy' }
/** The structured content of `weather`, for a model. */
export const json = '```json\n{"temperature":33,"conditions":"Cloudy"}\n```'

export const structured = (
  content: readonly ContentBlock[],
  value: unknown = weather,
): ToolResult => ({ content, isError: false, structuredContent: value })
