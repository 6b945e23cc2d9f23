import { expect, test } from 'vitest'
import { toLastState } from './last-state.ts'

test.for<[string, string, string, boolean]>([
  ['text without controls', 'a\nb\r\nc', 'a\nb\r\nc', false],
  ['a progress bar', '\r 0%\r 50%\r100%\nok\r\n', '100%\nok\r\n', true],
  ['a shorter last state keeps the end of the one before', 'loading\rok', 'okading', true],
  ['a line erased before it is written again', 'loading\r\u001B[Kok\n', 'ok\n', true],
  ['a spinner of backspaces', 'work |\b/\b-\bdone', 'work done', true],
  ['columns and steps to the left and right', 'abcd\u001B[2DX\u001B[1GY\u001B[1CZ', 'YbZd', true],
  ['columns after the end are filled', 'a\u001B[5Gb\u001B[2Cc', 'a   b  c', false],
  ['erasing up to the cursor', 'abcd\u001B[2D\u001B[1Ke', '  ed', true],
  ['erasing the whole line', 'abcd\u001B[2Kx', '    x', true],
  [
    'erasing nothing',
    '\u001B[31m\u001B[Kmatch\u001B[m\u001B[K\n',
    '\u001B[31mmatch\u001B[m\n',
    false,
  ],
  ['carriage returns before a line end', 'a\r\r\nb\r', 'a\r\r\nb\r', false],
  ['the same text again', 'ok\rok\n', 'ok\n', false],
  ['characters of several code points', 'e\u0301 👩‍🚀\rx\n', 'x 👩‍🚀\n', true],
  [
    'colours of the last state',
    '\u001B[31m0%\u001B[0m\r\u001B[32m9%\u001B[0m\n',
    '\u001B[0m\u001B[32m9%\u001B[0m\n',
    true,
  ],
  ['titles and addresses in such a line', 'a\rb\u001B]0;t\u0007c\u001B]8;;x\u001B\\d', 'bcd', true],
  ['a line end keeps its carriage return', 'a\rb\r\n', 'b\r\n', true],
])('%s', ([, text, last, hasReplaced]) => {
  expect(toLastState(text)).toEqual({ text: last, hasReplaced })
})

const MEGABYTES = 4 * 1024 * 1024

test.for<[string, string, string]>([
  ['carriage returns', '\r', ''],
  ['carriage returns before a line end', '\r', '\n'],
  ['frames', 'ab\r', 'c'],
  ['backspaces', 'x\b', ''],
  ['far columns', '\u001B[99999Gx\u001B[2K', ''],
  ['far columns in many lines', '\u001B[60000Gx\n', ''],
  ['erasing to the left', 'x\u001B[60000G\u001B[1K\r', ''],
  ['colours', 'a\u001B[1;31m\r', ''],
  ['unfinished strings', '\u001B]0;', 'a\rb'],
  ['one long line', 'abcdefgh', '\rx'],
])(
  '%s without end take linear time, or this test would take hours, and linear memory',
  ([, text, end]) => {
    const whole = text.repeat(MEGABYTES / text.length) + end
    expect(toLastState(whole).text.length).toBeLessThanOrEqual(3 * whole.length)
  },
)
