// The tools that the conformance suite expects on a server, each for the scenario of its name.
import { setTimeout as pause } from 'node:timers/promises'
import {
  type CallContext,
  type ContentBlock,
  createFailure,
  createSuccessResult,
  type JsonSchema,
  type ToolCall,
  type ToolDefinition,
  type ToolResult,
} from '@toolblocks/protocol'
import type { ServedClient } from '@toolblocks/mcp-bridge/server'
import { log } from './features.ts'

/** A tool with its definition and its function. */
interface DiagnosticTool {
  schema?: JsonSchema
  /** Whether its calls may be followed as tasks. */
  isLong?: boolean
  run: (call: ToolCall, context: CallContext, client: ServedClient) => Promise<ToolResult>
}

const NOTHING: JsonSchema = { type: 'object', properties: {} }
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='

const text = (value: string): ContentBlock => ({ type: 'text', text: value })
const image: ContentBlock = { type: 'image', data: PIXEL, mimeType: 'image/png' }
const audio: ContentBlock = { type: 'audio', data: SILENCE, mimeType: 'audio/wav' }
const resource = (uri: string, mimeType: string, value: string): ContentBlock => ({
  type: 'resource',
  resource: { uri, mimeType, text: value },
})

const saying = (...content: ContentBlock[]): DiagnosticTool => ({
  run: async () => createSuccessResult(content),
})

/** Asks questions one after the other, each with its form, and returns the answers as text. */
const asking = (
  questions: Readonly<Record<string, readonly [text: string, schema: JsonSchema]>>,
): DiagnosticTool => ({
  run: async (call, { ask, signal }) => {
    const answers: unknown[] = []
    for (const [id, [message, schema]] of Object.entries(questions)) {
      const source = { kind: 'question', call } as const
      answers.push(await ask?.user?.({ id, text: message, schema }, { blocks: [], source, signal }))
    }
    return createSuccessResult([text(JSON.stringify(answers))])
  },
})

const form = (properties: Record<string, JsonSchema>, required = Object.keys(properties)) =>
  ({ type: 'object', properties, required }) satisfies JsonSchema
const aText = (name: string): JsonSchema => form({ [name]: { type: 'string' } })
const CONFIRM = form({ ok: { type: 'boolean' } })
const OPTIONS = ['option1', 'option2', 'option3']
const titled = (...titles: readonly string[]) =>
  titles.map((title, index) => ({ const: `value${index + 1}`, title }))

const watching = new Set<() => void>()

/** Registers a listener for calls of the tool `test_trigger_tool_change`. */
export function onDefinitionsChanged(changed: () => void): () => void {
  watching.add(changed)
  return () => watching.delete(changed)
}

/** Asks the model of the client. */
async function sample(
  prompt: string,
  signal: AbortSignal,
  client: ServedClient,
): Promise<ToolResult> {
  const messages = [{ role: 'user', content: { type: 'text', text: prompt } }]
  const reply = await client.request('sampling/createMessage', { messages, maxTokens: 100 }, signal)
  return createSuccessResult([text(`LLM response: ${JSON.stringify(reply)}`)])
}

/** Waits some seconds, and says so. */
const slow: DiagnosticTool = {
  schema: form({ seconds: { type: 'number' }, label: { type: 'string' } }, []),
  isLong: true,
  run: async ({ arguments: { seconds } }, { signal }) => {
    await pause(Number(seconds) * 1000, undefined, { signal })
    return createSuccessResult([text(`computed for ${String(seconds)} s`)])
  },
}

class MissingCapability extends Error {
  readonly code = -32_021
  readonly data = { requiredCapabilities: { sampling: {} } }
}

