import type { Telemetry } from '@toolblocks/protocol'

/** Says in which recorded conversation the calls of an executor are. */
export function inConversation(telemetry: Telemetry, conversation: string | undefined): Telemetry {
  return {
    ...telemetry,
    start: ({ details, ...operation }) =>
      telemetry.start({
        ...operation,
        details: { ...details, 'gen_ai.conversation.id': conversation },
      }),
  }
}
