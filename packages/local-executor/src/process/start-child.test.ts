import { expect, test } from 'vitest'
import { explainSpawnError } from './start-child.ts'

test.for([
  [
    'ENOENT',
    '#!/opt/python9 -u\nprint()',
    'its first line names the interpreter /opt/python9, which does not exist',
  ],
  [
    'ENOENT',
    '#!/bin/sh\r\necho',
    String.raw`its lines end with CR LF, as on Windows, so its first line names an interpreter "/bin/sh\r" that does not exist. Save it with LF only, for example with sed -i 's/\r$//' /x/tool`,
  ],
  ['ENOENT', '\x7fELF', 'a file it needs, such as its loader, does not exist'],
  ['E2BIG', '', 'its arguments and environment are too large'],
  ['EACCES', '#! /opt/sh', 'for the file, its interpreter /opt/sh or the folder'],
  ['EMFILE', '', 'the operating system answered EMFILE'],
])('%s of a file that starts with %j: %s', ([code = '', start = '', message]) => {
  expect(explainSpawnError(code, '/x/tool', start)).toContain(message)
})

test.for([
  [
    'ENOENT',
    '#!a',
    'its first line names the interpreter a, which does not exist. Install it or correct the line.',
  ],
  ['ENOENT', ' #!a', 'a file it needs, such as its loader, does not exist (ENOENT).'],
  [
    'E2BIG',
    '#!a',
    'its arguments and environment are too large (E2BIG). Let it read the JSON document on stdin.',
  ],
  [
    'EACCES',
    '',
    'permission denied (EACCES), for the file, its interpreter or the folder it lies in.',
  ],
  [
    'EACCES',
    '#!  /a b',
    'permission denied (EACCES), for the file, its interpreter /a or the folder it lies in.',
  ],
  ['EMFILE', '#!a', 'the operating system answered EMFILE.'],
] as const)('the whole message for %s of %j: %s', ([code, start, message]) => {
  expect(explainSpawnError(code, '/x/tool', start)).toBe(`/x/tool could not be started: ${message}`)
})
