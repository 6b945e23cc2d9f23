import { expect, test } from 'vitest'
import { answering, run, textOf } from '../executor.suite.ts'

test.for<[string, unknown, string]>([
  ['a date', new Date(0), ''],
  ['a big integer', { n: 1n }, '/n'],
  ['a number that is none', [NaN], '/0'],
])(
  'a result with %s is a failure that names the place, never a silent change',
  async ([, value, place]) => {
    const result = await run(answering({ content: [], isError: false, structuredContent: value }))
    expect(result).toMatchObject({ isError: true, content: [{ type: 'text' }] })
    expect(textOf(result)).toMatch(
      new RegExp(
        `^The tool "answer" answered with something that is no JSON, at /structuredContent${place}: [^:]+\\.$`,
      ),
    )
    expect('structuredContent' in result).toBe(false)
  },
)
