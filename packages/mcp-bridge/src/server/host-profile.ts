import { type JsonObject, type ToolDefinition, isJsonObject } from '@toolblocks/protocol'

/** What a host keeps from its model although a result has it. */
export type HostLoss =
  /** Structured content, or the content beside it: the model gets only one of them, or none of a result that is an error. */
  | 'structure-or-content'
  /** `annotations.audience`: the model also gets what is only for the user. */
  | 'audience'
  /** Links: their names and addresses. */
  | 'links'
  /** The addresses of embedded files that are no text. */
  | 'file-addresses'
  /** Whether a result is an error. */
  | 'errors'
  /** The ends of texts: the host joins them without a space. */
  | 'ends-of-texts'

/** What the model of an MCP host receives, as `tools/compare-gateway-hosts.mjs` has measured it. */
export interface HostProfile {
  /** `clientInfo.name` of the host. */
  readonly name: string
  readonly losses: readonly HostLoss[]
  /** Seconds after which the host ends a call at its default settings. Absent: more than 5 minutes, or unknown. */
  readonly callSeconds?: number
  /** The version that was measured, and when. */
  readonly measured: {
    readonly version: string
    /** ISO 8601. */
    readonly date: string
  }
}

/** The hosts that were measured. A host that is not listed gets results as they are. */
export const HOST_PROFILES: readonly HostProfile[] = [
  {
    name: 'claude-code',
    losses: ['structure-or-content', 'audience'],
    measured: { version: '2.1.332', date: '2026-11-29' },
  },
  {
    name: 'codex-mcp-client',
    losses: ['structure-or-content', 'audience', 'errors'],
    callSeconds: 60,
    measured: { version: '0.171.0', date: '2026-11-29' },
  },
  {
    name: 'copilot-cli',
    losses: ['structure-or-content', 'audience', 'links', 'file-addresses', 'ends-of-texts'],
    measured: { version: '1.0.102', date: '2026-11-29' },
  },
  {
    name: 'gemini-cli-mcp-client',
    losses: ['structure-or-content', 'audience', 'file-addresses'],
    measured: { version: '0.61.0', date: '2026-11-29' },
  },
]

/**
 * Finds the profile of a client by what it says of itself. `definition`: the tool whose results it gets. The structured content of a tool with a page of its
 * own (MCP Apps) is for that page, and stays: https://modelcontextprotocol.io/extensions/apps
 */
export function findHostProfile(
  info: JsonObject | undefined,
  definition?: ToolDefinition,
): HostProfile | undefined {
  const profile = HOST_PROFILES.find(({ name }) => name === info?.['name'])
  if (!profile || !hasPage(definition)) return profile
  return { ...profile, losses: profile.losses.filter((loss) => loss !== 'structure-or-content') }
}

function hasPage({ _meta: meta }: Partial<ToolDefinition> = {}): boolean {
  return isJsonObject(meta) && (isJsonObject(meta['ui']) || meta['ui/resourceUri'] !== undefined)
}
