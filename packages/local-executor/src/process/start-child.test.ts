import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { startProgram } from '../start-program.ts'
import { explainSpawnError, startChild } from './start-child.ts'

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

test('a program is started with its three streams, and ended', async () => {
  const started = await startChild(start)
  if (!started.ok) throw new Error(started.code)
  const { child } = started
  expect(child.pid).toBeGreaterThan(0)
  await child.write('hello')
  const [first] = await once(child.stdout, 'data')
  expect(String(first)).toBe('hello')
  child.terminate()
  expect(await child.exited).toEqual({ code: 'SIGTERM' })
  expect(await text(child.stdout)).toBe('')
  await child.closed
})

test('the system’s code explains why a program cannot be started', async () => {
  for (const input of [undefined, 'text'])
    expect(
      await startChild({ ...start, program: '/no/such/program', ...(input && { input }) }),
    ).toEqual({ ok: false, code: 'ENOENT' })
})

test('arguments that no program can receive are refused with a code, for each kind of streams', async () => {
  const args = ['a\0b']
  for (const input of [undefined, 'text'])
    expect(await startChild({ ...start, args, ...(input && { input }) })).toEqual({
      ok: false,
      code: expect.any(String),
    })
  const plan = { ...start, args, inherits: 'nothing', streams: 'none' } as const
  expect(await startProgram(plan)).toMatchObject({ ok: false })
})

test('one without streams is started, gets the signals itself, and a failure is explained', async () => {
  const plan = { ...start, inherits: 'nothing', streams: 'none' } as const
  const args = ['-e', 'setInterval(() => {}, 1000)']
  const started = await startProgram({ ...plan, args })
  if (!started.ok) throw new Error(started.message)
  expect(started.program.pid).toBeGreaterThan(0)
  await started.program.kill()
  expect(await started.program.exited).toEqual({ code: 'SIGKILL' })
  for (const streams of ['terminal', 'none'] as const) {
    const tooMany = { ...plan, streams, args: ['x'.repeat(3_000_000)] }
    expect(await startProgram(tooMany)).toMatchObject({
      ok: false,
      message: expect.stringContaining('(E2BIG)'),
    })
  }
})
