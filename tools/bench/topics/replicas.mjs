import { randomBytes } from 'node:crypto'
import { connectServer } from '../../../packages/mcp-bridge/src/connect-server.ts'
import { serveHttp } from '../../../packages/mcp-bridge/src/serve-http.ts'
import { createSharedDocuments } from '../../../packages/mcp-bridge/src/testing/shared-documents.support.ts'
import { compareTimes } from '../measure.mjs'

export const title = 'Calls through replicas of a service'
export const intro =
  'A call of a client with a session, without effort of its tool, at processes that share their sessions in memory: what the work between replicas costs beside a service that is alone. A store adds the time of a write for each answer, which no client waits for.'

const context = { signal: new AbortController().signal, root: '/', answers: {} }
const token = randomBytes(32).toString('hex')
const key = randomBytes(32)

export async function measure(pace) {
  const shared = createSharedDocuments()
  const serve = async (replicas) =>
    await serveHttp(
      {
        name: 'ours',
        version: '1',
        root: '/',
        definitions: () => [{ name: 'say', inputSchema: { type: 'object' } }],
        callTool: async () => ({ isError: false, content: [{ type: 'text', text: 'well' }] }),
      },
      { port: 0, token, stateKey: key, ...(replicas && { replicas }) },
    )
  const alone = await serve()
  const [holder, other] = [
    await serve({ documents: shared.open(), key }),
    await serve({ documents: shared.open(), key }),
  ]
  const connections = [
    await connect(alone.url),
    await connect(holder.url),
    await connect(holder.url, other.url),
  ]
  const [callAlone, callHolder, callOther] = connections.map(({ call }) => call)
  const long = { ...pace, rounds: pace.rounds * 2, warmupMs: pace.warmupMs * 2 }
  const rows = [
    await compareTimes(long, {
      name: 'at the replica that holds the session',
      clock: 'elapsed',
      ours: callHolder,
      against: 'a service that is alone',
      yardstick: callAlone,
      target: { ratio: 1.5 },
    }),
    await compareTimes(long, {
      name: 'at another replica, which passes it on',
      clock: 'elapsed',
      ours: callOther,
      against: 'the replica that holds the session',
      yardstick: callHolder,
      target: { ratio: 3 },
    }),
  ]
  for (const { close } of connections) await close()
  for (const service of [alone, holder, other]) await service.close({ graceMs: 0 })
  return rows
}

/** Connects at one address, and sends everything after the first message to the other. */
async function connect(first, later = first) {
  const headers = { authorization: `Bearer ${token}` }
  let sent = 0
  const server = await connectServer(
    { name: 'web', transport: { kind: 'http', url: first, headers } },
    {},
    {
      fetch: async (url, init) => {
        sent += 1
        return await fetch(sent === 1 ? url : later, init)
      },
    },
  )
  const [tool] = server.tools()
  return {
    call: async () => {
      const { isError } = await tool.execute({ id: 'c', name: tool.name, arguments: {} }, context)
      if (isError) throw new Error('the call failed')
    },
    close: server.close,
  }
}
