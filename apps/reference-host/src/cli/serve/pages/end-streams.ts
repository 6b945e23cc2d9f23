/** Milliseconds between two checks of a stream. */
const CHECK_MS = 2000

/** Ends a stream of events when its reader may not read it any longer. Other responses are unchanged. A check that fails ends it, too. */
export function endStreams(
  response: Response,
  mayRead: () => Promise<boolean>,
  checkMs = CHECK_MS,
): Response {
  const { body, status, headers } = response
  if (!body || !headers.get('content-type')?.startsWith('text/event-stream')) return response
  const reader = body.getReader()
  const ended = Promise.withResolvers<{ done: true; value?: undefined }>()
  let isChecking = false
  const timer = setInterval(() => {
    if (isChecking) return
    isChecking = true
    void mayRead()
      .catch(() => false)
      .then((may) => {
        isChecking = false
        if (!may) end()
      })
  }, checkMs)
  timer.unref()

  function end(): void {
    clearInterval(timer)
    ended.resolve({ done: true })
    void reader.cancel().catch(() => undefined)
  }

  const stream = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await Promise.race([reader.read(), ended.promise])
      if (!done) return controller.enqueue(value)
      end()
      controller.close()
    },
    cancel: end,
  })
  return new Response(stream, { status, headers })
}
