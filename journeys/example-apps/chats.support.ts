import { createServer } from 'node:http'
import type { ToolblocksUIMessage } from '@toolblocks/ai-sdk'
import { DefaultChatTransport, isToolUIPart, readUIMessageStream } from 'ai'
import { onTestFinished } from 'vitest'
import { type Page, startBrowser } from '../stage/browser.ts'
import { listen } from '../stage/listen.ts'
import { type Provider, type ProviderResponse, startProvider } from '../stage/provider.ts'

/** A provider without streams, for a host that reads complete responses. Returns its address and the messages of each request. */
export async function startPlainProvider(
  responses: readonly ProviderResponse[],
): Promise<{ url: string; requests: { messages: object[] }[] }> {
  const requests: { messages: object[] }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      requests.push(JSON.parse(body))
      const { text = '', calls = [] } = responses[requests.length - 1] ?? {}
      const toolCalls = calls.map(([name, values], index) => ({
        id: `call_${requests.length}_${index}`,
        type: 'function',
        function: { name, arguments: JSON.stringify(values) },
      }))
      const message = {
        role: 'assistant',
        content: text,
        ...(calls.length > 0 && { tool_calls: toolCalls }),
      }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] }))
    })
  })
  return { url: `${await listen(server)}/v1`, requests }
}

/** Opens a page of a chat, and sends a message with the keyboard. */
export async function openPage(address: string, text: string): Promise<Page> {
  const browser = await startBrowser()
  onTestFinished(async () => await browser.close())
  const page = await browser.newPage()
  await page.goto(address)
  await say(page, text)
  return page
}

/** Sends a message with the keyboard. */
export async function say(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message').fill(text)
  await page.keyboard.press('Enter')
}

/** A model that books the berth of which a person speaks, and then says whose it is. */
export const startBooking = async (): Promise<Provider> =>
  await startProvider((messages) => {
    const [, berth, name] = /Book berth (\d) for (\w+)\./.exec(JSON.stringify(messages)) ?? []
    return messages.at(-1)?.role === 'tool'
      ? { text: `Done for ${name}.` }
      : { calls: [['book_berth', { berth: Number(berth) }]] }
  })

/** What a page of the chat of the AI SDK received, and what it can send. */
interface Chat {
  /** Every state of every message that the page received. */
  seen: ToolblocksUIMessage[]
  decide(decision: { approved: boolean; reason?: string }): Promise<ToolblocksUIMessage>
  /** Sends a message beside the call that waits for a decision. */
  sendMore(text: string): Promise<ToolblocksUIMessage>
  findQuestion(): QuestionData | undefined
}

type QuestionData = Extract<ToolblocksUIMessage['parts'][number], { type: 'data-question' }>['data']

/** Opens a page of the chat of the AI SDK, as far as its server notices it. */
export async function openChat(address: string, name: string, berth: number): Promise<Chat> {
  const transport = new DefaultChatTransport<ToolblocksUIMessage>({ api: `${address}chat` })
  const hello: ToolblocksUIMessage = {
    id: 'u',
    role: 'user',
    parts: [{ type: 'text', text: `Book berth ${berth} for ${name}.` }],
  }
  const seen: ToolblocksUIMessage[] = []
  const send = async (
    message?: ToolblocksUIMessage,
    next: readonly ToolblocksUIMessage[] = [],
  ): Promise<ToolblocksUIMessage> => {
    const stream = await transport.sendMessages({
      chatId: name,
      messages: [hello, ...(message ? [message] : []), ...next],
      trigger: 'submit-message',
      messageId: undefined,
      abortSignal: undefined,
    })
    const states = readUIMessageStream<ToolblocksUIMessage>({
      stream,
      ...(message && next.length === 0 && { message: structuredClone(message) }),
    })
    for await (const state of states) seen.push(structuredClone(state))
    const last = seen.at(-1)
    if (!last) throw new Error('the page received no message')
    return last
  }
  const asked = await send()
  const decide = async (decision: { approved: boolean; reason?: string }) => {
    const decided = structuredClone(asked)
    const call = decided.parts.find(isToolUIPart)
    if (call?.state !== 'approval-requested') throw new Error('the page asks for no approval')
    Object.assign(call, {
      state: 'approval-responded',
      approval: { ...call.approval, ...decision },
    })
    return await send(decided)
  }
  const sendMore = async (text: string) =>
    await send(asked, [{ id: 'more', role: 'user', parts: [{ type: 'text', text }] }])
  const findQuestion = () =>
    seen
      .at(-1)
      ?.parts.flatMap((part) => (part.type === 'data-question' ? [part.data] : []))
      .at(-1)
  return { seen, decide, sendMore, findQuestion }
}
