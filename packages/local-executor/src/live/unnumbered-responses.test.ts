import { type LiveCall, type ToolResult, readStatus } from '@toolblocks/protocol'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeContext, makeTool, makeWorkspace } from '../workspace.support.ts'
import { getWords, signal } from './live-program.support.ts'

/** Formats a response as a tool prints it that knows nothing of `toolblocks/re`. */
function say(text: string, status?: string, indent?: number): string {
  const content = [{ type: 'text', text }]
  const whole =
    status === undefined ? { content } : { content, _meta: { 'computer.jp/status': status } }
  return JSON.stringify(whole, undefined, indent)
}

/** Starts a tool that prints each of these outputs for one request, and reads on until its input ends. */
async function startPrinting(
  outputs: readonly string[],
  { timeoutMs = 20_000 }: { timeoutMs?: number } = {},
): Promise<LiveCall> {
  const { root } = makeWorkspace()
  writeFileSync(join(root, 'outputs.json'), JSON.stringify(outputs))
  writeFileSync(
    join(root, 'tool.mjs'),
    `import { readFileSync } from 'node:fs'
    import { createInterface } from 'node:readline'
    const outputs = JSON.parse(readFileSync('outputs.json', 'utf8'))
    for await (const _ of createInterface({ input: process.stdin })) process.stdout.write(outputs.shift() ?? '')`,
  )
  const tool = makeTool([process.execPath, 'tool.mjs'], { stateful: true, timeoutMs })
  const live = await tool.spawn?.({ id: 'c', name: 'probe', arguments: {} }, makeContext(root))
  if (!live) throw new Error('the tool is not stateful')
  return live
}

const read = (result: ToolResult): readonly unknown[] => [getWords(result), readStatus(result)]

describe('a tool that has never sent toolblocks/re', () => {
  test.for([
    ['one line', undefined, '\n'],
    ['several lines', 2, '\n'],
    ['one line without an end', undefined, ''],
  ] as const)('answers each request with its next document, of %s', async ([, indent, end]) => {
    const live = await startPrinting(
      [
        say('one', 'running', indent),
        say('two', 'waiting', indent),
        say('three', undefined, indent),
      ].map((text) => text + end),
    )
    expect(read(live.started)).toEqual(['one', 'running'])
    expect(read(await live.fetch({ signal }))).toEqual(['two', 'waiting'])
    expect(read(await live.apply({ input: 1 }, { signal }))).toEqual(['three', 'stopped'])
  })

  test('what it prints before a document comes with it, and what it prints after it with the next', async () => {
    const live = await startPrinting([
      `reading\n${say('one', 'running')}\n${say('more', 'running')}\n`,
      `${say('two', 'running')}\n`,
    ])
    expect(
      [getWords(live.started), getWords(await live.apply({ input: 1 }, { signal }))].join('/'),
    ).toBe('reading\n|one/more|two')
    await live.abort()
  })

  test('answers with text if no document follows it, and runs on', async () => {
    const live = await startPrinting(['ready\nhelp: h\n', 'got it\n'])
    expect(read(live.started)).toEqual(['ready\n|help: h\n', 'running'])
    expect(read(await live.apply({ input: 1 }, { signal }))).toEqual(['got it\n', 'running'])
    await live.abort()
  })

  test('a text that is no whole line is in the result of a request without a response, with what was expected', async () => {
    const live = await startPrinting([`${say('one', 'running')}\n`, '{"content": ['], {
      timeoutMs: 2000,
    })
    const result = await live.apply({ input: 1 }, { signal })
    expect(result).toMatchObject({ isError: true, metadata: { outcome: 'timeout' } })
    expect(getWords(result)).toBe(
      '{"content": [\n|Tool "probe" did not answer within 2 s; it is still running. Fetch again, or abort it. It printed what is above, which answers no request: expected one line of JSON with a "content" array.',
    )
    await live.abort()
  })
})

test('a tool that has sent toolblocks/re answers only with it; other documents are in the result, with what was expected', async () => {
  const numbered = JSON.stringify({
    content: [],
    _meta: { 'toolblocks/re': 1, 'computer.jp/status': 'running' },
  })
  const live = await startPrinting([`${numbered}\n`, `${say('news', 'running')}\n`], {
    timeoutMs: 2000,
  })
  const result = await live.apply({ input: 1 }, { signal })
  expect(result).toMatchObject({ isError: true, metadata: { outcome: 'timeout' } })
  expect(getWords(result)).toMatch(
    /^news\|Tool "probe" did not answer.*expected one line of JSON with "_meta": \{"toolblocks\/re": …\}/,
  )
  await live.abort()
})

test('a cancelled request shows the lines that answered nothing', async () => {
  const numbered = JSON.stringify({
    content: [],
    _meta: { 'toolblocks/re': 1, 'computer.jp/status': 'running' },
  })
  const live = await startPrinting([`${numbered}\n`, `${say('news', 'running')}\n`])
  const result = await live.apply({ input: 1 }, { signal: AbortSignal.timeout(2000) })
  expect(getWords(result)).toMatch(/^news\|Tool "probe" was cancelled\. It printed what is above/)
})
