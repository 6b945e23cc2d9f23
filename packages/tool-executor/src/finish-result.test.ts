import fc from 'fast-check'
import { type ToolResult, isToolResult } from '@toolblocks/protocol'
import { META_WIRE } from '@toolblocks/protocol/internal'
import { describe, expect, test } from 'vitest'
import { createToolExecutor } from './create-tool-executor.ts'
import { answering, makeCall, context, run, getText } from './executor.support.ts'

test.for<[string, unknown, string]>([
  ['a date', new Date(0), ''],
  ['a big integer', { n: 1n }, '/n'],
  ['a number that is not a number', [NaN], '/0'],
])(
  'a result with %s is a failure that names the place, and is never changed silently',
  async ([, value, path]) => {
    const result = await run(answering({ content: [], isError: false, structuredContent: value }))
    expect(result).toMatchObject({ isError: true, content: [{ type: 'text' }] })
    expect(getText(result)).toMatch(
      new RegExp(
        `^The tool "answer" returned a value that is not JSON, at /structuredContent${path}: [^:]+\\.$`,
      ),
    )
    expect('structuredContent' in result).toBe(false)
  },
)

const withMetadata = (metadata: unknown, isError = false): ToolResult =>
  ({ content: [{ type: 'text', text: 'done' }], isError, metadata }) as ToolResult

describe('metadata of a tool in this process', () => {
  test('under its own keys is kept', async () => {
    const result = await run(answering(withMetadata({ conversation: 'c1', took: { ms: 3 } })))
    expect(result.metadata).toEqual({
      outcome: 'completed',
      conversation: 'c1',
      took: { ms: 3 },
    })
  })

  test.for<[string, unknown, string]>([
    ['outcome', 'yes', 'expected the host\'s type for "outcome", got string "yes"'],
    ['warnings', 'x', 'expected the host\'s type for "warnings", got string "x"'],
    ['warnings', ['x'], 'expected the host\'s type for "warnings", got array of 1'],
    ['raw', true, 'expected the host\'s type for "raw", got boolean true'],
    ['resources', 3, 'expected the host\'s type for "resources", got number 3'],
    ['skipped', 'no', 'expected the host\'s type for "skipped", got string "no"'],
    ['handle', 'mine', 'only the executor sets this key, got string "mine"'],
    [
      'handle',
      { id: 'h', status: 'running' },
      'only the executor sets this key, got object with id, status',
    ],
  ])(
    'that conflicts under %s, %j, is moved with a warning, and the answer is kept',
    async ([key, value, problem]) => {
      const result = await run(answering(withMetadata({ [key]: value, own: 1 })))
      expect([getText(result), result.isError]).toEqual(['done', false])
      expect(result.metadata).toEqual({
        outcome: 'completed',
        own: 1,
        warnings: [
          {
            path: `/metadata/${key}`,
            message: `the tool's metadata.${key} is not used: ${problem}; use a key of your own for your data`,
            got: expect.any(String),
            code: 'invalid-metadata',
          },
        ],
      })
      expect(result._meta).toEqual({ [META_WIRE]: { metadata: { [key]: value } } })
    },
  )

  test('that is not JSON is removed, and the rest is kept', async () => {
    const result = await run(answering(withMetadata({ at: new Date(0), own: 1 })))
    expect(result.metadata).toMatchObject({ own: 1, warnings: [{ path: '/metadata/at' }] })
    expect(result).not.toHaveProperty('_meta')
    expect(getText(result)).toBe('done')
  })

  test('that is not an object is moved, too', async () => {
    const result = await run(answering(withMetadata('yes')))
    expect(result.metadata).toMatchObject({ warnings: [{ path: '/metadata' }] })
    expect(result._meta).toEqual({ [META_WIRE]: { metadata: 'yes' } })
  })

  test('cannot claim resources that are not in the blocks', async () => {
    const resources = [{ uri: 'file:///a', sha256: 'a'.repeat(64), bytes: 1 }]
    const result = await run(answering(withMetadata({ resources })))
    expect(result.metadata).toEqual({ outcome: 'completed' })
  })

  test('never changes the answer, and outcome and isError agree', async () => {
    const keys = fc.constantFrom(
      'outcome',
      'warnings',
      'raw',
      'resources',
      'handle',
      'skipped',
      'own',
    )
    const known = fc.constantFrom('completed', 'failed', 'denied', [], [{ path: '', message: 'm' }])
    const metadata = fc.oneof(fc.anything(), fc.dictionary(keys, fc.oneof(fc.anything(), known)))
    await fc.assert(
      fc.asyncProperty(metadata, fc.boolean(), async (value, isError) => {
        const result = await run(answering(withMetadata(value, isError)))
        expect(isToolResult(result)).toBe(true)
        expect(getText(result)).toBe('done')
        expect(result.isError).toBe(result.metadata?.outcome !== 'completed')
      }),
    )
  })

  test('in the presentation of a call has no effect either', async () => {
    const entry = answering(withMetadata({}))
    const tool = { ...entry.tool, formatArguments: async () => withMetadata({ warnings: 'x' }) }
    const formats: unknown[] = []
    const executor = createToolExecutor({
      tools: [{ ...entry, tool, policy: 'ask' }],
      approve: async (_call, { formatted }) => {
        formats.push(formatted?.metadata?.warnings)
        return { decision: 'allowed' }
      },
    })
    await executor.execute(makeCall('answer'), context)
    expect(formats).toEqual([[expect.objectContaining({ code: 'invalid-metadata' })]])
  })
})
