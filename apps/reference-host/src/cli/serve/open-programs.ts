import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createLocalTool, LocalToolError, type LocalCommand } from '@toolblocks/local-executor'
import { explainNoProgram } from '@toolblocks/local-executor/internal'
import { descriptionToDefinition, type Tool } from '@toolblocks/protocol'
import { parametersToSchema } from '@toolblocks/protocol/internal'
import type { ToolEntry } from '@toolblocks/tool-executor'
import { readToolNames } from '../../workspace/open-workspace.ts'
import { findScript, nameProgram } from '../../workspace/servers/command-words.ts'
import { readFirstComment } from './read-first-comment.ts'
import { didYouMean } from '../../terminal/did-you-mean.ts'
import { createDescribe } from '../../workspace/tools/describe-tools.ts'

/** Receives a message about a program that takes long to describe itself. */
type ReportSlow = (message: string) => void

/**
 * After these two times together, a message names the program that is awaited. In milliseconds. If this process was busy, an answer that has
 * arrived is read in the second one.
 */
const SLOW_MS = [1500, 500] as const

/** The tools of some programs, or the problems of the programs. */
export type OpenedPrograms =
  | { ok: true; entries: readonly ToolEntry[] }
  | { ok: false; messages: readonly string[] }

/** Where programs are looked up, and how a person is told about them. */
interface ProgramPlace {
  folder: string
  signal: AbortSignal
  tell: ReportSlow
  /** The words that start this program. */
  command: string
}

/**
 * Creates the tools of programs that a person named, which counts as the decision to run them. A program that describes itself has its own tools, and
 * any other takes its arguments as a list. Each program is started once, to ask for its description.
 */
export async function openPrograms(
  programs: readonly string[],
  { folder, signal, tell, command }: ProgramPlace,
): Promise<OpenedPrograms> {
  const describe = createDescribe({ root: folder, signal })
  const opened = await Promise.all(
    programs.map(async (program) => await openProgram(program, { folder, describe, tell })),
  )
  const isAnyRefused = opened.some(({ ok }) => !ok)
  const configured = isAnyRefused ? await readToolNames(folder) : undefined
  const messages = opened.flatMap((each, index) => {
    if (each.ok) return []
    const program = programs[index] ?? ''
    return configured?.names.includes(program)
      ? [
          `${JSON.stringify(program)} is not a program but a tool of ${configured.file}: "${command} serve" without a program serves the tools of this folder`,
        ]
      : each.messages.map((message) => `${message}${findMeant(program)}`)
  })
  const entries = opened.flatMap((each) => (each.ok ? each.entries : []))
  const names = entries.map(({ tool }) => tool.name)
  const twice = new Set(names.filter((name, index) => names.indexOf(name) !== index))
  for (const name of twice)
    messages.push(`two of the programs have a tool "${name}"; rename one in a toolblocks.toml`)
  return messages.length > 0 ? { ok: false, messages } : { ok: true, entries }
}

/** The commands of `serve`. Any other word after it is a program. */
const COMMANDS = ['tokens', 'logins']

/** Returns a sentence with the command of `serve` that was probably meant by a program which cannot be opened, or an empty text. */
function findMeant(program: string): string {
  const meant = COMMANDS.find((name) => didYouMean(program, [name]) !== '')
  return meant === undefined ? '' : ` Did you mean "serve ${meant}"?`
}

/** The tools of one program, or its problems. */
type OpenedProgram =
  | {
      ok: true
      entries: readonly ToolEntry[]
      /** Whether the program describes itself. Any other takes `args`, a list of words. */
      isDescribed: boolean
    }
  | { ok: false; messages: readonly string[] }

/** Creates the tools of one program, like `openPrograms`. */
export async function openProgram(
  program: string,
  {
    folder,
    describe,
    tell,
  }: { folder: string; describe: ReturnType<typeof createDescribe>; tell: ReportSlow },
): Promise<OpenedProgram> {
  const command = getCommand(program, folder)
  const missing = explainNoProgram(command, { root: folder })
  if (missing !== undefined) return { ok: false, messages: [missing] }
  let slow = setTimeout(() => {
    slow = setTimeout(() => tell(explainSlow(program)), SLOW_MS[1])
  }, SLOW_MS[0])
  try {
    const described = await describe({ command, env: [] })
    if (!described.ok && described.notStarted !== undefined)
      return { ok: false, messages: [described.notStarted] }
    return described.ok
      ? { ok: true, entries: getEntries(command, described), isDescribed: true }
      : { ok: true, entries: [plainEntry(program, command, folder)], isDescribed: false }
  } catch (error) {
    if (!(error instanceof LocalToolError)) throw error
    return { ok: false, messages: [`${program}: ${error.message}`] }
  } finally {
    clearTimeout(slow)
  }
}

function explainSlow(program: string): string {
  return `${program} was asked for its description ("action": "schema" on standard input) and has not answered yet; after 10 s it is stopped, and its arguments are a list`
}

/** A path of a file is started directly; other text is a command line. */
function getCommand(program: string, folder: string): LocalCommand {
  const file = resolve(folder, program)
  return existsSync(file) ? [file] : program
}

function getEntries(
  command: LocalCommand,
  {
    tools,
    unusable,
  }: Extract<Awaited<ReturnType<ReturnType<typeof createDescribe>>>, { ok: true }>,
): readonly ToolEntry[] {
  return tools
    .filter(({ name }) => !Object.hasOwn(unusable, name))
    .map((description) => {
      const { stateful, actions } = description
      const definition = descriptionToDefinition(description)
      return {
        tool: createLocalTool({
          ...definition,
          command,
          toolName: definition.name,
          ...(stateful && { stateful }),
          ...(actions && { actions }),
        }),
        source: 'local',
        policy: 'unattended',
      }
    })
}

/** Every argument is one word, so the command gets as many placeholders as a call has arguments. */
function plainEntry(program: string, command: LocalCommand, folder: string): ToolEntry {
  const script = findScript(findWords(command) ?? program.trim().split(/\s+/), folder)
  const comment = script === undefined ? undefined : readFirstComment(resolve(folder, script))
  const definition = {
    name: nameProgram(program, folder),
    summary: comment ?? `Runs ${program}.`,
    inputSchema: parametersToSchema({
      args: {
        type: 'array',
        items: { type: 'string' },
        default: [],
        summary: 'The arguments of the program.',
      },
    }),
  }
  // A person named the program, so a model may also pass options.
  const dashArguments = ['args']
  const execute: Tool['execute'] = async (call, context) => {
    const { args } = call.arguments
    const placeholders = (Array.isArray(args) ? args : []).map(
      (_, index) => `{{tool.arguments.args.${index}}}`,
    )
    const whole =
      typeof command === 'string'
        ? [command, ...placeholders].join(' ')
        : [...(findWords(command) ?? []), ...placeholders]
    return await createLocalTool({ ...definition, dashArguments, command: whole }).execute(
      call,
      context,
    )
  }
  return { tool: { ...definition, execute }, source: 'local', policy: 'unattended' }
}

function findWords(command: LocalCommand): readonly string[] | undefined {
  return Array.isArray(command) ? command : undefined
}
