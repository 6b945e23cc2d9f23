import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { listChanges, getHunks, markWords, readPatch } from './show-diff.ts'
import type { ShownChange } from './shown-part.ts'

const whole = (text: string) => ({ first: text, left: 0, last: '' })

const changed = (original: string, modified: string): readonly ShownChange[] =>
  markWords(listChanges(getHunks({ path: 'a', original, modified, isNew: false })), whole)

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

  test('but not in lines that differ mostly, or are long', () => {
    expect(marked(changed('one\n', 'something else\n')).flat()).toEqual([])
    const long = 'a '.repeat(300)
    expect(marked(changed(`${long}b\n`, `${long}c\n`)).flat()).toEqual([])
  })

  test('and without them the lines are alike', () => {
    const word = fc.constantFrom('a', 'bc', ' ', '(', 'é', '漢')
    const line = fc.array(word, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''))
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

const diff = (original: string | undefined, modified: string) => ({
  path: 'a',
  modified,
  isNew: original === undefined,
  ...(original !== undefined && { original }),
})

describe('hunksOfDiff', () => {
  test('a diff with hunks keeps them', () => {
    const hunks = [{ oldStart: 1, oldLines: 0, newStart: 1, newLines: 1, lines: ['+a'] }]
    expect(getHunks({ ...diff('b', 'c'), hunks })).toBe(hunks)
  })

  test('a hunk contains nearby changes, with three lines on each side', () => {
    expect(
      getHunks(diff('a\nb\nc\nd\ne\nf\ng\nh\ni\n', 'a\nb\nc\nd\nE\ne2\nf\ng\nh\ni\n')),
    ).toEqual([
      {
        oldStart: 2,
        oldLines: 7,
        newStart: 2,
        newLines: 8,
        lines: [' b', ' c', ' d', '-e', '+E', '+e2', ' f', ' g', ' h'],
      },
    ])
  })

  test('distant changes have separate hunks', () => {
    const lines = (...edited: number[]): string =>
      Array.from({ length: 30 }, (_, line) =>
        edited.includes(line) ? `${line}!\n` : `${line}\n`,
      ).join('')
    const hunks = getHunks(diff(lines(), lines(4, 20)))
    expect(hunks.map(({ oldStart, oldLines }) => [oldStart, oldLines])).toEqual([
      [2, 7],
      [18, 7],
    ])
  })

  test('with a thousand removed or added lines, one hunk contains all differences', () => {
    const lines = (sign: string): string =>
      Array.from({ length: 700 }, (_, line) => `${sign}${line}\n`).join('')
    const [hunk, ...more] = getHunks(
      diff(`a\nb\nc\nd\n${lines('-')}e\n`, `a\nb\nc\nd\n${lines('+')}e\n`),
    )
    expect(more).toEqual([])
    expect(hunk).toMatchObject({ oldStart: 2, oldLines: 704, newStart: 2, newLines: 704 })
    expect(hunk?.lines.slice(0, 4)).toEqual([' b', ' c', ' d', '--0'])
    expect(hunk?.lines.at(-1)).toBe(' e')
  })

  test('if all lines were removed, the hunk starts at zero', () => {
    expect(getHunks(diff('a\n', ''))).toEqual([
      { oldStart: 1, oldLines: 1, newStart: 0, newLines: 0, lines: ['-a'] },
    ])
  })

  test('all lines of a new file are new', () => {
    expect(getHunks(diff(undefined, 'a\nb'))).toEqual([
      { oldStart: 0, oldLines: 0, newStart: 1, newLines: 2, lines: ['+a', '+b'] },
    ])
  })

  test('there are no hunks without a change or without a known original', () => {
    expect(getHunks(diff('a\n', 'a\n'))).toEqual([])
    expect(getHunks({ path: 'a', modified: 'a', isNew: false })).toEqual([])
  })

  test('law: applied to the original, the hunks give the modified text', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', ''), { maxLength: 24 })
      .map((lines) => lines.map((line) => `${line}\n`).join(''))
    fc.assert(
      fc.property(text, text, (original, modified) => {
        const lines = original.split('\n').slice(0, -1)
        // From the last to the first, so that earlier indexes stay valid.
        for (const { oldStart, oldLines, newLines, lines: changes } of getHunks(
          diff(original, modified),
        ).toReversed()) {
          const before = changes
            .filter((line) => !line.startsWith('+'))
            .map((line) => line.slice(1))
          const after = changes.filter((line) => !line.startsWith('-')).map((line) => line.slice(1))
          const start = Math.max(0, oldStart - 1)
          expect([before.length, after.length]).toEqual([oldLines, newLines])
          expect(lines.slice(start, start + oldLines)).toEqual(before)
          lines.splice(start, oldLines, ...after)
        }
        expect(lines.map((line) => `${line}\n`).join('')).toBe(modified)
      }),
    )
  })
})

