import type * as sdk from '@modelcontextprotocol/client'
import { describeMissingPeer } from '@toolblocks/protocol/internal'

/** The OAuth functions of MCP's SDK. */
export type Sdk = typeof sdk

/** Loads MCP's SDK, an optional peer, when the first request needs it. */
export async function loadSdk(): Promise<Sdk> {
  return await import('@modelcontextprotocol/client').catch((cause: unknown) => {
    throw describeMissingPeer(cause, {
      entry: '@toolblocks/mcp-bridge/oauth',
      peer: '@modelcontextprotocol/client',
    })
  })
}
