import type { ModelMessage, ModelRequest } from '../conversation/model-request.ts'
import { EVERY_KIND, IMAGE } from './every-kind.suite.ts'

const tool = {
  name: 'screen.look',
  summary: 'Looks at the screen.',
  inputSchema: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] },
}

function request(messages: readonly ModelMessage[]): ModelRequest {
  return { instructions: 'Be brief.', messages, tools: [tool] }
}

function calls(names: readonly string[]): readonly ModelMessage[] {
  const made = names.map((at, index) => ({
    call: { id: `call-${index + 1}`, name: tool.name, arguments: { at } },
    ...EVERY_KIND[at]!,
  }))
  return [
    { role: 'assistant', content: [], calls: made.map(({ call }) => call) },
    { role: 'tool', results: made },
  ]
}

/** A conversation for each kind of result, one in which all of them are answers to parallel calls, and one of a person with media. */
export const CONVERSATIONS: Readonly<Record<string, ModelRequest>> = {
  ...Object.fromEntries(Object.keys(EVERY_KIND).map((name) => [name, request(calls([name]))])),
  parallel: request([
    { role: 'user', content: [{ type: 'text', text: 'Look everywhere.' }] },
    ...calls(Object.keys(EVERY_KIND)),
    { role: 'user', content: [{ type: 'text', text: 'And now?' }] },
  ]),
  attached: request([{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, IMAGE] }]),
  unanswered: request(calls(['text', 'link']).slice(0, 1)),
}
