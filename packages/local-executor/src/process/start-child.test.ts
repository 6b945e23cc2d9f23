import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { explainSpawnError } from './start-child.ts'
import { startOnWindows, startUnpipedOnWindows } from './start-on-windows.ts'

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
  ['EACCES', '#! /opt/sh', 'for the file, its interpreter /opt/sh or its folder'],
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
  ['EACCES', '', 'permission denied (EACCES), for the file, its interpreter or its folder.'],
  [
    'EACCES',
    '#!  /a b',
    'permission denied (EACCES), for the file, its interpreter /a or its folder.',
  ],
  ['EMFILE', '#!a', 'the operating system answered EMFILE.'],
] as const)('the whole message for %s of %j: %s', ([code, start, message]) => {
  expect(explainSpawnError(code, '/x/tool', start)).toBe(`/x/tool could not be started: ${message}`)
})

const start = {
  program: process.execPath,
  args: ['-e', 'process.stdin.pipe(process.stdout); setInterval(() => {}, 1000)'],
  cwd: import.meta.dirname,
  env: { PATH: process.env['PATH'] },
}

test('without execa it throws an error that says what to install', async () => {
  const cause = new Error('Cannot find package')
  await expect(startOnWindows(start, () => Promise.reject(cause))).rejects.toMatchObject({
    name: 'MissingLibraryError',
    code: 'missing-library',
    library: 'execa',
    message: expect.stringContaining('npm install execa'),
    cause,
  })
})

// The program and its pipes behave the same everywhere. Only on Windows does execa end all processes that the program started.
test('a program is started with its three streams, and ended', async () => {
  const started = await startOnWindows(start)
  if (!started.ok) throw new Error(started.code)
  const { node, pid, stdin, stdout, terminate } = started.child
  expect(pid).toBeGreaterThan(0)
  const exited = once(node as never, 'exit')
  stdin?.write('hello')
  expect(String((await once(stdout, 'data'))[0])).toBe('hello')
  terminate()
  expect((await exited)[1]).toBe('SIGTERM')
  expect(await text(stdout)).toBe('')
})

test('the system’s code explains why a program cannot be started', async () => {
  expect(await startOnWindows({ ...start, program: '/no/such/program' })).toEqual({
    ok: false,
    code: 'ENOENT',
  })
})

test('one without pipes is also started, and a failure is reported', async () => {
  const alone = { ...start, args: ['-e', 'setInterval(() => {}, 1000)'] }
  const started = await startUnpipedOnWindows(alone, 'none')
  if (!started.ok) throw new Error(started.code)
  const { node, pid } = started.child
  expect(pid).toBeGreaterThan(0)
  const exited = once(node as never, 'exit')
  node.kill('SIGKILL')
  expect((await exited)[1]).toBe('SIGKILL')
  const missing = { ...start, program: '/no/such/program' }
  for (const streams of ['terminal', 'none'] as const)
    expect(await startUnpipedOnWindows(missing, streams)).toEqual({ ok: false, code: 'ENOENT' })
  const cause = new Error('Cannot find package')
  await expect(
    startUnpipedOnWindows(alone, 'terminal', () => Promise.reject(cause)),
  ).rejects.toMatchObject({ code: 'missing-library', cause })
})
