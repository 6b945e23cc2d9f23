import { expect, onTestFinished, test, vi } from 'vitest'
import { readBody, readText } from './read-body.ts'

/** A response whose body begins with these chunks, and then neither continues nor ends. */
function openEndless(...chunks: readonly string[]): { response: Response; ended: () => boolean } {
  let isCancelled = false
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk))
    },
    cancel: () => {
      isCancelled = true
    },
  })
  return { response: new Response(body), ended: () => isCancelled }
}

test('of a refusal that does not end, the text is what has arrived after 5 seconds', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { response, ended } = openEndless('no session, ', 'initialize again')
  const reading = readText(response)
  await vi.advanceTimersByTimeAsync(4999)
  expect(ended()).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(await reading).toBe('no session, initialize again')
  expect(ended()).toBe(true)
})

test('a body that is too large is not read further', async () => {
  const { response, ended } = openEndless('12345', '6')
  expect(await readBody(response, 5)).toBeUndefined()
  expect(ended()).toBe(true)
})

test('the text of a refusal that breaks off is empty', async () => {
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.error(new Error('the connection is lost')),
  })
  expect(await readText(new Response(body))).toBe('')
})
