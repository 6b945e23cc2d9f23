import { expect, test } from 'vitest'
import type { ProgramRun } from '../run-program.ts'
import { explainRefusal, explainRun } from './explain-run.ts'

type Ended = Extract<ProgramRun, { kind: 'ended' }>
const exited = (code: number | NodeJS.Signals): Ended['end'] => ({
  kind: 'exited',
  code,
  pipesHeld: false,
  left: [],
})
const ran = (end: Ended['end'], stdout = '', stderr = ''): Ended => ({
  kind: 'ended',
  end,
  stdout: { isWhole: true, bytes: Buffer.from(stdout) },
  stderr,
})
const tooMuch = { isWhole: false, byteCount: 9, text: 'x' } as const

test.for<[string, ProgramRun, object | undefined]>([
  [
    'did not start',
    { kind: 'not-started', reason: 'no file' },
    { what: 'could not be started: no file' },
  ],
  ['ended well', ran(exited(0), 'a'), undefined],
  ['ended with a code', ran(exited(3), 'a', 'b'), { what: 'ended with exit code 3', output: 'a' }],
  [
    'said it on stderr',
    ran(exited(3), ' \n', 'b'),
    { what: 'ended with exit code 3', output: 'b' },
  ],
  ['was killed', ran(exited('SIGSEGV')), { what: 'was ended by the signal SIGSEGV', output: '' }],
  [
    'took too long',
    ran({ kind: 'stopped', reason: 'timeout' }, 'a'),
    { what: 'did not end within 1.5 s', output: 'a' },
  ],
  [
    'was cancelled',
    ran({ kind: 'stopped', reason: 'cancelled' }, 'a'),
    { what: 'was cancelled', output: 'a' },
  ],
  [
    'said more than is read',
    { ...ran({ kind: 'stopped', reason: 'cancelled' }), stdout: tooMuch },
    undefined,
  ],
  [
    'said more than is read, and failed',
    { ...ran(exited(1)), stdout: tooMuch },
    { what: 'ended with exit code 1', output: 'x' },
  ],
])('a program that %s', ([, run, failure]) => {
  expect(explainRun(run, 1500)).toEqual(failure)
})

const ways =
  'Give the tool a "parameters" table in the configuration ("parameters = {}" if it takes no arguments), or let the program answer the action "schema" (docs/protocol.md).'

test.for([
  ['', ''],
  [' \n ', ''],
  [' a "b" \nc', ': "a \\"b\\""'],
  ['\n\u202Ea', ': "\\u202ea"'],
  ['x'.repeat(100), `: "${'x'.repeat(100)}"`],
  ['x'.repeat(101), `: "${'x'.repeat(100)}…"`],
] as const)('of its output %j the first line is told: %j', ([output, said]) => {
  expect(explainRefusal('run a', { what: 'failed', output })).toBe(
    `run a, asked to describe itself (action "schema"), failed${said}. ${ways}`,
  )
})

test('no output is nothing to tell', () => {
  expect(explainRefusal('run', { what: 'failed' })).toBe(
    `run, asked to describe itself (action "schema"), failed. ${ways}`,
  )
})
