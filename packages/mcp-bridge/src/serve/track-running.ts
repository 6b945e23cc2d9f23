/** What is being done for clients. */
export interface Running {
  track<Result>(call: Promise<Result>): Promise<Result>
  /** Settles when nothing runs that runs now. */
  idle(): Promise<void>
}

/** Knows what runs, so that an end can wait for it. */
export function trackRunning(): Running {
  const running = new Set<Promise<unknown>>()
  return {
    track: async (call) => {
      running.add(call)
      try {
        return await call
      } finally {
        running.delete(call)
      }
    },
    idle: async () => void (await Promise.allSettled(running)),
  }
}
