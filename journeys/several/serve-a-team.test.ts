import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, request as send } from 'node:http'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import {
  Client as LaterClient,
  StreamableHTTPClientTransport as LaterTransport,
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { connectServer } from '@toolblocks/mcp-bridge'
import { createOAuth, keepInMemory, listenForRedirect } from '@toolblocks/mcp-bridge/oauth'
import { expect, onTestFinished, test } from 'vitest'
import { NO_BROWSER, SKIPS_BROWSER, startBrowser } from '../stage/browser.ts'
import { startToolblocks } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import { findFreePorts } from '../stage/free-ports.ts'
import { HAS_POSTGRES, usePostgres } from '../stage/postgres.ts'

const EXAMPLE = resolve(import.meta.dirname, '../../examples/serve-a-team')
const read = (file: string): string => readFileSync(join(EXAMPLE, file), 'utf8')

/** The commands of the services in `compose.yaml`. */
const commands = [...read('compose.yaml').matchAll(/^ {4}command: (.+)$/gm)].map(
  ([, command = '']) => command,
)
const SERVICE_PORTS = ['8080', '8081', '8082', '9000'] as const

const createDatabase = usePostgres()

test('promise several clients: the README of the example for a team has the commands of its containers', () => {
  expect(commands).toHaveLength(3)
  for (const command of commands) expect(read('README.md')).toContain(command)
})

/** Sends each request to the next of the ports that answers, as the balancer of the example does. */
async function balance(port: number, ports: readonly number[]): Promise<void> {
  let requests = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    const pass = (tries: number): void => {
      const { url: path, method, headers } = request
      const target = { host: '127.0.0.1', port: ports[(requests += 1) % ports.length], path }
      const passed = send({ ...target, method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers)
        answer.pipe(response)
      })
      passed.on('error', () => (tries > 0 ? pass(tries - 1) : response.destroy()))
      passed.end(Buffer.concat(chunks))
    }
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => pass(ports.length))
  })
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })
}

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof startBrowser>>['newPage']>>

