import { type Buffer, isUtf8 } from 'node:buffer'
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { opendir, stat } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { mimeTypeForPath, sniffMimeType } from '@toolblocks/media-type'
import type {
  LocalContents,
  LocalFeatures,
  LocalPrompt,
  LocalResource,
} from '@toolblocks/mcp-bridge/gateway'
import type { Configuration } from '../../workspace/configuration/configuration.ts'
import type { PromptConfiguration } from '../../workspace/configuration/table-schemas.ts'
import { MAX_FILE_BYTES, readRegularFile } from '../../workspace/files/read-regular-file.ts'
import { findRealPath, isInFolder } from '../../workspace/files/real-path.ts'

/** The maximum number of files that are offered. */
export const MAX_RESOURCES = 1000
/** The maximum number of entries of folders that are read for one list. */
const MAX_ENTRIES = 20_000
/** The maximum number of folders inside each other. */
const MAX_DEPTH = 16
/** The maximum size of a file that is offered, in bytes: 4 MiB. */
export const MAX_RESOURCE_BYTES = 4 * 1024 * 1024

/** Returns the prompts and resources of a configuration; `undefined` if it has neither. Files are read at each request, so changes arrive at once. */
export function openLocalFeatures(
  { root, prompts, resources }: Pick<Configuration, 'root' | 'prompts' | 'resources'>,
  warn: (message: string) => void,
): LocalFeatures | undefined {
  const offered = Object.entries(prompts).map(([name, prompt]) => makePrompt(name, prompt, root))
  if (offered.length === 0 && !resources) return undefined
  return {
    ...(offered.length > 0 && { prompts: offered }),
    ...(resources && { resources: openFolder(resolve(root, resources.folder), warn) }),
  }
}

/** Selects the prompts and resources that a client may see. Its rights name the files of the folder `resources`. */
export function selectLocal(
  { prompts = [], resources }: LocalFeatures,
  { maySee }: { maySee(name: string): boolean },
): LocalFeatures {
  const seen = prompts.filter(({ name }) => maySee(name))
  return {
    ...(seen.length > 0 && { prompts: seen }),
    ...(resources && maySee('resources') && { resources }),
  }
}

function makePrompt(
  name: string,
  { file, title, description, arguments: written = {} }: PromptConfiguration,
  root: string,
): LocalPrompt {
  // The person has agreed to this file. A link that is changed later is not followed.
  const path = findRealPath(resolve(root, file)) ?? resolve(root, file)
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(Object.keys(written).length > 0 && {
      arguments: Object.entries(written).map(([argument, settings]) => ({
        name: argument,
        ...settings,
      })),
    }),
    getText: async (values) => {
      if (findRealPath(path) !== path) throw new Error(`The file ${file} cannot be read.`)
      return fillIn(readPromptFile(path, file), Object.keys(written), values)
    },
  }
}

function readPromptFile(path: string, displayName: string): string {
  try {
    return readRegularFile(path, MAX_FILE_BYTES)
  } catch (error) {
    throw new Error(`The file ${displayName} cannot be read.`, { cause: error })
  }
}

/** Replaces `{{name}}` for the known names. Values are not searched again, and other texts in braces stay. */
export function fillIn(
  template: string,
  names: readonly string[],
  values: Readonly<Record<string, string>>,
): string {
  return template.replaceAll(/\{\{\s*([^{}\s]+)\s*\}\}/g, (whole, name: string) =>
    names.includes(name) ? (Object.hasOwn(values, name) ? (values[name] ?? '') : '') : whole,
  )
}

function openFolder(
  written: string,
  warn: (message: string) => void,
): NonNullable<LocalFeatures['resources']> {
  const folder = findRealPath(written) ?? written
  let hasWarned = false
  return {
    list: async () => {
      const { resources, isComplete } = await listFiles(folder)
      if (!isComplete && !hasWarned) {
        hasWarned = true
        warn(
          `[resources]: ${written} has more than ${MAX_RESOURCES} files or ${MAX_DEPTH} levels; the others are not listed`,
        )
      }
      return resources
    },
    read: async (uri) => {
      const path = findOffered(uri, folder)
      return path === undefined ? undefined : readContents(uri, path)
    },
  }
}

/** Lists the files by their path, without hidden ones, links and files that are too large. */
async function listFiles(
  folder: string,
): Promise<{ resources: readonly LocalResource[]; isComplete: boolean }> {
  const resources: LocalResource[] = []
  const folders: { path: string; depth: number }[] = [{ path: folder, depth: 1 }]
  let entries = 0
  let isComplete = true
  for (let next = folders.shift(); next; next = folders.shift()) {
    const opened = await opendir(next.path).catch(() => undefined)
    if (!opened) continue
    for await (const entry of opened) {
      entries += 1
      if (resources.length >= MAX_RESOURCES || entries > MAX_ENTRIES)
        return { resources: sort(resources), isComplete: false }
      if (!isOffered(entry.name)) continue
      const path = join(next.path, entry.name)
      if (entry.isDirectory() && next.depth >= MAX_DEPTH) isComplete = false
      else if (entry.isDirectory()) folders.push({ path, depth: next.depth + 1 })
      else if (entry.isFile()) {
        const stats = await stat(path).catch(() => undefined)
        if (stats && stats.size <= MAX_RESOURCE_BYTES)
          resources.push(describeFile(path, folder, stats.size))
      }
    }
  }
  return { resources: sort(resources), isComplete }
}

function sort(resources: readonly LocalResource[]): readonly LocalResource[] {
  return resources.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function isOffered(name: string): boolean {
  return !name.startsWith('.') && name !== 'node_modules'
}

function describeFile(path: string, folder: string, size: number): LocalResource {
  const mimeType = mimeTypeForPath(path)
  return {
    uri: pathToFileURL(path).href,
    name: relative(folder, path).replaceAll(sep, '/'),
    ...(mimeType !== undefined && { mimeType }),
    size,
  }
}

/** Returns the path of a file that is offered: in the folder after all links are followed, and not hidden. */
function findOffered(uri: string, folder: string): string | undefined {
  const path = readFileUri(uri)
  if (path === undefined || !isInFolder(path, folder)) return undefined
  if (!relative(folder, path).split(sep).every(isOffered)) return undefined
  // A link inside of the folder is not listed either.
  return findRealPath(path) === path ? path : undefined
}

function readFileUri(uri: string): string | undefined {
  try {
    return resolve(fileURLToPath(uri))
  } catch {
    return undefined
  }
}

function readContents(uri: string, path: string): LocalContents | undefined {
  const bytes = readBytes(path)
  if (!bytes) return undefined
  const mimeType = sniffMimeType(bytes) ?? mimeTypeForPath(path)
  const rest = mimeType === undefined ? {} : { mimeType }
  return isUtf8(bytes)
    ? { uri, ...rest, text: bytes.toString('utf8') }
    : { uri, ...rest, blob: bytes.toString('base64') }
}

/** Reads a regular file within the limit. The last part of the path is not followed if it became a link after the check. */
function readBytes(path: string): Buffer | undefined {
  try {
    const file = openSync(
      path,
      constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0),
    )
    try {
      const stats = fstatSync(file)
      return stats.isFile() && stats.size <= MAX_RESOURCE_BYTES ? readFileSync(file) : undefined
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
}
