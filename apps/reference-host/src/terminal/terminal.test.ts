import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createTerminal } from './terminal.ts'

test.for([{}, { TERM: 'dumb' }, { CI: 'true' }])(
  'progress is drawn on a terminal, unless it is dumb or in CI: %j',
  (env) => {
    const stderr = Object.assign(new PassThrough(), { isTTY: true })
    const stream = new PassThrough()
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- streams that are no terminal
    const { progress } = createTerminal({ stdin: stream, stdout: stream, stderr, env } as never)
    expect(progress).toBe(Object.keys(env).length === 0 ? stderr : undefined)
  },
)

test.for([20, 30])('text is wrapped to a terminal of %i columns', (columns) => {
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns })
  const stream = new PassThrough()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- streams that are no terminal
  const terminal = createTerminal({ stdin: stream, stdout, stderr: stream, env: {} } as never)
  const text = 'a few words that need more than one line'
  terminal.print(terminal.sanitize(text))
  const lines = String(stdout.read()).trimEnd().split('\n')
  expect(lines.join(' ')).toBe(text)
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(columns)
})
