import { createFingerprints, writeCommand } from '@toolblocks/local-executor'
import type { CommandContext } from '../../commands/command-context.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { cacheFile } from '../../files/own-folders.ts'
import { createDescribe } from './describe.ts'
import { type CachedDescribe, createCachedDescribe } from './describe-from-cache.ts'
import { openDescriptionCache } from './description-cache.ts'

/** Descriptions of the programs of a workspace, through the cache of this user. The first asking of a program is said. */
export function openDescriptions(
  { terminal, signal }: CommandContext,
  { root }: Configuration,
  { refresh = false }: { refresh?: boolean },
): CachedDescribe {
  return createCachedDescribe({
    describe: createDescribe({ root, signal }),
    cache: openDescriptionCache(cacheFile('descriptions', root)),
    fingerprints: createFingerprints({ root }),
    onFirst: ({ command }) =>
      terminal.note(terminal.style.dim(`asking ${writeCommand(command)} what it is`)),
    refresh,
  })
}
