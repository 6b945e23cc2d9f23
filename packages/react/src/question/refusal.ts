import { getOwnField } from '@toolblocks/protocol/internal'
import { isJsonObject } from '@toolblocks/protocol'
import { sanitizePageDecision } from '@toolblocks/renderer/internal/html'

/** What an answer or a decision gets that does not count and cannot count later, for example because another page has answered. */
export interface AnswerRefusal {
  /** Why, as a sentence for the person. */
  refused: string
}

/** Whether a callback has returned a refusal. A page in JavaScript may return anything. */
export function isRefusal(reply: unknown): reply is AnswerRefusal {
  return isJsonObject(reply) && typeof getOwnField(reply, 'refused') === 'string'
}

/** What a person reads whose answer or decision was refused. */
export function describeRefusal({ refused }: AnswerRefusal): string {
  return `This does not count: ${sanitizePageDecision(refused)}`
}
