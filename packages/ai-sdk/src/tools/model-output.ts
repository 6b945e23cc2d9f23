import type { LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'
import {
  formatWithin,
  type ResultFormat,
  toModelParts,
  openAiCompatibleProfile,
} from '@toolblocks/formatter/internal'
import { type ModelProfile } from '@toolblocks/formatter'
import { isToolResult, type ToolResult, isJsonObject } from '@toolblocks/protocol'
import { getOwnField, MAX_RESULT_LENGTH } from '@toolblocks/protocol/internal'
import type { Tool } from 'ai'
import { AI_SDK_LIMITS, toOutput } from '../prompt/to-ai-sdk-prompt.ts'

/** The name in provider options under which this package keeps its own data. Providers ignore names that are not theirs. */
export const TOOLBLOCKS = 'toolblocks'

/** Returns the format with the default length of a result. */
export function completeFormat(format: ResultFormat = {}): ResultFormat {
  return { maxLength: MAX_RESULT_LENGTH, ...format }
}

/** What a tool of the AI SDK gives to a model. */
export type AiSdkToolOutput = Awaited<ReturnType<NonNullable<Tool['toModelOutput']>>>

/**
 * Converts the output of a tool for a model whose provider is unknown, or for `profile`. The complete result goes along in the provider options, so
 * that `prepareModel` can write it as the provider of the request accepts it.
 */
export function toModelOutput(
  toolOutput: unknown,
  { profile = openAiCompatibleProfile, format }: { profile?: ModelProfile; format: ResultFormat },
): AiSdkToolOutput {
  // Messages come from a page, which may send anything.
  if (!isToolResult(toolOutput)) return { type: 'text', value: JSON.stringify(toolOutput) ?? '' }
  // Without `prepareModel`, no message can follow the results.
  const accepted = { ...profile, ...AI_SDK_LIMITS, afterResults: [] }
  const parts = toModelParts(toolOutput, accepted, {
    ...format,
    text: formatWithin(toolOutput, format),
  })
  const output = toOutput(parts)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is JSON, and goes to this package only
  const providerOptions = { [TOOLBLOCKS]: { result: toolOutput as never } }
  if (output.type !== 'content') return { ...output, providerOptions }
  // Content has no options of its own; its first part is the text.
  const [first, ...rest] = output.value
  return { type: 'content', value: first ? [{ ...first, providerOptions }, ...rest] : [] }
}

/** Returns the result that `toModelOutput` put beside an output. */
export function findResult(output: LanguageModelV4ToolResultOutput): ToolResult | undefined {
  const carrier = output.type === 'content' ? output.value[0] : output
  const own = carrier?.providerOptions && getOwnField(carrier.providerOptions, TOOLBLOCKS)
  const result = isJsonObject(own) ? getOwnField(own, 'result') : undefined
  return isToolResult(result) ? result : undefined
}
