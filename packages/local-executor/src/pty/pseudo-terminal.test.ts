import { expect, onTestFinished, test } from 'vitest'
import { sendSignal } from '../process/end-processes.ts'
import { isRunning, makeWorkspace } from '../workspace.support.ts'
import { loadLibraries, type PtyLibraries } from './load-libraries.ts'
import { openPseudoTerminal } from './pseudo-terminal.ts'

type Spawn = PtyLibraries['spawn']

/** Starts a program and stops it before it has its own process group; that moment is short, so several attempts may be needed. */
function spawnHeld(...[spawn, parameters]: [Spawn, Parameters<Spawn>]): ReturnType<Spawn> {
  for (let tries = 0; ; tries++) {
    const pty = spawn(...parameters)
    process.kill(pty.pid, 'SIGSTOP')
    if (tries === 300 || !sendSignal(-pty.pid, 0)) return pty
    process.kill(pty.pid, 'SIGKILL')
  }
}

test.skipIf(process.platform === 'win32')(
  'a program that is ended before it has a process group is gone',
  async () => {
    const { root } = makeWorkspace()
    const loaded = await loadLibraries()
    if (!loaded.ok) throw new Error(loaded.message)
    const { spawn } = loaded.libraries
    let pid = 0
    const opened = openPseudoTerminal(
      (...parameters) => {
        const pty = spawnHeld(spawn, parameters)
        pid = pty.pid
        onTestFinished(() => void sendSignal(pid, 'SIGKILL'))
        return pty
      },
      { program: 'cat', args: [], cwd: root, env: { PATH: process.env['PATH'] } },
    )
    if (!opened.ok) throw new Error(opened.message)
    await opened.terminal.end(0)
    expect(isRunning(pid)).toBe(false)
  },
)

test('if no terminal can be opened the reason is returned, and nothing is thrown', () => {
  const { root } = makeWorkspace()
  const plan = { program: 'cat', args: [], cwd: root, env: { PATH: process.env['PATH'] } }
  for (const thrown of [new Error('out of pty devices'), 'out of pty devices']) {
    const opened = openPseudoTerminal(() => {
      throw thrown
    }, plan)
    expect(opened).toEqual({
      ok: false,
      message: 'No pseudo-terminal could be opened: out of pty devices',
    })
  }
})
