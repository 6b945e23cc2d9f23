import { type ConversationStore, openStore } from '@toolblocks/conversation-store'
import { booleanQuestion, type InquiryEvent } from '@toolblocks/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { type Conversation, openConversation } from './open-conversation.ts'
import { createInquiryRecorder } from './record-inquiry.ts'

const QUESTION: InquiryEvent = {
  type: 'question',
  id: 'call-1.sure.1',
  callId: 'call-1',
  question: booleanQuestion({ id: 'sure', text: 'Sure?' }),
  asked: 'user',
}

async function open(
  wrap: (store: ConversationStore) => ConversationStore = (store) => store,
): Promise<Conversation> {
  const store = await openStore('memory:')
  onTestFinished(async () => await store.close())
  return await openConversation(wrap(store), 'c')
}

const notParked = (): boolean => false

test('a question is stored before anybody is asked', async () => {
  const conversation = await open()
  await createInquiryRecorder(conversation, notParked)(QUESTION)
  expect(conversation.events()).toMatchObject([{ event: { type: 'question' } }])
})

test('a question that cannot be stored is not asked: the recorder rejects', async () => {
  const conversation = await open((store) => ({
    ...store,
    append: async () => await Promise.reject(new Error('disk full')),
  }))
  const record = createInquiryRecorder(conversation, notParked)
  await expect(record(QUESTION)).rejects.toThrow('disk full')
})
