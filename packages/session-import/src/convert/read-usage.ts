import { type TokenUsage, isJsonObject } from '@toolblocks/protocol'
import { getOwnField } from '@toolblocks/protocol/internal'
import { getInner } from '../records/records.ts'

/** Returns token counts under the names of this package. Values that are not counts are omitted. */
export function toUsage(counts: {
  [Name in keyof TokenUsage]?: unknown
}): TokenUsage | undefined {
  const counted = Object.entries(counts).filter(([, count]) => isCount(count))
  return counted.length === 0 ? undefined : Object.fromEntries(counted)
}

/** Adds counts; returns `undefined` if there are none. */
export function readSum(...counts: readonly unknown[]): number | undefined {
  const counted = counts.filter(isCount)
  return counted.length === 0 ? undefined : counted.reduce((sum, count) => sum + count)
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

/** Reads `usage` of Anthropic, whose input excludes tokens that a cache read or wrote; of OpenAI, for both of its APIs; or of the AI SDK. */
export function readUsage(usage: unknown): TokenUsage | undefined {
  if (!isJsonObject(usage)) return undefined
  if (Object.hasOwn(usage, 'inputTokens') || Object.hasOwn(usage, 'outputTokens'))
    return toUsage({
      inputTokens: getOwnField(usage, 'inputTokens'),
      cachedInputTokens:
        getOwnField(usage, 'cachedInputTokens') ??
        getInner(usage, 'inputTokenDetails', 'cacheReadTokens'),
      cacheWriteTokens: getInner(usage, 'inputTokenDetails', 'cacheWriteTokens'),
      outputTokens: getOwnField(usage, 'outputTokens'),
      reasoningTokens:
        getOwnField(usage, 'reasoningTokens') ??
        getInner(usage, 'outputTokenDetails', 'reasoningTokens'),
    })
  if (Object.hasOwn(usage, 'prompt_tokens') || Object.hasOwn(usage, 'completion_tokens'))
    return toUsage({
      inputTokens: getOwnField(usage, 'prompt_tokens'),
      cachedInputTokens: getInner(usage, 'prompt_tokens_details', 'cached_tokens'),
      outputTokens: getOwnField(usage, 'completion_tokens'),
      reasoningTokens: getInner(usage, 'completion_tokens_details', 'reasoning_tokens'),
    })
  const input = getOwnField(usage, 'input_tokens')
  const read = getOwnField(usage, 'cache_read_input_tokens')
  const write = getOwnField(usage, 'cache_creation_input_tokens')
  return toUsage({
    inputTokens: isCount(input) ? readSum(input, read, write) : undefined,
    cachedInputTokens:
      read ??
      getOwnField(usage, 'cached_input_tokens') ??
      getInner(usage, 'input_tokens_details', 'cached_tokens'),
    cacheWriteTokens: write,
    outputTokens: getOwnField(usage, 'output_tokens'),
    reasoningTokens:
      getOwnField(usage, 'reasoning_output_tokens') ??
      getInner(usage, 'output_tokens_details', 'reasoning_tokens'),
  })
}

/** Reads `usageMetadata` of Gemini. `candidatesTokenCount` excludes reasoning, unless the total shows that it is included. */
export function readGeminiUsage(usage: {
  prompt: unknown
  tool: unknown
  cached: unknown
  candidates: unknown
  thoughts: unknown
  total: unknown
}): TokenUsage | undefined {
  const { prompt, tool, cached, candidates, thoughts, total } = usage
  const isWhole = isCount(total) && total === readSum(prompt, tool, candidates)
  return toUsage({
    inputTokens: isCount(prompt) ? readSum(prompt, tool) : undefined,
    cachedInputTokens: cached,
    outputTokens: isWhole ? candidates : readSum(candidates, thoughts),
    reasoningTokens: thoughts,
  })
}
