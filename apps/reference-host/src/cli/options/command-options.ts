import { type Command, InvalidArgumentError, Option } from 'commander'

/** The formats in which a command can print its result. */
type OutputForm = 'text' | 'json' | 'jsonl' | 'markdown' | 'html'

/** Creates `--output`, for every command that prints a result. */
export function outputOption(
  forms: readonly [OutputForm, ...OutputForm[]] = ['text', 'json'],
): Option {
  return new Option('--output <form>', 'the output format').choices(forms).default(forms[0])
}

/** Creates `--arguments`, for every command that calls a tool. */
export function argumentsOption(): Option {
  return new Option(
    '--arguments <object>',
    'all arguments as a JSON object, from @FILE, or from - (stdin)',
  )
}

/** Creates `--config`, for every command that reads a configuration. */
export function configOption(): Option {
  return new Option(
    '--config <file>',
    'the configuration file (default: toolblocks.toml in this folder or above)',
  )
}

/** Reads a count: a whole number from 1, or `all`. */
export function readCount(value: string): number {
  if (value === 'all') return Infinity
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value)
  throw new InvalidArgumentError('expected a number from 1, or "all".')
}

/** The longest time limit: a day. */
const MAX_SECONDS = 86_400

/** Reads a time in seconds. */
export function readSeconds(value: string): number {
  const seconds = Number(value)
  if (seconds > 0 && seconds <= MAX_SECONDS) return seconds
  throw new InvalidArgumentError('expected a number of seconds, such as 60.')
}

/** Reads a time limit in seconds; "never" is none. */
export function readLimit(value: string): number {
  if (value === 'never') return Infinity
  const seconds = Number(value)
  if (seconds > 0 && seconds <= MAX_SECONDS) return seconds
  throw new InvalidArgumentError('expected a number of seconds, such as 50, or "never".')
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A day, and perhaps a time of it: without a zone, that of this machine. */
const DATE =
  /^(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/

/** Reads a time in the future: a time from now on such as `90d`, or a date. The beginning of a day is that of UTC. */
export function readLaterTime(value: string): Date {
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(value) ?? []
  const [, day] = DATE.exec(value) ?? []
  const expected = 'a time from now on, such as 90d or 12h, or a later date, such as 2030-12-31'
  if (count === undefined && day === undefined)
    throw new InvalidArgumentError(`expected ${expected}.`)
  // The parser of dates accepts 30 February, as a day in March.
  if (day !== undefined && !isDay(day))
    throw new InvalidArgumentError(`expected a day that exists, got ${day}.`)
  const time =
    count === undefined ? Date.parse(value) : Date.now() + Number(count) * (UNITS[unit] ?? 0)
  if (time > Date.now()) return new Date(time)
  throw new InvalidArgumentError(
    Number.isNaN(time) ? `expected ${expected}.` : `expected ${expected}; got a time in the past.`,
  )
}

function isDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}

/** Reads the number of a port; 0 is a free one. */
export function readPort(value: string): number {
  if (/^\d{1,5}$/.test(value) && Number(value) < 65_536) return Number(value)
  throw new InvalidArgumentError('expected a port from 0 (any free port) to 65535.')
}

/** Creates `--trust`, for every command that runs what a configuration names. */
export function trustOption(): Option {
  return new Option('--trust', 'agree to everything that this folder wants to do, for this run')
}

/** Collects the values of an option that may be repeated. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

/** Adds `--allow-tool`, `--ask-tool` and `--deny-tool`. Their rules are one list, `rules`, in the order in which they were typed. */
export function addRuleOptions(command: Command): Command {
  const options = [
    ['allow', 'calls that run without asking, such as fs_read or "git(command^=git log)"'],
    ['ask', 'calls that are asked about, also if they would run otherwise'],
    ['deny', 'calls that never run'],
  ] as const
  for (const [effect, description] of options) {
    const text = `${description}; the first rule that fits decides; repeat it for more`
    const option = new Option(`--${effect}-tool <rule>`, text).argParser<readonly string[]>(
      (value, before) => collect(`${effect} ${value}`, before),
    )
    option.attributeName = () => 'rules'
    command.addOption(option)
  }
  return command
}

/** Receives the exit code of the command that ran. */
export type ExitCode = (code: number) => void

/** Creates the option `--protocol-version`. */
export function protocolVersionOption(description: string): Option {
  const versions = ['auto', '2025-11-25', '2026-07-28']
  return new Option('--protocol-version <version>', description).choices(versions)
}
