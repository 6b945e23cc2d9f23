import { explainMissingPeer, type JsonObject, type StartProgram } from '@toolblocks/protocol'
import type { Connection } from './connection/connection.ts'
import type { Link } from './connection/link.ts'
import type { MakeTransport } from './http/reach-endpoint.ts'
import type { ServerHooks } from './mcp-server.ts'
import { McpServerError } from './mcp-server-error.ts'
import type { Hello } from './sdk/hello.ts'
import type { ServerConfig } from './server-config.ts'

const CLIENT = { name: 'toolblocks', version: '0' }
/** What a server gets to understand the hello of the modern era, where the other may follow: many are silent about it. */
const PROBE_MS = 5000
const NEVER_MS = 2 ** 31 - 1
const TASKS = 'io.modelcontextprotocol/tasks'
const PEER = '@modelcontextprotocol/client'

/** Opens a connection to a server as it is configured. What speaks MCP is loaded when it is first needed. */
export async function openConnection(config: ServerConfig, opening: Opening): Promise<Connection> {
  const { era = 'legacy' } = config
  const { signal } = opening
  switch (era) {
    case 'legacy':
      return await openLegacyEra(config, opening)
    case 'modern':
      return await openModernEra(config, { ...opening, helloMs: NEVER_MS })
    case 'auto':
      try {
        return await openModernEra(config, { ...opening, helloMs: PROBE_MS })
      } catch (error) {
        if (signal.aborted || isFinal(error)) throw error
        // Started anew: older servers may end over a hello that they do not know.
        return await openLegacyEra(config, opening)
      }
  }
}

type OpenModern = (
  server: string,
  link: Link,
  hello: Hello & { helloMs: number },
) => Promise<Connection>

/** What opening a connection takes. */
type Opening = Omit<Hello, 'face'> & {
  hooks: ServerHooks
  startProgram: StartProgram | undefined
}

async function openLegacyEra(
  config: ServerConfig,
  { hooks, startProgram, ...rest }: Opening,
): Promise<Connection> {
  const { openLegacy } = await import('./sdk/open-legacy.ts')
  const face = { ...CLIENT, capabilities: capabilitiesOf(hooks) }
  const link = await linkTo(config, { ...rest, startProgram, era: 'legacy' })
  return await openLegacy(config.name, link, { ...rest, face })
}

async function openModernEra(
  config: ServerConfig,
  { hooks, startProgram, ...rest }: Opening & { helloMs: number },
): Promise<Connection> {
  const openModern = await loadModern(config.name)
  const capabilities = { ...capabilitiesOf(hooks), extensions: { [TASKS]: {} } }
  const link = await linkTo(config, { ...rest, startProgram, era: 'modern' })
  return await openModern(config.name, link, { ...rest, face: { ...CLIENT, capabilities } })
}

async function loadModern(server: string): Promise<OpenModern> {
  try {
    const { openModern } = await import('./sdk/open-modern.ts')
    return openModern
  } catch (error) {
    const cause = explainMissingPeer(error, { entry: 'era = "modern"', peer: PEER })
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new McpServerError(server, {
      code: 'not-started',
      reason,
      fix: `Install it: npm install ${PEER}.`,
      cause,
    })
  }
}

/** Nobody there, or no right to be: the other era would not help. */
function isFinal(error: unknown): boolean {
  return error instanceof McpServerError && ['unreachable', 'unauthorized'].includes(error.code)
}

/** A way to the server that is good for one connection. */
async function linkTo(
  { name, transport }: ServerConfig,
  {
    listener: { onStrayLine },
    startProgram,
    era,
  }: Pick<Opening, 'listener' | 'startProgram'> & { era: 'legacy' | 'modern' },
): Promise<Link> {
  switch (transport.kind) {
    case 'stdio': {
      if (!startProgram) throw noStarter(name)
      const { linkToProgram } = await import('./stdio/link-to-program.ts')
      return linkToProgram(transport, { startProgram, onStrayLine })
    }
    case 'http': {
      const { url } = transport
      if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) throw noAddress(name, url)
      const { reachEndpoint } = await import('./http/reach-endpoint.ts')
      return reachEndpoint(transport, await transportOf(era))
    }
  }
}

async function transportOf(era: 'legacy' | 'modern'): Promise<MakeTransport> {
  switch (era) {
    case 'legacy':
      return (await import('./http/legacy-transport.ts')).makeLegacyTransport
    case 'modern':
      return (await import('./http/modern-transport.ts')).makeModernTransport
  }
}

/** What is not declared is not asked for. */
function capabilitiesOf({ canAsk = false, listRoots, createMessage }: ServerHooks): JsonObject {
  return {
    ...(canAsk && { elicitation: { form: {}, url: {} } }),
    ...(listRoots && { roots: {} }),
    ...(createMessage && { sampling: {} }),
  }
}

function noStarter(name: string): McpServerError {
  return new McpServerError(name, {
    code: 'not-started',
    reason: 'it is a program, and connectServer was given nothing that starts programs',
    fix: 'Pass it: connectServer(config, hooks, { startProgram }), with startProgram of @toolblocks/local-executor.',
  })
}

function noAddress(name: string, url: string): McpServerError {
  return new McpServerError(name, {
    code: 'unreachable',
    reason: `${JSON.stringify(url)} is no web address`,
    fix: 'Write "url" as https://host/path, or http://localhost:PORT/path.',
  })
}
