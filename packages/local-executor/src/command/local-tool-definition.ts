import type { Problem, Tool, ToolDefinition } from '@toolblocks/protocol'

/**
 * What is started for a call: a command line, split once like a shell would; or its words, taken as they
 * are; or a `program` with its arguments, `args` (default: none). With `shell` (default: `false`) the program is a
 * script for `sh -c` (POSIX only) and the arguments are its `$1`, `$2`, …
 */
export type LocalCommand =
  | string
  | readonly string[]
  | { readonly program: string; readonly args?: readonly string[]; readonly shell?: boolean }

/** Whether a command is its words: `Array.isArray` does not narrow a readonly array. */
export function isWords(command: Exclude<LocalCommand, string>): command is readonly string[] {
  return Array.isArray(command)
}

/** An executable as a tool: what a model knows of it, and how it is run (docs/protocol.md). */
export interface LocalToolDefinition extends ToolDefinition {
  /** Arguments may contain placeholders such as `{{tool.arguments.path}}`; the program may not. */
  command: LocalCommand
  /**
   * Arguments that are program text on purpose: a model writes what is run. Their placeholders may stand where a program
   * text stands, and their values may begin with a dash. Named as in placeholders: `code`, `cell.source`; `cells.*.source` for
   * every item of a list; what is inside is meant too. Only who writes the definition can say it, never the executable. Default: none.
   */
  codeArguments?: readonly string[]
  /**
   * Arguments whose text may begin with a dash, also where a program would take it for an option. Named as in
   * `codeArguments`. Default: none; a call is refused whose text begins so and stands neither behind `--` nor behind a script.
   */
  dashArguments?: readonly string[]
  /** The name the executable gets in `tool.name`. Default: `name`. */
  toolName?: string
  /** Milliseconds from the start until the tool is stopped. Default: `DEFAULT_TIMEOUT_MS`. */
  timeoutMs?: number
  /** Names of the host's variables that the tool may see beside the usual ones; `AWS_*` names many. */
  env?: readonly string[]
  /** Variables with their values, for this tool only. */
  setEnv?: Readonly<Record<string, string>>
  /**
   * What becomes of processes that have left the tool's process group and go on when it has ended: a warning names them,
   * and `stop` kills them. Default: `keep`, because a tool may mean to start a server. Only Linux shows them. What stays in
   * the group, and what goes on after a deadline or a signal, is killed in any case.
   */
  leftBehind?: 'keep' | 'stop'
  /** `outcome` reads the older `{"type":"success"|"error"|"needs_input"}` documents too. Default: `blocks`. */
  dialect?: 'blocks' | 'outcome'
  /**
   * The executable knows the action `format_arguments`. Default: false, because one that ignores
   * `context.action` would do its work before anybody has agreed to it.
   */
  formatsArguments?: boolean
  /** The executable also knows the live actions: it stays alive between them. Default: false. */
  stateful?: boolean
  /** Which live actions a model may use; `spawn` must be one of them. Default: all four. */
  actions?: NonNullable<Tool['actions']>
}

/** How long a tool may take where its definition does not say: two minutes, in milliseconds. */
export const DEFAULT_TIMEOUT_MS = 120_000

/** The longest `timeoutMs`, in milliseconds: about 24 days, the longest a timer can wait. */
export const MAX_TIMEOUT_MS = 2_147_483_647

/** The codes of what this package finds wrong: with definitions, and with what a program did. */
export const LOCAL_PROBLEM_CODES = [
  // of a definition
  'empty-command',
  'unbalanced-quotes',
  'unknown-placeholder',
  'placeholder-in-program',
  'unknown-argument',
  'invalid-timeout',
  'invalid-actions',
  'invalid-variable',
  // of a call
  'processes-left-behind',
  'over-limit',
  'output-not-kept',
] as const

/**
 * What is wrong with a definition (`LocalToolError.problems`), or with what a program did (`metadata.warnings`, where those of the parser
 * stand too).
 */
export type LocalProblemCode = (typeof LOCAL_PROBLEM_CODES)[number]

/** What is wrong with a definition, or with what a program did. */
export type LocalProblem = Problem<LocalProblemCode>

/** Thrown when a definition cannot become a tool; `problems` names every field that is wrong. */
export class LocalToolError extends Error {
  readonly code = 'invalid-definition'
  /** Paths are JSON Pointers into the definition, for example `/command/args/0`. */
  readonly problems: readonly LocalProblem[]

  constructor(tool: string, problems: readonly LocalProblem[]) {
    const lines = problems.map(({ path, message }) => `${path}: ${message}`)
    super(`Tool "${tool}" cannot be made:\n${lines.join('\n')}`)
    this.name = 'LocalToolError'
    this.problems = problems
  }
}
