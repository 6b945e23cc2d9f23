/**
 * Calls a function after some time, unless the returned function is called before. What has arrived meanwhile is read first: a process that was busy is late itself, and must not
 * take what waits for it for missing.
 */
export function limitTime(ms: number, onLate: () => void): () => void {
  let reading: NodeJS.Immediate | undefined
  const timer = setTimeout(() => {
    // After the next time that the event loop has read from all connections.
    reading = setImmediate(onLate)
  }, ms)
  return () => {
    clearTimeout(timer)
    clearImmediate(reading)
  }
}
