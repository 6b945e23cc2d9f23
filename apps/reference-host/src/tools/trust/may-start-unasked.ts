import type { CommandContext } from '../../commands/command-context.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { settingsFile } from '../../files/own-folders.ts'
import { isTrusted, startedUnasked } from './ask-trust.ts'
import { openTrustStore } from './trust-store.ts'

/** Whether a folder may start what nobody named: said for this one run, known, or asked at the terminal. */
export async function mayStartUnasked(
  context: CommandContext,
  configuration: Configuration,
  { named, trust = false }: { named?: readonly string[]; trust?: boolean },
): Promise<boolean> {
  if (named || trust || process.env['TOOLBLOCKS_TRUST'] === '1') return true
  const store = openTrustStore(settingsFile('trust.json'))
  return await isTrusted(startedUnasked(configuration), { context, store })
}
