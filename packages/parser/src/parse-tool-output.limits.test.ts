import {
  MAX_CONTENT_BLOCKS,
  MAX_JSON_NODES,
  MAX_OUTPUT_BYTES,
  type Problem,
} from '@toolblocks/protocol'
import { describe, expect, test } from 'vitest'
import { parseToolOutput } from './parse-tool-output.ts'

const print = (document: unknown): string => JSON.stringify(document)
const codes = (warnings: readonly Problem[]): (string | undefined)[] =>
  warnings.map(({ code }) => code)
const text = (value: string): { type: 'text'; text: string } => ({ type: 'text', text: value })

describe('an output over a limit is text with head and tail that says so', () => {
  test('more than 16 MiB', () => {
    const output = Buffer.alloc(64 * 1024 * 1024, 'x')
    output.write('first')
    output.write('last', output.length - 4)
    const { result, truncated, format, warnings } = parseToolOutput(output)
    expect(truncated).toEqual({ bytes: 67_108_864, kept: 16_384, reason: 'bytes' })
    expect(format).toBe('raw')
    expect(codes(warnings)).toEqual(['over-limit'])
    const [block] = result.content
    expect(block?.type === 'text' && block.text).toMatch(
      /^firstx{8187}\n\[… 67092480 of 67108864 bytes left out: .* 16777216 bytes\. …\]\nx{8188}last$/,
    )
  })

  test('exactly 16 MiB is not over it', () => {
    const output = 'x'.repeat(MAX_OUTPUT_BYTES)
    const { result, truncated } = parseToolOutput(output)
    expect(truncated).toBeUndefined()
    expect(result.content).toEqual([text(output)])
    expect(parseToolOutput(`${output}x`).truncated?.reason).toBe('bytes')
  })

  test('a string is measured in UTF-8 bytes', () => {
    const output = 'ü'.repeat(MAX_OUTPUT_BYTES / 2)
    expect(parseToolOutput(output).truncated).toBeUndefined()
    expect(parseToolOutput(`${output}ü`).truncated?.reason).toBe('bytes')
  })

  test('blocks nested deeper than 64 levels, in a small document: nothing is lost', () => {
    const nested = (levels: number): string =>
      `{"content":[{"type":"text","text":"a","_meta":{"x":${'['.repeat(levels)}${']'.repeat(levels)}}}]}`
    expect(parseToolOutput(nested(60))).toMatchObject({ format: 'blocks', warnings: [] })
    const { result, truncated } = parseToolOutput(nested(61))
    expect(truncated).toEqual({ bytes: 177, kept: 177, reason: 'depth' })
    const [block] = result.content
    expect(block?.type === 'text' && block.text).toBe(
      `${nested(61)}\n[Not read as blocks: the output has more than 64 levels of nesting.]`,
    )
  })

  test('blocks 4,000,000 levels deep', () => {
    const depth = 4_000_000
    const output = `{"content":[${'['.repeat(depth)}${']'.repeat(depth)}]}`
    expect(parseToolOutput(output).truncated).toEqual({
      bytes: output.length,
      kept: 16_384,
      reason: 'depth',
    })
  })

  test('16 MB of blocks, [{},{},…]', () => {
    const output = `{"content":[${'{},'.repeat(5_500_000)}{}]}`
    expect(parseToolOutput(output).truncated?.reason).toBe('nodes')
  })

  test('more than a million values, blocks and the values around them counted', () => {
    // The content, its block, what is in that, and the structured content itself.
    const rest = MAX_JSON_NODES - 5
    const output = (count: number): string =>
      `{"content":[{"type":"text","text":"a"}],"structuredContent":[${'0,'.repeat(count - 1)}0]}`
    expect(parseToolOutput(output(rest)).truncated).toBeUndefined()
    expect(parseToolOutput(output(rest + 1)).truncated?.reason).toBe('nodes')
  })

  test('more than 10,000 blocks', () => {
    const content = Array.from({ length: MAX_CONTENT_BLOCKS }, () => text('a'))
    expect(parseToolOutput(print({ content })).result.content).toHaveLength(MAX_CONTENT_BLOCKS)
    const { truncated, warnings } = parseToolOutput(print({ content: [...content, text('a')] }))
    expect(truncated?.reason).toBe('blocks')
    expect(codes(warnings)).toEqual(['over-limit'])
  })
})

test.for([
  ['4,000,000 levels', '['.repeat(4_000_000)],
  ['4,000,000 levels that end', `${'['.repeat(4_000_000)}${']'.repeat(4_000_000)}`],
  ['an object of 1,500,000 levels', `${'{"a":'.repeat(1_500_000)}1${'}'.repeat(1_500_000)}`],
  ['16 MB of [{},{},…]', `[${'{},'.repeat(5_500_000)}{}]`],
  ['an object of 16 MB of {},{},…', `{"rows":[${'{},'.repeat(5_500_000)}{}]}`],
] as const)('JSON that is no blocks is text, whatever its shape: %s', ([, output]) => {
  const { result, truncated } = parseToolOutput(output)
  expect(truncated).toBeUndefined()
  const [block] = result.content
  expect(block?.type === 'text' && block.text === output).toBe(true)
})

test('blocks of more than 2 MiB are read like any other', () => {
  const content = [text('a'.repeat(3_000_000)), text('"\\'.repeat(1_000_000))]
  const { result, format } = parseToolOutput(print({ content }))
  expect(format).toBe('blocks')
  expect(result.content).toEqual(content)
})
