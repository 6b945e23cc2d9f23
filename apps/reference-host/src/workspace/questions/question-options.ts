import { getPendingOptions } from '@toolblocks/agent'
import type { ConversationStore } from '@toolblocks/conversation-store'
import { createAgentHost } from '../../process/agent-host.ts'

/** Returns the options with which the questions of a store are read and answered. A question that ended with its host is withdrawn. */
export function getQuestionOptions({
  documents,
}: Pick<ConversationStore, 'documents'>): ReturnType<typeof getPendingOptions> {
  const { holder: _own, ...host } = createAgentHost()
  return getPendingOptions(documents, host)
}
