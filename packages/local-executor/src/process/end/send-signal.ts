/** Sends a signal; a negative number is a group. False: nobody is there, always so for groups on Windows. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
