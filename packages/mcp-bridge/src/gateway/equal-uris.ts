import { type JsonObject, isJsonObject } from '@toolblocks/protocol'

/**
 * The URIs of resources that several servers have. The server that listed one first keeps it. The same URI of another server is listed with the name
 * of that server in it, so that a client can read both.
 */
export interface EqualUris {
  /** Returns the URI under which a client sees a resource of a server, and remembers who has it. */
  list(server: string, uri: string): string
  /** Whether this URI of this server is seen under another one. */
  isRenamed(server: string, uri: string): boolean
}

/** A resource as its server knows it. */
export interface OwnUri {
  server: string
  uri: string
}

/** Further URIs are not remembered: the first server that knows one answers for it. */
const MAX_REMEMBERED = 10_000

const SCHEME = 'mcp-server:'

/** Creates the URIs of one client, before it has listed any. */
export function trackEqualUris(): EqualUris {
  const owners = new Map<string, string>()
  const renamed = new Set<string>()
  const isRenamed: EqualUris['isRenamed'] = (server, uri) => renamed.has(toServerUri(server, uri))
  return {
    isRenamed,
    list: (server, uri) => {
      const owner = owners.get(uri)
      if (owner === undefined && owners.size < MAX_REMEMBERED) owners.set(uri, server)
      if (owner === undefined || owner === server) return uri
      const name = toServerUri(server, uri)
      if (renamed.size < MAX_REMEMBERED) renamed.add(name)
      return isRenamed(server, uri) ? name : uri
    },
  }
}

/** Returns the URI that names its server. */
export function toServerUri(server: string, uri: string): string {
  return `${SCHEME}${encodeURIComponent(server)}/${encodeURIComponent(uri)}`
}

/** Returns the server and its own URI; `undefined` if the URI names no server. */
export function fromServerUri(value: unknown): OwnUri | undefined {
  const { server, uri } =
    /^mcp-server:(?<server>[^/]*)\/(?<uri>[^/]+)$/.exec(String(value))?.groups ?? {}
  if (server === undefined || uri === undefined) return undefined
  try {
    return { server: decodeURIComponent(server), uri: decodeURIComponent(uri) }
  } catch {
    return undefined
  }
}

/** Returns a result about a resource with the URI that the client knows, in place of that of the server. */
export function renameContents(
  result: JsonObject,
  { from, to }: { from: string; to: string },
): JsonObject {
  const { contents } = result
  if (!Array.isArray(contents)) return result
  return {
    ...result,
    contents: contents.map((content: unknown) =>
      isJsonObject(content) && content['uri'] === from ? { ...content, uri: to } : content,
    ),
  }
}
