// Asks a server everything that is compared, with a client of the official SDK.
import { pathToFileURL } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  ResultSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { call } from '../published-servers/servers.mjs'

/** Milliseconds until a request has failed. */
const ANSWER_MS = 60_000
/** The most prompts and resources that are read of a server. */
const MAX_READ = 5

const LISTS = [
  ['tools', 'tools/list', 'tools', 'name'],
  ['prompts', 'prompts/list', 'prompts', 'name'],
  ['resources', 'resources/list', 'resources', 'uri'],
  ['resources', 'resources/templates/list', 'resourceTemplates', 'uriTemplate'],
]

/** Connects a client that answers questions, samples and has a root. `asked` collects what the server asks. */
export async function connect({ command, args, cwd, env, data }) {
  const client = new Client(
    { name: 'compare-servers', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} }, sampling: {}, roots: { listChanged: true } } },
  )
  const asked = []
  const answer = (schema, result) =>
    client.setRequestHandler(schema, ({ method, params = {} }) => {
      // Which request a question belongs to is numbered by each side.
      const { _meta: _, ...rest } = params
      asked.push({ method, params: rest })
      return result
    })
  answer(ElicitRequestSchema, { action: 'accept', content: { name: 'Ann' } })
  answer(CreateMessageRequestSchema, {
    role: 'assistant',
    model: 'none',
    content: { type: 'text', text: 'sampled' },
  })
  answer(ListRootsRequestSchema, { roots: [{ uri: pathToFileURL(data).href, name: 'data' }] })
  await client.connect(new StdioClientTransport({ command, args, cwd, env, stderr: 'ignore' }), {
    timeout: ANSWER_MS,
  })
  return { client, asked }
}

/**
 * Asks, and returns each answer under a name: what the server says of itself, its lists, and the results or errors of the requests that `plan` returns
 * for its lists.
 */
export async function askAll({ client, asked }, plan) {
  const answers = new Map([
    ['serverInfo', client.getServerVersion()],
    ['instructions', client.getInstructions()],
    ['capabilities', client.getServerCapabilities()],
  ])
  const listed = {}
  for (const [capability, method, field, key] of LISTS) {
    const items = await list(client, method, field)
    // Servers without the capability may refuse, or answer with nothing.
    if (!Array.isArray(items) && client.getServerCapabilities()?.[capability] === undefined)
      continue
    answers.set(method, Array.isArray(items) ? items.map((item) => item[key]) : items)
    listed[field] = Array.isArray(items) ? items : []
    for (const item of listed[field]) answers.set(`${method} ${item[key]}`, item)
  }
  const requests = plan(listed)
  for (const [method, params] of requests) {
    const before = asked.length
    const answer = await ask(client, method, params)
    const name = `${method} ${params.name ?? params.uri} ${JSON.stringify(params.arguments ?? {})}`
    // A server asks for roots when it likes.
    const during = asked.slice(before).filter((each) => each.method !== 'roots/list')
    answers.set(name, { ...answer, asked: during })
  }
  answers.set(
    'roots/list',
    asked.some(({ method }) => method === 'roots/list'),
  )
  return { answers, requests: requests.length, tools: listed.tools?.length ?? 0 }
}

/** Returns the items of all pages, or the error. */
async function list(client, method, field) {
  const items = []
  for (let cursor; ;) {
    const { result, error } = await ask(client, method, cursor === undefined ? {} : { cursor })
    if (error) return { error }
    items.push(...result[field])
    cursor = result.nextCursor
    if (cursor === undefined) return items
  }
}

async function ask(client, method, params) {
  try {
    return {
      result: await client.request({ method, params }, ResultSchema, { timeout: ANSWER_MS }),
    }
  } catch (error) {
    const { code, message, data } = error
    return { error: { code, message, data } }
  }
}

/** Plans requests that every server can be asked: wrong and missing arguments, left out defaults, unknown names. */
export function planRequests({ tools = [], prompts = [], resources = [] }, ownRequests) {
  const known = new Set(ownRequests.map((request) => JSON.stringify(request)))
  const planned = [
    ...tools.flatMap(({ name, inputSchema, annotations }) => {
      const { properties = {}, required = [] } = inputSchema
      const needed = required.filter((key) => properties[key]?.default === undefined)
      const [first] = [...needed, ...Object.keys(properties)]
      const isHarmless = needed.length > 0 || annotations?.readOnlyHint === true
      return [
        ...(isHarmless ? [call(name, {})] : []),
        ...(first === undefined || properties[first]?.type === undefined
          ? []
          : [call(name, { [first]: getWrong(properties[first].type) })]),
      ]
    }),
    call('no-such-tool', {}),
    ...prompts
      .slice(0, MAX_READ)
      .flatMap(({ name, arguments: args = [] }) => [
        ['prompts/get', { name }],
        ...(args.length > 0
          ? [
              [
                'prompts/get',
                { name, arguments: Object.fromEntries(args.map((a) => [a.name, 'x'])) },
              ],
            ]
          : []),
      ]),
    ['prompts/get', { name: 'no-such-prompt' }],
    ...resources.slice(0, MAX_READ).map(({ uri }) => ['resources/read', { uri }]),
    ['resources/read', { uri: 'nowhere://none' }],
  ]
  return planned.filter((request) => !known.has(JSON.stringify(request)))
}

/** Returns a value that is not of the type. */
function getWrong(type) {
  return [type].flat().includes('object') ? 'no object' : { no: type }
}
