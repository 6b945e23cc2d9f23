import { type JsonObject, type ToolDefinition, isJsonObject } from '@toolblocks/protocol'

/** What a host keeps from its model although a result has it. */
export type HostLoss =
  /** Structured content, or the content beside it: the model gets only one of them, or none of a result that is an error. */
  | 'structure-or-content'
  /** Structured content: the model gets only the content. The host's own code may read both. */
  | 'structure'
  /** `annotations.audience`: the model also gets what is only for the user. */
  | 'audience'
  /** Links: their names and addresses. */
  | 'links'
  /** The addresses of embedded files that are no text. */
  | 'file-addresses'
  /** Embedded files that are text: their addresses and texts. */
  | 'text-files'
  /** Whether a result is an error. */
  | 'errors'
  /** The ends of texts: the host joins them without a space. */
  | 'ends-of-texts'

/** What the model of an MCP host receives, as `tools/compare-gateway-hosts.mjs` has measured it. docs/hosts.md has the measurements. */
export interface HostProfile {
  /**
   * `clientInfo.name` of the host. Clients of some libraries send the name that their user gave to the server: then it is the name of the package, which
   * no client sends, and `results` of a service names the profile.
   */
  readonly name: string
  /** Whether the host sends its name with a hyphen and the name of the server after it. */
  readonly isPrefix?: boolean
  readonly losses: readonly HostLoss[]
  /** What the providers of its model take of each picture, so that 32 are in one request (`profiles.ts` of the formatter). Absent: unknown. */
  readonly pictures?: {
    /** Pixels. Default: no limit. */
    readonly maxSide?: number
    /** Base64 characters. */
    readonly maxLength: number
  }
  /** Seconds after which the host gives up a call, with its default settings and without progress. Absent: more than 5 minutes, or unknown. */
  readonly callSeconds?: number
  /** Characters of the longest text that the model receives whole, measured to one hundredth. Absent: at least 200,000, or unknown. */
  readonly resultCharacters?: number
  /** The version that was measured, and when. */
  readonly measured: {
    readonly version: string
    /** ISO 8601. */
    readonly date: string
  }
}

/** 28 MiB of pictures in a request of Anthropic, and 2,000 pixels a side if there are more than 20. */
const PICTURES_OF_ANTHROPIC = { maxSide: 2000, maxLength: 917_504 }

