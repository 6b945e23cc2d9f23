/** How many sessions there are, and how long. */
export interface SessionLimits {
  /** The maximum number of sessions; above it, a further client is refused with the status 503. Default: 1000. */
  readonly maxSessions?: number
  /** Milliseconds without an open request or stream after which a session is forgotten. Default: 30 minutes. */
  readonly maxSessionIdleMs?: number
}
