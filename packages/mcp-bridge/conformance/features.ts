// The prompts, resources, completions and log messages that the conformance suite expects on a server.
import { hash } from 'node:crypto'
import type { ServedFeatures } from '@toolblocks/mcp-bridge/server'
import { type JsonObject, isJsonObject } from '@toolblocks/protocol'

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const INVALID_PARAMS = -32_602
const METHOD_NOT_FOUND = -32_601

class FeatureError extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

const createMessage = (content: JsonObject): JsonObject => ({ role: 'user', content })
const text = (value: string): JsonObject => createMessage({ type: 'text', text: value })

const PROMPTS: Readonly<Record<string, (values: JsonObject) => readonly JsonObject[]>> = {
  test_simple_prompt: () => [text('This is a simple prompt for testing.')],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [
    text(`Prompt with arguments: arg1='${String(arg1)}', arg2='${String(arg2)}'`),
  ],
  test_prompt_with_embedded_resource: ({ resourceUri }) => [
    createMessage({
      type: 'resource',
      resource: {
        uri: resourceUri,
        mimeType: 'text/plain',
        text: 'Embedded resource content for testing.',
      },
    }),
    text('Please process the embedded resource above.'),
  ],
  test_prompt_with_image: () => [
    createMessage({ type: 'image', data: PIXEL, mimeType: 'image/png' }),
    text('Please analyze the image above.'),
  ],
  test_input_required_result_prompt: ({ context }) => [text(`Context: ${String(context)}`)],
}

const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  test_prompt_with_arguments: ['arg1', 'arg2'],
  test_prompt_with_embedded_resource: ['resourceUri'],
}

const SKILL = {
  uri: 'skill://greeting/SKILL.md',
  frontmatter: { name: 'greeting', description: 'Greets a person.' },
  text: '---\nname: greeting\ndescription: Greets a person.\n---\n\nSay hello.\n',
}

const DIRECTORY = /^skill:\/\/greeting\/?$/

/** The skill as `skills/list` and `skills/get` describe it. */
function describeSkill({ uri, frontmatter, text: file }: typeof SKILL): JsonObject {
  const digest = `sha256:${hash('sha256', file)}`
  return { uri, frontmatter, resources: [{ uri, digest, size: Buffer.byteLength(file) }] }
}

function readResource(uri: unknown): JsonObject {
  const matched = /^test:\/\/template\/(?<id>[^/]+)\/data$/.exec(String(uri))?.groups
  switch (uri) {
    case 'test://static-text':
    case 'test://watched-resource':
      return {
        uri,
        mimeType: 'text/plain',
        text: 'This is the content of the static text resource.',
      }
    case SKILL.uri:
      return { uri, mimeType: 'text/markdown', text: SKILL.text }
    case 'test://static-binary':
      return { uri, mimeType: 'image/png', blob: PIXEL }
  }
  if (!matched) throw new FeatureError(INVALID_PARAMS, 'Resource not found', { uri })
  const data = { id: matched['id'], templateTest: true, data: `Data for ID: ${matched['id']}` }
  return { uri, mimeType: 'application/json', text: JSON.stringify(data) }
}

/** A prompt that asks the client's user first. */
function getAskingPrompt({ inputResponses }: JsonObject): JsonObject | undefined {
  if (isJsonObject(inputResponses)) return undefined
  const form = {
    type: 'object',
    properties: { context: { type: 'string' } },
    required: ['context'],
  }
  const message = 'What context should the prompt use?'
  return {
    resultType: 'input_required',
    inputRequests: {
      user_context: { method: 'elicitation/create', params: { message, requestedSchema: form } },
    },
  }
}

const watchers = new Set<(method: string, params: JsonObject) => void>()

/** Sends a log message to all clients. */
export function log(data: string): void {
  for (const watcher of watchers) watcher('notifications/message', { level: 'info', data })
}

export const features: ServedFeatures = {
  capabilities: () => ({
    prompts: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    completions: {},
    logging: {},
    extensions: { 'io.modelcontextprotocol/skills': { directoryRead: true } },
  }),
  watch: (listener) => {
    watchers.add(listener)
    return () => void watchers.delete(listener)
  },
  answer: async ({ method, params }) => {
    switch (method) {
      case 'prompts/list':
        return {
          prompts: Object.keys(PROMPTS).map((name) => ({
            name,
            description: `Is there for the scenario of its name: ${name}.`,
            arguments: (ARGUMENTS[name] ?? []).map((each) => ({ name: each, required: true })),
          })),
        }
      case 'prompts/get': {
        const { name, arguments: values } = params
        const prompt = Object.hasOwn(PROMPTS, String(name)) ? PROMPTS[String(name)] : undefined
        if (!prompt) throw new FeatureError(INVALID_PARAMS, `Unknown prompt: ${String(name)}`)
        const asked =
          name === 'test_input_required_result_prompt' ? getAskingPrompt(params) : undefined
        return asked ?? { messages: prompt(isJsonObject(values) ? values : {}) }
      }
      case 'resources/list':
        return {
          resources: [
            ...['static-text', 'static-binary', 'watched-resource'].map((name) => ({
              uri: `test://${name}`,
              name,
              description: `Is there for the scenario of its name: ${name}.`,
            })),
            { uri: SKILL.uri, ...SKILL.frontmatter, mimeType: 'text/markdown' },
          ],
        }
      case 'resources/directory/read': {
        if (!DIRECTORY.test(String(params['uri'])))
          throw new FeatureError(INVALID_PARAMS, 'Not a directory', params)
        const folder = { uri: 'skill://greeting/words', name: 'words', mimeType: 'inode/directory' }
        return { resources: [{ uri: SKILL.uri, ...SKILL.frontmatter }, folder] }
      }
      case 'skills/list':
        return { skills: [describeSkill(SKILL)] }
      case 'skills/get':
        if (params['uri'] === SKILL.uri) return { skill: describeSkill(SKILL) }
        throw new FeatureError(INVALID_PARAMS, 'Skill not found', params)
      case 'resources/templates/list':
        return {
          resourceTemplates: [
            {
              uriTemplate: 'test://template/{id}/data',
              name: 'template',
              mimeType: 'application/json',
            },
          ],
        }
      case 'resources/read':
        return { contents: [readResource(params['uri'])] }
      case 'resources/subscribe':
      case 'resources/unsubscribe':
      case 'logging/setLevel':
        return {}
      case 'completion/complete':
        return { completion: { values: [], total: 0, hasMore: false } }
      default:
        throw new FeatureError(METHOD_NOT_FOUND, 'Method not found')
    }
  },
}
