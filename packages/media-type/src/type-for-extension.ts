import { REGISTERED_TYPES } from './registered-types.ts'

let typeByExtension: ReadonlyMap<string, string> | undefined

/** Returns the registered MIME type of a lower-case file extension. The table is parsed on first use. */
export function mimeTypeForExtension(extension: string): string | undefined {
  typeByExtension ??= readTypes()
  return typeByExtension.get(extension)
}

function readTypes(): ReadonlyMap<string, string> {
  const types = new Map<string, string>()
  for (const line of REGISTERED_TYPES.trim().split('\n')) {
    const [top = '', entries = ''] = line.split(': ')
    for (const entry of entries.split(', ')) {
      const [name = '', ...extensions] = entry.split(' ')
      for (const extension of extensions) types.set(extension, `${top}/${name}`)
    }
  }
  return types
}
