import type { AudioContent, ImageContent, ResourceLink, TextContent } from '@toolblocks/protocol'

/** A block as the Agent Client Protocol has it: MCP's, without questions. */
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

/** What a client shows of a tool call (`ToolCallContent`). */
export type AcpContent =
  | { type: 'content'; content: AcpBlock }
  /** `path` is absolute; `oldText` is null for a new file. */
  | { type: 'diff'; path: string; oldText: string | null; newText: string }
  | { type: 'terminal'; terminalId: string }

/** What a call does, as far as its result tells. */
export type AcpKind = 'read' | 'edit' | 'search' | 'other'

/** The fields of a `tool_call_update` that a result decides. */
export interface AcpToolCall {
  status: 'completed' | 'failed'
  kind: AcpKind
  content: AcpContent[]
  /** Absolute paths; lines count from 1. */
  locations: { path: string; line?: number }[]
  /** The semantic value or other structured content, as the tool gave it. */
  rawOutput?: unknown
}
