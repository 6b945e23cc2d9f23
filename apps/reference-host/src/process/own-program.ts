import { startProgram } from '@toolblocks/local-executor'
import type { ProgramPlan, ProgramStart } from '@toolblocks/protocol'
import { delimiter, resolve, sep } from 'node:path'
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

/** Removes the elements of `PATH` that are in a folder, and those of packages in the folders above it. */
export function pathOutside(path: string, folder: string): string {
  return path
    .split(delimiter)
    .filter(
      (element) =>
        !isOfFolder(element, folder) && !isOfFolder(resolveLinks(element), resolveLinks(folder)),
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
