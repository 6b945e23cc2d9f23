import { expect, test } from 'vitest'
import { answering, run, textOf } from '../executor.suite.ts'

test.for<[string, unknown]>([
  ['a date', new Date(0)],
  ['a big integer', { n: 1n }],
  ['a number that is none', [NaN]],
])(
  'a result with %s is a failure that names the place, never a silent change',
  async ([, value]) => {
    const result = await run(answering({ content: [], isError: false, structuredContent: value }))
    expect(result).toMatchObject({ isError: true, content: [{ type: 'text' }] })
    expect(textOf(result)).toContain('/structuredContent')
    expect('structuredContent' in result).toBe(false)
  },
)
