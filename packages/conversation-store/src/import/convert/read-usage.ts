import { field, isJsonObject, type TokenUsage } from '@toolblocks/protocol'
import { inner } from '../records/records.ts'

/** Counts as a source has them, under the names that they have here; what is no count is left out. */
export function usageOf(counts: {
  [Name in keyof TokenUsage]?: unknown
}): TokenUsage | undefined {
  const told = Object.entries(counts).filter(([, count]) => isCount(count))
  return told.length === 0 ? undefined : Object.fromEntries(told)
}

/** The sum of counts; `undefined` where there are none. */
export function sumOf(...counts: readonly unknown[]): number | undefined {
  const told = counts.filter(isCount)
  return told.length === 0 ? undefined : told.reduce((sum, count) => sum + count)
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

/** `usage` of Anthropic, whose input is without what a cache had or took; of OpenAI, in both of its APIs; or of the AI SDK. */
export function readUsage(usage: unknown): TokenUsage | undefined {
  if (!isJsonObject(usage)) return undefined
  if (Object.hasOwn(usage, 'inputTokens') || Object.hasOwn(usage, 'outputTokens'))
    return usageOf({
      inputTokens: field(usage, 'inputTokens'),
      cachedInputTokens:
        field(usage, 'cachedInputTokens') ?? inner(usage, 'inputTokenDetails', 'cacheReadTokens'),
      cacheWriteTokens: inner(usage, 'inputTokenDetails', 'cacheWriteTokens'),
      outputTokens: field(usage, 'outputTokens'),
      reasoningTokens:
        field(usage, 'reasoningTokens') ?? inner(usage, 'outputTokenDetails', 'reasoningTokens'),
    })
  if (Object.hasOwn(usage, 'prompt_tokens') || Object.hasOwn(usage, 'completion_tokens'))
    return usageOf({
      inputTokens: field(usage, 'prompt_tokens'),
      cachedInputTokens: inner(usage, 'prompt_tokens_details', 'cached_tokens'),
      outputTokens: field(usage, 'completion_tokens'),
      reasoningTokens: inner(usage, 'completion_tokens_details', 'reasoning_tokens'),
    })
  const input = field(usage, 'input_tokens')
  const read = field(usage, 'cache_read_input_tokens')
  const write = field(usage, 'cache_creation_input_tokens')
  return usageOf({
    inputTokens: isCount(input) ? sumOf(input, read, write) : undefined,
    cachedInputTokens:
      read ??
      field(usage, 'cached_input_tokens') ??
      inner(usage, 'input_tokens_details', 'cached_tokens'),
    cacheWriteTokens: write,
    outputTokens: field(usage, 'output_tokens'),
    reasoningTokens:
      field(usage, 'reasoning_output_tokens') ??
      inner(usage, 'output_tokens_details', 'reasoning_tokens'),
  })
}

/** `usageMetadata` of Gemini: what is thought is not in `candidatesTokenCount`, except where the total says so. */
export function readGeminiUsage(usage: {
  prompt: unknown
  tool: unknown
  cached: unknown
  candidates: unknown
  thoughts: unknown
  total: unknown
}): TokenUsage | undefined {
  const { prompt, tool, cached, candidates, thoughts, total } = usage
  const isWhole = isCount(total) && total === sumOf(prompt, tool, candidates)
  return usageOf({
    inputTokens: isCount(prompt) ? sumOf(prompt, tool) : undefined,
    cachedInputTokens: cached,
    outputTokens: isWhole ? candidates : sumOf(candidates, thoughts),
    reasoningTokens: thoughts,
  })
}
