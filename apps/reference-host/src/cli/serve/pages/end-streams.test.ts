import { expect, test } from 'vitest'
import { endStreams } from './end-streams.ts'

/** A stream of events, and whether its source was told that it ended. */
function createSource(): {
  response: Response
  write(text: string): void
  cancelled: Promise<void>
} {
  const { promise: cancelled, resolve } = Promise.withResolvers<void>()
  let write = (_text: string): void => {}
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      write = (text) => controller.enqueue(new TextEncoder().encode(text))
    },
    cancel: () => resolve(),
  })
  const headers = { 'content-type': 'text/event-stream; charset=utf-8' }
  return { response: new Response(body, { headers }), write, cancelled }
}

test('a stream ends, and its source is told so, soon after its reader may not read it', async () => {
  const { response, write, cancelled } = createSource()
  let may = true
  const reader = endStreams(response, async () => may, 5).body?.getReader()
  write('one')
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('one')
  const next = reader?.read()
  may = false
  expect((await next)?.done).toBe(true)
  await cancelled
})

test('a check that fails ends the stream', async () => {
  const { response, cancelled } = createSource()
  const check = async (): Promise<boolean> => {
    throw new Error('no file')
  }
  expect(await endStreams(response, check, 5).text()).toBe('')
  await cancelled
})

test('a reader who leaves ends the source and the checks', async () => {
  const { response, cancelled } = createSource()
  let checks = 0
  const check = async (): Promise<boolean> => {
    checks += 1
    return true
  }
  const { body } = endStreams(response, check, 5)
  await expect.poll(() => checks).toBeGreaterThan(1)
  await body?.cancel()
  await cancelled
  const before = checks
  await new Promise((resolve) => setTimeout(resolve, 25))
  expect(checks).toBe(before)
})

test('other responses are unchanged', async () => {
  for (const response of [new Response('page'), new Response(null, { status: 303 })])
    expect(endStreams(response, async () => false)).toBe(response)
})
