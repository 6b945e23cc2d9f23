/** Wraps functions so that all their calls wait for each other, in the order they came. */
export type Queue = <Parameters extends unknown[], Value>(
  work: (...values: Parameters) => Promise<Value>,
) => (...values: Parameters) => Promise<Value>

/** Makes a queue: one for everything that asks the same person. */
export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve()
  return (work) =>
    (...values) => {
      const turn = last.then(() => work(...values))
      last = turn.catch(() => undefined)
      return turn
    }
}
