import {
  isContentBlock,
  isInputRequest,
  type ContentBlock,
  type InputRequest,
  isJsonObject,
} from '@toolblocks/protocol'
import { showBlocks } from '@toolblocks/renderer/internal'
import { type ComponentType, createElement as h, type ReactNode } from 'react'
import { type FormAnswer, QuestionForm, type QuestionFormProps } from '../question/question-form.ts'
import { renderPart, renderParts } from '../result/render-part.ts'
import { type ResultOptions, WHOLE } from '../result/tool-result.ts'
import { isToolPart, ToolPart, type ToolPartProps } from './tool-part.ts'

/** A part of a message. Its other fields depend on its type; the parts of a `UIMessage` of the AI SDK fit. */
export interface MessagePart {
  /** Such as `text`, `reasoning`, `file`, `tool-NAME`, `dynamic-tool` or `data-question`. */
  type: string
  [field: string]: unknown
}

/** Options for the parts of messages. */
export interface MessageOptions extends ResultOptions, Pick<QuestionFormProps, 'drafts'> {
  /**
   * The id of the conversation. Needed if a page shows several, beside or after each other, because ids of messages, calls and questions are unique in
   * a conversation only: what a person has typed and sent then belongs to one of them. Default: the page has one conversation.
   */
  conversation?: string
  /** Components for types of parts, for example `data-weather`, or instead of the ones here. Their parts are unsanitized. */
  parts?: Readonly<Record<string, ComponentType<{ part: MessagePart }>>>
  /** Receives decisions about calls, as `onApproval` of `ToolPart`. Absent: nothing can be decided. */
  onApproval?: ToolPartProps['onApproval']
  /**
   * Receives the answer to a part `data-question` of `@toolblocks/ai-sdk`, by the id of the question. It may return validation errors, or why the answer
   * does not count, as `onAnswer` of `QuestionForm`. Absent: nothing can be answered.
   */
  onAnswer?(id: string, answer: FormAnswer): ReturnType<QuestionFormProps['onAnswer']>
}

/** A part of a message as an element; nothing for parts that only structure a message, and for unknown data. */
export function renderMessagePart(part: MessagePart, options: MessageOptions): ReactNode {
  const { parts = {}, onApproval, ...others } = options
  const { conversation: _conversation, onAnswer: _onAnswer, drafts: _drafts, ...result } = others
  const own = Object.hasOwn(parts, part.type) ? parts[part.type] : undefined
  if (own) return h(own, { part })
  if (isToolPart(part)) return h(ToolPart, { part, ...(onApproval && { onApproval }), ...result })
  if (!isJsonObject(part)) return null
  switch (part.type) {
    case 'text':
      return renderWords(part['text'], result)
    case 'reasoning':
      return h(
        'details',
        { className: 'tb-fold tb-reasoning' },
        h('summary', null, part['state'] === 'streaming' ? 'Reasoning…' : 'Reasoning'),
        renderWords(part['text'], result),
      )
    case 'file':
      return renderFile(part)
    case 'source-url':
    case 'source-document':
      return renderSource(part)
    case 'data-question':
      return renderQuestion(part['data'], options)
    default:
      return null
  }
}

/** What a person or a model said, as Markdown if there is a reader for it. */
function renderWords(text: unknown, options: ResultOptions): ReactNode {
  if (typeof text !== 'string') return null
  const parts = showBlocks([{ type: 'text', text, mimeType: 'text/markdown' }], {
    maxLines: Infinity,
    ...(options.readers && { readers: options.readers }),
  })
  return renderParts(parts, WHOLE)
}

const DATA = /^data:(?:[\w.+-]+\/[\w.+-]+)?(?:;[\w=-]+)*;base64,(?<base64>.*)$/is

function renderFile(part: Readonly<Record<string, unknown>>): ReactNode {
  const { url, mediaType, filename } = part
  if (typeof url !== 'string') return null
  const name = typeof filename === 'string' ? filename : 'file'
  const type = typeof mediaType === 'string' ? mediaType : undefined
  const base64 = DATA.exec(url)?.groups?.['base64']
  const facts = type === undefined ? [] : [type]
  if (base64 === undefined) return renderPart({ kind: 'link', name, uri: url, facts }, WHOLE)
  const media = /^(image|audio)\//i.exec(type ?? '')?.[1]?.toLowerCase()
  const shownMedia = media === 'image' || media === 'audio' ? media : 'file'
  return renderPart({ kind: 'media', media: shownMedia, name, facts, base64 }, WHOLE)
}

function renderSource(part: Readonly<Record<string, unknown>>): ReactNode {
  const { url, title, filename, mediaType } = part
  const label = [title, filename, url].find((text) => typeof text === 'string' && text !== '')
  const name = typeof label === 'string' ? label : 'source'
  const facts = ['source', url, mediaType].filter((fact) => typeof fact === 'string')
  if (typeof url !== 'string') return renderPart({ kind: 'facts', name, facts }, WHOLE)
  return renderPart({ kind: 'link', name, uri: url, facts }, WHOLE)
}

/** The question of a tool, as the AI SDK carries it. */
interface QuestionPart {
  id: string
  tool: string
  request: InputRequest
  blocks: readonly ContentBlock[]
  after: readonly ContentBlock[]
  state: string
}

function renderQuestion(data: unknown, options: MessageOptions): ReactNode {
  const question = readQuestion(data)
  if (!question) return null
  const { id, tool, request, blocks, after, state } = question
  const { conversation, onAnswer, drafts, readers, root } = options
  if (state !== 'open' || !onAnswer)
    return h(
      'div',
      { className: 'tb tb-asked-before' },
      renderPart({ kind: 'facts', name: tool, facts: [request.text, state] }, WHOLE),
    )
  return h(QuestionForm, {
    question: request,
    before: blocks,
    after,
    draftKey: conversation === undefined ? id : JSON.stringify([conversation, id]),
    onAnswer: async (answer) => await onAnswer(id, answer),
    ...(drafts && { drafts }),
    ...(readers && { readers }),
    ...(root !== undefined && { root }),
  })
}

function readQuestion(data: unknown): QuestionPart | undefined {
  if (!isJsonObject(data)) return undefined
  const { id, tool, request, blocks, after = [], state } = data
  if (typeof id !== 'string' || typeof state !== 'string' || !isInputRequest(request))
    return undefined
  return {
    id,
    tool: typeof tool === 'string' ? tool : '',
    request,
    blocks: readBlocks(blocks),
    after: readBlocks(after),
    state,
  }
}

function readBlocks(blocks: unknown): readonly ContentBlock[] {
  return Array.isArray(blocks) ? blocks.filter((block) => isContentBlock(block)) : []
}
