import type { CommandContext } from '../../terminal/command-context.ts'
import { readOwnPackage } from '../own-package.ts'
import { readExports } from './read-exports.ts'

/** What is seen of a command from outside, besides what the environment asks for. */
export interface TelemetryOptions {
  /** Whether the metrics can be read as a page. */
  metrics?: boolean
  /** Whether each request is a line on standard error. */
  log?: 'json'
}

/** Milliseconds that the end of a command waits for an endpoint. */
const LAST_EXPORT_MS = 2000

/**
 * Does the work of a command, and exports its spans and metrics if the variables of OpenTelemetry name an endpoint. Without one, nothing is loaded. An endpoint that does not
 * answer delays the end by at most two seconds.
 */
export async function withTelemetry(
  context: CommandContext,
  { metrics: hasMetrics = false, log }: TelemetryOptions,
  work: (context: CommandContext) => Promise<number>,
): Promise<number> {
  const { terminal } = context
  const exports = readExports(process.env)
  for (const message of exports.warnings) terminal.report('warning', message)
  const isExported = exports.traces !== undefined || exports.metrics !== undefined
  const opened =
    isExported || hasMetrics
      ? await (
          await import('./open-telemetry.ts')
        ).openTelemetry({
          exports,
          hasMetrics,
          version: readOwnPackage().version,
          warn: (message) => terminal.report('warning', message),
        })
      : undefined
  const telemetry =
    log === undefined
      ? opened?.telemetry
      : (await import('./log-requests.ts')).logRequests(
          (line) => terminal.note(terminal.sanitize(line)),
          opened?.telemetry,
        )
  try {
    return await work({
      ...context,
      ...(telemetry && { telemetry }),
      ...(opened?.readMetrics && { readMetrics: opened.readMetrics }),
    })
  } finally {
    if (opened && !(await settlesWithin(opened.close(), LAST_EXPORT_MS))) {
      terminal.report(
        'warning',
        'telemetry was not exported: the endpoint has not answered in time',
      )
      // A request to an endpoint that does not answer would keep the process alive.
      setTimeout(() => process.exit(), 0).unref()
    }
  }
}

/** Whether a promise settles in time, however. */
async function settlesWithin(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, milliseconds, false)
  })
  const settled = promise.then(
    () => true as const,
    () => true as const,
  )
  const isSettled = await Promise.race([settled, late])
  clearTimeout(timer)
  return isSettled
}
