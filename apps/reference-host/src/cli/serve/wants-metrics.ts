import type { CommandContext } from '../../terminal/command-context.ts'
import { offersMetrics } from '../../workspace/open-workspace.ts'
import type { ServeCommandOptions } from './serve-options.ts'

/** Whether clients can read the metrics: as an option says, or the configuration that is served. */
export async function wantsMetrics(
  { folder }: Pick<CommandContext, 'folder'>,
  programs: readonly string[],
  { metrics, http, server, config }: ServeCommandOptions,
): Promise<boolean> {
  if (metrics !== undefined) return metrics
  if (http === undefined || server !== undefined || programs.length > 0) return false
  return await offersMetrics(folder, config)
}
