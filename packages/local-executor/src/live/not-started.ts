import {
  createFailure,
  type LiveCall,
  nameInWords,
  type ToolResult,
  withStatus,
} from '@toolblocks/protocol'

/** What every action gets once a tool has stopped. */
export function hasStopped(name: string): ToolResult {
  const text = `Tool ${nameInWords(name)} has stopped; spawn it again.`
  return withStatus(createFailure(text), 'stopped')
}

/** A live call that could not be started: it has stopped already, and says why. */
export function notStarted(name: string, reason: string): LiveCall {
  const text = `Tool ${nameInWords(name)} was not started. ${reason}`
  const started = withStatus(createFailure(text), 'stopped')
  const refuse = async (): Promise<ToolResult> => hasStopped(name)
  return { started, fetch: refuse, apply: refuse, abort: refuse }
}