/** Logs in on the pages of the example's identity provider. */
async function logInOnPage(page: Page, address: string, login: string): Promise<void> {
  await page.goto(address)
  await page.getByPlaceholder('Enter any login').fill(login)
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** The provider of the official SDK for a client that registers itself, in memory; `returned`: what the authorization server sends to it. */
function createSdkLogin(page: Page, login: string) {
  const redirectUrl = 'http://127.0.0.1:9/callback'
  const kept = new Map<string, unknown>()
  const returned = Promise.withResolvers<URLSearchParams>()
  // oxlint-disable-next-line typescript/no-explicit-any -- each version of the SDK has types of its own
  const load = (name: string) => (): any => kept.get(name)
  const save = (name: string) => (value: unknown) => void kept.set(name, value)
  return {
    returned: returned.promise,
    provider: {
      redirectUrl,
      clientMetadata: {
        client_name: 'SDK',
        redirect_uris: [redirectUrl],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
      clientInformation: load('client'),
      saveClientInformation: save('client'),
      tokens: load('tokens'),
      saveTokens: save('tokens'),
      codeVerifier: load('verifier'),
      saveCodeVerifier: save('verifier'),
      redirectToAuthorization: async ({ href }: URL) => {
        await page.route(`${redirectUrl}*`, async (route) => {
          returned.resolve(new URL(route.request().url()).searchParams)
          await route.fulfill({ body: 'You can close this page.' })
        })
        await logInOnPage(page, href, login)
      },
    },
  }
}

/** Starts the services of the example as processes, at free ports. */
async function startServices() {
  const ports = await findFreePorts(SERVICE_PORTS.length)
  const atFreePorts = (text: string): string =>
    SERVICE_PORTS.reduce(
      (changed, port, index) => changed.replaceAll(port, String(ports[index])),
      text,
    )
  const folder = makeFolder({})
  cpSync(join(EXAMPLE, 'tools'), join(folder, 'tools'), { recursive: true })
  const configuration = atFreePorts(read('toolblocks.toml')).replace(
    /postgres:\/\/[^"]+/,
    createDatabase(),
  )
  writeFileSync(join(folder, 'toolblocks.toml'), configuration)
  const [balancer = 0, ...replicas] = ports.slice(0, 3)
  const issuer = spawn(process.execPath, [join(EXAMPLE, 'identity-provider.ts')], {
    env: { ...process.env, ISSUER: atFreePorts('http://localhost:9000') },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(async () => {
    issuer.kill()
    if (issuer.exitCode === null && issuer.signalCode === null) await once(issuer, 'exit')
  })
  await once(createInterface(issuer.stdout), 'line')
  const services = commands
    .filter((command) => command.startsWith('serve '))
    .map((command) => startToolblocks(folder, atFreePorts(command).split(' ')))
  for (const service of services) await service.said(/at (http:\S+)/)
  await balance(balancer, replicas)
  return { url: atFreePorts('http://localhost:8080/mcp'), services }
}

test('promise several clients: with the example for a team people log in in a browser, see the tools of their group, and do not notice the end of a process', async ({
  skip,
}) => {
  skip(!HAS_POSTGRES, 'PostgreSQL is not installed')
  skip(SKIPS_BROWSER, NO_BROWSER)
  const { url, services } = await startServices()
  const browser = await startBrowser()
  onTestFinished(async () => await browser.close())

  const enter = async (login: string) => {
    const oauth = createOAuth({ url, credentials: keepInMemory() })
    const context = await browser.newContext()
    await oauth.logIn({
      openPage: async (wanted) =>
        await listenForRedirect({
          ...wanted,
          show: async ({ href }) => {
            await logInOnPage(await context.newPage(), href, login)
            return undefined
          },
        }),
    })
    const server = await connectServer(
      { name: 'team', transport: { kind: 'http', url } },
      {},
      { fetch: oauth.fetch },
    )
    onTestFinished(server.close)
    return {
      names: () => server.tools().map(({ name }) => name),
      call: async (name: string, callArguments: Record<string, string>): Promise<string> => {
        const tool = server.tools().find((one) => one.name === name)
        const result = await tool?.execute(
          { id: '1', name, arguments: callArguments },
          { signal: AbortSignal.timeout(50_000), root: '/', answers: {} },
        )
        return JSON.stringify(result?.content)
      },
    }
  }

  // As the login clients of MCP's conformance suites do, for both versions of MCP.
  const bea = createSdkLogin(await (await browser.newContext()).newPage(), 'bea')
  const first = new StreamableHTTPClientTransport(new URL(url), { authProvider: bea.provider })
  await expect(new Client({ name: 'one', version: '1' }).connect(first)).rejects.toThrow(
    'Unauthorized',
  )
  await first.finishAuth((await bea.returned).get('code') ?? '')
  const one = new Client({ name: 'one', version: '1' })
  await one.connect(new StreamableHTTPClientTransport(new URL(url), { authProvider: bea.provider }))
  onTestFinished(async () => await one.close())
  expect((await one.listTools()).tools.map(({ name }) => name)).toContain('announce')
  const cas = createSdkLogin(await (await browser.newContext()).newPage(), 'guest-cas')
  const second = new LaterTransport(new URL(url), { authProvider: cas.provider })
  const mode = { mode: { pin: '2026-07-28' } } as const
  await expect(
    new LaterClient({ name: 'two', version: '1' }, { versionNegotiation: mode }).connect(second),
  ).rejects.toThrow('Unauthorized')
  await second.finishAuth(await cas.returned)
  const two = new LaterClient({ name: 'two', version: '1' }, { versionNegotiation: mode })
  await two.connect(new LaterTransport(new URL(url), { authProvider: cas.provider }))
  onTestFinished(async () => await two.close())
  const ofGuest = (await two.listTools()).tools.map(({ name }) => name)
  expect(ofGuest).toContain('look_up')
  expect(ofGuest).not.toContain('announce')

  const ann = await enter('ann')
  const guest = await enter('guest-gus')
  expect(ann.names()).toEqual(expect.arrayContaining(['team__look_up', 'team__announce']))
  expect(guest.names()).not.toContain('team__announce')
  expect(await ann.call('team__announce', { text: 'Fog.' })).toContain('Announced: Fog.')
  // What was open at the other process is continued by this one.
  await services[0]?.end('SIGKILL')
  expect(await ann.call('team__look_up', { word: 'lamp' })).toContain('The light at the top.')
  expect(await guest.call('team__look_up', { word: 'keeper' })).toContain(
    'The person who tends it.',
  )
}, 150_000)
