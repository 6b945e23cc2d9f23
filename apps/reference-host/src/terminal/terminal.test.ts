import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createTerminal } from './terminal.ts'

test.for([{}, { TERM: 'dumb' }, { CI: 'true' }])(
  'a terminal is drawn over unless it cannot be, or is a log: %j',
  (env) => {
    const stderr = Object.assign(new PassThrough(), { isTTY: true })
    const stream = new PassThrough()
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- streams that are no terminal
    const { progress } = createTerminal({ stdin: stream, stdout: stream, stderr, env } as never)
    expect(progress).toBe(Object.keys(env).length === 0 ? stderr : undefined)
  },
)
