import { expect, test } from 'vitest'
import { changesOfHunks } from './changes-of-hunks.ts'
import { readPatch } from './read-patch.ts'

const hunk = (oldStart: number, oldLines: number, newStart: number, newLines: number) => ({
  oldStart,
  oldLines,
  newStart,
  newLines,
})

test('a patch has its hunks, without what stands around them', () => {
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

test('lines are counted by what they are: kept ones on both sides, also where their blank is lost', () => {
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
])('%j is no patch', (text) => {
  expect(readPatch(text)).toEqual([])
})

test('each line has its number where it stands, and is one line', () => {
  const lines = [' a', '-b\n', '+c', '\\ No\nnewline', 'd', '', '+e']
  expect(changesOfHunks([{ ...hunk(3, 4, 5, 5), lines }])).toEqual([
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
