import { basename } from 'node:path'
import { didYouMean } from '../../terminal/did-you-mean.ts'
import { EXIT } from '../../process/exit-codes.ts'
import { getUnavailableExitCode } from '../../workspace/tools/unavailable-tool.ts'
import { showChange } from '../../workspace/consent/pins.ts'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import { openTools } from '../../workspace/open-tools.ts'

/** The options of `toolblocks tools accept`. */
export interface AcceptOptions extends SharedOptions {
  all?: boolean
}

/** `toolblocks tools accept NAME…`: shows the current descriptions of tools, and records them. */
export async function acceptTools(
  context: CommandContext,
  names: readonly string[],
  { all = false, config, trust }: AcceptOptions,
): Promise<number> {
  const { terminal } = context
  if (all === names.length > 0) {
    terminal.report('error', 'expected the names of the tools whose change you accept, or --all')
    return EXIT.usage
  }
  const opened = await openTools(context, {
    ...(config !== undefined && { config }),
    ...(trust !== undefined && { trust }),
    ...(!all && { only: names }),
    refresh: true,
    acceptsChanges: true,
  })
  if (!opened.ok) return opened.code
  await Promise.all([opened.settled(), opened.close()])
  const { pins, configuration, names: known } = opened
  const unknown = names.filter((name) => !known.includes(name))
  for (const name of unknown)
    terminal.report(
      'error',
      `no tool "${name}" in ${configuration.file}${didYouMean(name, known)}; nothing was accepted`,
    )
  if (unknown.length > 0) return EXIT.usage
  for (const change of pins.changes) terminal.print(showChange(change, terminal))
  const accepted = pins.changes.map(({ tool }) => tool)
  const failed = await pins.record(accepted)
  if (failed !== undefined) {
    terminal.report('error', failed)
    return EXIT.broken
  }
  const what =
    accepted.length === 0
      ? `No tool has changed since ${basename(pins.file)} was written.`
      : `Accepted ${accepted.join(', ')}, and recorded in ${basename(pins.file)}.`
  terminal.print(terminal.style.plain(what))
  return getUnavailableExitCode(opened.left.filter(({ reason }) => reason !== 'changed'))
}
