import type { TurnEvent } from '@toolblocks/agent'

/** The result of a call, also of one that an agent made. */
interface CallResult {
  /** `getCallKey` of the call. */
  key: string
  isDenied: boolean
}

/** Returns a key of a call in a turn. Ids of calls are unique only in the conversation of the model or of one agent. */
export function getCallKey(agents: readonly string[], call: string): string {
  return JSON.stringify([...agents, call])
}

/** Finds the result in an event of a turn. */
export function findCallResult(
  moment: TurnEvent,
  agents: readonly string[] = [],
): CallResult | undefined {
  if (moment.type === 'delegated') return findCallResult(moment.moment, [...agents, moment.agent])
  if (moment.type !== 'result') return undefined
  const isDenied = moment.result.metadata?.outcome === 'denied'
  return { key: getCallKey(agents, moment.call.id), isDenied }
}