/** The hosts that were measured. A host that is not listed gets results as they are. */
export const HOST_PROFILES: readonly HostProfile[] = [
  {
    name: 'claude-code',
    losses: ['structure-or-content', 'audience'],
    resultCharacters: 50_000,
    pictures: PICTURES_OF_ANTHROPIC,
    measured: { version: '2.1.332', date: '2026-11-29' },
  },
  {
    name: 'codex-mcp-client',
    losses: ['structure-or-content', 'audience', 'errors'],
    callSeconds: 300,
    resultCharacters: 11_500,
    // 50 MB in a request of OpenAI.
    pictures: { maxLength: 2_083_333 },
    measured: { version: '0.171.0', date: '2026-11-29' },
  },
  {
    name: 'copilot-cli',
    losses: [
      'structure-or-content',
      'audience',
      'links',
      'file-addresses',
      'errors',
      'ends-of-texts',
    ],
    callSeconds: 180,
    resultCharacters: 20_000,
    // Its models are those of several providers.
    pictures: PICTURES_OF_ANTHROPIC,
    measured: { version: '1.0.102', date: '2026-11-29' },
  },
  {
    name: 'gemini-cli-mcp-client',
    losses: ['structure-or-content', 'audience', 'file-addresses'],
    resultCharacters: 38_000,
    // 18 MiB in a request of Gemini.
    pictures: { maxLength: 589_824 },
    measured: { version: '0.61.0', date: '2026-11-29' },
  },
  {
    name: 'opencode',
    losses: ['structure', 'audience', 'links', 'file-addresses'],
    callSeconds: 60,
    resultCharacters: 50_000,
    measured: { version: '1.18.33', date: '2026-11-29' },
  },
  {
    name: 'qwen-cli-mcp-client',
    isPrefix: true,
    losses: ['audience', 'file-addresses'],
    callSeconds: 300,
    resultCharacters: 28_000,
    measured: { version: '0.24.4', date: '2026-11-29' },
  },
  {
    name: '@cline/core',
    losses: ['audience'],
    callSeconds: 60,
    resultCharacters: 7_500,
    measured: { version: '3.0.65', date: '2026-11-29' },
  },
  {
    name: 'continue-cli-client',
    losses: ['structure', 'audience', 'errors'],
    callSeconds: 60,
    measured: { version: '1.5.47', date: '2026-11-29' },
  },
  {
    name: 'pi',
    losses: ['structure', 'audience'],
    callSeconds: 60,
    resultCharacters: 20_000,
    measured: { version: '1.6.0', date: '2026-11-29' },
  },
  {
    name: 'ai-sdk-mcp-client',
    losses: ['structure', 'audience', 'errors'],
    measured: { version: '2.0.99', date: '2026-11-29' },
  },
  {
    name: '@openai/agents',
    losses: ['structure', 'audience', 'errors'],
    callSeconds: 60,
    measured: { version: '0.20.0', date: '2026-11-29' },
  },
  {
    name: '@langchain/mcp-adapters',
    losses: ['structure-or-content', 'audience', 'links', 'file-addresses', 'text-files'],
    callSeconds: 60,
    measured: { version: '1.1.4', date: '2026-11-29' },
  },
  {
    name: '@mastra/mcp',
    losses: ['structure-or-content', 'audience'],
    callSeconds: 60,
    measured: { version: '2.0.0', date: '2026-11-29' },
  },
  {
    name: '@voltagent/core',
    losses: ['audience'],
    callSeconds: 60,
    measured: { version: '2.10.0', date: '2026-11-29' },
  },
  {
    name: 'strands-agents-ts-sdk',
    losses: ['structure', 'audience'],
    callSeconds: 60,
    measured: { version: '1.19.0', date: '2026-11-29' },
  },
]

/** The form in which clients get results: see `ToolService`. */
export type ResultsForm = 'host' | 'as-is' | HostProfile

/**
 * Finds the profile of a client by what it says of itself. `definition`: the tool whose results it gets. The structured content of a tool with a page of its
 * own (MCP Apps) is for that page, and stays: https://modelcontextprotocol.io/extensions/apps
 */
export function findHostProfile(
  info: JsonObject | undefined,
  definition?: ToolDefinition,
): HostProfile | undefined {
  const name = info?.['name']
  if (typeof name !== 'string') return undefined
  const profile = HOST_PROFILES.find((each) => isHost(each, name))
  return profile && withoutPage(profile, definition)
}

/** Finds the profile for the results of a tool: that of the client, or the one that `results` is. */
export function findResultsProfile(
  results: ResultsForm | undefined,
  info: JsonObject | undefined,
  definition?: ToolDefinition,
): HostProfile | undefined {
  if (results === undefined || results === 'as-is') return undefined
  return results === 'host' ? findHostProfile(info, definition) : withoutPage(results, definition)
}

function isHost({ name, isPrefix }: HostProfile, sent: string): boolean {
  return sent === name || (isPrefix === true && sent.startsWith(`${name}-`))
}

function withoutPage(profile: HostProfile, definition: ToolDefinition | undefined): HostProfile {
  if (!hasPage(definition)) return profile
  const losses = profile.losses.filter(
    (loss) => loss !== 'structure-or-content' && loss !== 'structure',
  )
  return { ...profile, losses }
}

function hasPage({ _meta: meta }: Partial<ToolDefinition> = {}): boolean {
  return isJsonObject(meta) && (isJsonObject(meta['ui']) || meta['ui/resourceUri'] !== undefined)
}
