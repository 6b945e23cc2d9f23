import { Argument, Command, type Option } from 'commander'
import type { CommandContext } from '../terminal/command-context.ts'
import { formatSuggestions } from '../terminal/did-you-mean.ts'
import { EXIT_CODES_HELP } from '../process/exit-codes.ts'
import { addAgent } from './chat/add-chat.ts'
import { addApprovals } from './approvals/add-approvals.ts'
import { addCall } from './call/add-call.ts'
import { addConversations } from './conversations/add-conversations.ts'
import { addDemo, addGallery } from './demo/add-demo.ts'
import { addImport } from './import/add-import.ts'
import { addMcp } from './mcp/add-mcp.ts'
import { addServe } from './serve/add-serve.ts'
import { addLogins } from './serve-logins/add-logins.ts'
import { addTokens } from './serve-tokens/add-tokens.ts'
import { addQuestions } from './questions/add-questions.ts'
import { addTools } from './tools/add-tools.ts'
import { addView } from './view/add-view.ts'
import { addConfig, addDoctor, addInit, addTrust } from './setup/add-setup.ts'
import type { ExitCode } from './options/command-options.ts'
import { layOutHelp } from './options/fit-help.ts'

const HELP = `
Examples:
  toolblocks demo                                         watch tools at work
  toolblocks new greet --language python                  write a working tool
  toolblocks call greet --arg who=Ada                     call it
  toolblocks call "python3 tools/greet.py" --arg who=Ada  call any program
  toolblocks serve "python3 tools/greet.py"               serve it to MCP hosts
  toolblocks view                                         read conversations

${EXIT_CODES_HELP}
`

/** The context and the output of the program. */
export interface ProgramOptions {
  version: string
  end: ExitCode
}

type Add = (program: Command, context: CommandContext, end: ExitCode) => void

const addServeAndTokens: Add = (program, context, end) => {
  const serve = addServe(program, context, end)
  addTokens(serve, context, end)
  addLogins(serve, context, end)
}

/** All commands except those of completion, in the order of the help. */
const GROUPS: readonly (readonly [heading: string, adders: readonly Add[]])[] = [
  ['Start:', [addInit, addDemo, addDoctor]],
  ['Tools:', [addTools, addCall, addServeAndTokens, addMcp, addApprovals, addGallery]],
  ['Conversations:', [addView, addConversations, addImport]],
  ['Model:', [addAgent, addQuestions]],
  ['Settings:', [addTrust, addConfig]],
]

/**
 * Creates the command line. Each command is loaded when it runs. If `call` is the first word, only `call` is described: describing all commands
 * takes longer than reading the configuration.
 */
export function createProgram(
  context: CommandContext,
  args: readonly string[],
  options: ProgramOptions,
): Command {
  if (args[0] === 'call') return withCommands([['', [addCall]]], context, options)
  const program = withCommands(GROUPS, context, options)
  const { end } = options
  program
    .command('completion')
    .description('print a script that completes these commands in your shell')
    .addArgument(new Argument('<bash|zsh|fish>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      const { printCompletion } = await import('./complete-words.ts')
      end(printCompletion(withCommands(GROUPS, context, options), shell, context.terminal))
    })
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action(async (typed: readonly string[]) => {
      const { completeWords } = await import('./complete-words.ts')
      end(await completeWords(withCommands(GROUPS, context, options), typed, context.folder))
    })
  pointToHelp(program, args)
  return program
}

function withCommands(
  groups: typeof GROUPS,
  context: CommandContext,
  { version, end }: ProgramOptions,
): Command {
  const { terminal } = context
  const help = layOutHelp(terminal.columns)
  const program = new Command('toolblocks')
    .description(
      'Calls tools and shows their typed results, for people and as a model receives them.',
    )
    .version(version)
    .configureOutput({
      // The error message repeats typed text, which is sanitized here.
      writeOut: (text) => terminal.print(terminal.sanitize(text.replace(/\n$/, ''))),
      writeErr: (text) => terminal.note(terminal.sanitize(text.replace(/\n$/, ''))),
      getOutHelpWidth: () => help.columns,
      getErrHelpWidth: () => help.columns,
    })
    .configureHelp({ subcommandTerm: (command) => command.name(), ...help.configuration })
    .helpCommand(false)
    .exitOverride()
    .addHelpText('after', help.fit(HELP))
  for (const [heading, adders] of groups) {
    program.commandsGroup(heading)
    for (const add of adders) add(program, context, end)
  }
  pointToHelp(program)
  // The options after a server's command line belong to that command. This is set last, because commands copy it from the program when they are
  // added.
  return program.enablePositionalOptions()
}

