import type { ModelMessage, ModelRequest } from '../model/model-request.ts'
import { EVERY_KIND, IMAGE } from './every-kind.support.ts'

const tool = {
  name: 'screen.look',
  summary: 'Looks at the screen.',
  inputSchema: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] },
}

const ID = { type: 'string', minLength: 1, description: 'The handle.' }

/** A stateful tool with one branch for each action, a union as Zod writes it, and arrays without a type for their items. */
const BRANCHED = [
  {
    name: 'shell',
    inputSchema: {
      type: 'object',
      oneOf: [
        {
          type: 'object',
          properties: {
            action: { const: 'spawn' },
            id: ID,
            command: { type: 'string' },
            args: { type: 'array' },
          },
          required: ['action', 'id', 'command'],
          additionalProperties: false,
        },
        {
          type: 'object',
          properties: { action: { const: 'apply' }, id: ID, input: {} },
          required: ['action', 'id', 'input'],
          additionalProperties: false,
        },
        {
          type: 'object',
          properties: { action: { const: 'abort' }, id: ID },
          required: ['action', 'id'],
          additionalProperties: false,
        },
      ],
    },
  },
  {
    name: 'edit',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      oneOf: [
        {
          type: 'object',
          properties: { op: { type: 'string', const: 'add' }, v: { type: 'string' } },
          required: ['op', 'v'],
          additionalProperties: false,
        },
        {
          type: 'object',
          properties: { op: { type: 'string', const: 'del' }, id: { type: 'number' } },
          required: ['op', 'id'],
          additionalProperties: false,
        },
      ],
    },
  },
]

function request(messages: readonly ModelMessage[]): ModelRequest {
  return { instructions: 'Be brief.', messages, tools: [tool] }
}

function calls(names: readonly string[]): readonly ModelMessage[] {
  const made = names.map((name, index) => ({
    call: { id: `call-${index + 1}`, name: tool.name, arguments: { at: name } },
    ...EVERY_KIND[name]!,
  }))
  return [
    { role: 'assistant', content: [], calls: made.map(({ call }) => call) },
    { role: 'tool', results: made },
  ]
}

/** A conversation for each kind of result, one in which all of them answer parallel calls, and one of a person with media. */
export const CONVERSATIONS: Readonly<Record<string, ModelRequest>> = {
  ...Object.fromEntries(Object.keys(EVERY_KIND).map((name) => [name, request(calls([name]))])),
  parallel: request([
    { role: 'user', content: [{ type: 'text', text: 'Look everywhere.' }] },
    ...calls(Object.keys(EVERY_KIND)),
    { role: 'user', content: [{ type: 'text', text: 'And now?' }] },
  ]),
  attached: request([{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, IMAGE] }]),
  branched: {
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Start it.' }] }],
    tools: BRANCHED,
  },
  unanswered: request(calls(['text', 'link']).slice(0, 1)),
}
