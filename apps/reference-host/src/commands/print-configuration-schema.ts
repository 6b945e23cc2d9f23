import { configurationSchema } from '../configuration/configuration-schema.ts'
import { EXIT } from '../exit-codes.ts'
import type { CommandContext } from './command-context.ts'

/** `toolblocks config schema`: what editors check and complete a `toolblocks.toml` with. */
export function printConfigurationSchema({ terminal }: CommandContext): number {
  terminal.printJson(configurationSchema)
  return EXIT.ok
}
