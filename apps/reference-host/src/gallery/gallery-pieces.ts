import type { ToolResult } from '@toolblocks/protocol'

/** One result, and what it is there to show. */
export interface GalleryPiece {
  title: string
  result: ToolResult
}

/** A small picture in base64. */
export const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAABgAAAAQCAIAAACDRijCAAAAeUlEQVR4Aa3BMQ0DMQxA0V8rOAwnEDwER2AERKcMgVA4GW46EJ1uqGqfWsnvPdrzIIOQREhSuDWmceltESsExjQ+jWlAbwuPkETwjGkExjQ8QpKyz86f9tn5IiQRPFaVgFXFIyQpBKwqsF6bi1UlVrhlVfmNkERI8gYeqRcOQ5DnVwAAAABJRU5ErkJggg=='

/** A piece that shows structured content. */
export function pieceOf(
  title: string,
  structuredContent: unknown,
  more: Partial<ToolResult> = {},
): GalleryPiece {
  return { title, result: { content: [], isError: false, structuredContent, ...more } }
}
