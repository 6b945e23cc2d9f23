import { PassThrough } from 'node:stream'
import type { ReadStream, WriteStream } from 'node:tty'
import { formatBlocks } from '@toolblocks/formatter'
import type { ToolResult } from '@toolblocks/protocol'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { DeliveredToModel } from '@toolblocks/agent'
import { createTerminal } from '../../../terminal/terminal.ts'
import { showTurn } from './show-turn.ts'
import { createWaitingLine } from '../../../terminal/show-progress.ts'

/** Creates streams of a terminal of 80 columns, and the text that was written to them. */
function coloredTerminal() {
  let written = ''
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns: 80 })
  stream.on('data', (data) => (written += String(data)))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a terminal uses of them
  const out = stream as unknown as WriteStream
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing is typed
  const stdin = { isTTY: true } as ReadStream
  const terminal = createTerminal({ stdin, stdout: out, stderr: out, env: {} })
  return { terminal, written: () => written }
}

test('a chat renders results by their type: Markdown is formatted', async () => {
  const { terminal, written } = coloredTerminal()
  const { signal } = new AbortController()
  const { show } = showTurn(terminal, {
    root: '/',
    kept: undefined,
    modelView: () => false,
    waiting: createWaitingLine(terminal),
    signal,
  })
  const data = { content: 'The lamp is **lit**.' }
  const structuredContent = { kind: 'text', mimeType: 'text/markdown', data }
  const result: ToolResult = { content: [], isError: false, structuredContent }
  const call = { id: 'a', name: 'look', arguments: {} }
  const delivered: DeliveredToModel = {
    text: formatBlocks([]),
    event: { type: 'delivery', deliveries: [] },
  }
  await show({ type: 'result', call, result, milliseconds: 1, delivered })
  expect(written()).toContain('The lamp is \u001B[1mlit\u001B[')
})

test('a terminal without cursor control gets no line for a silent model', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- streams that are no terminal
  const terminal = createTerminal({ stdin: new PassThrough(), stdout, stderr, env: {} } as never)
  const { signal } = new AbortController()
  const waiting = createWaitingLine(terminal)
  const options = { root: '/', kept: undefined, modelView: () => false }
  const view = showTurn(terminal, { ...options, waiting, signal })
  await view.show({ type: 'asking' })
  vi.advanceTimersByTime(10_000)
  await view.show({ type: 'text', text: 'Here.' })
  view.finish()
  expect([Buffer.concat([...readAll(stdout)]).toString(), stderr.read()]).toEqual(['Here.\n', null])
})

/** In Node.js 26, `read` returns one chunk at a time. */
function* readAll(stream: PassThrough): Generator<Buffer> {
  for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) yield chunk
}
