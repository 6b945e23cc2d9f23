/** A histogram of OpenTelemetry's semantic conventions. */
interface Histogram {
  unit: string
  description: string
  boundaries: readonly number[]
}

const MCP_SECONDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]

/** Each boundary is twice the one before. */
function doubled(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => Number((first * 2 ** index).toFixed(2)))
}

const CLIENT_SECONDS = doubled(0.01, 14)

/** The histograms of the conventions for MCP and GenAI, by name. */
const HISTOGRAMS: Readonly<Record<string, Histogram>> = {
  'mcp.client.operation.duration': {
    unit: 's',
    description:
      'The duration of the MCP request or notification as observed on the sender from the time it was sent until the response or ack is received.',
    boundaries: MCP_SECONDS,
  },
  'mcp.server.operation.duration': {
    unit: 's',
    description:
      'MCP request or notification duration as observed on the receiver from the time it was received until the result or ack is sent.',
    boundaries: MCP_SECONDS,
  },
  'mcp.client.session.duration': {
    unit: 's',
    description: 'The duration of the MCP session as observed on the MCP client.',
    boundaries: MCP_SECONDS,
  },
  'mcp.server.session.duration': {
    unit: 's',
    description: 'The duration of the MCP session as observed on the MCP server.',
    boundaries: MCP_SECONDS,
  },
  'gen_ai.client.operation.duration': {
    unit: 's',
    description: 'GenAI operation duration.',
    boundaries: CLIENT_SECONDS,
  },
  'gen_ai.client.token.usage': {
    unit: '{token}',
    description: 'Number of input and output tokens used.',
    boundaries: Array.from({ length: 14 }, (_, index) => 4 ** index),
  },
  'gen_ai.execute_tool.duration': {
    unit: 's',
    description: 'The duration of a single tool execution.',
    boundaries: CLIENT_SECONDS,
  },
  'gen_ai.invoke_agent.duration': {
    unit: 's',
    description:
      'The end-to-end duration of a single agent invocation, from the moment the invocation starts until the agent emits the last chunk of its final response or terminates with an error.',
    boundaries: doubled(0.1, 13),
  },
}

/** Returns the histogram of a name; `undefined` if the conventions have none. */
export function findHistogram(name: string): Histogram | undefined {
  return Object.hasOwn(HISTOGRAMS, name) ? HISTOGRAMS[name] : undefined
}
