import { type Command, InvalidArgumentError, Option } from 'commander'

/** Forms in which a command can print its answer. */
type OutputForm = 'text' | 'json' | 'jsonl' | 'markdown' | 'html'

/** `--output`, of every command that answers. */
export function outputOption(
  forms: readonly [OutputForm, ...OutputForm[]] = ['text', 'json'],
): Option {
  return new Option('--output <form>', 'what to print').choices(forms).default(forms[0])
}

/** `--arguments`, of every command that calls a tool. */
export function argumentsOption(): Option {
  return new Option(
    '--arguments <object>',
    'all arguments as a JSON object, from @FILE, or from - (stdin)',
  )
}

/** `--config`, of every command that reads one. */
export function configOption(): Option {
  return new Option('--config <file>', 'the configuration (default: toolblocks.toml here or above)')
}

/** Reads how many there shall be. */
export function readCount(value: string): number {
  if (value === 'all') return Infinity
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value)
  throw new InvalidArgumentError('expected a number from 1, or "all".')
}

/** `--trust`, of every command that reads a configuration to act by it. */
export function trustOption(): Option {
  return new Option('--trust', 'agree to all that this folder wants to do, for this run')
}

/** Takes what an option was given each time. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

/** Refuses an option by the name it had before, and names the one to write. */
export function refuseRenamed(command: Command, flags: string, now: string): Command {
  const renamed = new Option(flags).hideHelp().argParser((): never => {
    const [name = flags] = flags.split(' ')
    return command.error(`error: the option ${name} has another name now: ${now}`)
  })
  return command.addOption(renamed)
}

/** Gets the exit code of the command that ran. */
export type ExitCode = (code: number) => void
