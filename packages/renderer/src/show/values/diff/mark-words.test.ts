import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ShownChange } from '../../shown-part.ts'
import { changesOfHunks } from './changes-of-hunks.ts'
import { hunksOfDiff } from './hunks-of-diff.ts'
import { markWords } from './mark-words.ts'

const whole = (text: string) => ({ first: text, left: 0, last: '' })
const changed = (original: string, modified: string): readonly ShownChange[] =>
  markWords(changesOfHunks(hunksOfDiff({ path: 'a', original, modified, isNew: false })), whole)
const marked = (changes: readonly ShownChange[]): readonly (readonly string[])[] =>
  changes.map(({ text, marks = [] }) => marks.map(([start, end]) => text.slice(start, end)))

describe('words that differ are marked', () => {
  test('in lines that replace each other', () => {
    expect(marked(changed('let a = 1;\n', 'let b = 1;\n'))).toEqual([[], ['a'], ['b']])
    expect(marked(changed('a b c\nd e f\n', 'a x c\nd e g\n'))).toEqual([
      [],
      ['b'],
      ['f'],
      ['x'],
      ['g'],
    ])
  })

  test('but not in lines that have little in common, or are long', () => {
    expect(marked(changed('one\n', 'something else\n')).flat()).toEqual([])
    const long = 'a '.repeat(300)
    expect(marked(changed(`${long}b\n`, `${long}c\n`)).flat()).toEqual([])
  })

  test('and without them the lines are alike', () => {
    const word = fc.constantFrom('a', 'bc', ' ', '(', 'é', '漢')
    const line = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(''))
    const rest = ({ text, marks = [] }: ShownChange): string =>
      marks
        .toReversed()
        .reduce((left, [start, end]) => left.slice(0, start) + left.slice(end), text)
    fc.assert(
      fc.property(line, line, (before, after) => {
        const changes = changed(`${before}\n`, `${after}\n`)
        fc.pre(changes.some(({ marks }) => marks))
        const [removed, added] = ['removed', 'added'].map((kind) =>
          changes.find(({ change }) => change === kind),
        )
        expect(removed && rest(removed)).toBe(added && rest(added))
      }),
    )
  })
})

test('lines have their numbers before and after', () => {
  expect(changed('a\nb\nc\n', 'a\nc\nd\n').map(({ before, after }) => [before, after])).toEqual([
    [undefined, undefined],
    [1, 1],
    [2, undefined],
    [3, 2],
    [undefined, 3],
  ])
})
