import { existsSync, readFileSync, statSync } from 'node:fs'
import { delimiter, join, relative } from 'node:path'
import { findRealPath, isInFolder } from '../workspace/files/real-path.ts'

/** How this program was started. */
export interface OwnStart {
  /** The file that Node runs, as written in the command line. */
  program: string
  /** The current folder of the person's shell. */
  folder: string
  environment: Readonly<Record<string, string | undefined>>
}

/** Returns the words to type to start this program again from the same folder. */
export function ownCommand({ program, folder, environment }: OwnStart): string {
  const {
    npm_lifecycle_event: script,
    npm_package_name: owner,
    npm_execpath: manager = '',
  } = environment
  const isOwnScript = script === 'demo' || script === 'toolblocks'
  if (isOwnScript && owner === 'toolblocks-monorepo' && isInFolder(program, folder)) {
    const version = /^pnpm\/([\d.]+)/.exec(environment['npm_config_user_agent'] ?? '')?.[1]
    if (version === undefined) return 'npm run toolblocks --'
    return /[\\/]_npx[\\/]/.test(manager) ? `npx -y pnpm@${version} toolblocks` : 'pnpm toolblocks'
  }
  if (/[\\/]_npx[\\/]/.test(program)) return 'npx toolblocks'
  if (startsOnPath(program, environment['PATH'] ?? '')) return 'toolblocks'
  return `node ${isInFolder(program, folder) ? relative(folder, program) : program}`
}

/** Whether `toolblocks` on the PATH is this program, or a small file that names it, such as the one that `pnpm link-command` writes. */
function startsOnPath(program: string, path: string): boolean {
  const [starter] = path
    .split(delimiter)
    .flatMap((folder) => STARTERS.map((name) => join(folder, name)))
    .filter((file) => file === program || existsSync(file))
  if (starter === undefined) return false
  if (starter === program) return true
  if (findRealPath(starter) === findRealPath(program)) return true
  const isSmall = statSync(starter).isFile() && statSync(starter).size <= MAX_STARTER_BYTES
  return isSmall && readFileSync(starter, 'utf8').includes(program)
}

const STARTERS = process.platform === 'win32' ? ['toolblocks.cmd'] : ['toolblocks']
const MAX_STARTER_BYTES = 4096
