import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { parseJson, META_WARNINGS, quoteName, getErrorText } from '@toolblocks/protocol/internal'
import type { FeatureRequest, ServedClient } from '../server/served-features.ts'
import { INVALID_PARAMS, METHOD_NOT_FOUND, RpcError } from '../wire/message.ts'
import { STATELESS_VERSION } from '../wire/request-headers.ts'
import { META } from '../wire/request-meta.ts'
import { type EqualUris, fromServerUri, renameContents } from './equal-uris.ts'
import { type FeatureSource, passRequest } from './pass-request.ts'

/** Capabilities of a server that concern tools, which are served separately. */
const OF_TOOLS: ReadonlySet<string> = new Set(['tools', 'tasks'])
/** Methods between one client and this side. A server would take them for requests of the gateway about its own connection. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'initialize',
  'ping',
  'server/discover',
  'subscriptions/listen',
])
/** Stands between the name of a server and that of its prompt. */
const SEPARATOR = '__'

/** Returns what the servers offer together, besides tools. */
export function joinCapabilities(servers: readonly FeatureSource[]): JsonObject {
  const joined: Record<string, JsonObject> = {}
  for (const { capabilities } of servers)
    for (const [name, capability] of Object.entries(capabilities))
      if (!OF_TOOLS.has(name))
        joined[name] = { ...joined[name], ...(isJsonObject(capability) ? capability : {}) }
  return joined
}

/** The capability that a method belongs to. Other methods belong to extensions. */
function getCapability(method: string): string | undefined {
  const [area = ''] = method.split('/')
  switch (area) {
    case 'prompts':
    case 'resources':
    case 'logging':
      return area
    case 'completion':
      return 'completions'
    default:
      return undefined
  }
}

/** Sends a request of a client to the server that it concerns, and returns the result. Rejects with an `RpcError`. */
export async function routeRequest(
  servers: readonly FeatureSource[],
  request: FeatureRequest,
  client: ServedClient,
  uris: EqualUris,
): Promise<JsonObject> {
  const { method, params } = request
  // The tasks of a server are those of all clients.
  if (OF_CONNECTION.has(method) || method.startsWith('tasks/'))
    throw new RpcError(METHOD_NOT_FOUND, 'Method not found')
  const capability = getCapability(method)
  const offering =
    capability === undefined
      ? servers
      : servers.filter(
          ({ capabilities, hasLinked }) =>
            capabilities[capability] !== undefined ||
            // A server may return links without declaring resources.
            (method === 'resources/read' && hasLinked(String(params['uri']))),
        )
  const [only] = offering
  if (!only) throw new RpcError(METHOD_NOT_FOUND, 'Method not found')
  if (method === 'logging/setLevel') return await setLogLevel(offering, request, client)
  // With one server, everything is unchanged.
  if (servers.length === 1) return await passRequest(only, request, client)
  switch (method) {
    case 'prompts/list':
      return await listPages(offering, { request, client, list: 'prompts', rename: addServer })
    case 'resources/list':
      return await listPages(offering, {
        request,
        client,
        list: 'resources',
        rename: ({ name }, item) =>
          typeof item['uri'] === 'string' ? { ...item, uri: uris.list(name, item['uri']) } : item,
      })
    case 'resources/templates/list':
      return await listPages(offering, { request, client, list: 'resourceTemplates' })
    case 'resources/read':
      return await readResource(offering, request, client)
    case 'prompts/get': {
      const prompt = findPrompt(offering, params['name'])
      return await passRequest(
        prompt.server,
        { ...request, params: { ...params, name: prompt.name } },
        client,
      )
    }
    case 'completion/complete':
      return await complete(offering, request, client)
    case 'skills/list':
      return await listPages(offering.filter(hasSkills), { request, client, list: 'skills' })
    default:
      return await passToFirst(offering, request, client)
  }
}

/** Whether a server has the extension for skills: https://modelcontextprotocol.io/seps/2640-skills-extension */
function hasSkills({ capabilities: { extensions } }: FeatureSource): boolean {
  return isJsonObject(extensions) && extensions[`${META}/skills`] !== undefined
}

function addServer(server: FeatureSource, item: JsonObject): JsonObject {
  return { ...item, name: `${getPrefix(server)}${String(item['name'])}` }
}

/** Names of the host itself have no prefix. */
function getPrefix({ name }: FeatureSource): string {
  return name === '' ? '' : `${name}${SEPARATOR}`
}

function findPrompt(
  servers: readonly FeatureSource[],
  name: unknown,
): { server: FeatureSource; name: string } {
  // The longest prefix decides, because a name without a prefix may look like one with a prefix.
  for (const server of servers.toSorted((a, b) => b.name.length - a.name.length)) {
    const prefix = getPrefix(server)
    if (typeof name === 'string' && name.startsWith(prefix))
      return { server, name: name.slice(prefix.length) }
  }
  throw new RpcError(INVALID_PARAMS, `Unknown prompt: ${String(name)}`)
}

