import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { makeWorkspace, startHost } from '../workspace.support.ts'

const MIB = 1024 * 1024
const OUTPUT_BYTES = 256 * MIB
/** Far below the size of the output; there is room for the 16 MiB that are kept and for garbage that is not collected yet. */
const BOUND_BYTES = 160 * MIB

const MEASURE = (keepBytes: string): string => `
import { createHash } from 'node:crypto'
async function hash(bytes) {
  const sha256 = createHash('sha256')
  let count = 0
  // If nobody held the tool back, it would print everything before, and the memory would grow until then.
  await memoryStandsStill()
  for await (const chunk of bytes) { sha256.update(chunk); count += chunk.length }
  return { sha256: sha256.digest('hex'), bytes: count }
}
async function memoryStandsStill() {
  for (let last = 0, now = process.memoryUsage().rss; now - last > ${MIB}; now = process.memoryUsage().rss) {
    last = now
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
await tool('true').execute(call, context)
const before = process.memoryUsage().rss
const { metadata, content } = await tool('head -c ${OUTPUT_BYTES} /dev/zero').execute(call, { ...context, ${keepBytes} })
const grown = process.resourceUsage().maxRSS * 1024 - before
console.log(JSON.stringify({ grown, metadata, length: content[0].text.length }))
`

// On other systems maxRSS has other units or does not exist.
test.skipIf(process.platform !== 'linux').for([
  ['dropped', ''],
  ['kept', 'keepBytes: hash'],
])('256 MiB of output, %s, do not increase the memory of the host', async ([, keepBytes = '']) => {
  const { root } = makeWorkspace()
  const host = startHost(root, MEASURE(keepBytes))
  if (!host.stdout || !host.stderr) throw new Error('no pipes')
  const [stdout, stderr] = await Promise.all([
    text(host.stdout),
    text(host.stderr),
    once(host, 'close'),
  ])
  expect(stderr).toBe('')
  const { grown, metadata, length } = JSON.parse(stdout)
  expect(grown).toBeLessThan(BOUND_BYTES)
  expect(length).toBeLessThan(20_000)
  expect(metadata.warnings).toEqual([
    expect.objectContaining({ code: 'over-limit', got: `${OUTPUT_BYTES} bytes` }),
  ])
  expect(metadata.raw?.bytes).toBe(keepBytes === '' ? undefined : OUTPUT_BYTES)
})
