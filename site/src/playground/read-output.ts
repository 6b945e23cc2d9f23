import { formatResult, type ModelRequest } from '../../../packages/formatter/src/index.ts'
import { toAiSdkPrompt } from '../../../packages/ai-sdk/src/internal.ts'
import { toAnthropicRequest } from '../../../packages/formatter/src/anthropic.ts'
import { toGoogleRequest } from '../../../packages/formatter/src/google.ts'
import {
  toOpenAiChatRequest,
  toOpenAiResponsesRequest,
} from '../../../packages/formatter/src/openai.ts'
import { parseToolOutput } from '../../../packages/parser/src/index.ts'
import type { ToolResult } from '../../../packages/protocol/src/index.ts'
import { renderHtml } from '../../../packages/renderer/src/html.ts'
import { markup, renderPageFrame } from '../../../packages/renderer/src/internal-html.ts'
import { renderTerminal } from '../../../packages/renderer/src/index.ts'
import { loadContentReaders } from '../../../packages/renderer/src/readers.ts'

/** Who receives the result, as the value of the select element. */
export type Receiver =
  | 'text'
  | 'anthropic'
  | 'openai-responses'
  | 'openai-chat'
  | 'google'
  | 'ai-sdk'

/** The forms of one output that the playground shows. */
export interface ReadOutput {
  /** Whether the output is a document with blocks, or plain text. */
  format: string
  /** One line for each warning of the parser. */
  warnings: readonly string[]
  /** The parsed result as indented JSON. */
  parsed: string
  /** What a person sees at a terminal with 80 columns. */
  terminal: string
  /** A complete page without script, for a sandboxed frame. */
  page: string
  /** What the receiver gets. */
  received: string
}

/** Reads the output of a tool, and returns every form of it. `theme` is the colour scheme of the page. */
export async function readOutput(
  output: string,
  receiver: Receiver,
  theme: 'dark' | 'light',
): Promise<ReadOutput> {
  const { result, warnings, format } = parseToolOutput(output)
  const readers = await loadContentReaders()
  // The script of the page is omitted, because the frame runs none. A link opens nothing, so that no pasted text reaches another site.
  const { head } = renderPageFrame({
    title: 'A result',
    style: `:root{color-scheme:${theme}}main{padding:.75rem}`,
  })
  const page = markup`${head}<base target="_blank"><main tabindex="0">${renderHtml(result, { readers })}</main></body></html>`
  return {
    format: format === 'raw' ? 'plain text' : 'a document with blocks',
    warnings: warnings.map(({ path, message, code }) => `${path} ${message} (${code})`.trim()),
    parsed: JSON.stringify(result, null, 2),
    terminal: renderTerminal(result, { readers, columns: 80 }),
    page,
    received: formatFor(result, receiver),
  }
}

/** Formats the result as one receiver gets it: text, or the last message of its request as JSON. */
function formatFor(result: ToolResult, receiver: Receiver): string {
  const request = toRequest(result)
  switch (receiver) {
    case 'text':
      return formatResult(result)
    case 'anthropic':
      return formatLast(toAnthropicRequest(request).messages)
    case 'openai-responses':
      return formatLast(toOpenAiResponsesRequest(request).input)
    case 'openai-chat':
      return formatLast(toOpenAiChatRequest(request).messages)
    case 'google':
      return formatLast(toGoogleRequest(request).contents)
    case 'ai-sdk':
      return formatLast(toAiSdkPrompt(request).prompt)
  }
}

/** A conversation with one call, which this result answers. */
function toRequest(result: ToolResult): ModelRequest {
  const call = { id: 'call-1', name: 'your_tool', arguments: {} }
  return {
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Call the tool.' }] },
      { role: 'assistant', content: [], calls: [call] },
      { role: 'tool', results: [{ call, result }] },
    ],
    tools: [{ name: call.name, inputSchema: { type: 'object' } }],
  }
}

/** The messages after the call: the result, and media that the provider takes only in a separate message. */
function formatLast(messages: readonly unknown[]): string {
  return JSON.stringify(messages.slice(2), null, 2)
}