const TOOLS: Readonly<Record<string, DiagnosticTool>> = {
  test_simple_text: saying(text('This is a simple text response for testing.')),
  test_image_content: saying(image),
  test_audio_content: saying(audio),
  test_embedded_resource: saying(
    resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ),
  test_multiple_content_types: saying(
    text('Multiple content types test:'),
    image,
    resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ),
  test_error_handling: {
    run: async () =>
      createFailure('This tool intentionally returns an error for testing', 'failed'),
  },
  test_tool_with_progress: {
    run: async (_call, { onProgress }) => {
      for (const progress of [0, 50, 100]) onProgress?.({ progress, total: 100 })
      return createSuccessResult([text('done')])
    },
  },
  test_tool_with_logging: {
    run: async () => {
      for (const message of [
        'Tool execution started',
        'Tool processing data',
        'Tool execution completed',
      ])
        log(message)
      return createSuccessResult([text('done')])
    },
  },
  test_logging_tool: {
    run: async () => {
      log('logged')
      return createSuccessResult([text('done')])
    },
  },
  test_sampling: {
    schema: form({ prompt: { type: 'string' } }),
    run: async ({ arguments: { prompt } }, { signal }, client) =>
      await sample(String(prompt), signal, client),
  },
  test_input_required_result_sampling: {
    run: async (_call, { signal }, client) =>
      await sample('What is the capital of France?', signal, client),
  },
  test_input_required_result_list_roots: {
    run: async (_call, { signal }, client) => {
      const reply = await client.request('roots/list', {}, signal)
      return createSuccessResult([text(JSON.stringify(reply))])
    },
  },
  test_input_required_result_multiple_inputs: {
    run: async (call, context, client) => {
      const { signal } = context
      const all = await Promise.all([
        asking({ user_name: ['What is your name?', aText('name')] }).run(call, context, client),
        sample('Generate a greeting', signal, client),
        client.request('roots/list', {}, signal),
      ])
      return createSuccessResult([text(JSON.stringify(all))])
    },
  },
  test_input_required_result_capabilities: {
    run: async (call, context, client) => {
      const { signal } = context
      if (client.capabilities['sampling'] !== undefined) return await sample('Hi.', signal, client)
      return await asking({ name: ['Who?', aText('name')] }).run(call, context, client)
    },
  },
  test_elicitation: {
    schema: form({ message: { type: 'string' } }),
    run: async (call, context, client) => {
      const message = String(call.arguments['message'])
      const user = form({ username: { type: 'string' }, email: { type: 'string' } })
      return await asking({ user: [message, user] }).run(call, context, client)
    },
  },
  test_elicitation_sep1034_defaults: asking({
    all: [
      'Please check these.',
      form({
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      }),
    ],
  }),
  test_elicitation_sep1330_enums: asking({
    all: [
      'Please choose.',
      form(
        {
          untitledSingle: { type: 'string', enum: OPTIONS },
          titledSingle: {
            type: 'string',
            oneOf: titled('First Option', 'Second Option', 'Third Option'),
          },
          legacyEnum: {
            type: 'string',
            enum: ['opt1', 'opt2', 'opt3'],
            enumNames: ['Option One', 'Option Two', 'Option Three'],
          },
          untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
          titledMulti: {
            type: 'array',
            items: { anyOf: titled('First Choice', 'Second Choice', 'Third Choice') },
          },
        },
        [],
      ),
    ],
  }),
  json_schema_2020_12_tool: {
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    ...saying(text('done')),
  },
  test_custom_header: {
    schema: form({ region: { type: 'string', 'x-mcp-header': 'Region' } }),
    ...saying(text('done')),
  },
  test_missing_capability: {
    // Clients do not provide what it needs: sampling is not offered to served tools.
    run: async () => {
      throw new MissingCapability('this tool needs a client that samples')
    },
  },
  test_trigger_tool_change: {
    run: async () => {
      for (const changed of watching) changed()
      return createSuccessResult([text('changed')])
    },
  },
  test_streaming_elicitation: asking({ name: ['What is your name?', aText('name')] }),
  test_input_required_result_elicitation: asking({
    user_name: ['What is your name?', aText('name')],
  }),
  test_input_required_result_request_state: {
    run: async (call, context, client) => {
      await asking({ confirm: ['Please confirm', CONFIRM] }).run(call, context, client)
      return createSuccessResult([text('state-ok')])
    },
  },
  test_input_required_result_tampered_state: asking({ confirm: ['Please confirm', CONFIRM] }),
  test_input_required_result_multi_round: asking({
    step1: ['Step 1: What is your name?', aText('name')],
    step2: ['Step 2: What is your favorite color?', aText('color')],
  }),
  greet: {
    schema: aText('name'),
    run: async ({ arguments: { name } }) => createSuccessResult([text(`Hello, ${String(name)}!`)]),
  },
  slow_compute: slow,
  failing_job: {
    isLong: true,
    run: async () => createFailure('This job always fails.', 'failed'),
  },
  protocol_error_job: {
    isLong: true,
    run: async () => {
      throw new Error('this job cannot run')
    },
  },
  confirm_delete: {
    ...asking({ confirm: ['Delete the file?', CONFIRM] }),
    schema: form({ filename: { type: 'string' } }, []),
    isLong: true,
  },
  multi_input: {
    isLong: true,
    run: async (call, context, client) => {
      const one = asking({ first: ['Your first name?', aText('name')] })
      const other = asking({ last: ['Your last name?', aText('name')] })
      await Promise.all([one, other].map((each) => each.run(call, context, client)))
      return createSuccessResult([text('both are known')])
    },
  },
  test_tool_with_task: {
    run: async (call, context, client) => {
      const named = await asking({ user_name: ['Who?', aText('name')] }).run(call, context, client)
      client.continueAsTask?.()
      await pause(500)
      return named
    },
  },
}

export const definitions: readonly ToolDefinition[] = Object.entries(TOOLS).map(
  ([name, { schema = NOTHING, isLong }]) => ({
    name,
    description: `Is there for the scenario of its name: ${name}.`,
    inputSchema: schema,
    ...(isLong && { execution: { taskSupport: 'optional' } }),
  }),
)

export async function callDiagnosticTool(
  call: ToolCall,
  context: CallContext,
  client: ServedClient,
): Promise<ToolResult> {
  const tool = Object.hasOwn(TOOLS, call.name) ? TOOLS[call.name] : undefined
  return tool
    ? await tool.run(call, context, client)
    : createFailure(`no tool ${call.name}`, 'failed')
}
