import {
  createSuccessResult,
  type InputRequest,
  selectQuestion,
  type Tool,
} from '@toolblocks/protocol'
import {
  convertToModelMessages,
  createUIMessageStream,
  isStepCount,
  readUIMessageStream,
  streamText,
  toUIMessageStream,
} from 'ai'
import { openStore } from '@toolblocks/conversation-store'
import type { ToolPolicy } from '@toolblocks/tool-executor'
import { onTestFinished } from 'vitest'
import type { ApprovalStorage } from '../tools/approvals.ts'
import type { QuestionData, Questions } from '../tools/questions.ts'
import type { ToolblocksUIMessage } from '../tools/to-ai-sdk-tools.ts'
import { createFixedTool, createTools } from './models.support.ts'

export const COLOR: InputRequest = selectQuestion({
  id: 'color',
  text: 'Which color?',
  options: ['red', 'green'],
})

/** A tool that asks these questions, one after the other, and says the answers. */
export function createAsking(...requests: readonly InputRequest[]): Tool {
  return createFixedTool('paint', createSuccessResult([]), {
    execute: async (_, { answers }) => {
      const next = requests.find(({ id }) => !Object.hasOwn(answers, id))
      if (next)
        return createSuccessResult([
          { type: 'text', text: 'The wall is white.' },
          { type: 'question', question: next },
        ])
      return createSuccessResult([{ type: 'text', text: `Painted: ${JSON.stringify(answers)}` }])
    },
  })
}

export const PERSON: ToolblocksUIMessage = {
  id: 'u',
  role: 'user',
  parts: [{ type: 'text', text: 'Paint.' }],
}

/** One request of a page. Returns the messages that the page then has. */
type Send = (
  messages: readonly ToolblocksUIMessage[],
  options?: { onQuestion?: (question: QuestionData) => void; abortSignal?: AbortSignal },
) => Promise<{ messages: ToolblocksUIMessage[]; waiting: readonly QuestionData[] }>

/** A chat as a route handler makes it: one request for each call of `send`. */
export async function openChat(
  tool: Tool,
  questions: Questions,
  model: Parameters<Setup['prepareModel']>[0],
  approvals?: ApprovalStorage,
  policy: ToolPolicy = 'unattended',
): Promise<{ send: Send }> {
  const store = await openStore('memory:')
  onTestFinished(async () => await store.close())
  /** Sends the messages; `onQuestion` receives each question as the page does. */
  const send: Send = async (messages, { onQuestion = () => {}, abortSignal } = {}) => {
    let waiting: readonly QuestionData[] = []
    const stream = createUIMessageStream<ToolblocksUIMessage>({
      originalMessages: [...messages],
      onError: String,
      execute: async ({ writer }) => {
        const made = await createTools([{ tool, policy }], {
          approvals: approvals ?? store.documents,
          questions,
          writer,
        })
        const signal = abortSignal ? { abortSignal } : {}
        const resumed = await made.resumeCalls(messages, signal)
        waiting = resumed.waiting
        if (waiting.length > 0) return
        const turn = streamText({
          model: made.prepareModel(model),
          tools: made.tools,
          toolApproval: made.toolApproval,
          messages: await convertToModelMessages(resumed.messages, { tools: made.tools }),
          stopWhen: isStepCount(3),
          ...signal,
        })
        writer.merge(toUIMessageStream({ stream: turn.fullStream }))
      },
    })
    const last = messages.at(-1)
    let answered: ToolblocksUIMessage | undefined
    const seen = new Set<string>()
    const states = readUIMessageStream<ToolblocksUIMessage>({
      stream,
      ...(last?.role === 'assistant' && { message: structuredClone(last) }),
    })
    for await (const message of states) {
      answered = message
      for (const part of message.parts)
        if (
          part.type === 'data-question' &&
          part.data.state === 'open' &&
          !seen.has(part.data.id)
        ) {
          seen.add(part.data.id)
          onQuestion(part.data)
        }
    }
    const before = last?.role === 'assistant' ? messages.slice(0, -1) : messages
    return { messages: [...before, ...(answered ? [answered] : [])], waiting }
  }
  return { send }
}

type Setup = Awaited<ReturnType<typeof createTools>>

export const CALLS = [{ calls: [['paint', {}]] }, { text: 'It is painted.' }] as const

export function findPart(
  message: ToolblocksUIMessage | undefined,
): ToolblocksUIMessage['parts'][number] | undefined {
  return message?.parts.find((part) => part.type === 'tool-paint')
}

export function findQuestions(message: ToolblocksUIMessage | undefined): QuestionData[] {
  return message?.parts.flatMap((part) => (part.type === 'data-question' ? [part.data] : [])) ?? []
}

/** Ends the request when a question is open, as a page that is closed does. */
export async function closeWhenAsked(
  send: Send,
): Promise<{ messages: ToolblocksUIMessage[]; question: QuestionData | undefined }> {
  const controller = new AbortController()
  let question: QuestionData | undefined
  const { messages } = await send([PERSON], {
    abortSignal: controller.signal,
    onQuestion: (asked) => {
      question = asked
      controller.abort()
    },
  })
  return { messages, question }
}
