import { basename, delimiter, dirname, relative } from 'node:path'
import { liesBelow } from './files/lies-below.ts'

/** How this program was started. */
export interface OwnStart {
  /** The file that Node runs, as it was named. */
  program: string
  /** The folder that a person types in. */
  folder: string
  environment: Readonly<Record<string, string | undefined>>
}

/** What to type to start this program again, from the same folder. */
export function ownCommand({ program, folder, environment }: OwnStart): string {
  const {
    npm_lifecycle_event: script,
    npm_package_name: owner,
    npm_execpath: manager = '',
  } = environment
  const isOwnScript = script === 'demo' || script === 'toolblocks'
  if (isOwnScript && owner === 'toolblocks-monorepo') {
    // In another folder a clone is used by the name that its README gives it.
    if (!liesBelow(program, folder)) return 'toolblocks'
    const version = /^pnpm\/([\d.]+)/.exec(environment['npm_config_user_agent'] ?? '')?.[1]
    if (version === undefined) return 'npm run toolblocks --'
    return /[\\/]_npx[\\/]/.test(manager) ? `npx -y pnpm@${version} toolblocks` : 'pnpm toolblocks'
  }
  if (/[\\/]_npx[\\/]/.test(program)) return 'npx toolblocks'
  const folders = (environment['PATH'] ?? '').split(delimiter)
  if (basename(program) === 'toolblocks' && folders.includes(dirname(program))) return 'toolblocks'
  return `node ${liesBelow(program, folder) ? relative(folder, program) : program}`
}
