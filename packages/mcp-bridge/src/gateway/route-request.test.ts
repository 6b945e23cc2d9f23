import type { JsonObject } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import type { ServedClient } from '../server/served-features.ts'
import type { Reply } from '../wire/peer.ts'
import { trackEqualUris } from './equal-uris.ts'
import type { FeatureSource } from './pass-request.ts'
import { routeRequest } from './route-request.ts'

const SKILLS = { extensions: { 'io.modelcontextprotocol/skills': {} } }
const UNKNOWN: Reply = { kind: 'error', code: -32_601, message: 'Method not found' }

/** A server that answers requests with these replies, by their methods. */
function createSource(
  name: string,
  capabilities: JsonObject,
  replies: Readonly<Record<string, Reply | JsonObject>>,
): FeatureSource {
  return {
    name,
    capabilities,
    hasLinked: () => false,
    request: async (method) => {
      const reply = replies[method]
      if (reply === undefined) return UNKNOWN
      return isReply(reply) ? reply : { kind: 'result', result: reply }
    },
  }
}

function isReply(reply: Reply | JsonObject): reply is Reply {
  return 'kind' in reply
}

const CLIENT: ServedClient = {
  id: 'c',
  protocolVersion: '2025-11-25',
  capabilities: {},
  identity: '',
  request: async () => UNKNOWN,
  notify: () => undefined,
}

const { signal } = new AbortController()

async function route(
  servers: readonly FeatureSource[],
  method: string,
  params: JsonObject = {},
): Promise<JsonObject> {
  return await routeRequest(servers, { method, params, signal }, CLIENT, trackEqualUris())
}

/** Returns all pages of a list. */
async function listAll(
  servers: readonly FeatureSource[],
  method: string,
): Promise<readonly JsonObject[]> {
  const pages: JsonObject[] = []
  let cursor: unknown
  do {
    const page = await route(servers, method, typeof cursor === 'string' ? { cursor } : {})
    pages.push(page)
    cursor = page['nextCursor']
  } while (cursor !== undefined)
  return pages
}

test('the skills of several servers are one list, and each is found at its server', async () => {
  const servers = [
    createSource('plain', { prompts: {} }, {}),
    createSource('one', SKILLS, {
      'skills/list': { skills: [{ uri: 'skill://a/SKILL.md' }] },
      'skills/get': { kind: 'error', code: -32_602, message: 'Unknown skill' },
    }),
    createSource('two', SKILLS, {
      'skills/list': { skills: [{ uri: 'skill://b/SKILL.md' }] },
      'skills/get': { skill: { uri: 'skill://b/SKILL.md' } },
    }),
  ]
  expect((await listAll(servers, 'skills/list')).map(({ skills }) => skills)).toEqual([
    [{ uri: 'skill://a/SKILL.md' }],
    [{ uri: 'skill://b/SKILL.md' }],
  ])
  expect(await route(servers, 'skills/get', { uri: 'skill://b/SKILL.md' })).toEqual({
    skill: { uri: 'skill://b/SKILL.md' },
  })
})

test('a method of an extension reaches the server that knows it; one that no server knows is an error', async () => {
  const servers = [
    createSource('one', {}, {}),
    createSource('two', {}, { 'acme/do': { done: true } }),
  ]
  expect(await route(servers, 'acme/do')).toEqual({ done: true })
  await expect(route(servers, 'acme/undo')).rejects.toMatchObject({ code: -32_601 })
})

test('a server that fails has an empty page, which says why, and hides no list of the others', async () => {
  const failing = createSource(
    'gone',
    { prompts: {} },
    {
      'prompts/list': { kind: 'error', code: -32_603, message: 'no disk' },
    },
  )
  const working = createSource(
    'works',
    { prompts: {} },
    {
      'prompts/list': { prompts: [{ name: 'greet' }] },
    },
  )
  const [first, second] = await listAll([failing, working], 'prompts/list')
  expect(first).toMatchObject({
    prompts: [],
    _meta: {
      'toolblocks/warnings': [{ path: '', message: 'The server "gone" has no list: no disk' }],
    },
  })
  expect(second).toEqual({ prompts: [{ name: 'works__greet' }] })
  await expect(route([failing], 'prompts/list')).rejects.toMatchObject({ message: 'no disk' })
})

test('each server receives requests about what is its own under its own names, with everything else that the client sent', async () => {
  const asked: unknown[] = []
  const create = (name: string): FeatureSource => ({
    ...createSource(name, { prompts: {}, resources: {}, completions: {}, logging: {} }, {}),
    request: async (method, params, context) => {
      // Also the cancellation of the client reaches the server.
      asked.push([name, method, params, ...(context.signal === signal ? [] : ['not cancelled'])])
      return { kind: 'result', result: { contents: [{ uri: params['uri'], text: name }] } }
    },
  })
  const servers = [create('one'), create('one__more'), create('')]
  const params = { arguments: { city: 'Oslo' }, _meta: { 'acme/trace': 7 } }
  await route(servers, 'prompts/get', { ...params, name: 'one__greet' })
  await route(servers, 'prompts/get', { ...params, name: 'one__more__greet' })
  await route(servers, 'prompts/get', { ...params, name: 'greet' })
  const ref = { type: 'ref/prompt', name: 'one__more__greet', title: 'Greet' }
  const rest = { argument: { name: 'city', value: 'O' }, context: { arguments: { a: 'b' } } }
  await route(servers, 'completion/complete', { ref, ...rest })
  const template = { type: 'ref/resource', uri: 'file:///{path}' }
  await route(servers, 'completion/complete', { ref: template, ...rest })
  await route(servers, 'resources/read', {
    ...params,
    uri: 'mcp-server:one__more/file%3A%2F%2F%2Fa',
  })
  await route(servers, 'resources/list', params)
  await route(servers, 'logging/setLevel', { level: 'info' })
  expect(asked).toEqual([
    ['one', 'prompts/get', { ...params, name: 'greet' }],
    ['one__more', 'prompts/get', { ...params, name: 'greet' }],
    ['', 'prompts/get', { ...params, name: 'greet' }],
    ['one__more', 'completion/complete', { ref: { ...ref, name: 'greet' }, ...rest }],
    ['one', 'completion/complete', { ref: template, ...rest }],
    ['one__more', 'resources/read', { ...params, uri: 'file:///a' }],
    ['one', 'resources/list', params],
    ...['one', 'one__more', ''].map((name) => [name, 'logging/setLevel', { level: 'info' }]),
  ])
})