/** Lets a command that also runs without one of its own commands take any other word for a misspelt one. */
function refuseUnknown(command: Command): void {
  const names = command.commands.map((each) => each.name())
  command.allowExcessArguments().hook('preAction', (_command, acting) => {
    const [typed] = acting.args
    if (acting !== command || typed === undefined) return
    command.error(
      `error: unknown command ${JSON.stringify(typed)}${formatSuggestions(typed, names, 'there are')}`,
    )
  })
}

/**
 * Gives an option before the name of a command to that command, as in `serve tokens --config FILE list`. If it does not have the option, it is an
 * error, because the option would have no effect.
 */
function passOptions(command: Command): void {
  command.hook('preSubcommand', (_command, inner) => {
    for (const option of command.options) {
      const key = option.attributeName()
      if (command.getOptionValueSource(key) !== 'cli') continue
      const value: unknown = command.getOptionValue(key)
      const isTyped = (each: Option): boolean =>
        each.attributeName() === key && each.negate === (value === false)
      if (!inner.options.some((each) => each.attributeName() === key)) {
        const typed = command.options.filter(isTyped).map(({ long }) => long)
        inner.error(
          `error: "${command.name()} ${inner.name()}" does not take ${typed.join(', ')}, which stands before "${inner.name()}"`,
        )
      }
      inner.setOptionValueWithSource(key, value, 'cli')
    }
  })
}

/** Says of an unknown option which a command behind this one has that it stands after that command. */
function placeOption(
  text: string,
  { commands }: Command,
  { name, args }: { name: string; args: readonly string[] },
): string {
  const [, flag] = /^error: unknown option '(-[^']*)'/.exec(text) ?? []
  const owners = commands.filter(({ options }) =>
    options.some(({ short, long }) => flag !== undefined && [short, long].includes(flag)),
  )
  const owner = owners.find((each) => args.includes(each.name())) ?? owners[0]
  return owner
    ? `error: the option ${flag} stands after the name of a command, as in "${name} ${owner.name()} ${flag} …"\n`
    : text
}

/**
 * Writes the word `help` as the option `--help` of the commands behind it, so that `help approvals test` and `approvals help test` show what
 * `approvals test --help` shows. Nothing runs: the words behind a command are not its arguments.
 */
export function writeHelpAsOption(program: Command, args: readonly string[]): readonly string[] {
  const named: string[] = []
  let isHelp = false
  let command = program
  for (const word of args) {
    if (word === 'help' && !isHelp && command.commands.length > 0) {
      isHelp = true
      continue
    }
    const next = command.commands.find((each) => each.name() === word)
    if (!next && !isHelp) return args
    // A group of commands says what it does not know.
    if (!next && command.commands.length > 0 && command.registeredArguments.length === 0)
      return [...named, word]
    if (!next) break
    named.push(word)
    command = next
  }
  return isHelp ? [...named, '--help'] : args
}

/** Reports an error in one line, and names the help of the same command in the next. */
function pointToHelp(command: Command, args: readonly string[] = [], before = ''): void {
  const name = `${before}${command.name()}`
  command.showHelpAfterError(`(see ${name} --help)`)
  command.configureOutput({
    outputError: (text, write) => write(placeOption(text, command, { name, args })),
  })
  if (command.commands.length > 0) passOptions(command)
  if (command.commands.length > 0 && command.registeredArguments.length === 0)
    refuseUnknown(command)
  for (const each of command.commands) pointToHelp(each, args, `${name} `)
}
