import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hunksOfDiff } from './hunks-of-diff.ts'

const diff = (original: string | undefined, modified: string) => ({
  path: 'a',
  modified,
  isNew: original === undefined,
  ...(original !== undefined && { original }),
})

describe('hunksOfDiff', () => {
  test('a diff that has hunks keeps them', () => {
    const hunks = [{ oldStart: 1, oldLines: 0, newStart: 1, newLines: 1, lines: ['+a'] }]
    expect(hunksOfDiff({ ...diff('b', 'c'), hunks })).toBe(hunks)
  })

  test('a hunk goes around changes that stand near each other, with three lines at either side', () => {
    expect(
      hunksOfDiff(diff('a\nb\nc\nd\ne\nf\ng\nh\ni\n', 'a\nb\nc\nd\nE\ne2\nf\ng\nh\ni\n')),
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

  test('changes that stand apart have a hunk each', () => {
    const lines = (...changed: number[]): string =>
      Array.from({ length: 30 }, (_, line) =>
        changed.includes(line) ? `${line}!\n` : `${line}\n`,
      ).join('')
    const hunks = hunksOfDiff(diff(lines(), lines(4, 20)))
    expect(hunks.map(({ oldStart, oldLines }) => [oldStart, oldLines])).toEqual([
      [2, 7],
      [18, 7],
    ])
  })

  test('where a thousand lines went or came, one hunk goes around all that differs', () => {
    const lines = (sign: string): string =>
      Array.from({ length: 700 }, (_, line) => `${sign}${line}\n`).join('')
    const [hunk, ...more] = hunksOfDiff(
      diff(`a\nb\nc\nd\n${lines('-')}e\n`, `a\nb\nc\nd\n${lines('+')}e\n`),
    )
    expect(more).toEqual([])
    expect(hunk).toMatchObject({ oldStart: 2, oldLines: 704, newStart: 2, newLines: 704 })
    expect(hunk?.lines.slice(0, 4)).toEqual([' b', ' c', ' d', '--0'])
    expect(hunk?.lines.at(-1)).toBe(' e')
  })

  test('where all lines went, the hunk starts at none', () => {
    expect(hunksOfDiff(diff('a\n', ''))).toEqual([
      { oldStart: 1, oldLines: 1, newStart: 0, newLines: 0, lines: ['-a'] },
    ])
  })

  test('all lines of a new file are new', () => {
    expect(hunksOfDiff(diff(undefined, 'a\nb'))).toEqual([
      { oldStart: 0, oldLines: 0, newStart: 1, newLines: 2, lines: ['+a', '+b'] },
    ])
  })

  test('there are none where nothing changed, or nothing is known', () => {
    expect(hunksOfDiff(diff('a\n', 'a\n'))).toEqual([])
    expect(hunksOfDiff({ path: 'a', modified: 'a', isNew: false })).toEqual([])
  })

  test('applied to the original, the hunks give the modified text', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', ''), { maxLength: 24 })
      .map((lines) => lines.map((line) => `${line}\n`).join(''))
    fc.assert(
      fc.property(text, text, (original, modified) => {
        const lines = original.split('\n').slice(0, -1)
        // From the last one up, so that the places of those before stay as they are.
        for (const { oldStart, oldLines, newLines, lines: changes } of hunksOfDiff(
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
