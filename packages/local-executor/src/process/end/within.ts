/** Whether a promise is fulfilled in time; a rejection is passed on. */
export async function within(milliseconds: number, promise: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  const timer = setTimeout(late.resolve, milliseconds, false)
  const inTime = await Promise.race([promise.then(() => true), late.promise])
  clearTimeout(timer)
  return inTime
}
