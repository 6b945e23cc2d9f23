import { InvalidArgumentError, Option } from 'commander'

/** `--output`, of every command that answers. */
export function outputOption(): Option {
  return new Option('--output <form>', 'what to print').choices(['text', 'json']).default('text')
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
