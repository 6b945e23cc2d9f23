import type { JsonValue, TerminalText } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { preType } from './pre-typed.ts'

/** As the sanitizer of a host: controls by their number, and no more than 200 characters. */
const renderLine = (text: string): TerminalText => {
  const line = text.replaceAll(/\p{C}/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`)
  return (
    line.length > 200 ? `${line.slice(0, 200)}…(+${line.length - 200})` : line
  ) as TerminalText
}

test.for<[string, string | number]>([
  ['text', 'Ada'],
  ['a number', 2.5],
  ['nothing, for nothing', ''],
  ['text longer than a line that is cut', 'a long default '.repeat(60)],
])('%s is typed in as it is', ([, value]) => {
  expect(preType(value, renderLine)).toEqual({ initial: String(value), details: [] })
})

test.for<[string, string, string]>([
  ['a control sequence', 'a\u001B]52;c;YQ==\u0007', 'a\\u{1b}]52;c;YQ==\\u{7}'],
  ['a line end', 'a\nb', 'a\\u{a}b'],
  ['an eight-bit control far behind', `${'a'.repeat(230)}\u009B2J`, `${'a'.repeat(200)}…(+38)`],
  ['what hides', 'a\u202Eb', 'a\\u{202e}b'],
  ['text too long to be looked through', 'a'.repeat(4001), `${'a'.repeat(200)}…(+3801)`],
])('a default with %s is told, and the place to type is empty', ([, value, told]) => {
  expect(preType(value, renderLine)).toEqual({
    details: [`not filled in, as it cannot be shown as it is: ${told}`],
  })
})

test.for<[JsonValue | undefined]>([[undefined], [null], [true], [['a']]])(
  'of %j nothing is typed in',
  ([value]) => {
    expect(preType(value, renderLine)).toEqual({ details: [] })
  },
)
