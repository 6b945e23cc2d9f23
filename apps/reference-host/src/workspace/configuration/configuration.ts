import type { XStatic } from 'typebox/schema'
import type { configurationSchema } from './configuration-schema.ts'
import type { McpToolConfiguration, ToolConfiguration, ToolTable } from './tool-schema.ts'
import type { QuestionsConfiguration } from './table-schemas.ts'

type CheckedFile = XStatic<typeof configurationSchema>

type BudgetTable = NonNullable<CheckedFile['budget']>

/** The content of a `toolblocks.toml` that its schema accepts. The schema describes each key. */
export interface WrittenConfiguration extends Omit<CheckedFile, 'tools' | 'budget' | 'questions'> {
  tools?: Readonly<Record<string, ToolTable>>
  budget?: { [Key in keyof BudgetTable]: number | 'all' }
  questions?: QuestionsConfiguration
}

/** A configuration whose tables were checked. */
export interface Configuration
  extends
    Pick<
      WrittenConfiguration,
      'model' | 'approvals' | 'questions' | 'store' | 'resources' | 'serve'
    >,
    Required<
      Pick<
        WrittenConfiguration,
        'format' | 'deduplication' | 'budget' | 'tool_search' | 'agents' | 'prompts'
      >
    > {
  /** The path of the file. */
  file: string
  /** The workspace: the folder of the file. */
  root: string
  /** Tools that are executables. */
  tools: Readonly<Record<string, ToolConfiguration>>
  mcp: {
    servers: NonNullable<NonNullable<CheckedFile['mcp']>['servers']>
    /** Tools of servers that have a table of their own. */
    tools: Readonly<Record<string, McpToolConfiguration>>
  }
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

/** Formats the place of a value: `FILE:LINE: KEY`. */
export function describePlace({
  file,
  line,
  key,
}: Pick<ConfigurationProblem, 'file' | 'line' | 'key'>): string {
  return `${line === undefined ? file : `${file}:${line}`}: ${key}`
}
