import { startProgram } from '@toolblocks/local-executor'
import type { ProgramPlan, ProgramStart } from '@toolblocks/protocol'
import { delimiter, dirname, resolve, sep } from 'node:path'
import { findConfiguration } from '../workspace/files/find-configuration.ts'
import { findRealPath, isInFolder } from '../workspace/files/real-path.ts'

/**
 * Starts a program of this machine, such as an editor, without an agreement to the folder: a program of the folder is never found, whatever `PATH`
 * is. `npx` and scripts of packages set a `PATH` that begins with folders of the project.
 */
export async function startOwnProgram(plan: ProgramPlan): Promise<ProgramStart> {
  const { PATH: path = process.env['PATH'] } = plan.env
  if (path === undefined) return await startProgram(plan)
  return await startProgram({ ...plan, env: { ...plan.env, PATH: pathOutside(path, plan.cwd) } })
}

/**
 * Removes the elements of `PATH` that are in a folder, those of packages in the folders above it, and those in the folder of the configuration that
 * applies to it: a command that is typed in a folder below starts no program of the folders beside it.
 */
export function pathOutside(path: string, folder: string): string {
  const configuration = findConfiguration(folder)
  const folders = configuration === undefined ? [folder] : [folder, dirname(configuration)]
  return path
    .split(delimiter)
    .filter((element) =>
      folders.every(
        (each) =>
          !isOfFolder(element, each) && !isOfFolder(resolveLinks(element), resolveLinks(each)),
      ),
    )
    .join(delimiter)
}

const PACKAGES = /[/\\]node_modules[/\\]/

function isOfFolder(element: string, folder: string): boolean {
  const path = resolve(folder, element)
  if (isInFolder(path, folder)) return true
  const [above = ''] = path.split(PACKAGES)
  return above !== path && isInFolder(folder, above || sep)
}

function resolveLinks(path: string): string {
  return findRealPath(path) ?? path
}
