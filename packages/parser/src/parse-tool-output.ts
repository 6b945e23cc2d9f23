import {
  requireArguments,
  withWarnings,
  requireChoices,
  countBytes,
  MAX_OUTPUT_BYTES,
} from '@toolblocks/protocol/internal'
import { type Problem } from '@toolblocks/protocol'
import { allowance, decodeOutput, truncateOutput } from './output/truncate-output.ts'
import { fromOutcome } from './output/outcome-dialect.ts'
import { parseDocument, findMissingPart } from './output/parse-document.ts'
import {
  type OutputLimit,
  type ParsedOutput,
  type Reading,
  type WarningCode,
  startReading,
  warn,
} from './reading/reading.ts'
import { countKeys, findRepeatedKeys } from './json/find-repeated-keys.ts'
import { readResult } from './blocks/read-result.ts'

/** Options of `parseToolOutput`. */
export interface ParseOutputOptions {
  /** `outcome` also reads the older `{"type":"success"|"error"|"needs_input"}` documents. Default: `blocks`. */
  dialect?: 'blocks' | 'outcome'
}

/**
 * Reads what a tool printed to stdout, as bytes or as a string. A JSON object with a `content` array is read block by block. Any other output is
 * one text block, exactly as printed. Throws only an `InvalidArgumentError`, for an argument of another kind. Never loses a character up to `MAX_OUTPUT_BYTES`. Over a limit of `@toolblocks/protocol`, the
 * result is one text block with the beginning and the end. The caller handles exit codes. docs/protocol.md defines the blocks.
 */
export function parseToolOutput(
  output: string | Uint8Array,
  options: ParseOutputOptions = {},
): ParsedOutput {
  requireArguments('parseToolOutput(output, …)', [output, 'bytes or string'])
  requireChoices('parseToolOutput(output, options)', 'options', options, {
    dialect: ['blocks', 'outcome'],
  })
  const { dialect = 'blocks' } = options
  if (isTooLarge(output)) return truncated(output, 'bytes', [])
  const { text, warnings } =
    typeof output === 'string' ? { text: output, warnings: [] } : decodeOutput(output)
  const parsed = parseDocument(text)
  if ('limit' in parsed) return truncated(text, parsed.limit, warnings)
  if (!('document' in parsed)) return raw(text, [...warnings, ...parsed.remarks])

  const { document } = parsed
  const isBlocks = Array.isArray(document['content'])
  const blocks = isBlocks || dialect === 'blocks' ? document : fromOutcome(document)
  const content = blocks?.['content']
  if (!blocks || !Array.isArray(content)) {
    const missing = findMissingPart(document)
    return raw(text, missing ? [...warnings, missing] : warnings)
  }
  const reading = startReading('tool', 'text')
  for (const warning of warnings) reading.warnings.push(warning)
  const result = readResult(blocks, content, reading)
  if (reading.exceeded) return truncated(text, reading.exceeded, warnings)
  warnOfRepeatedKeys(text, reading)
  return {
    result: withWarnings(result, { after: reading.warnings }),
    warnings: reading.warnings,
    format: isBlocks ? 'blocks' : 'outcome',
    reversible: reading.warnings.length === 0 && !reading.inexact,
  }
}

const MAX_REPEATED_KEYS = 3

/** `JSON.parse` keeps the last value of a repeated key. */
function warnOfRepeatedKeys(text: string, reading: Reading): void {
  if (countKeys(text) === reading.keys) return
  for (const path of findRepeatedKeys(text, MAX_REPEATED_KEYS))
    warn(reading, {
      code: 'repeated-key',
      at: path,
      message: 'The key is repeated in its object; the last value was used.',
      expected: 'different keys',
      got: 'a repeated key',
    })
}

function isTooLarge(output: string | Uint8Array): boolean {
  if (output.length > MAX_OUTPUT_BYTES) return true
  // A character has at most three bytes, so most strings need no counting.
  if (typeof output !== 'string' || output.length * 3 <= MAX_OUTPUT_BYTES) return false
  return countBytes(output) > MAX_OUTPUT_BYTES
}

function raw(text: string, warnings: readonly Problem<WarningCode>[]): ParsedOutput {
  return {
    result: withWarnings(
      { content: [{ type: 'text', text }], isError: false },
      { after: warnings },
    ),
    warnings,
    format: 'raw',
    reversible: false,
  }
}

function truncated(
  output: string | Uint8Array,
  limit: OutputLimit,
  earlier: readonly Problem<WarningCode>[],
): ParsedOutput {
  const { text, truncated: truncation } = truncateOutput(output, limit)
  const warning: Problem<WarningCode> = {
    path: '',
    message: `The output has more than ${allowance[limit]}: it was read as text, and only its beginning and end were kept.`,
    expected: `at most ${allowance[limit]}`,
    got: 'more',
    code: 'over-limit',
  }
  return { ...raw(text, [...earlier, warning]), truncated: truncation }
}
