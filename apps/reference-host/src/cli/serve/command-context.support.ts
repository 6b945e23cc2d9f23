import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { onTestFinished, vi } from 'vitest'
import type { CommandContext } from '../../terminal/command-context.ts'
import { createTerminal } from '../../terminal/terminal.ts'
import { workspace } from '../../workspace/servers/workspace.support.ts'

/** The context of a command in a folder with these files. The user has no settings, data or agreements. `said`: what a person has read since the last time. */
export function createContext(
  files: Readonly<Record<string, string>> = {},
  signal = new AbortController().signal,
): { context: CommandContext; folder: string; readStderr(): string } {
  const folder = workspace(files)
  vi.stubEnv('XDG_DATA_HOME', join(folder, '.data'))
  vi.stubEnv('XDG_CONFIG_HOME', join(folder, '.config'))
  vi.stubEnv('XDG_CACHE_HOME', join(folder, '.cache'))
  vi.stubEnv('TOOLBLOCKS_TRUST', '')
  onTestFinished(() => void vi.unstubAllEnvs())
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- streams that are no terminal
  const terminal = createTerminal({ stdin, stdout, stderr, env: {} } as never)
  const context: CommandContext = {
    terminal,
    command: 'toolblocks',
    folder,
    signal,
    readText: async () => '',
    interrupt: () => undefined,
  }
  return { context, folder, readStderr: () => String(stderr.read() ?? '') }
}
