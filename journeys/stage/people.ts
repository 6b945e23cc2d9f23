import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { onTestFinished } from 'vitest'
import { startToolblocks } from './command.ts'
import { makeFolder, tool } from './folder.ts'

/** The tokens of the people whose variables have them. */
export const TOKENS = {
  ann: 'token-ann',
  ben: 'token-ben',
  eve: 'token-eve',
  boss: 'token-boss',
  judge: 'token-judge',
}

const DELETE = `
[tools.delete]
source = "local"
command = ["sh", "-c", "echo $1 >> runs.txt; echo deleted $1", "delete", "{{tool.arguments.path}}"]
parameters = { path = { type = "string" } }
`

/** A service with two people, one who may not see a tool, one who reads all, one who also answers all, and one whose token is stored. */
const createConfiguration = (store: string): string => `[store]
url = ${JSON.stringify(store)}
${tool('say', ['echo', '{{tool.arguments.text}}'], 'parameters = { text = { type = "string" } }')}
${tool('fail', ['sh', '-c', 'echo broken >&2; exit 3'])}${DELETE}
[serve.clients.ann]
token_env = "ANN"
[serve.clients.ben]
token_env = "BEN"
[serve.clients.eve]
token_env = "EVE"
deny = ["fail"]
calls_a_minute = 4
[serve.clients.boss]
token_env = "BOSS"
reads = "all"
answers = "none"
[serve.clients.judge]
token_env = "JUDGE"
groups = ["judges"]
[serve.clients.dee]
[serve.groups.judges]
reads = "all"
answers = "all"
`

/** The pages of a service, for a person who has signed in. */
export interface SignedIn {
  cookie: string
  /** Requests an address below `/pages/`; its redirects are not followed. */
  request(address: string, init?: RequestInit): Promise<Response>
  /** Returns the status and the text of a page. */
  read(address: string): Promise<string>
  answer(question: string, action: 'accept' | 'decline', headers?: object): Promise<Response>
}

/** A service with pages, whose people are in `TOKENS`. */
export interface PeopleService {
  folder: string
  origin: string
  running: ReturnType<typeof startToolblocks>
  /** Connects a client that names itself `same`, or so. */
  connect(token: string, name?: string): Promise<Client>
  signIn(token: string): Promise<SignedIn>
}

/** Serves tools to several people, with pages. */
export async function servePeople(store: string): Promise<PeopleService> {
  const folder = makeFolder({ 'toolblocks.toml': createConfiguration(store) })
  const variables = Object.entries(TOKENS).map(([name, token]) => [name.toUpperCase(), token])
  const running = startToolblocks(
    folder,
    ['serve', '--http', '0', '--pages', '--answer-within', '2'],
    Object.fromEntries(variables),
  )
  const [, address = ''] = await running.said(/Pages for people who sign in: (http:\S+)/)
  const { origin } = new URL(address)
  const signIn = async (token: string): Promise<SignedIn> => {
    const entered = await fetch(`${origin}/sign-in`, {
      method: 'POST',
      headers: { origin },
      body: new URLSearchParams({ token, next: '/pages/' }),
      redirect: 'manual',
    })
    const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
    const request: SignedIn['request'] = async (page, { headers, ...init } = {}) =>
      await fetch(`${origin}/pages/${page}`, {
        redirect: 'manual',
        ...init,
        headers: { cookie, ...Object(headers) },
      })
    return {
      cookie,
      request,
      read: async (page) => {
        const response = await request(page)
        return `${response.status} ${await response.text()}`
      },
      answer: async (id, action, headers = {}) =>
        await request('answer', {
          method: 'POST',
          headers: {
            origin,
            'content-type': 'application/x-www-form-urlencoded',
            ...Object(headers),
          },
          body: new URLSearchParams({ id, action }).toString(),
        }),
    }
  }
  return {
    folder,
    origin,
    running,
    signIn,
    connect: async (token, name = 'same') => {
      const client = new Client({ name, version: '1' })
      onTestFinished(async () => await client.close())
      const requestInit = { headers: { authorization: `Bearer ${token}` } }
      const transport = new StreamableHTTPClientTransport(new URL('/mcp', origin), { requestInit })
      await client.connect(transport)
      return client
    },
  }
}