/** Returns one page of one server. Its cursor names the server, and the server's own cursor. A server that fails has an empty page with a warning. */
async function listPages(
  servers: readonly FeatureSource[],
  {
    request,
    client,
    list,
    rename = (_server, item) => item,
  }: {
    request: FeatureRequest
    client: ServedClient
    list: string
    rename?: (server: FeatureSource, item: JsonObject) => JsonObject
  },
): Promise<JsonObject> {
  const { cursor: listCursor, ...params } = request.params
  const { server: name, cursor } = readCursor(listCursor)
  const index = name === undefined ? 0 : servers.findIndex((server) => server.name === name)
  const server = servers[index]
  if (!server) throw new RpcError(INVALID_PARAMS, 'The "cursor" is not one of this list.')
  const asked = { ...request, params: { ...params, ...(cursor !== undefined && { cursor }) } }
  const answered = passRequest(server, asked, client).catch((error: unknown) => {
    // What one server does not list hides nothing of the others.
    if (cursor !== undefined || servers.length === 1 || request.signal.aborted) throw error
    return explainMissing(server, error)
  })
  const { nextCursor, [list]: items, ...result } = await answered
  const next =
    typeof nextCursor === 'string'
      ? { server: server.name, cursor: nextCursor }
      : { server: servers[index + 1]?.name }
  return {
    ...result,
    [list]: (Array.isArray(items) ? items : []).map((item: unknown) =>
      isJsonObject(item) ? rename(server, item) : item,
    ),
    ...(next.server !== undefined && {
      nextCursor: Buffer.from(JSON.stringify(next)).toString('base64url'),
    }),
  }
}

/** Returns a page without items that says why. */
function explainMissing({ name }: FeatureSource, error: unknown): JsonObject {
  const reason = getErrorText(error)
  const warning = { path: '', message: `The server ${quoteName(name)} has no list: ${reason}` }
  return { _meta: { [META_WARNINGS]: [warning] } }
}

function readCursor(value: unknown): { server?: string; cursor?: string } {
  if (value === undefined) return {}
  const text = typeof value === 'string' ? value : ''
  const read = parseJson(Buffer.from(text, 'base64url').toString())
  const { server, cursor } = isJsonObject(read) ? read : {}
  return {
    server: typeof server === 'string' ? server : '',
    ...(typeof cursor === 'string' && { cursor }),
  }
}

async function complete(
  servers: readonly FeatureSource[],
  request: FeatureRequest,
  client: ServedClient,
): Promise<JsonObject> {
  const { ref } = request.params
  if (!isJsonObject(ref) || ref['type'] !== 'ref/prompt')
    return await passToFirst(servers, request, client)
  const { server, name } = findPrompt(servers, ref['name'])
  const params = { ...request.params, ref: { ...ref, name } }
  return await passRequest(server, { ...request, params }, client)
}

/** Sets the level at every server. Servers of MCP 2026-07-28 learn it with each request. Rejects with an `RpcError` if no server accepts it. */
async function setLogLevel(
  servers: readonly FeatureSource[],
  request: FeatureRequest,
  client: ServedClient,
): Promise<JsonObject> {
  const answers = await Promise.allSettled(
    servers.map(async (server) =>
      server.protocolVersion === STATELESS_VERSION
        ? {}
        : await passRequest(server, request, client),
    ),
  )
  const refused = answers.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  if (refused.length === servers.length) throw refused[0]
  return {}
}

/** Reads a resource from the server that its URI names; otherwise from the first one that knows it, those first that have returned a link to it. */
async function readResource(
  servers: readonly FeatureSource[],
  request: FeatureRequest,
  client: ServedClient,
): Promise<JsonObject> {
  const { uri } = request.params
  const own = fromServerUri(uri)
  const server = own && servers.find(({ name }) => name === own.server)
  if (!server || typeof uri !== 'string') {
    const linked = servers.filter(({ hasLinked }) => hasLinked(String(uri)))
    return await passToFirst([...new Set([...linked, ...servers])], request, client)
  }
  const params = { ...request.params, uri: own.uri }
  const result = await passRequest(server, { ...request, params }, client)
  return renameContents(result, { from: own.uri, to: uri })
}

/** Sends a request about a resource, or of an extension, to one server after the other, until one knows it. */
async function passToFirst(
  servers: readonly FeatureSource[],
  request: FeatureRequest,
  client: ServedClient,
): Promise<JsonObject> {
  let refused: unknown
  for (const server of servers)
    try {
      return await passRequest(server, request, client)
    } catch (error) {
      refused ??= error
      if (request.signal.aborted) throw error
    }
  throw refused
}
