/** The parts of a wait. */
const PARTS = 10

/**
 * Whether a promise is fulfilled within this many milliseconds; a rejection is passed on. While this process cannot run, at most a tenth of the time
 * passes: its timers are due before it reads what has arrived meanwhile.
 */
export async function settlesWithin(
  milliseconds: number,
  promise: Promise<unknown>,
): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  let parts = 0
  const timer = setInterval(() => {
    parts += 1
    if (parts === PARTS) late.resolve(false)
  }, milliseconds / PARTS)
  try {
    return await Promise.race([promise.then(() => true), late.promise])
  } finally {
    clearInterval(timer)
  }
}
