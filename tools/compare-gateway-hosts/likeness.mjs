// Compares the results of servers that use one kind of content each: they must be the same directly and through the gateway.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { useHost } from './use-host.mjs'

const bridge = join(import.meta.dirname, '../../packages/mcp-bridge')
const everything = createRequire(join(bridge, 'package.json'))
  .resolve('@modelcontextprotocol/server-everything/package.json')
  .replace('package.json', 'dist/index.js')

/** The servers with calls, and a text that the model must receive of each result. */
const SERVERS = [
  {
    version: '2025-11-25',
    args: [everything, 'stdio'],
    calls: [
      { what: 'text', tool: 'echo', input: { message: 'hi' }, says: 'Echo: hi' },
      { what: 'picture', tool: 'get-tiny-image', input: {}, says: 'iVBOR' },
      {
        what: 'structure',
        tool: 'get-structured-content',
        input: { location: 'Chicago' },
        says: 'humidity',
      },
      { what: 'links', tool: 'get-resource-links', input: { count: 2 }, says: 'dynamic/text/2' },
      {
        what: 'resource',
        tool: 'get-resource-reference',
        input: { resourceType: 'Text', resourceId: 1 },
        says: 'This is a plaintext resource',
      },
    ],
  },
  {
    version: '2026-07-28',
    args: [join(bridge, 'src/testing/feature-server.support.ts')],
    calls: [
      { what: 'text', tool: 'say', input: { text: 'hi' }, says: 'hi' },
      { what: 'picture', tool: 'picture', input: {}, says: 'iVBOR' },
    ],
  },
]

/** Returns what a model gets of a server of either version, directly and through the gateway, one line for each kind that differs or does not arrive. */
export async function compareLikeness(host, { main, folder }) {
  const lines = []
  for (const server of SERVERS) {
    const direct = await useHost(host, { server, way: 'direct', main, folder })
    const gateway = await useHost(host, { server, way: 'gateway', main, folder })
    for (const [index, { what, says }] of server.calls.entries()) {
      const [one, other] = [direct, gateway].map(({ last }) => (last.includes(says) ? 'yes' : 'no'))
      const [before, after] = [direct, gateway].map(({ results }) => toComparable(results[index]))
      if (one !== other)
        lines.push(`${server.version}: ${what}: ${one} directly, ${other} through the gateway`)
      else if (other === 'no') lines.push(`${server.version}: ${what}: not received`)
      else if (before !== after) lines.push(`${server.version}: ${what}: received, in another form`)
    }
  }
  return lines
}

/** Removes what differs from run to run: the time of the server, how long Codex waited, and the file in which Claude Code keeps a picture. */
function toComparable(result = '') {
  return result.replaceAll(
    /\d{1,2}:\d\d:\d\d( [AP]M)?|Wall time: [\d.]+ seconds|source: \S+\.png/g,
    '…',
  )
}
