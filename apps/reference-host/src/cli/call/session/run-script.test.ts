import { createFailure } from '@toolblocks/protocol'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createTerminal } from '../../../terminal/terminal.ts'
import { liveCall, says } from './live-tool.support.ts'
import { runScript } from './run-script.ts'

const FLUSHED = /reads one line for each request.*print\(…, flush=True\)\.\n$/

test.for([
  ['timeout', 'messages', true],
  ['timeout', 'screen', false],
  ['failed', 'messages', false],
] as const)(
  'whether it is said how a program answers, after the outcome %s of a call that shows %s: %s',
  async ([outcome, shows, isExplained]) => {
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- streams that are no terminal
    const terminal = createTerminal({ stdin, stdout, stderr, env: {} } as never)
    const { live } = liveCall([says('waiting', 'a'), createFailure('No answer.', outcome)])
    const settings = { terminal, output: 'text', shows, show: () => {} } as const
    expect(await runScript(live, [{ action: 'fetch' }], settings)).not.toBe(0)
    expect(FLUSHED.test(String(stderr.read() ?? ''))).toBe(isExplained)
  },
)