const hunk = (oldStart: number, oldLines: number, newStart: number, newLines: number) => ({
  oldStart,
  oldLines,
  newStart,
  newLines,
})

test('a patch has its hunks, without the text around them', () => {
  const patch = [
    'diff --git a/a b/a',
    '--- a/a',
    '+++ b/a',
    '@@ -1,3 +1,4 @@ fn a()',
    ' a',
    '-b',
    '+c',
    '+d',
    ' e',
    '\\ No newline at end of file',
    'diff --git a/b b/b',
    '--- a/b',
    '+++ b/b',
    '@@ -7 +9 @@',
    '--- x',
    '+++ y',
    'more',
  ]
  expect(readPatch(patch.join('\n'))).toEqual([
    {
      ...hunk(1, 3, 1, 4),
      lines: [' a', '-b', '+c', '+d', ' e', '\\ No newline at end of file'],
    },
    { ...hunk(7, 1, 9, 1), lines: ['--- x', '+++ y'] },
  ])
})

test('lines are counted by their kind: kept ones on both sides, also if their blank is missing', () => {
  const text = '@@ -1,2 +1,2 @@\n\n-a\n+b\n after'
  expect(readPatch(text)).toEqual([{ ...hunk(1, 2, 1, 2), lines: ['', '-a', '+b'] }])
  const added = '@@ -0,0 +1,2 @@\n+a\n+b\n+c'
  expect(readPatch(added)).toEqual([{ ...hunk(0, 0, 1, 2), lines: ['+a', '+b'] }])
  const removed = '@@ -1,2 +0,0 @@\n-a\n-b\n-c'
  expect(readPatch(removed)).toEqual([{ ...hunk(1, 2, 0, 0), lines: ['-a', '-b'] }])
})

test.for([
  '',
  'a\nb',
  ' @@ -1 +1 @@',
  '@@ -a +1 @@',
  '@@ -1 +1',
  '@@ -1, +1 @@',
  '@@ -1234567890 +1 @@',
  '-a\n+b',
  '\\ No newline at end of file',
])('%j is not a patch', (text) => {
  expect(readPatch(text)).toEqual([])
})

test('each line has its own number, and is one line', () => {
  const lines = [' a', '-b\n', '+c', '\\ No\nnewline', 'd', '', '+e']
  expect(listChanges([{ ...hunk(3, 4, 5, 5), lines }])).toEqual([
    { change: 'hunk', text: '@@ -3,4 +5,5 @@' },
    { change: 'kept', text: 'a', before: 3, after: 5 },
    { change: 'removed', text: 'b⏎', before: 4 },
    { change: 'added', text: 'c', after: 6 },
    { change: 'note', text: '\\ No⏎newline' },
    { change: 'kept', text: 'd', before: 5, after: 7 },
    { change: 'kept', text: '', before: 6, after: 8 },
    { change: 'added', text: 'e', after: 9 },
  ])
})
