import type { ConversationEvent, ConversationStore } from '@toolblocks/conversation-store'
import { openPendingQuestion, type PendingQuestion } from '@toolblocks/inquiry/pending'
import type { ContentBlock, InputRequest } from '@toolblocks/protocol'

/** What differs between questions of tests. */
interface Asked extends Partial<
  Pick<
    PendingQuestion,
    'kind' | 'isLocal' | 'isRepeatable' | 'agents' | 'server' | 'client' | 'after'
  >
> {
  tool?: string
  values?: Readonly<Record<string, unknown>>
  request?: Partial<InputRequest>
  blocks?: readonly ContentBlock[]
  conversation?: string
  expireMs?: number
}

/** Stores a conversation with a call that waits, and the question for which it waits. */
export async function park(
  store: ConversationStore,
  {
    tool = 'sweep',
    values = {},
    request = {},
    blocks = [],
    conversation = `of-${tool}`,
    kind = 'question',
    isLocal = false,
    isRepeatable = true,
    ...more
  }: Asked = {},
): Promise<PendingQuestion> {
  const call = { id: `call-of-${tool}`, name: tool, arguments: values }
  const question = { id: 'sure', text: 'Really?', schema: { type: 'boolean' }, ...request }
  const asked: readonly ConversationEvent[] =
    kind === 'approval'
      ? []
      : [{ type: 'question', id: `${call.id}.sure.1`, callId: call.id, asked: 'user', question }]
  await store.append(conversation, 0, [
    { type: 'turn_start', turn: 1 },
    { type: 'user_message', content: [{ type: 'text', text: `Use ${tool}.` }] },
    { type: 'tool_call', call },
    ...asked,
  ])
  return await openPendingQuestion(
    {
      kind,
      call,
      conversation,
      turn: 1,
      request: question,
      blocks,
      isLocal,
      isRepeatable,
      definition: 'one',
      host: 'laptop',
      ...more,
    },
    { storage: store.documents },
  )
}
