import type { ToolResult } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { running, signal, start } from './live-program.suite.ts'

const codes = ({ metadata }: ToolResult): unknown[] =>
  (metadata?.warnings ?? []).map(({ path, code }) => [path, code])

const UNREADABLE = `{ content: [{ type: 'wat' }] }`
const WARNED = [['/content/0', 'unknown-block-type']]

test('what cannot be read is warned of: said unasked, in a reply, and in the last words', async () => {
  const { live } = await start({
    spawn: `say(JSON.stringify(${UNREADABLE})); ${running}`,
    apply: `reply('applied', 'running', ${UNREADABLE})`,
    abort: `reply('bye', 'stopped', ${UNREADABLE})`,
  })
  const applied = await live.apply({ input: 1 }, { signal })
  expect([live.started, applied, await live.abort()].map(codes)).toEqual([WARNED, WARNED, WARNED])
})

test('and in a last line that has no end', async () => {
  const { live } = await start({
    spawn: running,
    apply: `process.stdout.write(JSON.stringify(${UNREADABLE}), () => process.exit(0))`,
  })
  expect(codes(await live.apply({ input: 1 }, { signal }))).toEqual(WARNED)
})

test('what a tool says of its own outcome and warnings is not taken for the host’s', async () => {
  const { live } = await start({
    spawn: `reply('a', 'running', { metadata: { outcome: 'denied', warnings: [{}] } })`,
  })
  expect(live.started.metadata?.outcome).toBe('completed')
  expect(live.started.metadata?.warnings?.map(({ code }) => code) ?? []).not.toContain(undefined)
  await live.abort()
})
