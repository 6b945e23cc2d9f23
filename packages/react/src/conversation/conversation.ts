import {
  createElement as h,
  Fragment,
  memo,
  type ReactElement,
  useInsertionEffect,
  useRef,
  useState,
} from 'react'
import { useNearby } from '../result/nearby.ts'
import { type MessageOptions, type MessagePart, renderMessagePart } from './message-part.ts'

/** A message of a conversation: what a `UIMessage` of the AI SDK has. */
export interface ConversationMessage {
  /** Unique in the conversation. */
  id: string
  /** Who has written it. */
  role: 'system' | 'user' | 'assistant'
  parts: readonly MessagePart[]
}

/** The properties of `Conversation`. */
export interface ConversationProps extends MessageOptions {
  /** In their order. A message that changes must be a new object, as `useChat` makes it. */
  messages: readonly ConversationMessage[]
  /** The name of the region, for a screen reader. Default: `Conversation`. */
  label?: string
}

/** Messages that are shown or left out together. */
const MESSAGES_OF_CHUNK = 20
/** Up to so many messages all are elements, so that the search of a browser, a printer and a screen reader find them. */
const MAX_WHOLE = 200

/**
 * The messages of a conversation. Of more than 200 messages, only those near the visible ones, and those that a person has used, are elements of the page. It grows downwards, so that nothing
 * moves while a message arrives.
 */
export function Conversation(props: ConversationProps): ReactElement {
  // What was typed, opened and sent in one conversation must not be seen in another one.
  return h(OneConversation, { key: props.conversation, ...props })
}

function OneConversation({
  messages,
  label = 'Conversation',
  ...options
}: ConversationProps): ReactElement {
  const stable = useStable(options)
  const count = Math.ceil(messages.length / MESSAGES_OF_CHUNK)
  const chunks = Array.from({ length: count }, (_, index) => {
    const start = index * MESSAGES_OF_CHUNK
    return h(MessagesOfChunk, {
      key: index,
      messages: messages.slice(start, start + MESSAGES_OF_CHUNK),
      options: stable,
      isWhole: messages.length <= MAX_WHOLE,
      // The first rendering shows the start and the end; a browser then says what is near.
      isFirst: index === 0 || index >= count - 2,
    })
  })
  return h('section', { className: 'tb tb-conversation', 'aria-label': label }, chunks)
}

/**
 * Returns the same options while nothing that is shown changes, so that unchanged messages are not rendered again. Functions that receive something
 * may be new each time: the latest one is called.
 */
function useStable(options: MessageOptions): MessageOptions {
  const latest = useRef(options)
  // Before any effect of the layout, which may already send something.
  useInsertionEffect(() => {
    latest.current = options
  })
  const [receive] = useState<Required<Pick<MessageOptions, 'onApproval' | 'onAnswer'>>>(() => ({
    onApproval: async (response) => await latest.current.onApproval?.(response),
    onAnswer: async (id, answer) => await latest.current.onAnswer?.(id, answer),
  }))
  const { onApproval, onAnswer, ...others } = options
  const next: MessageOptions = {
    ...others,
    ...(onApproval && { onApproval: receive.onApproval }),
    ...(onAnswer && { onAnswer: receive.onAnswer }),
  }
  const kept = useRef(next)
  if (!isSame(kept.current, next)) kept.current = next
  return kept.current
}

function isSame(before: object, after: object): boolean {
  const names = Object.keys({ ...before, ...after })
  return names.every((name) => Object.is(Reflect.get(before, name), Reflect.get(after, name)))
}

const MessagesOfChunk = memo(function MessagesOfChunk({
  messages,
  options,
  isWhole,
  isFirst,
}: TextChunk): ReactElement {
  const element = useRef<HTMLDivElement>(null)
  const { isNear, height } = useNearby(element, isFirst)
  // What a person has typed, opened or sent must not be lost.
  const [isUsed, setIsUsed] = useState(false)
  const use = (): void => setIsUsed(true)
  if (!isNear && !isUsed && !isWhole)
    return h('div', {
      ref: element,
      className: 'tb-away',
      'data-messages': messages.length,
      ...(height !== undefined && { style: { height } }),
    })
  return h(
    'div',
    { ref: element, onClick: use, onInput: use },
    messages.map((message) => h(MessageElement, { key: message.id, message, options })),
  )
}, isSameChunk)

interface TextChunk {
  messages: readonly ConversationMessage[]
  options: MessageOptions
  isWhole: boolean
  isFirst: boolean
}

function isSameChunk(before: TextChunk, after: TextChunk): boolean {
  return (
    before.options === after.options &&
    before.isWhole === after.isWhole &&
    before.messages.length === after.messages.length &&
    before.messages.every((message, index) => message === after.messages[index])
  )
}

const AUTHORS = { system: 'System', user: 'You', assistant: 'Assistant' } as const

const MessageElement = memo(function MessageElement({
  message: { role, parts },
  options,
}: {
  message: ConversationMessage
  options: MessageOptions
}): ReactElement {
  return h(
    'article',
    { className: 'tb-message', 'data-role': role, 'aria-label': AUTHORS[role] },
    parts.map((part, index) => h(Fragment, { key: index }, renderMessagePart(part, options))),
  )
})
