import { expect, test } from 'vitest'
import { explainSpawnError } from './explain-spawn-error.ts'

test.for([
  [
    'ENOENT',
    '#!/opt/python9 -u\nprint()',
    'its first line names the interpreter /opt/python9, which does not exist',
  ],
  ['ENOENT', '\x7fELF', 'a file it needs, such as its loader, does not exist'],
  ['E2BIG', '', 'its arguments and environment are too large'],
  ['EACCES', '#! /opt/sh', 'for the file, its interpreter /opt/sh or the folder'],
  ['EMFILE', '', 'the operating system answered EMFILE'],
])('%s of a file that starts with %j: %s', ([code = '', start = '', message]) => {
  expect(explainSpawnError(code, '/x/tool', start)).toContain(message)
})
