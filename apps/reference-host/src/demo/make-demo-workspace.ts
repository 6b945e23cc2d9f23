import { rmSync } from 'node:fs'
import { cp, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startProgram } from '@toolblocks/local-executor'
import { isOlder, readOwnPackage } from '../process/own-package.ts'
import { readProgramVersion } from '../process/program-version.ts'
import { CONFIGURATION_FILE } from '../workspace/files/find-configuration.ts'

/** A folder with a git repository, tools in three languages and an MCP server, and a function that removes the folder. */
export interface DemoWorkspace {
  folder: string
  remove(): Promise<void>
}

/** In the sources and in the built command. */
const TEMPLATE = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts') ? '../../../../examples/demo-workspace' : 'demo-workspace',
    import.meta.url,
  ),
)

/** The same author and time on every machine, so that the commits of the demo are the same everywhere. */
const AUTHOR = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_AUTHOR_DATE: '2026-01-01T12:00:00Z',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
  GIT_COMMITTER_DATE: '2026-01-01T12:00:00Z',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
}

/**
 * Creates the workspace of the demo in a temporary folder. Throws if git is missing. The folder is removed by `remove`, or when the process exits
 * before that.
 */
export async function makeDemoWorkspace({
  atExit,
}: {
  atExit: 'keep' | 'remove'
}): Promise<DemoWorkspace> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'toolblocks-demo-')))
  const removeNow = (): void => rmSync(folder, { recursive: true, force: true })
  if (atExit === 'remove') process.once('exit', removeNow)
  const remove = async (): Promise<void> => {
    await rm(folder, { recursive: true, force: true })
    // Removed only after the files are gone: a closed terminal can end the process while files are being removed.
    process.off('exit', removeNow)
  }
  try {
    await cp(TEMPLATE, folder, { recursive: true })
    await namePrograms(join(folder, CONFIGURATION_FILE))
    await git(folder, 'init', '--quiet', '--initial-branch=main')
    await git(folder, 'add', '.')
    await git(folder, 'commit', '--quiet', '--message', 'Light the lamp')
    return { folder, remove }
  } catch (cause) {
    await remove()
    throw cause
  }
}

/** Programs that need a library are next to this file, both in the sources and in the built command. */
const PROGRAMS = { PLAN_NIGHT: 'plan-night', HARBOR_SERVER: 'harbor-server' }

async function namePrograms(file: string): Promise<void> {
  const end = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  let text = await readFile(file, 'utf8')
  for (const [placeholder, name] of Object.entries(PROGRAMS)) {
    const program = fileURLToPath(new URL(`${name}.${end}`, import.meta.url))
    text = text.replace(`"${placeholder}"`, () => JSON.stringify(program))
  }
  // The PATH may have an older Node than the one that runs this command.
  const onPath = await readProgramVersion('node', dirname(file))
  if (onPath === undefined || isOlder(onPath, readOwnPackage().node))
    text = text.replaceAll('"node"', () => JSON.stringify(process.execPath))
  await writeFile(file, text)
}

async function git(folder: string, ...args: readonly string[]): Promise<void> {
  const plan = { program: 'git', args, cwd: folder, env: AUTHOR } as const
  const started = await startProgram({ ...plan, inherits: 'usual', streams: 'pipes' })
  if (!started.ok) throw gitNeeded(started.message)
  const { program } = started
  const stderr: Uint8Array[] = []
  program.onStdout(() => {})
  program.onStderr((chunk) => void stderr.push(chunk))
  program.endInput()
  await program.closed
  const { code } = await program.exited
  program.release()
  if (code !== 0)
    throw gitNeeded(`git ${args[0]} ended with ${code}: ${Buffer.concat(stderr).toString('utf8')}`)
}

function gitNeeded(why: string): Error {
  return new Error('The demo needs git to make its repository.', { cause: new Error(why) })
}
