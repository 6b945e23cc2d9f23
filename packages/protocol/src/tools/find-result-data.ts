import { isJsonObject } from '../json/json.ts'
import { parseJson } from '../json/json-text.ts'
import type { ToolResult } from './tool-result.ts'

/** The data of a result. */
export interface ResultData {
  value: unknown
  /** Index of the text block that has it, if it is not structured content. */
  block?: number
}

/** Returns the data of a result: structured content, or else the JSON object or array of its only text block. Other texts are no data. */
export function findResultData({
  content,
  structuredContent,
}: Pick<ToolResult, 'content' | 'structuredContent'>): ResultData | undefined {
  if (structuredContent !== undefined) return { value: structuredContent }
  const texts = content.flatMap((block, index) =>
    block.type === 'text' ? [{ text: block.text, index }] : [],
  )
  const [only, ...others] = texts
  if (!only || others.length > 0 || !/^[ \t\r\n]*[[{]/.test(only.text)) return undefined
  const value = parseJson(only.text)
  return Array.isArray(value) || isJsonObject(value) ? { value, block: only.index } : undefined
}
