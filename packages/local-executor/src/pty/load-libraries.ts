import { getErrorText } from '@toolblocks/protocol/internal'
import type { spawn } from '@lydell/node-pty'
import type { Terminal } from '@xterm/headless'

/** The two libraries for interactive programs; both are optional peer dependencies of this package. */
export interface PtyLibraries {
  readonly spawn: typeof spawn
  readonly Terminal: typeof Terminal
}

/** Loads the libraries, or says what to install. */
export async function loadLibraries(): Promise<
  { ok: true; libraries: PtyLibraries } | { ok: false; message: string }
> {
  try {
    const [pty, xterm] = await Promise.all([import('@lydell/node-pty'), import('@xterm/headless')])
    return { ok: true, libraries: { spawn: pty.spawn, Terminal: xterm.default.Terminal } }
  } catch (error) {
    const [reason] = getErrorText(error).split('\n')
    const message = `@toolblocks/local-executor/pty needs @lydell/node-pty, with a binary for ${process.platform}-${process.arch}, and @xterm/headless, optional peers: npm install @lydell/node-pty @xterm/headless (${reason})`
    return { ok: false, message }
  }
}
