/** Wraps a port so that its calls wait for each other, in the order they came. */
export function oneAtATime<Arguments extends unknown[], Value>(
  port: (...values: Arguments) => Promise<Value>,
): (...values: Arguments) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve()
  return (...values) => {
    const turn = last.then(() => port(...values))
    last = turn.catch(() => undefined)
    return turn
  }
}
