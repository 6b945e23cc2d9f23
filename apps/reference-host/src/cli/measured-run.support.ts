import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { inject, onTestFinished } from 'vitest'
import { type Ran } from './toolblocks.support.ts'

/** The result of a run, and its maximum memory in MiB: 0 if the system is not Linux. */
export interface MeasuredRun extends Ran {
  peak: number
}

/** Runs the command without a terminal. `seen` receives all output so far, each time it grows. */
export async function runMeasured(
  folder: string,
  args: readonly string[],
  seen: (stdout: string) => void = () => {},
): Promise<MeasuredRun> {
  const child = spawn(process.execPath, [inject('command'), ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let peak = 0
  const sample = setInterval(() => {
    peak = Math.max(peak, residentAtMost(child.pid))
  }, 20)
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (data) => {
    stdout += String(data)
    seen(stdout)
  })
  child.stderr.on('data', (data) => (stderr += String(data)))
  const code = await new Promise<number | null>((done) => child.once('close', done))
  clearInterval(sample)
  return { code, stdout, stderr, peak }
}

function residentAtMost(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}
