import {
  type AudioContent,
  type ContentBlock,
  type ImageContent,
  type ResourceLink,
  type TextContent,
  type ToolResult,
  type WellKnownValue,
  isWellKnownValue,
  normalizeResultValue,
} from '@toolblocks/protocol'
import { fenceText } from '@toolblocks/protocol/text'
import { renderTerminal } from '../terminal/render-terminal.ts'

/** Options for converting a result for the Agent Client Protocol. */
export interface AcpOptions {
  /** Absolute path of the workspace. Paths of a result are resolved against it. */
  root: string
  /** The client's terminal in which the call ran. */
  terminalId?: string
}

/**
 * Converts a result for the Agent Client Protocol: blocks one to one, a `diff` as a diff, other semantic values as text if no block has it, and the
 * value itself in `rawOutput`. Questions become text: a host asks them by `elicitation/create`.
 */
export function toAcpToolCall(result: ToolResult, { root, terminalId }: AcpOptions): AcpToolCall {
  const { content, structuredContent, isError } = result
  const value = normalizeResultValue(structuredContent)
  const wellKnown = value && isWellKnownValue(value) ? value : undefined
  const isHidden = value?.display?.preferredView === 'hidden' && !isError
  // Text beside a value is for readers that do not know the value.
  const semantic = wellKnown && !isHidden ? toAcpValue(wellKnown, root) : undefined
  const blocks = content.filter((block) =>
    isHidden ? block.type === 'question' : !semantic || block.type !== 'text',
  )
  const told = semantic ?? createTextContent(result, isHidden || blocks.length === 0)
  return {
    status: isError ? 'failed' : 'completed',
    kind: getKind(wellKnown),
    content: [
      ...(terminalId === undefined ? [] : [{ type: 'terminal' as const, terminalId }]),
      ...blocks.map((block): AcpContent => ({ type: 'content', content: toAcpBlock(block) })),
      ...told,
    ],
    locations: getLocations(wellKnown, root),
    ...(structuredContent !== undefined && !isHidden && { rawOutput: structuredContent }),
  }
}

/** Returns the value as content; `undefined` if only text can express it. */
function toAcpValue(value: WellKnownValue, root: string): AcpContent[] | undefined {
  switch (value.kind) {
    case 'diff': {
      const { path, original, modified, isNew } = value.data
      const absolute = absolutePath(path, root)
      // A change of a file whose old content is unknown must not look like a new file.
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

/** Returns the text that a person would see, in a fence, because clients read text as Markdown. */
function createTextContent(result: ToolResult, isNeeded: boolean): AcpContent[] {
  const isTold = result.structuredContent === undefined && result.content.length > 0
  if (isTold || !isNeeded) return []
  const text = renderTerminal({ ...result, content: [], isError: false })
  return [{ type: 'content', content: { type: 'text', text: fenceText(text) } }]
}

function getKind(value: WellKnownValue | undefined): AcpKind {
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

function getLocations(value: WellKnownValue | undefined, root: string): AcpToolCall['locations'] {
  if (value?.kind !== 'diff' && value?.kind !== 'file_content') return []
  const path = absolutePath(value.data.path, root)
  const hunks = value.kind === 'diff' ? (value.data.hunks ?? []) : []
  const [line] = hunks.map(({ newStart }) => newStart).filter((start) => start > 0)
  return path === undefined ? [] : [{ path, ...(line !== undefined && { line }) }]
}

/** Returns a block unchanged; plain text in a fence, because clients read text as Markdown. */
function toAcpBlock(block: ContentBlock): AcpBlock {
  switch (block.type) {
    case 'text': {
      const { text, mimeType } = block
      return { type: 'text', text: mimeType === 'text/markdown' ? text : fenceText(text) }
    }
    case 'image':
    case 'audio': {
      const { type, data, mimeType } = block
      return { type, data, mimeType }
    }
    case 'resource_link': {
      const { type, uri, name, title, description, mimeType, size } = block
      return {
        type,
        uri,
        name,
        ...(title !== undefined && { title }),
        ...(description !== undefined && { description }),
        ...(mimeType !== undefined && { mimeType }),
        ...(size !== undefined && { size }),
      }
    }
    case 'resource': {
      const { uri, mimeType, text, blob } = block.resource
      const type = mimeType === undefined ? {} : { mimeType }
      if (text !== undefined) return { type: 'resource', resource: { uri, text, ...type } }
      return { type: 'resource', resource: { uri, blob, ...type } }
    }
    // Content that the protocol cannot express is mentioned.
    case 'question':
      return { type: 'text', text: fenceText(`? ${block.question.text}`) }
    default:
      return { type: 'text', text: fenceText(`[${String(Reflect.get(block, 'type'))}]`) }
  }
}

/**
 * A block of the Agent Client Protocol: MCP's, without questions.
 *
 * @see https://agentclientprotocol.com/protocol/content
 */
export type AcpBlock =
  | Pick<TextContent, 'type' | 'text'>
  | Pick<ImageContent, 'type' | 'data' | 'mimeType'>
  | Pick<AudioContent, 'type' | 'data' | 'mimeType'>
  | Pick<ResourceLink, 'type' | 'uri' | 'name' | 'title' | 'description' | 'mimeType' | 'size'>
  | {
      type: 'resource'
      resource:
        | { uri: string; text: string; mimeType?: string }
        | { uri: string; blob: string; mimeType?: string }
    }

/**
 * What a client shows of a tool call (`ToolCallContent`).
 *
 * @see https://agentclientprotocol.com/protocol/tool-calls
 */
export type AcpContent =
  | { type: 'content'; content: AcpBlock }
  /** `path` is absolute; `oldText` is null for a new file. */
  | { type: 'diff'; path: string; oldText: string | null; newText: string }
  | { type: 'terminal'; terminalId: string }

/** The kind of a call, as far as its result tells. */
export type AcpKind = 'read' | 'edit' | 'search' | 'other'

/**
 * The fields of a `tool_call_update` that depend on the result.
 *
 * @see https://agentclientprotocol.com/protocol/tool-calls
 */
export interface AcpToolCall {
  status: 'completed' | 'failed'
  kind: AcpKind
  content: AcpContent[]
  /** Absolute paths; lines from 1. */
  locations: { path: string; line?: number }[]
  /** The semantic value or other structured content, unchanged. */
  rawOutput?: unknown
}

/** Returns an absolute path; `undefined` if its start is unknown. */
function absolutePath(path: string, root: string): string | undefined {
  if (/^(?:\/|[A-Za-z]:[\\/])/.test(path)) return path
  if (root === '' || path === '') return undefined
  return `${root.replace(/[\\/]+$/, '')}/${path.replace(/^\.\//, '')}`
}
