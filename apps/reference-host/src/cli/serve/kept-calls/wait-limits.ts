import { findHostProfile, type ResultsForm } from '@toolblocks/mcp-bridge/server'
import type { JsonObject } from '@toolblocks/protocol'

/** How long the requests of a client wait for their calls, in milliseconds. `Infinity`: until the end. */
export interface WaitLimits {
  /** While the call runs. */
  runningMs: number
  /** While the call waits for a person. */
  waitingMs: number
}

/** The part of a host's own limit in which it gets an answer. The rest is for the way. */
const SHARE = 0.8
/** Clients that use the official SDKs end a request after 60 seconds. */
const UNKNOWN_MS = 45_000
/** For a host that waits for a long time. A model that is told can tell its user. */
const PATIENT_MS = 5 * 60_000

/**
 * Returns the limits of a client by what it says of itself, or by the host that the command line names. `answerWithinMs`: what the command line says of
 * all clients.
 */
export function getWaitLimits(
  info: JsonObject | undefined,
  { results, answerWithinMs }: { results: ResultsForm; answerWithinMs: number | undefined },
): WaitLimits {
  const profile = typeof results === 'string' ? findHostProfile(info) : results
  const seconds = profile?.callSeconds
  const known = seconds === undefined ? undefined : seconds * SHARE * 1000
  return {
    runningMs: answerWithinMs ?? known ?? Infinity,
    waitingMs: answerWithinMs ?? known ?? (profile ? PATIENT_MS : UNKNOWN_MS),
  }
}
