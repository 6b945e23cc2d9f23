import type { StructuredPolicy } from '@toolblocks/formatter'
import type { QuestionRoute } from '@toolblocks/inquiry'
import type { LocalCommand, LocalToolDefinition } from '@toolblocks/local-executor'
import type { JsonValue, ParameterDefinition } from '@toolblocks/protocol'
import type { ToolPolicy } from '@toolblocks/tool-executor'

import type { PROVIDERS } from './table-schemas.ts'
/** Another model of the provider of `[model]`, or the same one with other settings. */
export type AnsweringModel = Pick<ModelConfiguration, 'name' | 'instructions' | 'max_output_tokens'>

/** One `[tools.<name>.questions.<id>]` table, as written. */
interface QuestionConfiguration {
  target?: 'user' | 'assistant' | AnsweringModel
  answer?: JsonValue
  fallback?: NonNullable<QuestionRoute['fallback']>
}

/** One `[tools.<name>]` table, as written. */
export interface ToolConfiguration {
  source: string
  command: LocalCommand
  title?: string
  summary?: string
  description?: string
  /** Markdown. */
  examples?: string
  run?: ToolPolicy
  deduplicate?: boolean
  dialect?: 'blocks' | 'outcome'
  format_arguments?: boolean
  env?: readonly string[]
  /** What becomes of processes that go on when the tool has ended. */
  left_behind?: 'keep' | 'stop'
  /** The executable knows the live actions: it stays alive between them. */
  stateful?: boolean
  /** An interactive program, driven through a pseudo-terminal. */
  pty?: boolean
  /** Which live actions a model may use; all four where it does not say. */
  actions?: NonNullable<LocalToolDefinition['actions']>
  on_turn_end?: 'abort' | 'keep'
  /** Who answers the tool's questions, by question id. */
  questions?: Readonly<Record<string, QuestionConfiguration>>
  timeout_secs?: number
  options?: Readonly<Record<string, JsonValue>>
  /** Absent: the executable is asked what it takes. */
  parameters?: Readonly<Record<string, ParameterDefinition>>
  /** The executable is asked all the same, and `parameters` are laid over what it says. */
  describe?: boolean
  /** What the executable says must be what was recorded of it, until a person accepts the change. */
  pin?: boolean
}

/** One `[tools.<name>]` table of a tool that an MCP server has. */
export interface McpToolConfiguration extends Pick<
  ToolConfiguration,
  | 'source'
  | 'title'
  | 'summary'
  | 'description'
  | 'examples'
  | 'run'
  | 'deduplicate'
  | 'pin'
  | 'questions'
  | 'parameters'
  | 'stateful'
  | 'on_turn_end'
  | 'timeout_secs'
> {
  /** The server's name in the configuration. */
  server: string
  /** The server's name for the tool. */
  tool: string
}

/** One `[mcp.servers.<name>]` table, as written: `${NAME}` is not replaced yet. */
export interface ServerConfiguration {
  command?: string
  args?: readonly string[]
  env?: Readonly<Record<string, string>>
  cwd?: string
  url?: string
  headers?: Readonly<Record<string, string>>
  protocol_version?: 'auto' | '2025-11-25' | '2026-07-28'
  trusted?: boolean
  /** For its tools, where their tables do not say it. */
  run?: ToolPolicy
  pin?: boolean
  timeout_secs?: number
  connect_timeout_secs?: number
  links?: LinksConfiguration
  disabled?: boolean
}

/** The `[format]` table, as written. */
interface FormatConfiguration {
  structured?: StructuredPolicy
  resource_header?: 'none' | 'name'
}

/** What the links of a server's results lead to, as written. */
interface LinksConfiguration {
  mode?: 'lazy' | 'preview' | 'inline'
  max_links?: number
  max_bytes?: number
  max_total_bytes?: number
}

/** The `[deduplication]` table, as written. */
interface DeduplicationConfiguration {
  enabled?: boolean
  min_bytes?: number
  lookback_turns?: number
}

/** The `[budget]` table, as written. */
interface BudgetConfiguration {
  per_result?: number
  per_turn?: number
}

/** The `[model]` table, as written. */
export interface ModelConfiguration {
  provider?: (typeof PROVIDERS)[number]
  name?: string
  base_url?: string
  api_key_env?: string
  instructions?: string
  max_output_tokens?: number
}

/** One `[agents.<name>]` table, as written: what a conversation of its own is led with, to which a model can hand work over. */
export interface AgentConfiguration {
  summary: string
  instructions?: string
  /** Absent: all tools of whoever delegates. */
  tools?: readonly string[]
  /** Another model of the provider under `[model]`. */
  model?: string
  max_output_tokens?: number
  max_tokens?: number
  timeout_secs?: number
  max_depth?: number
}

/** What `toolblocks.toml` says. */
export interface Configuration {
  /** The file it was read from. */
  file: string
  /** The workspace: the folder of the file. */
  root: string
  /** Tools that are executables. */
  tools: Readonly<Record<string, ToolConfiguration>>
  mcp: {
    servers: Readonly<Record<string, ServerConfiguration>>
    /** Tools of servers that have a table of their own. */
    tools: Readonly<Record<string, McpToolConfiguration>>
  }
  format: FormatConfiguration
  deduplication: DeduplicationConfiguration
  budget: BudgetConfiguration
  model?: ModelConfiguration
  /** By name; a name has no other meaning than for the model that delegates. */
  agents: Readonly<Record<string, AgentConfiguration>>
  /** Where conversations are kept; absent: calls nowhere, chats beside the file. */
  store?: { url: string }
  /** Gives a message its place in the file. */
  locate(message: Diagnostic): ConfigurationProblem
}

/** A message about one value of the configuration. */
export interface Diagnostic {
  /** The keys on the way to the value. */
  path: readonly string[]
  message: string
}

/** One thing that is wrong with the file. */
export interface ConfigurationProblem {
  file: string
  /** Counted from 1; absent when the problem has no place. */
  line?: number
  /** Dotted, for example `tools.list_files.run`; empty for the whole file. */
  key: string
  message: string
}

/** For a terminal: `FILE:LINE: KEY: MESSAGE`. */
export function describeProblem({ file, line, key, message }: ConfigurationProblem): string {
  const place = line === undefined ? file : `${file}:${line}`
  return key === '' ? `${place}: ${message}` : `${place}: ${key}: ${message}`
}
