import type { StructuredPolicy } from '@toolblocks/formatter'
import type { QuestionRoute } from '@toolblocks/inquiry'
import type { LocalCommand, LocalToolDefinition } from '@toolblocks/local-executor'
import type { JsonValue, ParameterDefinition } from '@toolblocks/protocol'
import type { ToolPolicy } from '@toolblocks/tool-executor'

import type { PROVIDERS } from './table-schemas.ts'
/** Another model of the provider of `[model]`, or the same model with other settings. */
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
  /** Whether the model finds the tool with `search_tools` before it sees its definition. */
  defer?: boolean
  dialect?: 'blocks' | 'outcome'
  format_arguments?: boolean
  env?: readonly string[]
  /** Whether processes that run after the end of the tool are stopped. */
  leftover_processes?: 'keep' | 'stop'
  /** Whether the executable supports the live actions. It stays alive between them. */
  stateful?: boolean
  /** Whether the tool is an interactive program, which runs in a pseudo-terminal. */
  pty?: boolean
  /** The live actions that a model may use. Default: all four. */
  actions?: NonNullable<LocalToolDefinition['actions']>
  on_turn_end?: 'abort' | 'keep'
  /** The source of the answers to the tool's questions, by question id. */
  questions?: Readonly<Record<string, QuestionConfiguration>>
  questions_expire_secs?: number
  timeout_secs?: number
  options?: Readonly<Record<string, JsonValue>>
  /** Absent: the executable is asked for its parameters. */
  parameters?: Readonly<Record<string, ParameterDefinition>>
  /** Whether the executable is asked although there are `parameters`, which then override its description. Absent: if one of them has no type. */
  describe?: boolean
  /** Whether the table describes all of the tool, so that the executable is not asked. */
  replace?: boolean
  /** Whether a changed description of the executable disables the tool until a person accepts the change. */
  pin?: boolean
}

/** One `[tools.<name>]` table of a tool of an MCP server. */
export interface McpToolConfiguration extends Pick<
  ToolConfiguration,
  | 'source'
  | 'title'
  | 'summary'
  | 'description'
  | 'examples'
  | 'run'
  | 'deduplicate'
  | 'defer'
  | 'pin'
  | 'questions'
  | 'questions_expire_secs'
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
  oauth?: OAuthConfiguration
  protocol_version?: 'auto' | '2025-11-25' | '2026-07-28'
  trusted?: boolean
  /** The policy of its tools, unless their own tables have one. */
  run?: ToolPolicy
  pin?: boolean
  /** Whether its tools are deferred, unless their own tables say it. */
  defer?: boolean
  /** Whether the clients of `serve --http` share one connection to it. */
  share?: boolean
  timeout_secs?: number
  connect_timeout_secs?: number
  links?: LinksConfiguration
  disabled?: boolean
}

/** How a person logs in to a server, as written. */
interface OAuthConfiguration {
  issuer?: string
  client_id?: string
  client_secret?: string
  client_metadata_url?: string
  redirect_port?: number
  scopes?: readonly string[]
  allow_hosts?: readonly string[]
}

/** The `[format]` table, as written. */
interface FormatConfiguration {
  structured?: StructuredPolicy
  resource_header?: 'none' | 'name'
  error_trace?: boolean
}

/** How the links in a server's results are read, as written. */
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

/** The `[tool_search]` table, as written. */
interface ToolSearchConfiguration {
  defer_above?: number
}

/** The `[budget]` table, as written. */
interface BudgetConfiguration {
  per_result?: number | 'all'
  per_turn?: number | 'all'
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

/** One `[agents.<name>]` table, as written: the settings of an agent, to which a model can hand work. */
export interface AgentConfiguration {
  summary: string
  instructions?: string
  /** Absent: all tools of the conversation that starts the agent. */
  tools?: readonly string[]
  /** Another model of the provider under `[model]`. */
  model?: string
  max_output_tokens?: number
  max_tokens?: number
  timeout_secs?: number
  max_depth?: number
}

/** One `[prompts.<name>]` table, as written: a prompt that `toolblocks serve` offers. */
export interface PromptConfiguration {
  file: string
  title?: string
  description?: string
  arguments?: Readonly<Record<string, { title?: string; description?: string; required?: boolean }>>
}

/** The `[questions]` table, as written. */
interface QuestionsConfiguration {
  expire_secs?: number
  /** A program and its arguments, or a notification of the desktop. */
  notify?: 'desktop' | readonly [string, ...string[]]
}

/** The content of `toolblocks.toml`. */
export interface Configuration {
  /** The path of the file. */
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
  tool_search: ToolSearchConfiguration
  model?: ModelConfiguration
  /** Agents by name. Only the model that starts an agent uses the name. */
  agents: Readonly<Record<string, AgentConfiguration>>
  /** Prompts by name. */
  prompts: Readonly<Record<string, PromptConfiguration>>
  /** The folder with the files that MCP clients can read. */
  resources?: { folder: string }
  /** Questions that wait for a person. */
  questions?: QuestionsConfiguration
  /** The store of conversations. Absent: the store of the user's settings, or the default one. */
  store?: { url: string }
  /** Returns a message with its place in the file. */
  locate(message: Diagnostic): ConfigurationProblem
}

/** A message about one value of the configuration. */
export interface Diagnostic {
  /** The keys on the way to the value. */
  path: readonly string[]
  message: string
}

/** One error in the file. */
export interface ConfigurationProblem {
  file: string
  /** Counted from 1. Absent if the place is not known. */
  line?: number
  /** Counted from 1. Absent if a complete line, a key or a value is meant. */
  column?: number
  /** The dotted path, for example `tools.list_files.run`; empty for the complete file. */
  key: string
  message: string
}

/** Formats a problem for a terminal: `FILE:LINE:COLUMN: KEY: MESSAGE`. */
export function describeProblem({
  file,
  line,
  column,
  key,
  message,
}: ConfigurationProblem): string {
  const position = [file, line, column].filter((part) => part !== undefined).join(':')
  return key === '' ? `${position}: ${message}` : `${position}: ${key}: ${message}`
}
