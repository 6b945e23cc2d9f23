import type { RecordInquiry } from '@toolblocks/inquiry'
import type { InquiryEvent } from '@toolblocks/protocol'
import type { Conversation } from './open-conversation.ts'

/**
 * Creates the recorder of a conversation's questions. A question that is asked again in a turn gets another id, so that each answer belongs to one
 * question. A question that waits in the store has no answer yet.
 */
export function createInquiryRecorder(
  conversation: Conversation,
  isParked: (call: string) => boolean,
): RecordInquiry {
  const ids = new Map<string, string>()

  function rename(event: InquiryEvent): string {
    const { id } = event
    if (event.type === 'answer') return ids.get(id) ?? id
    const used = conversation
      .events()
      .filter((stored) => stored.event.type === 'question' && isNumbered(stored.event.id, id))
    const renamed = used.length === 0 ? id : `${id}~${used.length + 1}`
    ids.set(id, renamed)
    return renamed
  }

  return async (event) => {
    if (event.type === 'answer' && isParked(event.callId)) return
    await conversation.record({ ...event, id: rename(event) })
  }
}

function isNumbered(used: string, id: string): boolean {
  return used === id || (used.startsWith(`${id}~`) && /^~\d+$/.test(used.slice(id.length)))
}
