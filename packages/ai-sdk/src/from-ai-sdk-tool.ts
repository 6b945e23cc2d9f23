import {
  type ContentBlock,
  createErrorResult,
  createFailure,
  isToolResult,
  type JsonObject,
  type ToolCall,
  type ToolContext,
  type ToolResult,
  type Tool as ToolblocksTool,
  isJsonObject,
} from '@toolblocks/protocol'
import { requireArguments, describeThrown } from '@toolblocks/protocol/internal'
import { asSchema, type Tool } from 'ai'
import type { AiSdkToolOutput } from './tools/model-output.ts'

/**
 * Converts a tool of the AI SDK into a Toolblocks tool. Its schema checks and transforms the arguments; preliminary results are progress; what
 * `toModelOutput` returns is kept as blocks. An output that is a `ToolResult` itself stays as it is. An error is a failed result. `needsApproval` is not read: permission is the `policy` of its entry.
 */
export async function fromAiSdkTool(name: string, tool: Tool): Promise<ToolblocksTool> {
  requireArguments('fromAiSdkTool(name, tool)', [name, 'string'], [tool, 'object'])
  const schema = asSchema(tool.inputSchema)
  const inputSchema = await schema.jsonSchema
  const { title } = tool
  const description = readDescription(tool)
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a JSON Schema is JSON
    inputSchema: inputSchema as JsonObject,
    execute: async (call, context) => {
      try {
        const validated = await schema.validate?.(call.arguments)
        if (validated?.success === false)
          return createFailure(
            `Invalid arguments for the tool ${JSON.stringify(name)}; the call was not run. ${validated.error.message}`,
          )
        const input: unknown = validated ? validated.value : call.arguments
        const output = await run(tool, { call, input, context })
        // A tool of `toAiSdkTools`, or of an MCP client, returns blocks already.
        if (isToolResult(output)) return output
        if (!tool.toModelOutput) return toResult(output)
        const { id: toolCallId } = call
        return readOutput(await tool.toModelOutput({ toolCallId, input, output }), output)
      } catch (error) {
        return describeThrown(name, error, context)
      }
    },
  }
}

function readDescription({ description }: Tool): string | undefined {
  return typeof description === 'function' ? description({ context: undefined }) : description
}

async function run(
  tool: Tool,
  { call, input, context }: { call: ToolCall; input: unknown; context: ToolContext },
): Promise<unknown> {
  const returned: unknown = tool.execute?.(input, {
    toolCallId: call.id,
    messages: [],
    abortSignal: context.signal,
    context: undefined,
  })
  if (!isAsyncIterable(returned)) return await returned
  let last: unknown
  let progress = 0
  for await (const output of returned) {
    last = output
    progress += 1
    const message = typeof output === 'string' ? output : (JSON.stringify(output) ?? '')
    context.onProgress?.({ progress, message })
  }
  return last
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/** Converts an output as the AI SDK gives it to a model without `toModelOutput`: a text, or JSON. */
function toResult(output: unknown): ToolResult {
  if (output === undefined) return { content: [], isError: false }
  if (typeof output === 'string') return { content: [text(output)], isError: false }
  const json = toJson(output)
  return { content: [text(JSON.stringify(json))], isError: false, structuredContent: json }
}

function toJson(value: unknown): unknown {
  const written = JSON.stringify(value)
  return written === undefined ? null : JSON.parse(written)
}

function text(value: string): ContentBlock {
  return { type: 'text', text: value }
}

/** Reads what a tool gives to a model. Structure of the output itself is kept beside it. */
function readOutput(modelOutput: AiSdkToolOutput, output: unknown): ToolResult {
  const structured = isJsonObject(output) ? { structuredContent: toJson(output) } : {}
  switch (modelOutput.type) {
    case 'text':
      return { content: [text(modelOutput.value)], isError: false, ...structured }
    case 'json':
      return { ...toResult(modelOutput.value), ...structured }
    case 'error-text':
      return createErrorResult([text(modelOutput.value)])
    case 'error-json':
      return { ...toResult(modelOutput.value), isError: true }
    case 'execution-denied':
      return createFailure(modelOutput.reason ?? 'The tool denied the call.', 'denied')
    case 'content':
      return { content: modelOutput.value.map(toBlock), isError: false, ...structured }
  }
}

type OutputPart = Extract<AiSdkToolOutput, { type: 'content' }>['value'][number]

function toBlock(part: OutputPart, index: number): ContentBlock {
  switch (part.type) {
    case 'text':
      return text(part.text)
    case 'file':
      switch (part.data.type) {
        case 'data':
          return toMedia(part.data.data, part.mediaType, { filename: part.filename, index })
        case 'url':
          return toLink(part.data.url.toString(), part.mediaType, part.filename)
        case 'text':
          return {
            type: 'resource',
            resource: {
              uri: toUri(part.filename, index),
              mimeType: part.mediaType,
              text: part.data.text,
            },
          }
        case 'reference':
          return toCustom(part)
      }
      break
    case 'image-data':
      return toMedia(part.data, part.mediaType, { filename: undefined, index })
    case 'file-data':
      return toMedia(part.data, part.mediaType, { filename: part.filename, index })
    case 'image-url':
      return toLink(part.url, 'image/*', undefined)
    case 'file-url':
      return toLink(part.url, part.mediaType, undefined)
    case 'file-id':
    case 'file-reference':
    case 'image-file-id':
    case 'image-file-reference':
    case 'custom':
      return toCustom(part)
  }
}

/** A part that only its provider can read is kept beside a text that says so. */
function toCustom(part: OutputPart): ContentBlock {
  return {
    type: 'text',
    text: `[A part of type ${part.type} that only its provider can read]`,
    _meta: { 'ai-sdk/part': toJson(part) },
  }
}

function toMedia(
  data: unknown,
  mimeType: string,
  { filename, index }: { filename: string | undefined; index: number },
): ContentBlock {
  const base64 = toBase64(data)
  if (filename === undefined && mimeType.startsWith('image/'))
    return { type: 'image', data: base64, mimeType }
  if (filename === undefined && mimeType.startsWith('audio/'))
    return { type: 'audio', data: base64, mimeType }
  return {
    type: 'resource',
    resource: {
      uri: toUri(filename, index),
      mimeType,
      blob: base64,
      ...(filename !== undefined && { name: filename }),
    },
  }
}

function toLink(
  uri: string,
  mimeType: string | undefined,
  filename: string | undefined,
): ContentBlock {
  return {
    type: 'resource_link',
    uri,
    name: filename ?? uri,
    ...(mimeType !== undefined && { mimeType }),
  }
}

/** A name for a file without an address. */
function toUri(filename: string | undefined, index: number): string {
  return `ai-sdk:file/${index + 1}${filename === undefined ? '' : `/${encodeURIComponent(filename)}`}`
}

function toBase64(data: unknown): string {
  if (typeof data === 'string') return data
  const bytes = data instanceof ArrayBuffer ? new Uint8Array(data) : data
  if (!(bytes instanceof Uint8Array)) throw new TypeError('the data of a file are bytes or base64')
  let binary = ''
  for (const byte of bytes) binary += String.fromCodePoint(byte)
  return btoa(binary)
}
