import { getErrorText } from '@toolblocks/protocol/internal'
import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  METHOD_NOT_FOUND,
  RESOURCE_NOT_FOUND,
  RpcError,
} from '../wire/message.ts'
import type { FeatureSource } from './pass-request.ts'

/** An argument of a prompt. */
interface LocalPromptArgument {
  readonly name: string
  readonly title?: string
  readonly description?: string
  /** Whether a request without this argument is refused. Default: false. */
  readonly required?: boolean
}

/** A prompt of the host itself. */
export interface LocalPrompt {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly arguments?: readonly LocalPromptArgument[]
  /** Returns the text that a user sends to a model. Required arguments are present. */
  getText(values: Readonly<Record<string, string>>): Promise<string>
}

/** A resource of the host itself, as MCP lists it. */
export interface LocalResource {
  readonly uri: string
  readonly name: string
  readonly mimeType?: string
  /** Bytes. */
  readonly size?: number
}

/** The content of a resource: its text, or its bytes in base64. */
export type LocalContents = { readonly uri: string; readonly mimeType?: string } & (
  | { readonly text: string }
  | {
      /** Base64, RFC 4648 §4. */
      readonly blob: string
    }
)

/** The prompts and resources that a host offers itself. Each is asked for again at every request, so that changes arrive without a notification. */
export interface LocalFeatures {
  readonly prompts?: readonly LocalPrompt[]
  readonly resources?: {
    /** Returns all resources of the host; they are served as one page. */
    list(): Promise<readonly LocalResource[]>
    /** Returns `undefined` for an unknown URI. */
    read(uri: string): Promise<LocalContents | undefined>
  }
}

/** Makes the features of the host a source of the gateway, like a server. Its name is empty, so that its prompts have no prefix. */
export function createLocalSource(local: LocalFeatures): FeatureSource {
  const { prompts, resources } = local
  return {
    name: '',
    capabilities: { ...(prompts && { prompts: {} }), ...(resources && { resources: {} }) },
    hasLinked: () => false,
    request: async (method, params) => {
      try {
        return { kind: 'result', result: await answer(local, method, params) }
      } catch (error) {
        const code = error instanceof RpcError ? error.code : INTERNAL_ERROR
        return {
          kind: 'error',
          code,
          message: getErrorText(error),
        }
      }
    },
  }
}

async function answer(
  { prompts = [], resources }: LocalFeatures,
  method: string,
  params: JsonObject,
): Promise<JsonObject> {
  switch (method) {
    case 'prompts/list':
      return { prompts: prompts.map(({ getText: _text, ...prompt }) => prompt) }
    case 'prompts/get':
      return await getPrompt(prompts, params)
    case 'resources/list':
      return { resources: (await resources?.list()) ?? [] }
    case 'resources/templates/list':
      return { resourceTemplates: [] }
    case 'resources/read': {
      const uri = String(params['uri'])
      const contents = await resources?.read(uri)
      if (!contents) throw new RpcError(RESOURCE_NOT_FOUND, `Unknown resource: ${uri}`)
      return { contents: [contents] }
    }
    default:
      throw new RpcError(METHOD_NOT_FOUND, 'Method not found')
  }
}

async function getPrompt(prompts: readonly LocalPrompt[], params: JsonObject): Promise<JsonObject> {
  const prompt = prompts.find(({ name }) => name === params['name'])
  if (!prompt) throw new RpcError(INVALID_PARAMS, `Unknown prompt: ${String(params['name'])}`)
  const { description, arguments: expected = [] } = prompt
  const values = isJsonObject(params['arguments']) ? params['arguments'] : {}
  const texts: [string, string][] = []
  for (const { name, required } of expected) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined && required !== true) continue
    if (typeof value !== 'string')
      throw new RpcError(
        INVALID_PARAMS,
        `The argument "${name}" of the prompt "${prompt.name}" ${value === undefined ? 'is missing' : 'is not a text'}.`,
      )
    texts.push([name, value])
  }
  const text = await prompt.getText(Object.fromEntries(texts))
  return {
    ...(description !== undefined && { description }),
    messages: [{ role: 'user', content: { type: 'text', text } }],
  }
}
