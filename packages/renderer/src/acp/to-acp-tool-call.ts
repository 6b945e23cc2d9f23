import {
  fenceText,
  isWellKnownValue,
  normalizeResultValue,
  type ToolResult,
  type WellKnownValue,
} from '@toolblocks/protocol'
import { renderTerminal } from '../terminal/render-terminal.ts'
import type { AcpContent, AcpKind, AcpToolCall } from './acp-content.ts'
import { absolutePath } from './absolute-path.ts'
import { toAcpBlock } from './to-acp-block.ts'

/** How a result is told to a client of the Agent Client Protocol. */
export interface AcpOptions {
  /** Absolute path of the workspace: paths of a result are made absolute from it. */
  root: string
  /** A terminal of the client that the call ran in, shown as it is. */
  terminalId?: string
}

/**
 * A result as the Agent Client Protocol has it: blocks one to one, a `diff` as a diff, other semantic values as text for whom
 * nothing else tells them; the value itself in `rawOutput`. Questions are told as text: a host asks them by `elicitation/create`.
 */
export function toAcpToolCall(result: ToolResult, { root, terminalId }: AcpOptions): AcpToolCall {
  const { content, structuredContent, isError } = result
  const value = normalizeResultValue(structuredContent)
  const wellKnown = value && isWellKnownValue(value) ? value : undefined
  const isHidden = value?.display?.preferredView === 'hidden' && !isError
  // Text beside a value is for those who do not know the value.
  const semantic = wellKnown && !isHidden ? toAcpValue(wellKnown, root) : undefined
  const blocks = content.filter((block) =>
    isHidden ? block.type === 'question' : !semantic || block.type !== 'text',
  )
  const told = semantic ?? toldByText(result, isHidden || blocks.length === 0)
  return {
    status: isError ? 'failed' : 'completed',
    kind: kindOf(wellKnown),
    content: [
      ...(terminalId === undefined ? [] : [{ type: 'terminal' as const, terminalId }]),
      ...blocks.map((block): AcpContent => ({ type: 'content', content: toAcpBlock(block) })),
      ...told,
    ],
    locations: locationsOf(wellKnown, root),
    ...(structuredContent !== undefined && !isHidden && { rawOutput: structuredContent }),
  }
}

/** The value as content; undefined for one that only text can tell. */
function toAcpValue(value: WellKnownValue, root: string): AcpContent[] | undefined {
  switch (value.kind) {
    case 'diff': {
      const { path, original, modified, isNew } = value.data
      const absolute = absolutePath(path, root)
      // A file that was there, with what is not known, must not pass for a new one.
      const isKnown = isNew || original !== undefined
      if (absolute === undefined || !isKnown) return undefined
      return [
        {
          type: 'diff',
          path: absolute,
          oldText: isNew ? null : (original ?? ''),
          newText: modified,
        },
      ]
    }
    case 'image': {
      const { base64, url, alt = 'image' } = value.data
      const { mimeType } = value
      if (base64 !== undefined && mimeType !== undefined)
        return [{ type: 'content', content: { type: 'image', data: base64, mimeType } }]
      return url === undefined
        ? undefined
        : [{ type: 'content', content: { type: 'resource_link', uri: url, name: alt } }]
    }
    case 'text':
    case 'file_content':
    case 'file_list':
    case 'table':
    case 'structured':
      return undefined
  }
}

/** What a person would be shown, in a fence: clients read text as Markdown. */
function toldByText(result: ToolResult, isNeeded: boolean): AcpContent[] {
  const isTold = result.structuredContent === undefined && result.content.length > 0
  if (isTold || !isNeeded) return []
  const text = renderTerminal({ ...result, content: [], isError: false })
  return [{ type: 'content', content: { type: 'text', text: fenceText(text) } }]
}

function kindOf(value: WellKnownValue | undefined): AcpKind {
  switch (value?.kind) {
    case 'diff':
      return 'edit'
    case 'file_content':
    case 'image':
      return 'read'
    case 'file_list':
      return 'search'
    case 'text':
    case 'table':
    case 'structured':
    case undefined:
      return 'other'
  }
}

function locationsOf(value: WellKnownValue | undefined, root: string): AcpToolCall['locations'] {
  if (value?.kind !== 'diff' && value?.kind !== 'file_content') return []
  const path = absolutePath(value.data.path, root)
  const hunks = value.kind === 'diff' ? (value.data.hunks ?? []) : []
  const [line] = hunks.map(({ newStart }) => newStart).filter((start) => start > 0)
  return path === undefined ? [] : [{ path, ...(line !== undefined && { line }) }]
}
