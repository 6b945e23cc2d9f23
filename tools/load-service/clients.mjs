// Some clients of an official SDK, in a process of their own. The parent sends "connect", "call" and "close" with their arguments, and each is answered.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

/** Milliseconds after which a call is lost. A busy machine is slow, which the times show. */
const LOST_MS = 5 * 60_000
/** The codes of both SDKs for a request that was not answered in time. */
const TIMEOUTS = new Set([-32001, 'REQUEST_TIMEOUT'])

let clients = []

/** Creates a client that is not connected. Each has a name of its own, so that clients without sessions share nothing. */
function createClient(name, version) {
  const info = { name, version: '1' }
  return version === '2026-07-28'
    ? new Client(info, { versionNegotiation: { mode: { pin: version } } })
    : new EarlierClient(info)
}

async function connect({ first, count, version, url, token }) {
  const Transport = version === '2026-07-28' ? StreamableHTTPClientTransport : EarlierTransport
  const headers = { authorization: `Bearer ${token}` }
  clients = Array.from({ length: count }, (_, index) => {
    const name = `client-${first + index}`
    return { name, client: createClient(name, version) }
  })
  const times = []
  const problems = []
  await Promise.all(
    clients.map(async (each) => {
      const start = performance.now()
      try {
        const transport = new Transport(new URL(url), { requestInit: { headers } })
        await each.client.connect(transport, { timeout: LOST_MS })
        times.push(performance.now() - start)
      } catch (error) {
        each.isLost = true
        problems.push(['refused', `connecting: ${explain(error)}`])
      }
    }),
  )
  return { times, problems }
}

/** Says why a request failed, with the status of HTTP or the code of the error. */
function explain({ message, code, cause }) {
  const why = cause?.code ?? cause?.message ?? code
  return `${message}${why === undefined ? '' : ` (${why})`}`
}

/** Returns what is wrong with the answer to a call, if anything is. */
function findProblem({ isError, content }, text) {
  const answerText = content?.[0]?.text
  if (isError) return ['refused', answerText]
  if (content?.length === 1 && answerText?.trim() === text) return undefined
  return ['wrong', `"${text}" was answered with ${JSON.stringify(content)}`]
}

/** Makes the calls of each client one after the other, and those of different clients at the same time. */
async function call({ calls }) {
  const times = []
  const problems = []
  await Promise.all(
    clients.map(async ({ name, client, isLost }) => {
      for (let index = 0; index < calls; index += 1) {
        if (isLost) {
          problems.push(['lost', 'calls of clients that could not connect'])
          continue
        }
        const text = `call ${index} of ${name}`
        const params = { name: 'say', arguments: { text } }
        const how = { timeout: LOST_MS }
        const start = performance.now()
        try {
          // The earlier SDK has the schema of the answer in between.
          const answer = await (client instanceof EarlierClient
            ? client.callTool(params, undefined, how)
            : client.callTool(params, how))
          times.push(performance.now() - start)
          const problem = findProblem(answer, text)
          if (problem) problems.push(problem)
        } catch (error) {
          problems.push([TIMEOUTS.has(error.code) ? 'lost' : 'refused', explain(error)])
        }
      }
    }),
  )
  return { times, problems }
}

/** Ends the sessions, as a client does that goes away politely. */
async function close() {
  await Promise.all(
    clients.map(async ({ client }) => {
      await client.transport?.terminateSession?.().catch(() => undefined)
      await client.close()
    }),
  )
  clients = []
  return {}
}

const WORK = { connect, call, close }
process.on('message', async ({ work, ...options }) => process.send(await WORK[work](options)))
process.on('disconnect', () => process.exit())
