import type { Progress } from '@toolblocks/protocol'

/** Makes what numbers the reports of one call: MCP wants one on each, and that it grows. A tool's own number is kept. */
export function numberProgress(): (report: Progress) => Progress & { progress: number } {
  let last = 0
  return (report) => {
    last = report.progress ?? last + 1
    return { ...report, progress: last }
  }
}
